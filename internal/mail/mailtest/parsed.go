package mailtest

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"testing"
)

// Parsed is a message as a mailbox shows it.
type Parsed struct {
	Header  mail.Header
	Subject string
	Text    string
	HTML    string
	Images  map[string][]byte // by Content-ID, without brackets
}

// Parse reads a message as any program would, with what the standard library has for it.
func Parse(t testing.TB, data []byte) Parsed {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("message %q: %v", data, err)
	}
	p := Parsed{Header: m.Header, Images: make(map[string][]byte)}
	if p.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	p.read(t, textproto.MIMEHeader(m.Header), m.Body)
	return p
}

func (p *Parsed) read(t testing.TB, h textproto.MIMEHeader, body io.Reader) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			p.read(t, part.Header, part)
		}
	}
	switch h.Get("Content-Transfer-Encoding") {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "text/plain":
		p.Text += strings.ReplaceAll(string(content), "\r\n", "\n")
	case "text/html":
		p.HTML += strings.ReplaceAll(string(content), "\r\n", "\n")
	default:
		p.Images[strings.Trim(h.Get("Content-ID"), "<>")] = content
	}
}

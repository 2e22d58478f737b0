package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"time"
)

// A Message is an email to one address. The same message is the same bytes every time.
type Message struct {
	From    string // an address, or a name with one
	To      string
	Subject string
	ID      string // without angle brackets: token@example.com
	Date    time.Time
	Header  []Field // what else stands in the header, in this order
	Text    string
	HTML    string  // "" is none
	Images  []Image // that the HTML shows
}

// A Field is a line of the header.
type Field struct{ Name, Value string }

// An Image is one that the HTML shows as cid:ID.
type Image struct {
	ID      string // as that of a message
	Type    string // image/png
	Name    string // of the file, for those who save it
	Content []byte
}

var (
	idForm   = regexp.MustCompile(`^[A-Za-z0-9._=+-]{1,200}@[A-Za-z0-9.-]{1,200}$`)
	nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,60}$`)
	fileForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,60}$`)
	typeForm = regexp.MustCompile(`^image/[a-z]+$`)
)

// maxHeaderLine is how long a line may be that is not folded, by RFC 5322.
const maxHeaderLine = 998

// Bytes writes the message. It fails on what would not be one.
func (m *Message) Bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := m.writeHeader(&b); err != nil {
		return nil, err
	}
	if err := m.writeBody(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (m *Message) writeHeader(b *bytes.Buffer) error {
	from, err := ParseAddress(m.From)
	if err != nil {
		return fmt.Errorf("from: %w", err)
	}
	to, err := ParseAddress(m.To)
	if err != nil {
		return fmt.Errorf("to: %w", err)
	}
	if !idForm.MatchString(m.ID) {
		return fmt.Errorf("%q is no id of a message", m.ID)
	}
	if hasControl(m.Subject) {
		return fmt.Errorf("subject %q is not one line of text", m.Subject)
	}
	fields := append([]Field{
		{"From", from.String()}, {"To", (&mail.Address{Address: to.Address}).String()}, {"Subject", foldWords(mime.QEncoding.Encode("utf-8", m.Subject))},
		{"Date", m.Date.Format(time.RFC1123Z)}, {"Message-ID", "<" + m.ID + ">"}, {"MIME-Version", "1.0"},
	}, m.Header...)
	for i, f := range fields {
		ours := i < len(fields)-len(m.Header) // those may be folded
		if !nameForm.MatchString(f.Name) || !ours && !isPlain(f.Value) || len(f.Value) > maxHeaderLine-len(f.Name) {
			return fmt.Errorf("header %q: %q is not one line of ASCII", f.Name, f.Value)
		}
		fmt.Fprintf(b, "%s: %s\r\n", f.Name, f.Value)
	}
	return nil
}

// foldWords puts encoded words on lines of their own, as no line may be long.
func foldWords(s string) string { return strings.ReplaceAll(s, "?= =?", "?=\r\n =?") }

// writeBody writes the text alone, or the text beside the HTML with its images.
func (m *Message) writeBody(b *bytes.Buffer) error {
	if m.HTML == "" {
		fmt.Fprint(b, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
		return writeQuoted(b, m.Text)
	}
	both := multipart.NewWriter(b)
	if err := both.SetBoundary(m.boundary("alternative")); err != nil {
		return err
	}
	fmt.Fprintf(b, "Content-Type: multipart/alternative; boundary=%q\r\n\r\n", both.Boundary())
	if err := writeText(both, "text/plain", m.Text); err != nil {
		return err
	}
	if err := m.writeHTML(both); err != nil {
		return err
	}
	return both.Close()
}

func (m *Message) writeHTML(to *multipart.Writer) error {
	if len(m.Images) == 0 {
		return writeText(to, "text/html", m.HTML)
	}
	boundary := m.boundary("related")
	part, err := to.CreatePart(textproto.MIMEHeader{"Content-Type": {fmt.Sprintf("multipart/related; type=\"text/html\"; boundary=%q", boundary)}})
	if err != nil {
		return err
	}
	related := multipart.NewWriter(part)
	if err := related.SetBoundary(boundary); err != nil {
		return err
	}
	if err := writeText(related, "text/html", m.HTML); err != nil {
		return err
	}
	for _, image := range m.Images {
		if err := image.write(related); err != nil {
			return err
		}
	}
	return related.Close()
}

// boundary is one that does not stand in the text: it follows from the id, which nobody can guess who wrote some of it.
func (m *Message) boundary(kind string) string {
	sum := sha256.Sum256([]byte(kind + " " + m.ID))
	return hex.EncodeToString(sum[:16])
}

func writeText(to *multipart.Writer, kind, text string) error {
	part, err := to.CreatePart(textproto.MIMEHeader{
		"Content-Type": {kind + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"},
	})
	if err != nil {
		return err
	}
	return writeQuoted(part, text)
}

func writeQuoted(to io.Writer, text string) error {
	q := quotedprintable.NewWriter(to)
	if _, err := io.WriteString(q, strings.ReplaceAll(text, "\r\n", "\n")); err != nil {
		return err
	}
	return q.Close()
}

func (i Image) write(to *multipart.Writer) error {
	if !idForm.MatchString(i.ID) || !fileForm.MatchString(i.Name) || !typeForm.MatchString(i.Type) {
		return fmt.Errorf("%q of type %q is no image", i.Name, i.Type)
	}
	part, err := to.CreatePart(textproto.MIMEHeader{
		"Content-Type": {fmt.Sprintf("%s; name=%q", i.Type, i.Name)}, "Content-Transfer-Encoding": {"base64"}, "Content-ID": {"<" + i.ID + ">"},
		"Content-Disposition": {fmt.Sprintf("inline; filename=%q", i.Name)},
	})
	if err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(i.Content)
	const line = 76
	for len(text) > 0 {
		n := min(line, len(text))
		if _, err := io.WriteString(part, text[:n]+"\r\n"); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

package door

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
)

// What the bytes at the beginning of a connection are.
type kind int

const (
	other kind = iota // no plain hit
	part              // perhaps the beginning of one
	whole             // one
)

// Limits of a plain hit.
const (
	mostHead = 8 << 10
	mostBody = 64 << 10
)

// A request is the hit that is read. It is used again for the next one of the connection.
type request struct {
	http   http.Request
	line   string // that it begins with
	values []string
	body   body
	length int // as its head tells
	end    context.CancelFunc
}

// body is what http.Request.Body reads.
type body struct{ bytes.Reader }

func (*body) Close() error { return nil }

func (r *request) init(d *Door, c *net.TCPConn) {
	r.line = "POST " + d.hits.Path + " HTTP/1.1\r\n"
	ctx, end := context.WithCancel(d.context)
	r.end = end
	r.http = *(&http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: d.hits.Path}, RequestURI: d.hits.Path, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header, 16), RemoteAddr: c.RemoteAddr().String(),
	}).WithContext(ctx)
}

// read reads the request that the bytes begin with, and tells how many of them it has.
func (r *request) read(b []byte) (size int, k kind) {
	if n := min(len(b), len(r.line)); string(b[:n]) != r.line[:n] {
		return 0, other
	}
	end := bytes.Index(b[:min(len(b), mostHead)], []byte("\r\n\r\n"))
	if end < 0 {
		if len(b) >= mostHead {
			return 0, other
		}
		return 0, part
	}
	head := end + len("\r\n\r\n")
	if !r.readHead(string(b[len(r.line) : end+len("\r\n")])) {
		return 0, other
	}
	if size = head + r.length; len(b) < size {
		return 0, part
	}
	r.body.Reset(b[head:size])
	r.http.Body, r.http.ContentLength = io.ReadCloser(&r.body), int64(r.length)
	return size, whole
}

// readHead reads the lines of a head into the header, and tells whether all are those of a plain hit.
func (r *request) readHead(head string) bool {
	clear(r.http.Header)
	r.values, r.http.Host, r.length = r.values[:0], "", 0
	for head != "" {
		line, rest, ended := strings.Cut(head, "\r\n")
		name, value, told := strings.Cut(line, ":")
		if !ended || !told || !r.note(canonical(name), trim(value)) {
			return false
		}
		head = rest
	}
	return r.http.Host != "" && r.length > 0
}

// note keeps a line of the head. Those that say how a message is to be read have to say what is usual.
func (r *request) note(name, value string) bool {
	if name == "" || !isPlain(value) {
		return false
	}
	switch name {
	case "Transfer-Encoding", "Trailer", "Te", "Expect", "Upgrade", "Pragma", "Proxy-Connection", "Keep-Alive", "Http2-Settings":
		return false
	case "Connection":
		if !strings.EqualFold(value, "keep-alive") {
			return false
		}
	case "Host":
		ok := r.http.Host == "" && isHost(value)
		r.http.Host = value
		return ok
	case "Content-Length":
		if _, again := r.http.Header[name]; again || !r.readLength(value) {
			return false
		}
	}
	if before, again := r.http.Header[name]; again {
		r.http.Header[name] = append(before, value)
		return true
	}
	r.values = append(r.values, value)
	n := len(r.values)
	r.http.Header[name] = r.values[n-1 : n : n]
	return true
}

func (r *request) readLength(digits string) bool {
	if digits == "" || len(digits) > 6 {
		return false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return false
		}
		r.length = 10*r.length + int(c-'0')
	}
	return r.length > 0 && r.length <= mostBody
}

// names are headers that browsers and proxies send, as net/http writes them, by how they are sent.
var names = func() map[string]string {
	known := make(map[string]string)
	for name := range strings.FieldsSeq(`Accept Accept-Charset Accept-Encoding Accept-Language Authorization Cache-Control Cf-Connecting-Ip Cf-Ipcountry Cf-Ray
		Cf-Visitor Connection Content-Encoding Content-Length Content-Type Cookie Dnt Expect Forwarded Host If-None-Match Keep-Alive Origin Pragma Priority
		Proxy-Connection Purpose Referer Save-Data Sec-Ch-Ua Sec-Ch-Ua-Mobile Sec-Ch-Ua-Platform Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site
		Sec-Fetch-Storage-Access Sec-Gpc Sec-Purpose Te Trailer Transfer-Encoding True-Client-Ip Upgrade User-Agent Via X-Forwarded-For X-Forwarded-Host
		X-Forwarded-Port X-Forwarded-Proto X-Forwarded-Server X-Real-Ip X-Request-Id X-Requested-With`) {
		known[name], known[strings.ToLower(name)] = name, name
	}
	for _, name := range []string{"DNT", "TE", "X-Real-IP", "Sec-CH-UA", "Sec-CH-UA-Mobile", "Sec-CH-UA-Platform", "Sec-GPC", "CF-Connecting-IP", "CF-IPCountry", "CF-RAY", "CF-Visitor"} {
		known[name] = textproto.CanonicalMIMEHeaderKey(name)
	}
	return known
}()

// canonical is the name of a header as net/http writes it; "" if it is none.
func canonical(name string) string {
	if known := names[name]; known != "" {
		return known
	}
	for _, c := range []byte(name) {
		if !isNameByte[c] {
			return ""
		}
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// trim takes spaces and tabs off both ends.
func trim(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// isPlain tells whether a value has nothing but what can be seen, spaces, and bytes beyond ASCII.
func isPlain(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// isHost tells whether a value is the usual name of a host, with or without a port.
func isHost(value string) bool {
	for _, c := range []byte(value) {
		if !isHostByte[c] {
			return false
		}
	}
	return value != ""
}

// isNameByte are the bytes that names of headers are made of here: fewer than RFC 9110 allows.
var isNameByte, isHostByte = func() (name, host [256]bool) {
	for c := range 256 {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
		name[c] = letter || c == '_'
		host[c] = letter || c == '.' || c == ':' || c == '[' || c == ']'
	}
	return name, host
}()

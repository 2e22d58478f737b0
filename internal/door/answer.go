package door

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// An answer is what the handler of a hit says. It is used again for the next hit of the connection.
type answer struct {
	header http.Header
	status int
	body   []byte
	all    []byte
}

func (a *answer) begin() {
	if a.header == nil {
		a.header = make(http.Header, 8)
	}
	clear(a.header)
	a.status, a.body, a.all = 0, a.body[:0], a.all[:0]
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// bytes is the answer as it is sent. The last one says so.
func (a *answer) bytes(last bool) []byte {
	a.WriteHeader(http.StatusOK)
	b := append(a.all, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(a.status), 10)
	b = append(append(append(b, ' '), http.StatusText(a.status)...), "\r\nDate: "...)
	b = append(b, date()...)
	for name, values := range a.header {
		for _, value := range values {
			if name == "Content-Length" || strings.ContainsAny(value, "\r\n") { // we count ourselves; and a value ends where its line does
				continue
			}
			b = append(append(append(append(b, "\r\n"...), name...), ": "...), value...)
		}
	}
	if last {
		b = append(b, "\r\nConnection: close"...)
	}
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(a.body)), 10)
	b = append(b, "\r\n\r\n"...)
	a.all = append(b, a.body...)
	return a.all
}

// A moment is a second, as a Date header writes it.
type moment struct {
	second int64
	text   string
}

var lately atomic.Pointer[moment]

// date is now, as a Date header writes it.
func date() string {
	now := time.Now()
	if m := lately.Load(); m != nil && m.second == now.Unix() {
		return m.text
	}
	m := &moment{now.Unix(), now.UTC().Format(http.TimeFormat)}
	lately.Store(m)
	return m.text
}

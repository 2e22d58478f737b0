package webhook

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"footfall/internal/fault"
)

const maxURLBytes = 2000

// ParseURL reads the URL of a webhook. A text that is none is a fault of the field url.
func ParseURL(s string) (*url.URL, error) {
	var f fault.Fields
	wrong := func(format string, args ...any) (*url.URL, error) {
		f.Add("url", format, args...)
		return nil, f.Err()
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return wrong("is required: such as https://example.com/hooks")
	}
	if len(s) > maxURLBytes {
		return wrong("must not be longer than %d bytes", maxURLBytes)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return wrong("must be a URL without spaces, control characters and backslashes")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https":
		return wrong("must be a URL that begins with https:// or http://")
	case u.User != nil:
		return wrong("must have no user and password: messages are signed instead")
	case u.Hostname() == "" || strings.Contains(u.Hostname(), "%"):
		return wrong("must name a host")
	case u.Fragment != "" || strings.HasSuffix(s, "#"):
		return wrong("must have no fragment")
	}
	return u, nil
}

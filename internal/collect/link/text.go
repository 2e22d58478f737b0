package link

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is the value of a parameter as text for people: unescaped, valid, printable, short. A value with an email address
// is none.
func plain(value []byte) string {
	if hasEmail(value) {
		return ""
	}
	if isPlain(value) {
		return string(value)
	}
	var room [256]byte
	text := room[:0]
	for s := string(value); s != ""; {
		b, size := byteAt(s, 0)
		if b == '+' && size == 1 {
			b = ' '
		}
		text = append(text, b)
		s = s[size:]
	}
	return tidy(text)
}

// isPlain tells whether a value is such a text already.
func isPlain(value []byte) bool {
	for _, c := range value {
		if c <= ' ' || c >= 0x7f || c == '%' || c == '+' {
			return false
		}
	}
	return len(value) <= maxTextBytes
}

// tidy is a text without what cannot be printed, of at most maxTextBytes.
func tidy(text []byte) string {
	var room [maxTextBytes + utf8.UTFMax]byte
	clean := room[:0]
	for len(text) > 0 && len(clean) <= maxTextBytes {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == utf8.RuneError && size == 1:
		case unicode.IsSpace(r):
			if len(clean) > 0 {
				clean = append(clean, ' ')
			}
		case unicode.IsPrint(r):
			clean = utf8.AppendRune(clean, r)
		}
	}
	n := min(len(clean), maxTextBytes)
	for n < len(clean) && !utf8.RuneStart(clean[n]) {
		n--
	}
	return strings.TrimRight(string(clean[:n]), " ")
}

// at are the ways to write @ in a text that is escaped, or was twice.
var at = [][]byte{[]byte("@"), []byte("%40"), []byte("%2540")}

// hasEmail tells whether something in a normal text looks like an email address.
func hasEmail(text []byte) bool {
	if bytes.IndexByte(text, '@') < 0 && bytes.IndexByte(text, '%') < 0 {
		return false
	}
	for _, sign := range at {
		for rest, i := text, 0; ; rest = rest[i+len(sign):] {
			if i = bytes.Index(rest, sign); i < 0 {
				break
			}
			if i > 0 && isMailbox(rest[i-1]) && hasDomain(rest[i+len(sign):]) {
				return true
			}
		}
	}
	return false
}

func isMailbox(c byte) bool {
	return classes[c]&unreserved != 0 || c >= utf8.RuneSelf || c == '+' || c == '"'
}

// hasDomain tells whether a text begins with a domain: labels with a dot between them, of which the last is letters.
func hasDomain(text []byte) bool {
	dots, letters := 0, 0
	for _, c := range text {
		switch {
		case c == '.':
			if letters >= 2 && dots > 0 {
				return true
			}
			dots, letters = dots+1, 0
		case 'a' <= c|0x20 && c|0x20 <= 'z', c >= utf8.RuneSelf:
			letters++
		case '0' <= c && c <= '9', c == '-':
			letters = -maxHostBytes
		default:
			return dots > 0 && letters >= 2
		}
	}
	return dots > 0 && letters >= 2
}

package collect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text of what was sent: valid UTF-8 without control characters and without spaces around it, of at most max
// bytes, cut between characters.
func clean(s string, max int) string {
	if plain(s) {
		s = strings.TrimSpace(s)
		return s[:min(len(s), max)]
	}
	if len(s) > 4*max+64 { // enough, whatever is removed
		s = s[:4*max+64]
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r // what is no UTF-8 becomes the replacement character
	}, s)
	return cut(strings.TrimSpace(s), max)
}

// plain tells whether a text is ASCII without control characters.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cut shortens a text to at most max bytes, between characters.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}

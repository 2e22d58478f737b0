package accounts

import (
	"strings"
	"time"
	_ "time/tzdata" // so that every machine knows the same time zones
	"unicode"
	"unicode/utf8"

	"footfall/internal/fault"
)

const maxTextChars = 200 // of a name, a label, a search

// line is a short text on one line, without spaces around it. It notes what is wrong with one that is none.
func line(f *fault.Fields, field, s string) string {
	s = strings.TrimSpace(s)
	switch {
	case !isText(s) || strings.ContainsAny(s, "\r\n\t"):
		f.Add(field, "must be text on one line")
	case utf8.RuneCountInString(s) > maxTextChars:
		f.Add(field, "must not be longer than %d characters", maxTextChars)
	}
	return s
}

// isText tells whether a text is one that both engines keep and that people can see all of: UTF-8 without control or
// formatting characters other than tabs and line breaks.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\t', '\r', '\n', '\u200c', '\u200d': // some scripts and emoji need the joiners
			return false
		}
		return unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// quote is a text as it stands in a message, cut if it is long.
func quote(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
	return `"` + s + `"`
}

// choice is the allowed value that a text is. It notes the allowed values if it is none of them.
func choice[T ~string](f *fault.Fields, field, s string, allowed ...T) T {
	words := make([]string, len(allowed))
	for i, a := range allowed {
		if T(s) == a {
			return a
		}
		words[i] = string(a)
	}
	f.Add(field, "must be %s", or(words))
	return ""
}

// or joins words as in "0, 1 or 2".
func or(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// zone is the name of a time zone. It notes what is wrong with one that is none.
func zone(f *fault.Fields, field, name string) string {
	if !isZone(name) {
		f.Add(field, "must be the name of a time zone, such as Europe/Berlin or UTC")
	}
	return name
}

// isZone tells whether IANA's database has a time zone. The machine's copy has files beside the zones, and "right" ones
// that count leap seconds: those are none.
func isZone(name string) bool {
	switch name {
	case "", "Local", "Factory", "localtime", "posixrules":
		return false
	}
	if strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// deref is the text that was sent, or another if none was.
func deref(sent *string, otherwise string) string {
	if sent == nil {
		return otherwise
	}
	return *sent
}

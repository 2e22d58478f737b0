package mail

import (
	"strings"
	"unicode"
)

// maxShown is how many characters of a value an email shows.
const maxShown = 80

// Clean is a value as it may stand on one line of an email, where programs look for addresses and markup: without line
// breaks, without characters that hide or turn others, not too long, and without the beginning of a URL. Escaping for HTML
// comes after it.
func Clean(s string) string {
	var b strings.Builder
	shown, space, rest := 0, true, "" // no spaces in front
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			if space {
				continue
			}
			r, space = ' ', true
		case r == '\u200c' || r == '\u200d': // some scripts and emoji need the joiners
		case !unicode.IsPrint(r) || unicode.In(r, unicode.Cf, unicode.Co):
			r, space = '\uFFFD', false
		default:
			space = false
		}
		if shown++; shown > maxShown {
			rest = "…"
			break
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "://", ": //") + rest
}

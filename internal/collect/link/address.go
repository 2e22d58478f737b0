package link

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// The schemes of an address.
const (
	web     = "https" // http too, or none
	android = "android-app"
	ios     = "ios-app"
)

// An address is a URL in its parts, as a browser splits it.
type address struct {
	scheme                string
	host                  string // normalised if the scheme is web; as it came if it is an app
	path, query, fragment string // as they came
}

// split takes an address apart. It is not ok if it has no scheme that we know or a host that cannot be.
func split(raw string) (a address, ok bool) {
	if indexOf(raw, isBlank) < len(raw) {
		raw = withoutBlanks(raw)
	}
	if strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") {
		a.scheme = web
		a.splitPath(raw)
		return a, true
	}
	scheme, rest, ok := cutScheme(raw)
	if !ok {
		return a, false
	}
	authority := rest[:indexOf(rest, isDelimiter)]
	a.scheme = scheme
	a.splitPath(rest[len(authority):])
	if scheme != web {
		a.host = authority
		return a, authority != ""
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	a.host, ok = normalHost(authority)
	return a, ok
}

func (a *address) splitPath(s string) {
	s, a.fragment, _ = strings.Cut(s, "#")
	a.path, a.query, _ = strings.Cut(s, "?")
}

var schemes = []struct{ prefix, scheme string }{
	{"https://", web}, {"http://", web}, {"//", web}, {"android-app://", android}, {"ios-app://", ios},
}

func cutScheme(s string) (scheme, rest string, ok bool) {
	for _, known := range schemes {
		if len(s) >= len(known.prefix) && strings.EqualFold(s[:len(known.prefix)], known.prefix) {
			return known.scheme, s[len(known.prefix):], true
		}
	}
	return "", "", false
}

func isBlank(c byte) bool { return c <= ' ' }

// withoutBlanks is an address without line breaks, and without spaces and control characters around it, as browsers read it.
func withoutBlanks(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

func isDelimiter(c byte) bool { return c == '/' || c == '?' || c == '#' || c == '\\' }

// indexOf is the place of the first byte that is so, or the length of the text.
func indexOf(s string, is func(byte) bool) int {
	for i := range len(s) {
		if is(s[i]) {
			return i
		}
	}
	return len(s)
}

const maxHostBytes = 253

// hosts turns a host into ASCII as browsers do. It is the profile that domains of websites are normalised with.
var hosts = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// normalHost is a host as domains of websites are written: in lower case and in ASCII, without port and "www.". It is ""
// for an IP address: none is ever kept.
func normalHost(s string) (host string, ok bool) {
	if strings.HasPrefix(s, "[") {
		return "", strings.Contains(s, "]")
	}
	if i := strings.IndexByte(s, ':'); i >= 0 {
		if strings.Trim(s[i+1:], "0123456789") != "" {
			return "", false
		}
		s = s[:i]
	}
	if len(s) > 4*maxHostBytes {
		return "", false
	}
	if indexOf(s, func(c byte) bool { return c >= 0x80 }) < len(s) {
		ascii, err := hosts.ToASCII(s)
		if err != nil || !utf8.ValidString(s) {
			return "", false
		}
		s = ascii
	}
	s = strings.TrimSuffix(strings.ToLower(s), ".")
	if !isHost(s) {
		return "", false
	}
	if isNumber(s[strings.LastIndexByte(s, '.')+1:]) {
		return "", true
	}
	return withoutWWW(s), true
}

// isHost tells whether a text in lower case can be a host: labels of letters, digits, hyphens and underscores.
func isHost(s string) bool {
	if len(s) > maxHostBytes {
		return false
	}
	length := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			if length == 0 {
				return false
			}
			length = 0
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
			if length++; length > 63 {
				return false
			}
		default:
			return false
		}
	}
	return length > 0
}

// isNumber tells whether a browser takes a host with this last label for an IP address.
func isNumber(label string) bool {
	if label[0] < '0' || label[0] > '9' {
		return false
	}
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func withoutWWW(host string) string {
	for {
		rest, ok := strings.CutPrefix(host, "www.")
		if !ok || !strings.Contains(rest, ".") && rest != "localhost" {
			return host
		}
		host = rest
	}
}

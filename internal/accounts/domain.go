package accounts

import (
	"errors"
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
)

// What can be wrong with a domain, as it follows the name of the field.
var (
	errNoDomain      = errors.New("is required")
	errNotADomain    = errors.New("must be a domain such as example.com")
	errDomainAddress = errors.New("must be a domain such as example.com, not an IP address")
	errDomainLength  = errors.New("must not be longer than 253 characters")
)

const maxDomainChars = 253

// normalDomain is the domain that people mean when they enter one, or the address of a page on it: in lower case and in
// ASCII, without scheme, port, path and "www.".
func normalDomain(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", errNoDomain
	}
	for _, scheme := range []string{"https://", "http://", "//"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			s = s[len(scheme):]
			break
		}
	}
	if i := strings.IndexAny(s, `/?#\`); i >= 0 {
		s = s[:i]
	}
	if _, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return "", errDomainAddress
	}
	if host, port, ok := strings.Cut(s, ":"); ok {
		if strings.Trim(port, "0123456789") != "" {
			return "", errNotADomain
		}
		s = host
	}
	s, err := asciiDomain(s)
	if err != nil {
		return "", err
	}
	for {
		rest, ok := strings.CutPrefix(s, "www.")
		if !ok || !hasDot(rest) {
			return s, nil
		}
		s = rest
	}
}

// hosts turns a domain into ASCII as browsers do, who take hyphens anywhere; asciiDomain is stricter with the rest.
var hosts = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// asciiDomain is a domain in lower case and in ASCII. It has a dot, or is localhost.
func asciiDomain(s string) (string, error) {
	if len(s) > 4*maxDomainChars {
		return "", errDomainLength
	}
	if !isText(s) {
		return "", errNotADomain
	}
	s, err := hosts.ToASCII(s)
	if err != nil {
		return "", errNotADomain
	}
	s = strings.TrimSuffix(s, ".")
	if !hasDot(s) {
		return "", errNotADomain
	}
	if len(s) > maxDomainChars {
		return "", errDomainLength
	}
	label := ""
	for label = range strings.SplitSeq(s, ".") {
		if !isLabel(label) {
			return "", errNotADomain
		}
	}
	if strings.Trim(label, "0123456789") == "" {
		return "", errDomainAddress // browsers take a name that ends in a number for an address
	}
	return s, nil
}

func hasDot(s string) bool { return s == "localhost" || strings.Contains(s, ".") }

func isLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// unicodeDomain is a domain as its owner reads it: "bücher.example" for "xn--bcher-kva.example".
func unicodeDomain(ascii string) string {
	s, err := hosts.ToUnicode(ascii)
	if err != nil {
		return ascii
	}
	return s
}

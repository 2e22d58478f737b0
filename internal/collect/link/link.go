// Package link reads what a page's address and its referrer tell: the page itself, the campaign, the source of a visit
// and its channel. docs/sources.md says in words what the tables here say.
//
// Addresses are hostile text. Whatever is sent, the answer comes in bounded time, is valid UTF-8 without control
// characters, is short, and holds no user name, no password, no email address and no IP address in place of a host.
package link

import (
	"errors"
	"strings"
)

// A Page is what the address of a page tells. Its texts may share memory with the address.
type Page struct {
	Hostname string // in lower case and in ASCII, without port and "www."; "" if there is none, or an IP address
	Path     string // as people read it, with the query that is left

	Campaign, Source, Medium, Term, Content string // utm_campaign, utm_source and so on

	Paid bool // the address has the click id of an advertisement, or a medium that is paid for

	click string // name of the site whose click id the address has
}

// Rules are what a website's owner decides about addresses.
type Rules struct {
	Exclude func(name string) bool // further parameters to strip; nil for none
	Hash    bool                   // the fragment is part of the page
}

// Limits on an address.
const (
	maxAddressBytes = 8 << 10 // what is beyond is not looked at
	maxPathBytes    = 2000    // of Path
	maxTextBytes    = 200     // of the other texts
	maxParams       = 200     // parameters looked at; those beyond are dropped
)

var errNotAPage = errors.New("must be the address of a page, such as https://example.com/about")

// ParsePage reads the address of a page on the web, or a path alone. Reading the path that it returns gives the same path.
func ParsePage(raw string, r Rules) (Page, error) {
	a, ok := split(bounded(raw))
	if !ok || a.scheme != web {
		return Page{}, errNotAPage
	}
	p := Page{Hostname: a.host}
	q := query{page: &p, exclude: r.Exclude, left: maxParams}
	var room [512]byte
	text := appendPath(room[:0], a.path)
	text = q.append(text, a.query, '?')
	whole := q.appendFragment(text, a.fragment) // read in any case: it may carry a campaign
	if r.Hash {
		text = whole
	}
	p.Path = string(text)
	p.Paid = p.Paid || isPaid(strings.ToLower(p.Medium))
	return p, nil
}

// bounded is the part of an address that is looked at. It ends between parameters, since half an email address does not
// look like one.
func bounded(raw string) string {
	if len(raw) <= maxAddressBytes {
		return raw
	}
	raw = raw[:maxAddressBytes]
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:max(i, strings.LastIndexAny(raw, "?&#"))]
	}
	return raw
}

package link

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// An Origin is where a visit comes from.
type Origin struct {
	Referrer string // host without "www.", or android-app:// and an id that is not known; "" if there is none
	Source   string // name of the site, such as "Google"; of one that is not known utm_source or host; "" if there is none
	Channel  string // "Organic Search"; never "": "Direct" if nothing is known
}

// ParseReferrer reads where a visit to a page comes from. A referrer of the page's own site is none. What the address of
// the page says, as utm_source, goes before its referrer.
func ParseReferrer(raw string, p Page) Origin {
	v := visit{paid: p.Paid}
	v.source, v.medium, v.campaign = strings.ToLower(p.Source), strings.ToLower(p.Medium), strings.ToLower(p.Campaign)
	host, from := referrer(raw, p.Hostname)
	o := Origin{Referrer: host, Source: host}
	switch {
	case v.source != "":
		ads := false
		from, ads = siteNamed(v.source)
		o.Source, v.paid = p.Source, v.paid || ads
	case host == "" && p.click != "":
		from = byName[strings.ToLower(p.click)]
	}
	if from != nil {
		o.Source, v.kind = from.name, from.kind
	}
	v.known = o.Source != ""
	o.Channel = v.channel()
	return o
}

// referrer is the host that a visit comes from, as it is shown, and the site that it belongs to if that is known.
func referrer(raw, page string) (string, *site) {
	a, ok := split(bounded(raw))
	switch {
	case !ok || a.host == "":
		return "", nil
	case a.scheme != web:
		return app(a)
	case a.host == "localhost" || sameSite(a.host, page):
		return "", nil
	}
	from := siteAt(a.host)
	return cutText(entrance(a.host, from)), from
}

// app is an app as a referrer: the host of its site if it is known.
func app(a address) (string, *site) {
	id := strings.ToLower(a.host)
	if s := byName[id]; s != nil {
		return s.home(), s
	}
	if !isHost(id) {
		return "", nil
	}
	return cutText(a.scheme + "://" + id), nil
}

func cutText(host string) string { return host[:min(len(host), maxTextBytes)] }

// sameSite tells whether two hosts are parts of one site: they have the same domain below a public suffix.
func sameSite(a, b string) bool {
	if a == b {
		return true
	}
	if ending(a) != ending(b) { // spares nearly all others the search for public suffixes
		return false
	}
	x, ok := domain(a)
	y, _ := domain(b)
	return ok && x == y
}

// domain is the part of a host that is registered: a public suffix and the label before it. It is not ok if there is none.
func domain(host string) (domain string, ok bool) {
	suffix, _ := publicsuffix.PublicSuffix(host)
	if len(host) <= len(suffix) {
		return "", false
	}
	label := strings.LastIndexByte(host[:len(host)-len(suffix)-1], '.') + 1
	return host[label:], true
}

// ending is the last two labels of a host.
func ending(host string) string {
	i := strings.LastIndexByte(host, '.')
	if i < 0 {
		return host
	}
	return host[strings.LastIndexByte(host[:i], '.')+1:]
}

// entrances are the first labels that stand for the same site on phones, or for its door to the outside.
var entrances = map[string]bool{
	"m": true, "mobile": true, "touch": true, "lite": true, "mbasic": true, "amp": true, "web": true, "old": true, "np": true,
	"l": true, "lm": true, "out": true, "away": true,
}

// entrance is a host without such a label: "facebook.com" for "l.facebook.com". Of a site that is not known only "m." is
// taken away.
func entrance(host string, s *site) string {
	label, rest, _ := strings.Cut(host, ".")
	if !entrances[label] || !strings.Contains(rest, ".") {
		return host
	}
	if s != nil && siteAt(rest) == s {
		return rest
	}
	if s == nil && label == "m" {
		if suffix, _ := publicsuffix.PublicSuffix(rest); suffix != rest {
			return rest
		}
	}
	return host
}

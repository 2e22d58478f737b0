package link

import "strings"

// A kind is what people do on a site; the channel of a visit follows from it.
type kind uint8

const (
	other kind = iota // known by name only
	search
	social
	video
	shopping
	email
	assistant
)

// A site is a place that visits come from.
type site struct {
	name  string
	kind  kind
	hosts string // with a space between them, the main one first; "google.*" is google in any country
	also  string // ids of its apps, and what it is called in utm_source beside its name
}

// tables are all sites that are known.
var tables = [][]site{searchEngines, assistants, networks, videoSites, shops, mailboxes, otherSites}

// The sites by host, by the name before a country ("google" of "google.*"), and by name in lower case or id of an app.
var byHost, byFamily, byName = func() (host, family, name map[string]*site) {
	host, family, name = map[string]*site{}, map[string]*site{}, map[string]*site{}
	for _, table := range tables {
		for i := range table {
			s := &table[i]
			for h := range strings.FieldsSeq(s.hosts) {
				if label, ok := strings.CutSuffix(h, ".*"); ok {
					family[label] = s
				} else {
					host[h] = s
				}
			}
			for n := range strings.FieldsSeq(s.also) {
				name[strings.ToLower(n)] = s
			}
			name[strings.ToLower(s.name)] = s
		}
	}
	return host, family, name
}()

// home is the main host of a site.
func (s *site) home() string {
	home, _, _ := strings.Cut(s.hosts, " ")
	return home
}

// siteAt is the site that a host belongs to, by itself or by a domain above it; nil if none is known.
func siteAt(host string) *site {
	family := withoutCountry(host)
	for {
		if s := byHost[host]; s != nil {
			return s
		}
		if s := byFamily[family]; s != nil {
			return s
		}
		ok := false
		if _, host, ok = strings.Cut(host, "."); !ok {
			return nil
		}
		_, family, _ = strings.Cut(family, ".")
	}
}

// withoutCountry is a host without the ending that one name has in many countries: "google" for "google.co.uk". It is "" if
// the host has no such ending.
func withoutCountry(host string) string {
	i := max(strings.LastIndexByte(host, '.'), 0)
	name, top := host[:i], host[i:]
	if top == ".com" {
		return name
	}
	if len(top) != len(".uk") {
		return ""
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && oneOf(name[i:], ".co", ".com", ".org", ".net") {
		return name[:i]
	}
	return name
}

// siteNamed is the site that somebody calls so in utm_source, in lower case, or nil; paid tells whether the name means its
// advertisements: "google_ads".
func siteNamed(name string) (s *site, paid bool) {
	if s := byName[name]; s != nil {
		return s, name == "adwords"
	}
	if strings.Contains(name, ".") {
		return siteAt(name), false
	}
	for _, suffix := range []string{"ads", "ad"} {
		rest, ok := strings.CutSuffix(name, suffix)
		if !ok {
			continue
		}
		if s := byName[strings.TrimRight(rest, "_- ")]; s != nil {
			return s, true
		}
	}
	return nil, false
}

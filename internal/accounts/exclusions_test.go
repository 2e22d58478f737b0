package accounts_test

import (
	"net/netip"
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestExcludedIPs(t *testing.T) {
	prefixes := func(list ...string) (p []netip.Prefix) {
		for _, s := range list {
			p = append(p, netip.MustParsePrefix(s))
		}
		return p
	}
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	w := createWebsite(t, db, anna, "example.com")
	for name, c := range map[string]struct {
		list string
		want []netip.Prefix
	}{
		"none":                        {"", nil},
		"only separators":             {" ,\r\n, ", nil},
		"one address":                 {"192.0.2.1", prefixes("192.0.2.1/32")},
		"one per line":                {"192.0.2.1\n2001:db8::1", prefixes("192.0.2.1/32", "2001:db8::1/128")},
		"commas and lines and spaces": {" 192.0.2.1 ,192.0.2.2,\r\n\r\n 10.0.0.0/8 ", prefixes("192.0.2.1/32", "192.0.2.2/32", "10.0.0.0/8")},
		"range with host bits":        {"10.1.2.3/8", prefixes("10.0.0.0/8")},
		"everything":                  {"0.0.0.0/0,::/0", prefixes("0.0.0.0/0", "::/0")},
		"IPv4 written as IPv6":        {"::ffff:192.0.2.1, ::ffff:192.0.2.0/120", prefixes("192.0.2.1/32", "192.0.2.0/24")},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{ExcludeIPs: &c.list})
			must(t, err)
			equal(t, "ranges", w.ExcludedIPs(), c.want)
			equal(t, "list", w.ExcludeIPs, strings.TrimSpace(strings.ReplaceAll(c.list, "\r\n", "\n")))
		})
	}
}

func TestExcludedParams(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	w := createWebsite(t, db, anna, "example.com")
	for name, c := range map[string]struct {
		list string
		want []string
	}{
		"none":             {"", nil},
		"lines and commas": {"utm_source\nfbclid, gclid ,", []string{"utm_source", "fbclid", "gclid"}},
		"wildcards":        {"*\nutm_*\n*_id", []string{"*", "utm_*", "*_id"}},
		"names of forms":   {"filter[color]\nÄrger\nq.x-y", []string{"filter[color]", "Ärger", "q.x-y"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{ExcludeParams: &c.list})
			must(t, err)
			equal(t, "names", w.ExcludedParams(), c.want)
		})
	}
}

func TestWrongExclusionsAreNamedWithTheirLine(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	w := createWebsite(t, db, anna, "example.com")
	const ip = ` is not an IP address or range: write one such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32`
	const param = ` is not the name of a parameter: write one such as utm_source or utm_*`
	for name, c := range map[string]struct {
		in   accounts.WebsiteInput
		want map[string][]string
	}{
		"two of three": {accounts.WebsiteInput{ExcludeIPs: new("192.0.2.1\nlocalhost\r\n\r\n10.0.0.0/33, ::1")}, map[string][]string{
			"exclude_ips": {`line 2: "localhost"` + ip, `line 4: "10.0.0.0/33"` + ip},
		}},
		"address with a zone":   {accounts.WebsiteInput{ExcludeIPs: new("fe80::1%eth0")}, map[string][]string{"exclude_ips": {`line 1: "fe80::1%eth0"` + ip}}},
		"star in an address":    {accounts.WebsiteInput{ExcludeIPs: new("192.0.2.*")}, map[string][]string{"exclude_ips": {`line 1: "192.0.2.*"` + ip}}},
		"leading zeros":         {accounts.WebsiteInput{ExcludeIPs: new("010.0.0.1")}, map[string][]string{"exclude_ips": {`line 1: "010.0.0.1"` + ip}}},
		"more than five":        {accounts.WebsiteInput{ExcludeIPs: new("a,b,c,d,e,f,g")}, map[string][]string{"exclude_ips": {`line 1: "a"` + ip, `line 1: "b"` + ip, `line 1: "c"` + ip, `line 1: "d"` + ip, `line 1: "e"` + ip, `has 2 more wrong entries`}}},
		"a long one is cut":     {accounts.WebsiteInput{ExcludeIPs: new(strings.Repeat("x", 100))}, map[string][]string{"exclude_ips": {`line 1: "` + strings.Repeat("x", 60) + `…"` + ip}}},
		"a query":               {accounts.WebsiteInput{ExcludeParams: new("?a")}, map[string][]string{"exclude_params": {`line 1: "?a"` + param}}},
		"two names on one line": {accounts.WebsiteInput{ExcludeParams: new("a b")}, map[string][]string{"exclude_params": {`line 1: "a b"` + param}}},
		"a very long name":      {accounts.WebsiteInput{ExcludeParams: new(strings.Repeat("x", 201))}, map[string][]string{"exclude_params": {`line 1: "` + strings.Repeat("x", 60) + `…" is longer than 200 bytes`}}},
		"not text":              {accounts.WebsiteInput{ExcludeParams: new("a\x00"), ExcludeIPs: new("\xff")}, map[string][]string{"exclude_params": {"must be text"}, "exclude_ips": {"must be text"}}},
		"too many":              {accounts.WebsiteInput{ExcludeIPs: new(strings.Repeat("192.0.2.1,", 1001))}, map[string][]string{"exclude_ips": {"must not have more than 1000 entries"}}},
		"too long":              {accounts.WebsiteInput{ExcludeParams: new("a" + strings.Repeat(",", 70000) + "a")}, map[string][]string{"exclude_params": {"must not be longer than 65536 bytes"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.UpdateWebsite(t.Context(), anna, w.ID, c.in)
			wantFault(t, err, fault.Invalid)
			equal(t, "wrong fields", fault.Of(err).Fields, c.want)
		})
	}
}

// S11: lists of exclusions come from outside.
func FuzzExclusions(f *testing.F) {
	for _, s := range []string{"192.0.2.1", "10.0.0.0/8, ::1\r\nfe80::1%x", "utm_*,a=b", ",,,\n\n", "\x00", "::ffff:1.2.3.4/90"} {
		f.Add(s)
	}
	db := sqliteOnly(f)
	anna := addAccount(f, db, "anna@example.com")
	w := createWebsite(f, db, anna, "example.com")
	f.Fuzz(func(t *testing.T, s string) {
		for _, in := range []accounts.WebsiteInput{{ExcludeIPs: &s}, {ExcludeParams: &s}} {
			after, err := db.UpdateWebsite(t.Context(), anna, w.ID, in)
			if fault.Is(err, fault.Invalid) {
				continue
			}
			must(t, err)
			for _, r := range after.ExcludedIPs() {
				if !r.IsValid() || r != r.Masked() {
					t.Errorf("range %v of %q", r, s)
				}
			}
			for _, name := range after.ExcludedParams() {
				if name == "" || strings.ContainsAny(name, ", \n") {
					t.Errorf("name %q of %q", name, s)
				}
			}
		}
	})
}

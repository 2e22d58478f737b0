package accounts_test

import (
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestDomainIsNormalised(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	for entered, want := range map[string]string{
		"example.com":                            "example.com",
		"  Example.COM  ":                        "example.com",
		"example.com.":                           "example.com",
		"http://example.com":                     "example.com",
		"HTTPS://www.Example.com:8443/a?b=c#d":   "example.com",
		"//example.com/":                         "example.com",
		"example.com/path":                       "example.com",
		"example.com?x":                          "example.com",
		"example.com#x":                          "example.com",
		"example.com:80":                         "example.com",
		"www.example.com":                        "example.com",
		"www.www.example.com":                    "example.com",
		"www.com":                                "www.com",
		"www.localhost":                          "localhost",
		"www2.example.com":                       "www2.example.com",
		"shop.example.co.uk":                     "shop.example.co.uk",
		"localhost":                              "localhost",
		"localhost:3000":                         "localhost",
		"my_shop.example.com":                    "my_shop.example.com",
		"r3---sn-x.example.com":                  "r3---sn-x.example.com",
		"1und1.de":                               "1und1.de",
		"bücher.example":                         "xn--bcher-kva.example",
		"BÜCHER.example":                         "xn--bcher-kva.example",
		"xn--bcher-kva.example":                  "xn--bcher-kva.example",
		"straße.example":                         "xn--strae-oqa.example",
		"例え。テスト":                                 "xn--r8jz45g.xn--zckzah",
		"пример.рф":                              "xn--e1afmkfd.xn--p1ai",
		strings.Repeat("a", 63) + ".example":     strings.Repeat("a", 63) + ".example",
		strings.Repeat("abcdefg.", 30) + "longe": strings.Repeat("abcdefg.", 30) + "longe",
	} {
		t.Run(entered, func(t *testing.T) {
			w := createWebsite(t, db, anna, entered)
			equal(t, "domain", w.Domain, want)
			found, err := db.WebsiteByDomain(t.Context(), entered)
			must(t, err)
			equal(t, "id of the website found by domain", found.ID, w.ID)
			again, err := db.WebsiteByDomain(t.Context(), want)
			must(t, err)
			equal(t, "id of the website found by normal domain", again.ID, w.ID)
			must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
			_, err = db.WebsiteByDomain(t.Context(), entered)
			wantFault(t, err, fault.NotFound)
		})
	}
}

func TestDomainThatIsNoneIsRefused(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	const none, address, long = "must be a domain such as example.com", "must be a domain such as example.com, not an IP address", "must not be longer than 253 characters"
	for entered, want := range map[string]string{
		"":                                   "is required",
		" \t\n":                              "is required",
		"http://":                            none,
		"/path":                              none,
		"example":                            none,
		"not a domain":                       none,
		"exa mple.com":                       none,
		"example..com":                       none,
		".example.com":                       none,
		".":                                  none,
		"-example.com":                       none,
		"example-.com":                       none,
		"exam!ple.com":                       none,
		"*.example.com":                      none,
		"anna@example.com":                   none,
		"https://anna:secret@example.com/":   none,
		"ftp://example.com":                  none,
		"javascript:alert(1)":                none,
		"example.com:port":                   none,
		"<script>.example.com":               none,
		"example.com\x00":                    none,
		"exam\xffple.com":                    none,
		"xn--\u00fc.example":                 none,
		strings.Repeat("a", 64) + ".example": none,
		"192.0.2.1":                          address,
		"http://192.0.2.1:8080/":             address,
		"2001:db8::1":                        address,
		"[2001:db8::1]":                      address,
		"example.123":                        address,
		strings.Repeat("abcdefg.", 30) + "longer.example": long,
		strings.Repeat("a.", 5000) + "com":                long,
	} {
		t.Run(entered[:min(len(entered), 40)], func(t *testing.T) {
			_, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new(entered)})
			wantFault(t, err, fault.Invalid, "domain")
			equal(t, "problem", fault.Of(err).Fields["domain"][0], want)
			_, err = db.WebsiteByDomain(t.Context(), entered)
			wantFault(t, err, fault.NotFound)
		})
	}
}

func FuzzDomain(f *testing.F) {
	for _, s := range []string{"example.com", "https://www.bücher.example:80/a", "[::1]", "a..b", "xn--a", "例え。テスト", "www.", "\u202eexample.com"} {
		f.Add(s)
	}
	db := sqliteOnly(f)
	anna := addAccount(f, db, "anna@example.com")
	f.Fuzz(func(t *testing.T, s string) {
		w, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: &s})
		if fault.Is(err, fault.Invalid) {
			return
		}
		must(t, err)
		if again, err := db.WebsiteByDomain(t.Context(), w.Domain); err != nil || again.Domain != w.Domain {
			t.Errorf("%q became %q, which becomes %q, %v", s, w.Domain, again.Domain, err)
		}
		if strings.Trim(w.Domain, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(w.Domain) > 253 {
			t.Errorf("%q became %q", s, w.Domain)
		}
		must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
	})
}

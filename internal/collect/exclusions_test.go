package collect_test

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footfall/internal/collect"
)

func TestPatternsMatchNames(t *testing.T) {
	cases := map[string]struct {
		pattern, name string
		want          bool
	}{
		"the name itself":          {"token", "token", true},
		"another":                  {"token", "tokens", false},
		"a beginning":              {"utm_*", "utm_source", true},
		"a beginning alone":        {"utm_*", "utm_", true},
		"an end":                   {"*id", "gclid", true},
		"an end that goes on":      {"*id", "idx", false},
		"a middle":                 {"*click*", "fbclickid", true},
		"several":                  {"a*b*c", "aXbXbXc", true},
		"several, one missing":     {"a*b*c", "aXc", false},
		"all":                      {"*", "anything", true},
		"all, of nothing":          {"*", "", true},
		"several stars in a row":   {"a***b", "ab", true},
		"the same letters again":   {"*aab", "aaaab", true},
		"nothing, but a name":      {"", "a", false},
		"a name that is too short": {"abc*", "ab", false},
	}
	for name, c := range cases {
		if got := collect.Matches(c.pattern, c.name); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A pattern is a regular expression in which only * means something.
func FuzzPatterns(f *testing.F) {
	f.Add("utm_*", "utm_source")
	f.Add("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaa")
	f.Add("", "")
	f.Add("**", "*")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 200 || !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			return
		}
		same := regexp.MustCompile(`(?s)\A` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + `\z`)
		if got, want := collect.Matches(pattern, name), same.MatchString(name); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, name, got, want)
		}
	})
}

// Whatever is called a host, what is looked up has no capitals and nothing of an address around it.
func FuzzHosts(f *testing.F) {
	for _, seed := range []string{"https://WWW.Example.com:80/a?b#c", "bücher.example", "//x", "http://[::1]:80/", "a@b@c:d", "\x00", "https://xn--/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		host := collect.HostOf(s)
		if strings.ContainsAny(host, "/?#@\\") || host != strings.ToLower(host) || len(host) > 4000 {
			t.Errorf("host of %q is %q", s, host)
		}
	})
}

// S10: a thousand patterns that almost match cost a hit little.
func TestAThousandExclusionsCostLittle(t *testing.T) {
	r := newRig(t, site(func(w *collect.Website) {
		for i := range 1000 {
			w.ExcludedParams = append(w.ExcludedParams, strings.Repeat("*a", 20)+"*b"+itoa(int64(i)))
			w.ExcludedIPs = append(w.ExcludedIPs, netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 0}), 24))
		}
	}))
	began := time.Now()
	r.one(visitor(), `{"u":"https://example.com/?`+strings.Repeat(strings.Repeat("a", 100)+"=1&", 20)+`"}`)
	if took := time.Since(began); took > 5*time.Second { // on a machine that has much else to do
		t.Errorf("it took %v", took)
	}
}

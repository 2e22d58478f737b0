package link_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"footfall/internal/collect/link"
)

// tokens are what addresses that go wrong are made of.
var tokens = []string{
	"/", "//", "\\", ".", "..", "...", "%2e", "%2E%2e", ";", ";jsessionid=", ";JSESSIONID=1", "(S(", "))", "?", "&", "=", "#", ":~:", "amp;", "%61mp;",
	"utm_source", "UTM_source", "utm_", "gclid", "%67clid", "sid", "0123456789abcdef", "email", "a", "b", "jo", "@", "%40", "%2540", "example.com",
	".de", "1", "%", "%2", "%25", "4", "1", "%C3", "%BC", "\xc3", "\xbc", "ü", "\u202e", "%E2%80%AE", " ", "+", "%20", "\t", "\x00", "%00", "[", "]", "%5B",
	"\"", "<", "|", "👋", "-", "_", "~", "https://", "ref", "source",
}

func TestPathOfAPathIsThatPath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 30_000 {
		var raw strings.Builder
		raw.WriteString("/")
		if r.IntN(20) == 0 {
			raw.WriteString(strings.Repeat("a", 1970+r.IntN(30)))
		}
		for range r.IntN(12) {
			raw.WriteString(tokens[r.IntN(len(tokens))])
		}
		rules := link.Rules{Hash: r.IntN(2) == 0}
		p, err := link.ParsePage("https://example.com"+raw.String(), rules)
		if err != nil {
			t.Fatalf("%q: %v", raw.String(), err)
		}
		checkPage(t, raw.String(), p)
		again, err := link.ParsePage(p.Path, rules)
		if err != nil || again.Path != p.Path {
			t.Fatalf("%q becomes %q, then %q (%v)", raw.String(), p.Path, again.Path, err)
		}
		if again.Source != "" || again.Paid {
			t.Fatalf("%q is left of %q", p.Path, raw.String())
		}
	}
}

package link_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"footfall/internal/collect/link"
)

// hostile are addresses that are meant to cost time or to leave something behind.
var hostile = map[string]string{
	"long path":           "https://example.com/" + strings.Repeat("a", 64<<10),
	"long host":           "https://" + strings.Repeat("a.", 32<<10) + "com/",
	"long Unicode host":   "https://" + strings.Repeat("ü.", 16<<10) + "com/",
	"host of 250 umlauts": "https://" + strings.Repeat("ü", 250) + ".com/",
	"deep path":           "https://example.com" + strings.Repeat("/a", 32<<10),
	"deep dots":           "https://example.com" + strings.Repeat("/a/..", 12<<10),
	"dots alone":          "https://example.com" + strings.Repeat("/..", 20<<10),
	"slashes":             "https://example.com" + strings.Repeat("/", 64<<10),
	"sessions":            "https://example.com/" + strings.Repeat(";jsessionid=1", 5<<10),
	"sessions, then not":  "https://example.com/" + strings.Repeat(";jsessionid=1;a", 4<<10),
	"escapes":             "https://example.com/" + strings.Repeat("%", 64<<10),
	"escaped junk":        "https://example.com/" + strings.Repeat("%FF", 21<<10),
	"raw junk":            "https://example.com/" + strings.Repeat("\xff\xc3", 32<<10),
	"parameters":          "https://example.com/?" + strings.Repeat("a=1&", 16<<10),
	"long names":          "https://example.com/?" + strings.Repeat("u", 64<<10),
	"campaigns":           "https://example.com/?" + strings.Repeat("utm_source=&", 5<<10),
	"escaped campaign":    "https://example.com/?utm_source=" + strings.Repeat("%41", 20<<10),
	"separators":          "https://example.com/?" + strings.Repeat("&", 64<<10),
	"marks":               "https://example.com/?" + strings.Repeat("?", 64<<10),
	"HTML":                "https://example.com/?" + strings.Repeat("amp;", 16<<10),
	"at signs":            "https://example.com/?" + strings.Repeat("a@", 32<<10),
	"almost emails":       "https://example.com/" + strings.Repeat("a@b.c", 12<<10),
	"fragment":            "https://example.com/#" + strings.Repeat("a=1&", 16<<10),
	"users":               "https://" + strings.Repeat("a@", 32<<10) + "example.com/",
	"spaces":              strings.Repeat(" ", 64<<10) + "https://example.com/",
	"line breaks":         "https://example.com/" + strings.Repeat("\n", 64<<10),
}

func TestHostileAddressesGiveShortText(t *testing.T) {
	for name, raw := range hostile {
		p, _ := link.ParsePage(raw, link.Rules{Hash: true})
		checkPage(t, name, p)
		checkOrigin(t, name, link.ParseReferrer(raw, p))
	}
}

func checkPage(t *testing.T, name string, p link.Page) {
	t.Helper()
	checkText(t, name, p.Path, 2000)
	for _, s := range []string{p.Campaign, p.Source, p.Medium, p.Term, p.Content} {
		checkText(t, name, s, 200)
	}
	checkText(t, name, p.Hostname, 253)
}

func checkOrigin(t *testing.T, name string, o link.Origin) {
	t.Helper()
	checkText(t, name, o.Referrer, 200)
	checkText(t, name, o.Source, 200)
	if o.Channel == "" {
		t.Errorf("%s: no channel", name)
	}
}

func checkText(t *testing.T, name, s string, most int) {
	t.Helper()
	if len(s) > most || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%s: %d bytes: %.100q", name, len(s), s)
	}
}

func FuzzParsePage(f *testing.F) {
	for _, raw := range hostile {
		f.Add(raw[:min(len(raw), 300)], false)
	}
	for _, raw := range []string{
		"https://www.example.com:80/a/../b;jsessionid=1/%C3%BC?utm_source=x&a=1#/r?gclid=1", "/%%34%31", "/a\xc3%bc/..;jsessionid=/", "/(S(a))/x",
		"/#gclid=1&/b?utm_source=3", "/?a=1?gclid=2&b", "/?%61mp;gclid=1", "/?a%3Damp;x", "/;jsessionid=;jsessionid=1;x/j@x.de", "//a//b\\c", "/?utm%5Fsource=1",
	} {
		f.Add(raw, true)
	}
	f.Fuzz(func(t *testing.T, raw string, hash bool) {
		rules := link.Rules{Hash: hash}
		p, err := link.ParsePage(raw, rules)
		if err != nil {
			return
		}
		checkPage(t, raw, p)
		if !strings.HasPrefix(p.Path, "/") || strings.HasPrefix(p.Path, "//") {
			t.Errorf("%q is no path", p.Path)
		}
		again, err := link.ParsePage(p.Path, rules)
		if err != nil || again.Path != p.Path {
			t.Errorf("%q becomes %q (%v)", p.Path, again.Path, err)
		}
		if again.Campaign+again.Source+again.Medium+again.Term+again.Content != "" || again.Paid && !p.Paid {
			t.Errorf("%q still has a campaign: %+v", p.Path, again)
		}
		_, list, _ := strings.Cut(p.Path, "?")
		for param := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == '&' || r == '?' || r == '#' }) {
			if name, _, _ := strings.Cut(param, "="); link.IsStripped(name) {
				t.Errorf("%q is left in %q", name, p.Path)
			}
		}
	})
}

func FuzzParseReferrer(f *testing.F) {
	for _, raw := range hostile {
		f.Add(raw[:min(len(raw), 300)], "example.com", "x")
	}
	for _, raw := range []string{"https://www.google.co.uk/", "android-app://com.google.android.gm", "https://m.co.uk", "http://a.", "ios-app://1/x", "https://l.facebook.com"} {
		f.Add(raw, "example.com", "google_ads")
		f.Add(raw, "co.uk", "")
	}
	f.Fuzz(func(t *testing.T, raw, host, source string) {
		p, _ := link.ParsePage("https://"+host+"/?utm_source="+source, link.Rules{})
		o := link.ParseReferrer(raw, p)
		checkOrigin(t, raw, o)
		if o.Referrer == "" || strings.Contains(o.Referrer, "://") || len(o.Referrer) == 200 {
			return
		}
		if again := link.ParseReferrer("https://"+o.Referrer+"/", p); again.Source != o.Source || again.Channel != o.Channel {
			t.Errorf("%+v becomes %+v", o, again)
		}
		link.Spam(raw)
	})
}

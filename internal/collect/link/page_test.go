package link_test

import (
	"strings"
	"testing"

	"footfall/internal/collect/link"
)

func TestPageIsOneTextForOnePage(t *testing.T) {
	cases := map[string]struct{ raw, host, path string }{
		"whole address":                   {"https://example.com/about", "example.com", "/about"},
		"no path":                         {"https://example.com", "example.com", "/"},
		"query without path":              {"https://example.com?a=1", "example.com", "/?a=1"},
		"fragment without path":           {"https://example.com#top", "example.com", "/"},
		"path alone":                      {"/about?a=1", "", "/about?a=1"},
		"no scheme":                       {"//example.com/about", "example.com", "/about"},
		"capitals, port, www":             {"HTTPS://WWW.Example.COM:8443/About", "example.com", "/About"},
		"www twice":                       {"http://www.www.example.com/", "example.com", "/"},
		"www is all there is":             {"http://www.com/", "www.com", "/"},
		"dot at the end":                  {"http://example.com./", "example.com", "/"},
		"single name":                     {"http://localhost:3000/x", "localhost", "/x"},
		"umlaut in the host":              {"https://Bücher.example/", "xn--bcher-kva.example", "/"},
		"the same in ASCII":               {"https://xn--bcher-kva.example/", "xn--bcher-kva.example", "/"},
		"user and password":               {"https://jo:secret@example.com/x", "example.com", "/x"},
		"several at signs":                {"https://jo@work:s@example.com/x", "example.com", "/x"},
		"IPv4 address":                    {"http://192.0.2.1:80/x", "", "/x"},
		"IPv4 address in hexadecimal":     {"http://0x7f.0x1/x", "", "/x"},
		"IPv6 address":                    {"http://[2001:db8::1]:80/x", "", "/x"},
		"spaces around":                   {" \n https://example.com/x \t", "example.com", "/x"},
		"line break within":               {"https://example.com/a\nb", "example.com", "/ab"},
		"slash at the end":                {"https://example.com/a/", "example.com", "/a/"},
		"index file":                      {"https://example.com/a/index.html", "example.com", "/a/index.html"},
		"dot segments":                    {"https://example.com/a/./b/../c", "example.com", "/a/c"},
		"dot segment at the end":          {"https://example.com/a/b/..", "example.com", "/a/"},
		"dots above the root":             {"https://example.com/../../a", "example.com", "/a"},
		"escaped dots":                    {"https://example.com/a/%2e%2E/b", "example.com", "/b"},
		"three dots":                      {"https://example.com/a/.../b", "example.com", "/a/.../b"},
		"several slashes":                 {"https://example.com//a///b//", "example.com", "/a/b/"},
		"slashes that dots leave":         {"https://example.com/a/..//b", "example.com", "/b"},
		"backslashes":                     {`https://example.com\a\..\b`, "example.com", "/b"},
		"escaped letters":                 {"https://example.com/%7Ejo/%61bc", "example.com", "/~jo/abc"},
		"escaped umlaut":                  {"https://example.com/%C3%BCber-uns", "example.com", "/über-uns"},
		"escaped umlaut in lower case":    {"https://example.com/%c3%bcber-uns", "example.com", "/über-uns"},
		"umlaut":                          {"https://example.com/über-uns", "example.com", "/über-uns"},
		"half escaped umlaut":             {"https://example.com/\xc3%bcber-uns", "example.com", "/über-uns"},
		"Chinese":                         {"https://example.com/%E4%B8%AD%E6%96%87?%E9%97%AE=%E7%AD%94", "example.com", "/中文?问=答"},
		"escaped slash":                   {"https://example.com/a%2fb", "example.com", "/a%2Fb"},
		"escaped percent sign":            {"https://example.com/100%25", "example.com", "/100%25"},
		"percent sign alone":              {"https://example.com/100%/%zz", "example.com", "/100%25/%25zz"},
		"space":                           {"https://example.com/a b%20c", "example.com", "/a%20b%20c"},
		"control characters":              {"https://example.com/a\x00%1b\x7f", "example.com", "/a%00%1B%7F"},
		"invalid UTF-8":                   {"https://example.com/\xff%fe", "example.com", "/%FF%FE"},
		"text that runs backwards":        {"https://example.com/a\u202eb", "example.com", "/a%E2%80%AEb"},
		"no-break space":                  {"https://example.com/a\u00a0b", "example.com", "/a%C2%A0b"},
		"markup":                          {`https://example.com/<script>"`, "example.com", "/%3Cscript%3E%22"},
		"emoji":                           {"https://example.com/%F0%9F%91%8B", "example.com", "/👋"},
		"question mark alone":             {"https://example.com/a?", "example.com", "/a"},
		"parameters keep their order":     {"https://example.com/?b=2&a=1&b=1", "example.com", "/?b=2&a=1&b=1"},
		"parameter without a value":       {"https://example.com/?a&b=", "example.com", "/?a&b="},
		"empty parameters":                {"https://example.com/?&&a=1&&b=2&", "example.com", "/?a=1&b=2"},
		"brackets":                        {"https://example.com/?f[a]=1&g%5Bb%5D=2", "example.com", "/?f[a]=1&g%5Bb%5D=2"},
		"address in a value":              {"https://example.com/?u=https://example.org/?x=1", "example.com", "/?u=https://example.org/?x=1"},
		"session in the path":             {"https://example.com/cart;jsessionid=1A2B3C?a=1", "example.com", "/cart?a=1"},
		"session between path parameters": {"https://example.com/cart;v=1;JSESSIONID=1A2B;w=2/x", "example.com", "/cart;v=1;w=2/x"},
		"ASP.NET session in the path":     {"https://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "example.com", "/a.aspx"},
		"email address in the path":       {"https://example.com/bye/jo.doe@example.org/now", "example.com", "/bye/(email)/now"},
		"escaped email address":           {"https://example.com/bye/jo.doe%40example.org", "example.com", "/bye/(email)"},
		"handle in the path":              {"https://example.com/@jo/posts", "example.com", "/@jo/posts"},
		"version in the path":             {"https://example.com/npm/lodash@4.17.21/", "example.com", "/npm/lodash@4.17.21/"},
		"place in the path":               {"https://example.com/maps/@52.51,13.37,15z", "example.com", "/maps/@52.51,13.37,15z"},
	}
	for name, c := range cases {
		p, err := link.ParsePage(c.raw, link.Rules{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Hostname != c.host || p.Path != c.path {
			t.Errorf("%s: %q %q, want %q %q", name, p.Hostname, p.Path, c.host, c.path)
		}
	}
}

func TestWhatIsNoPageIsRefused(t *testing.T) {
	for _, raw := range []string{
		"", " ", "about:blank", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "example.com/x", "about", "?a=1", "#a",
		"http://", "http:///x", "https://?a", "http://a b/", "http://exa%6dple.com/", "http://example.com:80x/", "http://a..b/", "http://.a/",
		"http://[::1/", "https://" + strings.Repeat("a", 64) + ".com/", "https://" + strings.Repeat("a.", 200) + "com/",
		"chrome-extension://abc/x", "ftp://example.com/", "android-app://com.example", "http://exa\x00mple.com/", "http://\xff.com/",
		"http://a／b.example/",
	} {
		if p, err := link.ParsePage(raw, link.Rules{}); err == nil {
			t.Errorf("%q is taken for %+v", raw, p)
		}
	}
}

func TestParametersAboutTheVisitAreStripped(t *testing.T) {
	exclude := func(name string) bool { return name == "lang" || name == "f[a]" || strings.HasPrefix(name, "x_") }
	cases := map[string]struct{ raw, want string }{
		"click ids":                  {"/?gclid=1&a=1&fbclid=2&b=2&msclkid=3", "/?a=1&b=2"},
		"all of them":                {"/?utm_source=a&gclid=1", "/"},
		"capitals":                   {"/?UTM_Source=a&GCLID=1&ScCid=2&a=1", "/?a=1"},
		"escaped name":               {"/?%75tm_source=a&gcl%69d=1&a=1", "/?a=1"},
		"unknown name of a family":   {"/?utm_whatever=1&hsa_cam=2&mtm_group=3&a=1", "/?a=1"},
		"very long name of a family": {"/?utm_" + strings.Repeat("x", 100) + "=1&a=1", "/?a=1"},
		"name that only looks alike": {"/?utmost=1&gclidx=2&reference=3&sources=4", "/?utmost=1&gclidx=2&reference=3&sources=4"},
		"without a value":            {"/?gclid&a=1", "/?a=1"},
		"copied out of HTML":         {"/?a=1&amp;utm_source=x&amp;amp;b=2", "/?a=1&b=2"},
		"after a second mark":        {"/?a=1?utm_source=x&utm_medium=y", "/?a=1"},
		"between two others":         {"/?a=1?gclid=2&b=3", "/?a=1&b=3"},
		"session":                    {"/?PHPSESSID=abc&a=1&jsessionid=def&ASPSESSIONIDQQ=1", "/?a=1"},
		"short sid is a page":        {"/?sid=42&a=1", "/?sid=42&a=1"},
		"long sid is a session":      {"/?sid=0123456789abcdef&a=1", "/?a=1"},
		"secrets":                    {"/reset?token=abc&password=x&a=1", "/reset?a=1"},
		"email address":              {"/?who=jo@example.com&a=1", "/?a=1"},
		"escaped email address":      {"/?who=jo%40example.com&a=1", "/?a=1"},
		"email address within":       {"/?next=/x%3Fwho%3Djo%2540example.com&to=mailto:jo@example.org&a=1", "/?a=1"},
		"email address as a name":    {"/?jo@example.com&a=1", "/?a=1"},
		"hashed email address":       {"/?email=5f4dcc3b5aa765d61d8327deb882cf99&a=1", "/?a=1"},
		"at sign without a domain":   {"/?at=jo@home&b=@jo&c=1@2.3", "/?at=jo@home&b=@jo&c=1@2.3"},
		"by the owner's rules":       {"/?lang=de&x_1=2&f%5Ba%5D=1&a=1&Lang=en", "/?a=1&Lang=en"},
	}
	for name, c := range cases {
		p, err := link.ParsePage(c.raw, link.Rules{Exclude: exclude})
		if err != nil || p.Path != c.want {
			t.Errorf("%s: %q (%v), want %q", name, p.Path, err, c.want)
		}
	}
}

func TestFragmentIsPartOfThePageWhereRoutesAreInIt(t *testing.T) {
	cases := map[string]struct{ raw, want string }{
		"route":                  {"/app#/cart", "/app#/cart"},
		"route with parameters":  {"/app?a=1#/cart?step=2&gclid=3", "/app?a=1#/cart?step=2"},
		"route and a campaign":   {"/#/cart?utm_source=x", "/#/cart"},
		"parameters":             {"/#a=1&access_token=secret&b=2", "/#a=1&b=2"},
		"tracking in both parts": {"/#gclid=1&/cart?utm_source=3&x=1", "/#/cart?x=1"},
		"mark alone":             {"/#", "/"},
		"nothing left":           {"/#utm_source=x", "/"},
		"text searched for":      {"/#intro:~:text=secret", "/#intro"},
		"email address":          {"/#/bye/jo@example.com", "/"},
		"older routes":           {"/#!/cart", "/#!/cart"},
		"hash in the fragment":   {"/#/a#b", "/#/a#b"},
		"umlaut":                 {"/#/%C3%BCber", "/#/über"},
	}
	for name, c := range cases {
		p, err := link.ParsePage("https://example.com"+c.raw, link.Rules{Hash: true})
		if err != nil || p.Path != c.want {
			t.Errorf("%s: %q (%v), want %q", name, p.Path, err, c.want)
		}
		p, _ = link.ParsePage("https://example.com"+c.raw, link.Rules{})
		if strings.Contains(p.Path, "#") {
			t.Errorf("%s: the fragment is in %q without being asked for", name, p.Path)
		}
	}
}

func TestCampaignIsReadFromTheAddress(t *testing.T) {
	type page = link.Page
	cases := map[string]struct {
		raw  string
		want page
	}{
		"all five":              {"/?utm_campaign=c&utm_source=s&utm_medium=m&utm_term=t&utm_content=d", page{Campaign: "c", Source: "s", Medium: "m", Term: "t", Content: "d"}},
		"of Matomo":             {"/?mtm_campaign=c&mtm_source=s&mtm_medium=m&mtm_keyword=t&mtm_content=d", page{Campaign: "c", Source: "s", Medium: "m", Term: "t", Content: "d"}},
		"of Piwik":              {"/?pk_campaign=c&pk_source=s&pk_medium=m&pk_kwd=t&pk_content=d", page{Campaign: "c", Source: "s", Medium: "m", Term: "t", Content: "d"}},
		"ref":                   {"/?ref=producthunt", page{Source: "producthunt"}},
		"source":                {"/?source=letter", page{Source: "letter"}},
		"source before ref":     {"/?ref=a&source=b", page{Source: "b"}},
		"utm before all others": {"/?ref=a&mtm_source=b&utm_source=c&source=d", page{Source: "c"}},
		"the first of two":      {"/?utm_source=a&utm_source=b", page{Source: "a"}},
		"an empty one is none":  {"/?utm_source=&ref=a", page{Source: "a"}},
		"escapes":               {"/?utm_campaign=Fr%C3%BChling+2026%20%26%20mehr%2B", page{Campaign: "Frühling 2026 & mehr+"}},
		"junk":                  {"/?utm_campaign=+a%00%1b%ff%E2%80%AEb%09c+", page{Campaign: "ab c"}},
		"email address":         {"/?utm_content=jo%40example.com&utm_source=a", page{Source: "a"}},
		"in the fragment":       {"/#utm_source=a&utm_medium=b", page{Source: "a", Medium: "b"}},
		"in a route":            {"/#/x?pk_campaign=c", page{Campaign: "c"}},
		"cut within a letter":   {"/?utm_campaign=" + strings.Repeat("ü", 150), page{Campaign: strings.Repeat("ü", 100)}},
		"cut before a letter":   {"/?utm_campaign=x" + strings.Repeat("ü", 150), page{Campaign: "x" + strings.Repeat("ü", 99)}},
		"paid click":            {"/?gclid=x", page{Paid: true}},
		"click id without one":  {"/?gclid=", page{}},
		"click that is free":    {"/?fbclid=x", page{}},
		"paid medium":           {"/?utm_medium=CPC", page{Medium: "CPC", Paid: true}},
		"paid, in words":        {"/?utm_medium=paid-social", page{Medium: "paid-social", Paid: true}},
		"free medium":           {"/?utm_medium=social", page{Medium: "social"}},
	}
	for name, c := range cases {
		p, err := link.ParsePage(c.raw, link.Rules{})
		got := page{Campaign: p.Campaign, Source: p.Source, Medium: p.Medium, Term: p.Term, Content: p.Content, Paid: p.Paid}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, c.want)
		}
	}
}

func TestLongAddressesAreCutWhereTheyStayWhatTheyAre(t *testing.T) {
	cases := map[string]struct{ raw, want string }{
		"path":                              {"/" + strings.Repeat("a", 5000), "/" + strings.Repeat("a", 1999)},
		"path within a letter":              {"/" + strings.Repeat("ü", 1500), "/" + strings.Repeat("ü", 999)},
		"path within an escape":             {"/a" + strings.Repeat("%20", 1000), "/a" + strings.Repeat("%20", 666)},
		"path within dots":                  {"/" + strings.Repeat("a", 1996) + "/..b", "/" + strings.Repeat("a", 1996) + "/"},
		"path within what is then an email": {"/" + strings.Repeat("a", 1991) + "/jo@x.de1/b", "/" + strings.Repeat("a", 1991) + "/(email)"},
		"path within a shorter email":       {"/" + strings.Repeat("a", 1992) + "/j@x.de1/b", "/" + strings.Repeat("a", 1992) + "/"},
		"parameter that does not fit":       {"/?a=1&b=" + strings.Repeat("x", 2000) + "&c=2", "/?a=1&c=2"},
		"parameter that is cut off":         {"/?a=1&b=" + strings.Repeat("x", 9000) + "&c=2", "/?a=1"},
		"parameters beyond the 200th":       {"/?" + strings.Repeat("gclid=1&", 199) + "a=1&b=2", "/?a=1"},
		"fragment that is cut off":          {"/#/a?b=" + strings.Repeat("x", 9000), "/#/a"},
	}
	for name, c := range cases {
		p, err := link.ParsePage(c.raw, link.Rules{Hash: true})
		if err != nil || p.Path != c.want {
			t.Errorf("%s: %d bytes %.60q… (%v), want %d bytes", name, len(p.Path), p.Path, err, len(c.want))
		}
	}
}

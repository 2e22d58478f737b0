package link_test

import (
	"slices"
	"strings"
	"testing"

	"footfall/internal/collect/link"
)

func TestReferrerHasAHostASourceAndAChannel(t *testing.T) {
	type origin = link.Origin
	cases := map[string]struct {
		raw  string
		want origin
	}{
		"none":                        {"", origin{"", "", "Direct"}},
		"Google":                      {"https://www.google.com/", origin{"google.com", "Google", "Organic Search"}},
		"Google in Germany":           {"https://www.google.de/search?q=secret", origin{"google.de", "Google", "Organic Search"}},
		"Google in Britain":           {"https://www.google.co.uk", origin{"google.co.uk", "Google", "Organic Search"}},
		"Google in Brazil":            {"https://www.google.com.br/", origin{"google.com.br", "Google", "Organic Search"}},
		"not Google":                  {"https://google.evil.com/", origin{"google.evil.com", "google.evil.com", "Referral"}},
		"not Google either":           {"https://notgoogle.com/", origin{"notgoogle.com", "notgoogle.com", "Referral"}},
		"Google under a new domain":   {"https://google.shop/", origin{"google.shop", "google.shop", "Referral"}},
		"part without search":         {"https://docs.google.com/document/d/1", origin{"docs.google.com", "Google Docs", "Referral"}},
		"part with an assistant":      {"https://gemini.google.com/app", origin{"gemini.google.com", "Gemini", "AI Assistants"}},
		"part with mail":              {"https://mail.google.com/mail/u/0/", origin{"mail.google.com", "Gmail", "Email"}},
		"Bing in China":               {"https://cn.bing.com/search", origin{"cn.bing.com", "Bing", "Organic Search"}},
		"DuckDuckGo":                  {"https://duckduckgo.com/", origin{"duckduckgo.com", "DuckDuckGo", "Organic Search"}},
		"Yandex":                      {"https://yandex.com.tr/", origin{"yandex.com.tr", "Yandex", "Organic Search"}},
		"mail of Yandex in Belarus":   {"https://mail.yandex.by/", origin{"mail.yandex.by", "Yandex Mail", "Email"}},
		"door of Facebook":            {"https://l.facebook.com/l.php?u=x", origin{"facebook.com", "Facebook", "Organic Social"}},
		"door on phones":              {"https://lm.facebook.com/l.php?u=x", origin{"facebook.com", "Facebook", "Organic Social"}},
		"phones":                      {"http://m.facebook.com/", origin{"facebook.com", "Facebook", "Organic Social"}},
		"door of Reddit":              {"https://out.reddit.com/t3_1", origin{"reddit.com", "Reddit", "Organic Social"}},
		"old Reddit":                  {"https://old.reddit.com/r/x", origin{"reddit.com", "Reddit", "Organic Social"}},
		"short links of X":            {"https://t.co/abc", origin{"t.co", "X (Twitter)", "Organic Social"}},
		"Hacker News":                 {"https://news.ycombinator.com/item?id=1", origin{"news.ycombinator.com", "Hacker News", "Organic Social"}},
		"YouTube":                     {"https://m.youtube.com/watch?v=1", origin{"youtube.com", "YouTube", "Organic Video"}},
		"Amazon in Japan":             {"https://www.amazon.co.jp/", origin{"amazon.co.jp", "Amazon", "Organic Shopping"}},
		"ChatGPT":                     {"https://chatgpt.com/", origin{"chatgpt.com", "ChatGPT", "AI Assistants"}},
		"ChatGPT before":              {"https://chat.openai.com/", origin{"chat.openai.com", "ChatGPT", "AI Assistants"}},
		"Perplexity":                  {"https://www.perplexity.ai/", origin{"perplexity.ai", "Perplexity", "AI Assistants"}},
		"Wikipedia":                   {"https://en.wikipedia.org/wiki/X", origin{"en.wikipedia.org", "Wikipedia", "Referral"}},
		"GitHub":                      {"https://github.com/a/b", origin{"github.com", "GitHub", "Referral"}},
		"any website":                 {"https://www.Some-Blog.example/post?who=jo@example.com", origin{"some-blog.example", "some-blog.example", "Referral"}},
		"any website on phones":       {"https://m.some-blog.example/", origin{"some-blog.example", "some-blog.example", "Referral"}},
		"m that is all there is":      {"https://m.co.uk/", origin{"m.co.uk", "m.co.uk", "Referral"}},
		"user and port":               {"https://jo:secret@blog.example:8080/", origin{"blog.example", "blog.example", "Referral"}},
		"umlaut":                      {"https://bücher.example/", origin{"xn--bcher-kva.example", "xn--bcher-kva.example", "Referral"}},
		"Gmail's app":                 {"android-app://com.google.android.gm/", origin{"mail.google.com", "Gmail", "Email"}},
		"Google's app":                {"android-app://com.google.android.googlequicksearchbox/https/www.google.com", origin{"google.com", "Google", "Organic Search"}},
		"Slack's app, capitals":       {"android-app://com.Slack/", origin{"slack.com", "Slack", "Organic Social"}},
		"LinkedIn's app":              {"android-app://com.linkedin.android", origin{"linkedin.com", "LinkedIn", "Organic Social"}},
		"any app":                     {"android-app://org.example.reader/", origin{"android-app://org.example.reader", "android-app://org.example.reader", "Referral"}},
		"app on an iPhone":            {"ios-app://1064216828/reddit/", origin{"reddit.com", "Reddit", "Organic Social"}},
		"own page":                    {"https://shop.example.org/other", origin{"", "", "Direct"}},
		"own page with www":           {"https://www.shop.example.org/other", origin{"", "", "Direct"}},
		"domain above":                {"https://example.org/", origin{"", "", "Direct"}},
		"domain below":                {"https://de.shop.example.org/", origin{"", "", "Direct"}},
		"domain beside":               {"https://blog.example.org/", origin{"", "", "Direct"}},
		"domain that ends alike":      {"https://myexample.org/", origin{"myexample.org", "myexample.org", "Referral"}},
		"own machine":                 {"http://localhost:3000/", origin{"", "", "Direct"}},
		"IP address":                  {"http://203.0.113.7/", origin{"", "", "Direct"}},
		"IPv6 address":                {"http://[2001:db8::1]/", origin{"", "", "Direct"}},
		"not an address":              {"about:client", origin{"", "", "Direct"}},
		"path":                        {"/other", origin{"", "", "Direct"}},
		"file":                        {"file:///C:/x.html", origin{"", "", "Direct"}},
		"junk":                        {"https://\x00\xff/", origin{"", "", "Direct"}},
		"app that is junk":            {"android-app://<script>/", origin{"", "", "Direct"}},
		"host that is long":           {"https://" + strings.Repeat("abcdefghi.", 24) + "example/", origin{strings.Repeat("abcdefghi.", 20), strings.Repeat("abcdefghi.", 20), "Referral"}},
		"short label before a suffix": {"https://out.example/", origin{"out.example", "out.example", "Referral"}},
	}
	for name, c := range cases {
		if got := link.ParseReferrer(c.raw, link.Page{Hostname: "shop.example.org"}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestSitesUnderAPublicSuffixAreNotOneSite(t *testing.T) {
	cases := map[string]struct {
		page, referrer string
		own            bool
	}{
		"neighbours in a country":  {"a.co.uk", "b.co.uk", false},
		"neighbours at a host":     {"a.github.io", "b.github.io", false},
		"the host itself":          {"a.github.io", "github.io", false},
		"two pages of a user":      {"x.a.github.io", "a.github.io", true},
		"one domain in a country":  {"a.co.uk", "b.a.co.uk", true},
		"single names":             {"intranet", "wiki", false},
		"the same single name":     {"intranet", "intranet", true},
		"page that is not known":   {"", "example.com", false},
		"case is not a difference": {"example.com", "EXAMPLE.com", true},
	}
	for name, c := range cases {
		got := link.ParseReferrer("https://"+c.referrer+"/", link.Page{Hostname: c.page})
		if (got.Referrer == "") != c.own {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestSourceAndChannelFollowTheCampaign(t *testing.T) {
	cases := map[string]struct{ page, referrer, source, channel string }{
		"name of a site":                  {"/?utm_source=google", "", "Google", "Organic Search"},
		"before the referrer":             {"/?utm_source=Newsletter", "https://mail.google.com/", "Newsletter", "Email"},
		"host of a site":                  {"/?utm_source=chatgpt.com", "", "ChatGPT", "AI Assistants"},
		"short name":                      {"/?utm_source=ig", "", "Instagram", "Organic Social"},
		"name with a space":               {"/?utm_source=Hacker+News", "", "Hacker News", "Organic Social"},
		"ref":                             {"/?ref=producthunt", "", "Product Hunt", "Organic Social"},
		"own page with a campaign":        {"/?utm_source=letter&utm_medium=email", "https://example.com/", "letter", "Email"},
		"campaign alone":                  {"/?utm_campaign=spring", "", "", "Referral"},
		"medium alone":                    {"/?utm_medium=email", "", "", "Email"},
		"unknown source":                  {"/?utm_source=Partner+A", "", "Partner A", "Referral"},
		"auto-tagged advertisement":       {"/?gclid=x", "https://www.google.com/", "Google", "Paid Search"},
		"the same without a referrer":     {"/?gclid=x", "", "Google", "Paid Search"},
		"advertisement at Bing":           {"/?msclkid=x", "https://www.bing.com/", "Bing", "Paid Search"},
		"advertisement on YouTube":        {"/?gclid=x", "https://www.youtube.com/", "YouTube", "Paid Video"},
		"Facebook without a referrer":     {"/?fbclid=x", "", "Facebook", "Organic Social"},
		"Facebook's id from Instagram":    {"/?fbclid=x", "https://l.instagram.com/", "Instagram", "Organic Social"},
		"advertisement on TikTok":         {"/?ttclid=x", "", "TikTok", "Paid Social"},
		"paid search":                     {"/?utm_source=bing&utm_medium=cpc", "", "Bing", "Paid Search"},
		"paid social":                     {"/?utm_source=facebook&utm_medium=paid_social", "", "Facebook", "Paid Social"},
		"paid video":                      {"/?utm_source=vimeo&utm_medium=cpv", "", "Vimeo", "Paid Video"},
		"paid shop":                       {"/?utm_source=ebay&utm_medium=cpc", "", "eBay", "Paid Shopping"},
		"paid, campaign of shopping":      {"/?utm_source=google&utm_medium=cpc&utm_campaign=DE_Shopping", "", "Google", "Paid Shopping"},
		"paid, campaign of a workshop":    {"/?utm_source=google&utm_medium=cpc&utm_campaign=workshop", "", "Google", "Paid Search"},
		"campaign of a shop":              {"/?utm_source=x1&utm_campaign=eshop", "", "x1", "Organic Shopping"},
		"shop after a workshop":           {"/?utm_source=x1&utm_campaign=workshop-shop", "", "x1", "Organic Shopping"},
		"paid assistant":                  {"/?utm_source=chatgpt&utm_medium=cpc", "", "ChatGPT", "Paid Other"},
		"paid elsewhere":                  {"/?utm_source=partner&utm_medium=ppc", "", "partner", "Paid Other"},
		"retargeting":                     {"/?utm_source=criteo&utm_medium=retargeting", "", "Criteo", "Paid Other"},
		"name of advertisements":          {"/?utm_source=google_ads", "", "Google", "Paid Search"},
		"another name of advertisements":  {"/?utm_source=fb-ad", "", "Facebook", "Paid Social"},
		"older name of advertisements":    {"/?utm_source=AdWords", "", "Google", "Paid Search"},
		"name that ends like one":         {"/?utm_source=threads", "", "Threads", "Organic Social"},
		"display":                         {"/?utm_source=partner&utm_medium=banner", "", "partner", "Display"},
		"by the thousand":                 {"/?utm_source=partner&utm_medium=cpm", "", "partner", "Display"},
		"by the thousand, social":         {"/?utm_source=facebook&utm_medium=cpm", "", "Facebook", "Paid Social"},
		"cross-network":                   {"/?utm_source=google&utm_medium=cpc&utm_campaign=Cross-Network+1", "", "Google", "Cross-network"},
		"social medium":                   {"/?utm_source=partner&utm_medium=Social", "", "partner", "Organic Social"},
		"video medium":                    {"/?utm_source=partner&utm_medium=video-post", "", "partner", "Organic Video"},
		"organic medium":                  {"/?utm_source=partner&utm_medium=organic", "", "partner", "Organic Search"},
		"assistant's medium":              {"/?utm_source=partner&utm_medium=llm", "", "partner", "AI Assistants"},
		"email medium":                    {"/?utm_source=partner&utm_medium=E-Mail", "", "partner", "Email"},
		"newsletter as a source":          {"/?utm_source=march-newsletter", "", "march-newsletter", "Email"},
		"affiliate":                       {"/?utm_source=partner&utm_medium=affiliate", "", "partner", "Affiliates"},
		"audio":                           {"/?utm_source=partner&utm_medium=podcast", "", "partner", "Audio"},
		"text message":                    {"/?utm_source=sms", "", "sms", "SMS"},
		"push":                            {"/?utm_source=app&utm_medium=web-push", "", "app", "Mobile Push Notifications"},
		"push service":                    {"/?utm_source=firebase", "", "firebase", "Mobile Push Notifications"},
		"medium that says nothing":        {"/?utm_source=partner&utm_medium=link", "", "partner", "Referral"},
		"referrer stays beside a source":  {"/?utm_source=letter", "https://blog.example.net/", "letter", "Referral"},
		"address of nothing, no referrer": {"/", "", "", "Direct"},
	}
	channels := map[string]bool{}
	for name, c := range cases {
		p, err := link.ParsePage("https://example.com"+c.page, link.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		got := link.ParseReferrer(c.referrer, p)
		channels[got.Channel] = true
		if got.Source != c.source || got.Channel != c.channel {
			t.Errorf("%s: %q %q, want %q %q", name, got.Source, got.Channel, c.source, c.channel)
		}
	}
	for _, row := range link.ChannelRows() {
		if !channels[row[0]] {
			t.Errorf("no case for %s", row[0])
		}
	}
}

func TestTablesListEachHostAndNameOnce(t *testing.T) {
	hosts, names, ofKind := link.Sites()
	for what, list := range map[string][]string{"host": hosts, "name": names} {
		slices.Sort(list)
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				t.Errorf("%s %s is listed twice", what, list[i])
			}
		}
	}
	for kind, least := range map[string]int{"search": 150, "social": 100, "video": 30, "shopping": 60, "email": 50, "assistant": 30} {
		if n := ofKind[kind]; n < least {
			t.Errorf("%d hosts of kind %s", n, kind)
		}
	}
	for _, host := range hosts {
		host = strings.Replace(host, "*", "de", 1)
		p, err := link.ParsePage("https://"+host+"/", link.Rules{})
		if err != nil || p.Hostname != host {
			t.Errorf("%s is not written as hosts are", host)
		}
		if link.Spam(host) {
			t.Errorf("%s is called spam", host)
		}
	}
	if clicks := link.UnknownClicks(); clicks != nil {
		t.Errorf("%q are click ids of sites that are not known", clicks)
	}
}

// Names of parameters are compared without regard to case and up to a length: a row that is beyond either is never found.
func TestEveryParameterOfTheTableIsFound(t *testing.T) {
	for _, row := range link.ParameterRows() {
		name := strings.Trim(row[0], "`")
		name = strings.Replace(name, "*", "x", 1)
		p, err := link.ParsePage("/?"+strings.ToUpper(name)+"=0123456789abcdef", link.Rules{})
		if err != nil || p.Path != "/" {
			t.Errorf("%s is left in %q (%v)", name, p.Path, err)
		}
		filled := p.Campaign + p.Source + p.Medium + p.Term + p.Content
		if (filled != "") != (row[2] != "") {
			t.Errorf("%s fills %q", name, filled)
		}
	}
}

func TestSpammersAreKnownByTheirDomains(t *testing.T) {
	for host, want := range map[string]bool{
		"semalt.com": true, "semalt.semalt.com": true, "75.semalt.com": true, "SEMALT.com": true, "www.darodar.com": true,
		"buttons-for-website.com": true, "free-share-buttons.com": true, "free-social-buttons44.xyz": true, "site1.free-share-buttons.com": true,
		"bottraffic777.xyz": true, "news.grets.store": true, "get-free-traffic-now.com": true, "hulfingtonpost.com": true,
		"": false, "com": false, "example.com": false, "google.com": false, "huffingtonpost.com": false, "buttons-for-jackets.example": false,
		"theguardian.com": false, "localhost": false, "android-app://org.example": false, "...": false, "salt.com": false,
	} {
		if got := link.Spam(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	if link.SpamDomains < 200 {
		t.Errorf("%d domains of spammers", link.SpamDomains)
	}
}

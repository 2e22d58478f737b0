package collect_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"footfall/internal/collect"
	"footfall/internal/event"
)

func TestAnEventHasAllThatIsKnownAndNobody(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, site(func(w *collect.Website) { w.Zone = berlin }))
	r.clock.set(time.Date(2026, 3, 10, 23, 30, 0, 0, time.UTC)) // half past midnight in Berlin
	got := r.one(visitor(), `{"n":"Signup","u":"https://www.example.com/a?x=1&utm_campaign=spring&utm_source=news&utm_medium=email&utm_term=t&utm_content=c#top",
		"r":"https://www.google.com/","d":"example.com","v":"12.5","c":"EUR","p":{"plan":"pro"},"i":"e1","s":"1920x1080","l":"fr-CH"}`)
	want := map[event.Field]string{
		event.Page: "/a?x=1", event.Hostname: "example.com", event.Name: "Signup", event.Unit: "EUR", event.Props: `{"plan":"pro"}`,
		event.Referrer: "google.com", event.UTMCampaign: "spring", event.UTMSource: "news", event.UTMMedium: "email", event.UTMTerm: "t", event.UTMContent: "c",
		event.Browser: "Chrome", event.OS: "Windows", event.Device: "Desktop", event.Resolution: "1920x1080", event.Language: "French",
	}
	for field, text := range want {
		if got.Fields[field] != text {
			t.Errorf("%s is %q, want %q", field, got.Fields[field], text)
		}
	}
	if got.Website != 1 || got.Kind != event.Custom || got.Value != 12_500_000 || got.ID == 0 || got.Visitor == 0 {
		t.Errorf("event is %+v", got)
	}
	if got.Day != event.NewDay(2026, 3, 11) || got.Offset != 60 || got.Time != r.clock.time().UnixMilli() {
		t.Errorf("it is on %s, %d minutes ahead, at %d", got.Day, got.Offset, got.Time)
	}
	for f, text := range got.Fields {
		if strings.Contains(text, "203.0.113.7") || strings.Contains(text, "Mozilla") {
			t.Errorf("%s is %q", event.Field(f), text)
		}
	}
}

func TestWebsitesAreFoundByTheirDomain(t *testing.T) {
	r := newRig(t, site(nil), site(func(w *collect.Website) { w.ID, w.Domain = 2, "blog.example.com" }),
		site(func(w *collect.Website) { w.ID, w.Domain = 3, "xn--bcher-kva.example" }), site(func(w *collect.Website) { w.ID, w.Domain = 4, "localhost" }))
	cases := map[string]struct {
		domain, url string
		want        int64
	}{
		"the domain":                        {"example.com", "https://elsewhere.example/", 1},
		"the domain in other letters":       {" WWW.Example.COM ", "https://elsewhere.example/", 1},
		"the domain as an address":          {"https://example.com/", "https://elsewhere.example/", 1},
		"the host of the page":              {"", "https://example.com/a", 1},
		"the host with www":                 {"", "https://www.example.com/a", 1},
		"the host with port and user":       {"", "https://u:p@example.com:8443/a", 1},
		"the host with a dot at its end":    {"", "https://example.com./a", 1},
		"a part of the domain":              {"", "https://shop.eu.example.com/a", 1},
		"the nearest of two":                {"", "https://blog.example.com/a", 2},
		"a part of the nearest of two":      {"", "https://de.blog.example.com/a", 2},
		"an international domain":           {"bücher.example", "https://elsewhere.example/", 3},
		"an international host":             {"", "https://xn--bcher-kva.example/", 3},
		"localhost":                         {"", "http://localhost:3000/", 4},
		"the first of several":              {"example.com,blog.example.com", "https://elsewhere.example/", 1},
		"the first of several that exists":  {"nobody.example, blog.example.com", "https://elsewhere.example/", 2},
		"an unknown domain on a known host": {"nobody.example", "https://example.com/", 0},
		"an unknown host":                   {"", "https://notexample.com/", 0},
		"only the end of a name":            {"", "https://badexample.com/", 0},
		"a top-level domain":                {"", "https://com/", 0},
		"no host":                           {"", "/a", 0},
		"an address of IPv6":                {"", "http://[2001:db8::1]:80/", 0},
	}
	for name, c := range cases {
		drops, events := r.accept(visitor(), fmt.Sprintf(`{"n":"pageview","u":%q,"d":%q}`, c.url, c.domain))
		if c.want == 0 {
			if drops[0] != collect.UnknownWebsite || events[0].Website != 0 {
				t.Errorf("%s: dropped %q, %+v", name, drops[0], events[0])
			}
			continue
		}
		if drops[0] != "" || events[0].Website != c.want {
			t.Errorf("%s: dropped %q, website %d, want %d", name, drops[0], events[0].Website, c.want)
		}
	}
}

func TestADroppedHitLeavesItsReasonAlone(t *testing.T) {
	r := newRig(t, site(nil))
	_, events := r.accept(collect.Request{Address: netip.MustParseAddr("203.0.113.7"), UserAgent: "curl/8.5"},
		`{"n":"Signup","u":"https://example.com/secret","r":"https://google.com/","p":{"a":"b"},"i":"x","v":1,"c":"EUR","s":"1x1"}`)
	want := event.Event{Kind: event.Dropped, Website: 1, Day: event.NewDay(2026, 3, 10), Time: noon.UnixMilli()}
	want.Fields[event.Name] = "bot"
	if len(events) != 1 || events[0] != want {
		t.Errorf("journalled %+v, want %+v", events, want)
	}
}

func TestADroppedEngagementLeavesNothing(t *testing.T) {
	r := newRig(t, site(nil))
	drops, events := r.accept(collect.Request{UserAgent: "curl/8.5"}, `{"n":"engagement","u":"https://example.com/","e":1000}`)
	if drops[0] != collect.Bot || len(events) != 0 {
		t.Errorf("dropped %q, journalled %+v", drops, events)
	}
}

func TestExcludedAddressesAreDropped(t *testing.T) {
	r := newRig(t, site(func(w *collect.Website) {
		for _, s := range []string{"192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32", "::1/128", "198.51.100.0/30"} {
			w.ExcludedIPs = append(w.ExcludedIPs, netip.MustParsePrefix(s))
		}
	}))
	cases := map[string]collect.Drop{
		"192.0.2.0": collect.ExcludedIP, "192.0.2.255": collect.ExcludedIP, "192.0.3.0": "", "198.51.100.7": collect.ExcludedIP, "198.51.100.8": "",
		"198.51.100.3": collect.ExcludedIP, "198.51.100.4": "", "2001:db8:1::1": collect.ExcludedIP, "2001:db9::1": "", "::1": collect.ExcludedIP, "::2": "",
	}
	for address, want := range cases {
		req := visitor()
		req.Address = netip.MustParseAddr(address)
		if got := r.drop(req, `{"u":"https://example.com/"}`); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	req := visitor()
	req.Address = netip.Addr{}
	if got := r.drop(req, `{"u":"https://example.com/"}`); got != "" {
		t.Errorf("no address: %q", got)
	}
}

func TestBotsAreDroppedUnlessTheWebsiteWantsThem(t *testing.T) {
	with := func(change func(*collect.Request)) collect.Request {
		r := visitor()
		change(&r)
		return r
	}
	plain := `{"u":"https://example.com/"}`
	cases := map[string]struct {
		request collect.Request
		body    string
		want    collect.Drop
	}{
		"a person":                   {visitor(), plain, ""},
		"a person with Firefox":      {collect.Request{UserAgent: firefox, AcceptLanguage: "en"}, plain, ""},
		"a person with Safari":       {collect.Request{UserAgent: safari, AcceptLanguage: "en"}, plain, ""},
		"Firefox without a language": {collect.Request{UserAgent: firefox}, plain, ""},
		"a crawler": {with(func(r *collect.Request) {
			r.UserAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
		}), plain, collect.Bot},
		"an AI crawler": {with(func(r *collect.Request) {
			r.UserAgent = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
		}), plain, collect.Bot},
		"no agent":                     {with(func(r *collect.Request) { r.UserAgent = "" }), plain, collect.Bot},
		"automation, says the tracker": {visitor(), `{"u":"https://example.com/","wd":1}`, collect.Bot},
		"Chrome without a language":    {with(func(r *collect.Request) { r.AcceptLanguage = "" }), plain, collect.Bot},
		"Chrome without hints":         {with(func(r *collect.Request) { r.Brands = "" }), plain, ""},
		"headless, say the hints":      {with(func(r *collect.Request) { r.Brands = `"HeadlessChrome";v="141", "Chromium";v="141"` }), plain, collect.Bot},
		"hints of another version":     {with(func(r *collect.Request) { r.Brands = `"Chromium";v="120"` }), plain, collect.Bot},
		"Firefox with hints of Chrome": {with(func(r *collect.Request) { r.UserAgent = firefox }), plain, collect.Bot},
		"Safari with hints of Chrome":  {with(func(r *collect.Request) { r.UserAgent = safari }), plain, collect.Bot},
	}
	strict, lenient := newRig(t, site(nil)), newRig(t, site(func(w *collect.Website) { w.ExcludeBots = false }))
	for name, c := range cases {
		if got := strict.drop(c.request, c.body); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := lenient.drop(c.request, c.body); got != "" {
			t.Errorf("%s, with bots wanted: %q", name, got)
		}
	}
}

func TestReferrerSpamIsDropped(t *testing.T) {
	r := newRig(t, site(func(w *collect.Website) { w.ExcludeBots = false }))
	if got := r.drop(visitor(), `{"u":"https://example.com/","r":"https://www.semalt.com/crawler"}`); got != collect.Spam {
		t.Errorf("spam: %q", got)
	}
	if got := r.drop(visitor(), `{"u":"https://example.com/","r":"https://news.example.org/"}`); got != "" {
		t.Errorf("no spam: %q", got)
	}
}

func TestPrivacySignalsAreHonouredWhenAskedFor(t *testing.T) {
	r := newRig(t, site(nil))
	req := visitor()
	req.PrivacySignal = true
	if got := r.drop(req, `{"u":"https://example.com/"}`); got != "" {
		t.Errorf("not asked for: %q", got)
	}
	r.HonourSignals = true
	if got := r.drop(req, `{"u":"https://example.com/"}`); got != collect.PrivacySignal {
		t.Errorf("asked for: %q", got)
	}
	if got := r.drop(visitor(), `{"u":"https://example.com/"}`); got != "" {
		t.Errorf("no signal: %q", got)
	}
}

func TestAWebsiteMayRespectPrivacySignals(t *testing.T) {
	r := newRig(t, site(func(w *collect.Website) { w.RespectSignals = true }), site(func(w *collect.Website) { w.ID, w.Domain = 2, "other.example" }))
	with := visitor()
	with.PrivacySignal = true
	cases := map[string]struct {
		request collect.Request
		url     string
		want    collect.Drop
	}{
		"asked for, with a signal":     {with, "https://example.com/", collect.PrivacySignal},
		"asked for, without one":       {visitor(), "https://example.com/", ""},
		"not asked for, with a signal": {with, "https://other.example/", ""},
	}
	for name, c := range cases {
		if got := r.drop(c.request, fmt.Sprintf(`{"u":%q}`, c.url)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestExcludedParametersAreStripped(t *testing.T) {
	r := newRig(t, site(func(w *collect.Website) { w.ExcludedParams = []string{"token", "sess_*", "*id*x", "Upper"} }))
	cases := map[string]string{
		"?token=s&a=1":              "/?a=1",
		"?Token=s&a=1":              "/?a=1",
		"?tokens=1":                 "/?tokens=1",
		"?sess_=1&sess_abc=2&ses=3": "/?ses=3",
		"?idx=1&aidbx=2&id=3":       "/?id=3",
		"?upper=1":                  "/",
		"?" + strings.Repeat("n", 201) + "=1&b=2": "/?b=2",
		"?gclid=1&fbclid=2&keep=3":                "/?keep=3",
	}
	for query, want := range cases {
		if got := r.one(visitor(), fmt.Sprintf(`{"u":"https://example.com/%s"}`, query)); got.Fields[event.Page] != want {
			t.Errorf("%s: page is %q, want %q", query, got.Fields[event.Page], want)
		}
	}
}

func TestTheFragmentIsPartOfThePageWhenAskedFor(t *testing.T) {
	r := newRig(t, site(nil))
	if got := r.one(visitor(), `{"u":"https://example.com/a#/b"}`).Fields[event.Page]; got != "/a" {
		t.Errorf("page is %q", got)
	}
	if got := r.one(visitor(), `{"u":"https://example.com/a#/b","h":1}`).Fields[event.Page]; got != "/a#/b" {
		t.Errorf("with hash routing page is %q", got)
	}
}

func TestWhatIsNoPageIsDropped(t *testing.T) {
	r := newRig(t, site(nil))
	for _, url := range []string{"file:///home/anna/index.html", "about:blank", "chrome-extension://abc/x.html"} {
		if got := r.drop(visitor(), fmt.Sprintf(`{"u":%q,"d":"example.com"}`, url)); got != collect.BadURL {
			t.Errorf("%s: %q", url, got)
		}
	}
}

func TestTheLanguageIsThePagesOrTheBrowsers(t *testing.T) {
	r := newRig(t, site(nil))
	cases := map[string]struct{ sent, header, want string }{
		"sent":                  {"fr-CH", "de", "French"},
		"of the browser":        {"", "de-AT,de;q=0.9", "German"},
		"with a weight":         {"", "it;q=1", "Italian"},
		"none that is known":    {"xx", "de", ""},
		"any":                   {"", "*", ""},
		"none":                  {"", "", ""},
		"junk":                  {strings.Repeat("a", 100), "", ""},
		"a header full of junk": {"", strings.Repeat("de", 5000), ""},
	}
	for name, c := range cases {
		req := collect.Request{UserAgent: firefox, AcceptLanguage: c.header}
		if got := r.one(req, fmt.Sprintf(`{"u":"https://example.com/","l":%q}`, c.sent)).Fields[event.Language]; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAnEventIsPlacedWhenItHappened(t *testing.T) {
	auckland, err := time.LoadLocation("Pacific/Auckland")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, site(func(w *collect.Website) { w.Zone = auckland })) // 13 hours ahead in March: it is 1 o'clock of the 11th
	cases := map[string]struct {
		age  time.Duration
		day  event.Day
		drop collect.Drop
	}{
		"now":                 {0, event.NewDay(2026, 3, 11), ""},
		"two hours ago":       {2 * time.Hour, event.NewDay(2026, 3, 10), ""},
		"48 hours ago":        {48 * time.Hour, event.NewDay(2026, 3, 9), ""},
		"more":                {48*time.Hour + time.Millisecond, event.NewDay(2026, 3, 11), collect.TooOld},
		"in another century":  {1 << 62, event.NewDay(2026, 3, 11), collect.TooOld},
		"before it was begun": {-time.Hour, event.NewDay(2026, 3, 11), ""},
	}
	for name, c := range cases {
		drops, events := r.accept(visitor(), fmt.Sprintf(`{"u":"https://example.com/","a":%d}`, c.age.Milliseconds()))
		if drops[0] != c.drop || events[0].Day != c.day {
			t.Errorf("%s: dropped %q on %s, want %q on %s", name, drops[0], events[0].Day, c.drop, c.day)
		}
		if want := noon.Add(-max(0, c.age)).UnixMilli(); c.drop == "" && events[0].Time != want {
			t.Errorf("%s: at %d, want %d", name, events[0].Time, want)
		}
	}
}

func TestAServerMaySayWhoTheVisitorWas(t *testing.T) {
	r := newRig(t, site(nil))
	server := collect.Request{Address: netip.MustParseAddr("198.51.100.1"), UserAgent: "backend/1.0"}
	hits, err := collect.Parse([]byte(`{"u":"https://example.com/","ip":"203.0.113.7","ua":"` + chrome + `","time":"2026-03-09T12:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	drops, err := r.Accept(t.Context(), server, hits)
	if err != nil || drops[0] != "" {
		t.Fatalf("dropped %q, %v", drops, err)
	}
	claimed := r.journalled()[0]
	r.clock.set(time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC))
	himself := r.one(visitor(), `{"u":"https://example.com/"}`)
	if claimed.Visitor != himself.Visitor || claimed.Time != himself.Time || claimed.Fields[event.Browser] != "Chrome" {
		t.Errorf("claimed is %+v, himself %+v", claimed, himself)
	}
	hits[0].Claim = collect.Claim{} // as the door does without a key
	if drops, _ := r.Accept(t.Context(), server, hits); drops[0] != collect.Bot {
		t.Errorf("without a claim: %q", drops)
	}
}

func TestVisitorsAreToldApartByWebsiteAddressAgentAndDay(t *testing.T) {
	r := newRig(t, site(nil), site(func(w *collect.Website) { w.ID, w.Domain = 2, "other.example" }))
	of := func(change func(*collect.Request), url string) uint64 {
		req := visitor()
		change(&req)
		return r.one(req, fmt.Sprintf(`{"u":%q}`, url)).Visitor
	}
	same := func(*collect.Request) {}
	seen := map[uint64]string{of(same, "https://example.com/"): "the visitor"}
	if of(same, "https://example.com/other") == 0 || len(seen) != 1 || seen[of(func(r *collect.Request) { r.AcceptLanguage = "en" }, "https://example.com/")] == "" {
		t.Error("the same visitor is another")
	}
	others := map[string]uint64{
		"another website": of(same, "https://other.example/"),
		"another address": of(func(r *collect.Request) { r.Address = netip.MustParseAddr("203.0.113.8") }, "https://example.com/"),
		"another agent":   of(func(r *collect.Request) { r.UserAgent, r.Brands = firefox, "" }, "https://example.com/"),
	}
	r.clock.pass(12 * time.Hour)
	others["another day"] = of(same, "https://example.com/")
	for name, v := range others {
		if seen[v] != "" {
			t.Errorf("%s is %s", name, seen[v])
		}
		seen[v] = name
	}
}

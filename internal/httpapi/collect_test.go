package httpapi_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"footfall/internal/httpapi"
)

// browser is the headers of a usual one.
var browser = map[string]string{
	"User-Agent":      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
	"Accept-Language": "de-AT,de;q=0.9,en;q=0.5",
	"Sec-Ch-Ua":       `"Chromium";v="141", "Google Chrome";v="141", "Not?A_Brand";v="8"`,
}

// newCollecting is a service with one website, and the key of its owner.
func newCollecting(t *testing.T, domain string) (s *service, key string) {
	t.Helper()
	s = newService(t, nil)
	key = s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain="+domain))
	s.know()
	return s, key
}

// know lets the collector notice changes to websites.
func (s *service) know() {
	s.t.Helper()
	if err := s.road.collector.Websites.Refresh(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// send sends a body as a browser does.
func (s *service) send(body string) response {
	s.t.Helper()
	return s.do(request{method: "POST", path: "/api/event", body: []byte(body), headers: browser})
}

// rows are the rows of a statistic of the first website on the day of the clock, as "value=count".
func (s *service) rows(key, name string) string {
	s.t.Helper()
	day := s.clock.time().Format("2006-01-02")
	got := data[[]struct {
		Value string
		Count int
	}](s.t, s.want(200, s.get(key, fmt.Sprintf("/api/v1/stats/1?name=%s&from=%s&to=%[2]s", name, day))))
	var rows []string
	for _, r := range got {
		rows = append(rows, fmt.Sprintf("%s=%d", r.Value, r.Count))
	}
	return strings.Join(rows, " ")
}

func TestAPageviewIsCounted(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	got := s.want(http.StatusAccepted, s.send(`{"n":"pageview","u":"https://www.example.com/pricing","d":"example.com"}`))
	if len(got.body) != 0 || got.header.Get("X-Dropped") != "" || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("answer is %q with %v", got.body, got.header)
	}
	s.road.arrive()
	if got := s.rows(key, "page"); got != "/pricing=1" {
		t.Errorf("pages: %s", got)
	}
}

func TestEveryTrackerIsCountedTheSame(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	for _, body := range []string{
		`{"n":"pageview","u":"https://example.com/a","s":"1920x1080"}`,
		`{"n":"pageview","v":34,"u":"https://example.com/a","d":"example.com","r":null}`,
		`{"page":"https://example.com/a","referrer":"","screen_resolution":"1920x1080"}`,
		`{"n":"Order","u":"https://example.com/a","v":12.5,"c":"EUR"}`,
		`{"n":"Order","u":"https://example.com/a","d":"example.com","r":null,"$":{"amount":"12.50","currency":"EUR"}}`,
		`{"page":"https://example.com/a","event":{"name":"Order","value":"12.50","unit":"EUR"}}`,
	} {
		if got := s.want(http.StatusAccepted, s.send(body)); got.header.Get("X-Dropped") != "" {
			t.Errorf("%s is dropped: %s", body, got.header.Get("X-Dropped"))
		}
	}
	s.road.arrive()
	for name, want := range map[string]string{
		"page": "/a=3", "visitors": "2026-04-01=1", "language": "German=1", "browser": "Chrome=1", "os": "Windows=1", "device": "Desktop=1", "landing_page": "/a=1",
	} {
		if got := s.rows(key, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := s.rows(key, "event"); !strings.Contains(got, "Order") || !strings.HasSuffix(got, "=3") {
		t.Errorf("events: %s", got)
	}
}

func TestADroppedEventSaysWhy(t *testing.T) {
	s, _ := newCollecting(t, "example.com")
	cases := map[string]struct{ body, want string }{
		"one":                       {`{"u":"https://unknown.example/"}`, "unknown_website"},
		"an array of one":           {`[{"u":"https://unknown.example/"}]`, "unknown_website"},
		"several":                   {`[{"u":"https://example.com/","wd":1},{"u":"https://unknown.example/"},{"u":"https://example.com/"},{"u":"https://example.com/","wd":1}]`, "unknown_website=1, bot=2"},
		"several that are all kept": {`[{"u":"https://example.com/"},{"u":"https://example.com/"}]`, ""},
	}
	for name, c := range cases {
		if got := s.want(http.StatusAccepted, s.send(c.body)).header.Get("X-Dropped"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The sum always agrees: received is counted and dropped by reason.
func TestWhatWasReceivedIsCountedOrHasAReason(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	s.want(200, s.ask(key, "PUT", "/api/v1/websites/1", "exclude_ips=192.0.2.0/24"))
	s.know()
	sent := map[string]int{}
	post := func(n int, reason, body string, headers map[string]string) {
		for range n {
			all := maps.Clone(browser)
			maps.Copy(all, headers)
			got := s.want(http.StatusAccepted, s.do(request{method: "POST", path: "/api/event", body: []byte(body), headers: all}))
			if dropped := got.header.Get("X-Dropped"); dropped != reason {
				t.Fatalf("%s is %q, want %q", body, dropped, reason)
			}
			sent[reason]++
		}
	}
	post(5, "", `{"n":"pageview","u":"https://example.com/"}`, nil)
	post(3, "", `{"n":"Signup","u":"https://example.com/"}`, nil)
	post(4, "bot", `{"n":"pageview","u":"https://example.com/"}`, map[string]string{"User-Agent": "curl/8.5"})
	post(2, "excluded_ip", `{"n":"pageview","u":"https://example.com/"}`, map[string]string{"X-Forwarded-For": "192.0.2.9"})
	post(1, "too_old", `{"n":"pageview","u":"https://example.com/","a":200000000}`, nil)
	post(1, "spam", `{"n":"pageview","u":"https://example.com/","r":"https://semalt.com/"}`, nil)
	post(2, "unknown_website", `{"n":"pageview","u":"https://nobody.example/"}`, nil)
	for range 3 { // a measurement is no hit
		s.want(http.StatusAccepted, s.send(`{"n":"engagement","u":"https://example.com/","e":5000}`))
	}
	s.clock.pass(24 * time.Hour)
	post(2, "", `{"n":"pageview","u":"https://example.com/"}`, nil)
	post(1, "bot", `{"n":"pageview","u":"https://example.com/","wd":1}`, nil)
	s.road.arrive()
	type day struct {
		Day               string
		Received, Counted int
		Dropped           []struct {
			Reason, Text string
			Count        int
		}
		Days []day
	}
	got := data[day](t, s.want(200, s.get(key, "/api/v1/websites/1/drops?from=2026-04-01&to=2026-04-30")))
	if got.Received != 19 || got.Counted != 10 || len(got.Days) != 2 {
		t.Errorf("received %d, counted %d, %d days", got.Received, got.Counted, len(got.Days))
	}
	sum := got.Counted
	for _, d := range got.Dropped {
		sum += d.Count
		if d.Count != sent[d.Reason] || d.Text == "" {
			t.Errorf("%s: %d, sent %d: %q", d.Reason, d.Count, sent[d.Reason], d.Text)
		}
	}
	if sum != got.Received || len(got.Dropped) != 4 {
		t.Errorf("the sum is %d of %d: %+v", sum, got.Received, got.Dropped)
	}
	if first, second := got.Days[0], got.Days[1]; first.Day != "2026-04-01" || first.Received != 16 || first.Counted != 8 || second.Received != 3 || second.Counted != 2 {
		t.Errorf("days are %+v", got.Days)
	}
	if last := data[day](t, s.want(200, s.get(key, "/api/v1/websites/1/drops"))); len(last.Days) != 30 || last.Received != 19 {
		t.Errorf("the last 30 days are %d with %d", len(last.Days), last.Received)
	}
	if p := problemOf(t, s.want(422, s.get(key, "/api/v1/websites/1/drops?from=2026-04-02&to=2026-04-01"))); p.Errors["to"] == nil {
		t.Errorf("problem is %+v", p)
	}
	root, err := s.db.ActAs(t.Context(), "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := s.db.UnknownDrops(t.Context(), root, "2026-04-01", "2026-04-01")
	if err != nil || len(unknown) != 1 || unknown[0].Hits != 2 {
		t.Errorf("of no website: %+v, %v", unknown, err)
	}
}

func TestPagesOfEveryWebsiteMaySendEvents(t *testing.T) {
	s, _ := newCollecting(t, "example.com")
	cross := map[string]string{"Origin": "https://example.com", "Sec-Fetch-Site": "cross-site", "Cookie": "footfall_session=junk"}
	maps.Copy(cross, browser)
	for _, kind := range []string{"text/plain", "application/json", "application/x-www-form-urlencoded", "", "application/reports+json"} {
		cross["Content-Type"] = kind
		got := s.want(http.StatusAccepted, s.do(request{method: "POST", path: "/api/event", body: []byte(`{"u":"https://example.com/"}`), headers: cross}))
		if got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Access-Control-Allow-Credentials") != "" || got.header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("%s: headers are %v", kind, got.header)
		}
	}
	for _, path := range []string{"/api/event", "/api/event.gif"} {
		got := s.want(http.StatusNoContent, s.do(request{method: "OPTIONS", path: path, headers: map[string]string{
			"Origin": "https://example.com", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}}))
		if got.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "*") || got.header.Get("Access-Control-Allow-Methods") == "" {
			t.Errorf("%s: headers are %v", path, got.header)
		}
	}
	if got := s.send(`nonsense`); got.status != 400 || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a page cannot read its mistake: %s %v", got.text(), got.header)
	}
	s.want(http.StatusMethodNotAllowed, s.do(request{method: "GET", path: "/api/event"}))
}

func TestAnImageSendsAnEvent(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	with := func(referring string) map[string]string {
		all := maps.Clone(browser)
		all["Referer"] = referring
		return all
	}
	got := s.want(200, s.do(request{method: "GET", path: "/api/event.gif", headers: with("https://example.com/no-script")}))
	if got.header.Get("Content-Type") != "image/gif" || got.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(string(got.body), "GIF89a") {
		t.Errorf("answer is %q with %v", got.body, got.header)
	}
	s.want(200, s.do(request{method: "GET", path: "/api/event.gif?u=https%3A%2F%2Fexample.com%2Fother&d=example.com", headers: with("")}))
	s.want(200, s.do(request{method: "HEAD", path: "/api/event.gif?u=https%3A%2F%2Fexample.com%2Fonly-asked", headers: with("")}))
	if got := s.do(request{method: "GET", path: "/api/event.gif?u=https%3A%2F%2Fnobody.example%2F", headers: with("")}); got.status != 200 || got.header.Get("X-Dropped") != "unknown_website" {
		t.Errorf("an unknown website: %s", got.text())
	}
	s.want(400, s.do(request{method: "GET", path: "/api/event.gif", headers: browser}))
	s.want(400, s.do(request{method: "GET", path: "/api/event.gif?u=%zz", headers: browser}))
	s.road.arrive()
	if got := s.rows(key, "page"); got != "/no-script=1 /other=1" {
		t.Errorf("pages: %s", got)
	}
}

// S9: what is no event is refused, and costs little.
func TestHostileEventsAreRefused(t *testing.T) {
	s, _ := newCollecting(t, "example.com")
	event := `{"u":"https://example.com/"}`
	cases := map[string]struct {
		body   string
		header map[string]string
		want   int
	}{
		"nothing":              {"", nil, 400},
		"no JSON":              {"n=pageview", nil, 400},
		"deep":                 {strings.Repeat(`{"a":`, 10_000), nil, 400},
		"very many values":     {"[" + strings.Repeat("1,", 500_000) + "1]", nil, 400},
		"501 events":           {"[" + strings.Repeat(event+",", 500) + event + "]", nil, 400},
		"500 events":           {"[" + strings.Repeat(event+",", 499) + event + "]", nil, 202},
		"a large event":        {`{"u":"https://example.com/` + strings.Repeat("a", 64<<10) + `"}`, nil, 413},
		"spaces, then a large": {strings.Repeat(" ", 100) + `{"u":"https://example.com/` + strings.Repeat("a", 64<<10) + `"}`, nil, 413},
		"a large array":        {`[{"u":"https://example.com/","n":"` + strings.Repeat("a", 900<<10) + `"}]`, nil, 202},
		"too large an array":   {"[" + event + strings.Repeat(" ", 1<<20) + "]", nil, 413},
		"endless":              {strings.Repeat("x", 8<<20), nil, 413},
		"packed":               {event, map[string]string{"Content-Encoding": "gzip"}, 415},
		"bytes":                {"\x00\xff\xfe", nil, 400},
	}
	for name, c := range cases {
		all := maps.Clone(browser)
		maps.Copy(all, c.header)
		if got := s.do(request{method: "POST", path: "/api/event", body: []byte(c.body), headers: all}); got.status != c.want {
			t.Errorf("%s: %s, want %d", name, got.text(), c.want)
		}
	}
}

func TestChunksWithoutEndAreCut(t *testing.T) {
	s, _ := newCollecting(t, "example.com")
	endless := io.MultiReader(strings.NewReader(`[{"u":"`), repeat('a'))
	req, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/api/event", endless) // of unknown length: sent in chunks
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("answer is %s", answer.Status)
	}
}

// repeat is a text without end.
type repeat byte

func (r repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r)
	}
	return len(b), nil
}

func TestWhoMaySayWhoTheVisitorsWere(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	other := s.account("ben@example.com")
	claim := `{"u":"https://example.com/","ip":"198.51.100.9","ua":"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0","time":"2026-03-31T12:00:00Z"}`
	cases := map[string]struct {
		key, body string
		status    int
		dropped   string
	}{
		"the owner":                              {key, claim, 202, ""},
		"the owner in an array":                  {key, "[" + claim + "," + claim + "]", 202, ""},
		"the owner, reading only":                {s.key("anna@example.com", "read"), claim, 403, ""},
		"somebody else":                          {other, claim, 404, ""},
		"junk":                                   {"ffk_junk", claim, 401, ""},
		"nobody: it is the server's own visit":   {"", claim, 202, "bot"},
		"junk without a claim":                   {"ffk_junk", `{"u":"https://example.com/"}`, 202, "bot"},
		"somebody else, of an unknown website":   {other, strings.Replace(claim, "example.com", "nobody.example", 1), 202, "unknown_website"},
		"the owner, longer ago than it may be":   {key, strings.Replace(claim, "2026-03-31", "2026-03-01", 1), 202, "too_old"},
		"the owner, in the future":               {key, strings.Replace(claim, "2026-03-31", "2026-06-01", 1), 202, ""},
		"one of two websites is somebody else's": {other, "[" + strings.Replace(claim, "example.com", "nobody.example", 1) + "," + claim + "]", 404, ""},
	}
	for name, c := range cases {
		got := s.do(request{method: "POST", path: "/api/event", body: []byte(c.body), key: c.key, headers: map[string]string{"User-Agent": "Go-http-client/1.1"}})
		if got.status != c.status || got.header.Get("X-Dropped") != c.dropped {
			t.Errorf("%s: %s %q, want %d %q", name, got.text(), got.header.Get("X-Dropped"), c.status, c.dropped)
		}
	}
	s.road.arrive()
	if got := s.rows(key, "browser"); got != "Firefox=1" {
		t.Errorf("browsers of today: %s", got)
	}
	s.clock.pass(-24 * time.Hour)
	if got := s.rows(key, "pageviews"); got != "2026-03-31=3" {
		t.Errorf("pageviews of yesterday: %s", got)
	}
}

// S8: the limit fires, and is over after a while.
func TestCollectionIsLimitedWhenAskedFor(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Collect = 5 })
	for i := range 5 {
		if got := s.send(`{"u":"https://example.com/"}`); got.status != 202 {
			t.Errorf("hit %d: %s", i, got.text())
		}
	}
	if got := s.send(`{"u":"https://example.com/"}`); got.status != 429 || got.header.Get("Retry-After") == "" || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("beyond the limit: %s %v", got.text(), got.header)
	}
	s.clock.pass(15 * time.Second)
	if got := s.send(`{"u":"https://example.com/"}`); got.status != 202 {
		t.Errorf("after a while: %s", got.text())
	}
}

func TestWhenTheJournalCannotPromiseItSaysSo(t *testing.T) {
	s, key := newCollecting(t, "example.com")
	s.want(http.StatusAccepted, s.send(`{"u":"https://example.com/"}`))
	s.road.arrive()
	if err := s.road.journal.Close(); err != nil {
		t.Fatal(err)
	}
	got := s.want(http.StatusServiceUnavailable, s.send(`{"u":"https://example.com/"}`))
	if got.header.Get("Retry-After") == "" || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("headers are %v", got.header)
	}
	if got := s.rows(key, "page"); got != "/=1" { // statistics stay readable
		t.Errorf("pages: %s", got)
	}
}

func TestAddressesAndAgentsAreNotLogged(t *testing.T) {
	s, _ := newCollecting(t, "example.com")
	headers := maps.Clone(browser)
	headers["X-Forwarded-For"] = "198.51.100.77"
	for _, body := range []string{`{"u":"https://example.com/?secret=1"}`, `{"u":"https://nobody.example/?secret=1"}`, `{"u":"secret`, `secret`} {
		s.do(request{method: "POST", path: "/api/event", body: []byte(body), headers: headers})
	}
	for _, word := range []string{"198.51.100.77", "127.0.0.1", "Mozilla", "secret", "example/"} {
		if strings.Contains(s.log.String(), word) {
			t.Errorf("%s is in the log", word)
		}
	}
}

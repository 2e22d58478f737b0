package httpapi_test

import (
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/httpapi"
	"footfall/internal/report"
	"footfall/internal/store"
)

// withReports starts a service with a website of Anna's that reports are sent of.
func withReports(t *testing.T) (s *service, anna string, signer *report.Signer) {
	t.Helper()
	signer = report.NewSigner([]byte("a key"))
	s = newService(t, func(o *httpapi.Options) { o.Signer = signer })
	anna = s.account("anna@example.com")
	s.want(201, s.ask(anna, "POST", "/api/v1/websites", "domain=example.com&email=1&timezone=Europe/Berlin"))
	return s, anna, signer
}

// It is Wednesday, 1 April 2026: the last week is that of 23 March, and the last month is March.
func TestReportIsPreviewed(t *testing.T) {
	s, anna, _ := withReports(t)
	e := event.Event{Website: 1, Visitor: 1, Day: event.NewDay(2026, 3, 24), Kind: event.Pageview, Time: event.NewDay(2026, 3, 24).UTC().Add(12 * 3600e9).UnixMilli()}
	e.Fields[event.Page] = `/<script>alert(1)</script>`
	if err := s.engine.Append(t.Context(), store.Batch{To: 1, Events: []event.Event{e}}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/api/v1/websites/1/report":              "23–29 March 2026",
		"/api/v1/websites/1/report?period=week":  "Weekly report",
		"/api/v1/websites/1/report?period=month": "March 2026",
	} {
		r := s.want(200, s.get(anna, path))
		if body := string(r.body); !strings.Contains(body, want) || strings.Contains(body, "<script") || !strings.Contains(body, "data:image/png;base64,") {
			t.Errorf("%s is %s", path, r.body)
		}
		if policy := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "script-src") ||
			!strings.HasSuffix(policy, "frame-ancestors 'self'") || r.header.Get("X-Frame-Options") != "SAMEORIGIN" {
			t.Errorf("policy is %s", policy)
		}
	}
	s.want(422, s.get(anna, "/api/v1/websites/1/report?period=year"))
	r := s.want(200, s.do(request{method: "GET", path: "/api/v1/websites/1/report", key: anna, headers: map[string]string{"Accept-Language": "de-AT,en;q=0.5"}}))
	if !strings.Contains(string(r.body), "23.–29. März 2026") {
		t.Error("it is not in the browser's language")
	}
	s.want(200, s.ask(anna, "PUT", "/api/v1/me", "locale=en"))
	r = s.want(200, s.do(request{method: "GET", path: "/api/v1/websites/1/report", key: anna, headers: map[string]string{"Accept-Language": "de"}}))
	if !strings.Contains(string(r.body), "23–29 March 2026") {
		t.Error("it is not in the account's language")
	}
}

func TestAccountsSubscribeForThemselves(t *testing.T) {
	s, anna, _ := withReports(t)
	ben := s.account("ben@example.com")
	type subscription struct{ Website_ID, Reports, Email int }
	s.want(404, s.get(ben, "/api/v1/websites/1/subscription"))
	s.want(201, s.ask(anna, "POST", "/api/v1/websites/1/shares", "email=ben@example.com"))
	if got := data[subscription](t, s.want(200, s.get(ben, "/api/v1/websites/1/subscription"))); got != (subscription{1, 0, 1}) {
		t.Errorf("it is %+v", got)
	}
	if got := data[subscription](t, s.want(200, s.ask(ben, "PUT", "/api/v1/websites/1/subscription", map[string]any{"reports": 1}))); got != (subscription{1, 1, 1}) {
		t.Errorf("it is %+v", got)
	}
	if got := data[subscription](t, s.want(200, s.get(anna, "/api/v1/websites/1/subscription"))); got != (subscription{1, 1, 1}) {
		t.Errorf("it is %+v", got)
	}
	s.want(422, s.ask(ben, "PUT", "/api/v1/websites/1/subscription", "reports=often"))
}

func TestSubscriptionSaysWhyNoReportComes(t *testing.T) {
	for why, want := range map[string]string{
		"":                       `{"data":{"website_id":1,"reports":1,"email":0,"mail":{"configured":true,"why":""}}}`,
		"No mail server is set.": `{"data":{"website_id":1,"reports":1,"email":0,"mail":{"configured":false,"why":"No mail server is set."}}}`,
	} {
		s := newService(t, func(o *httpapi.Options) { o.Facts = func() httpapi.Facts { return httpapi.Facts{NoMail: why} } })
		s.account("root@example.com")
		anna := s.account("anna@example.com") // also to those who are no administrators
		s.want(201, s.ask(anna, "POST", "/api/v1/websites", "domain=example.com"))
		if got := s.get(anna, "/api/v1/websites/1/subscription"); string(got.body) != want+"\n" {
			t.Errorf("it is %s, want %s", got.body, want)
		}
	}
}

func TestLinkInAReportEndsThemWithoutSigningIn(t *testing.T) {
	s, anna, signer := withReports(t)
	ben := s.account("ben@example.com")
	s.want(201, s.ask(anna, "POST", "/api/v1/websites/1/shares", "email=ben@example.com"))
	s.want(200, s.ask(ben, "PUT", "/api/v1/websites/1/subscription", "reports=1"))
	gets := func(key string) bool {
		t.Helper()
		return data[struct{ Reports int }](t, s.want(200, s.get(key, "/api/v1/websites/1/subscription"))).Reports == 1
	}
	path := "/unsubscribe/" + signer.Token(1, 1)

	r := s.want(200, s.do(request{method: "GET", path: path}))
	if body := string(r.body); !strings.Contains(body, "example.com") || !strings.Contains(body, `method="post"`) || strings.Contains(body, "anna") {
		t.Errorf("the page is %s", body)
	}
	s.want(200, s.do(request{method: "HEAD", path: path}))
	if !gets(anna) {
		t.Error("looking at the page was enough")
	}
	// As RFC 8058 has mailboxes do it: no cookie, no origin.
	r = s.want(200, s.do(request{method: "POST", path: path, body: "List-Unsubscribe=One-Click"}))
	if !strings.Contains(string(r.body), "no more reports on example.com") || gets(anna) || !gets(ben) {
		t.Errorf("afterwards: %s, Anna %v, Ben %v", r.body, gets(anna), gets(ben))
	}
	s.want(200, s.do(request{method: "POST", path: path, body: "List-Unsubscribe=One-Click"})) // again

	for name, token := range map[string]string{
		"junk": "junk", "another key's": report.NewSigner([]byte("x")).Token(1, 2), "an account that sees nothing": signer.Token(2, 2), "nobody": signer.Token(1, 99),
	} {
		r := s.want(404, s.do(request{method: "POST", path: "/unsubscribe/" + token}))
		if !strings.Contains(string(r.body), "not one of ours") {
			t.Errorf("%s: %s", name, r.body)
		}
	}
	if !gets(ben) {
		t.Error("a link that is none ended Ben's reports")
	}
	r = s.want(403, s.do(request{method: "POST", path: "/unsubscribe/" + signer.Token(1, 2), headers: map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}}))
	if !gets(ben) {
		t.Errorf("another website could do it: %s", r.body)
	}
}

package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"footfall/internal/collect/place"
	"footfall/internal/httpapi"
)

// A dashboard is what a test reads of one.
type dashboard struct {
	ID       int64
	Domain   string
	Timezone string
	Privacy  int
	Access   string
}

// The licence of the places asks for it, wherever they are shown: also to who has no account.
func TestDashboardNamesWhomItsPlacesAreFrom(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com&privacy=0"))
	const want = `"access":"public","places_by":{"text":"IP Geolocation by DB-IP","url":"https://db-ip.com"}}}`
	if got := s.want(200, s.do(request{method: "GET", path: "/api/v1/dashboards/example.com"})); !strings.Contains(string(got.body), want) {
		t.Errorf("it is %s", got.body)
	}
	s.road.collector.Places = &place.Atlas{} // which knows nothing
	if got := s.get(key, "/api/v1/dashboards/example.com"); !strings.Contains(string(got.body), `"places_by":null`) {
		t.Errorf("it is %s", got.body)
	}
}

// protect makes a website that asks for a password.
func (s *service) protect(key, domain, password string) int64 {
	s.t.Helper()
	made := s.want(201, s.ask(key, "POST", "/api/v1/websites", form(map[string]any{"domain": domain, "privacy": 2, "password": password})))
	return data[struct{ ID int64 }](s.t, made).ID
}

// openDashboard returns the cookie that the password gives.
func (s *service) openDashboard(domain, password string) string {
	s.t.Helper()
	r := s.want(200, s.do(request{method: "POST", path: "/api/v1/dashboards/" + domain + "/session", body: map[string]any{"password": password}}))
	cookie, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
	return cookie
}

func query(id int64) map[string]any {
	return map[string]any{"website_id": id, "period": "7d", "questions": []any{map[string]any{}}}
}

func TestPasswordOpensOneDashboardReadOnly(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		id, other := s.protect(key, "example.com", "sesame"), s.protect(key, "example.org", "sesame")
		closed := s.want(401, s.do(request{method: "GET", path: "/api/v1/dashboards/example.com"}))
		if p := problemOf(t, closed); p.Code != "password_required" || !strings.Contains(p.Message, "password") {
			t.Errorf("without the password it is %s", closed.body)
		}
		wrong := s.do(request{method: "POST", path: "/api/v1/dashboards/example.com/session", body: "password=Sesame"})
		if wrong.status != 401 || problemOf(t, wrong).Code != "unauthorized" || wrong.header.Get("Set-Cookie") != "" {
			t.Errorf("a wrong password is %s", wrong.text())
		}
		r := s.want(200, s.do(request{method: "POST", path: "/api/v1/dashboards/EXAMPLE.com/session", body: "password=sesame"}))
		set := r.header.Get("Set-Cookie")
		for _, part := range []string{fmt.Sprintf("footfall_share_%d=ffd_", id), "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"} {
			if !strings.Contains(set, part) {
				t.Errorf("the cookie %s lacks %s", set, part)
			}
		}
		cookie, _, _ := strings.Cut(set, ";")
		if strings.Contains(string(r.body), "ffd_") {
			t.Errorf("the body has the token: %s", r.body)
		}
		shown := data[dashboard](t, s.want(200, s.do(request{method: "GET", path: "/api/v1/dashboards/example.com", cookie: cookie})))
		if want := (dashboard{id, "example.com", "UTC", 2, "shared"}); shown != want {
			t.Errorf("the dashboard is %+v, want %+v", shown, want)
		}
		s.want(200, s.do(request{method: "POST", path: "/api/v1/query", body: query(id), cookie: cookie}))

		// The same token opens nothing else, under whatever name, and changes nothing.
		token := strings.TrimPrefix(cookie, fmt.Sprintf("footfall_share_%d=", id))
		forged := fmt.Sprintf("%s; footfall_share_%d=%s; footfall_session=%[3]s", cookie, other, token)
		for name, r := range map[string]request{
			"another website":     {method: "POST", path: "/api/v1/query", body: query(other)},
			"the website":         {method: "GET", path: fmt.Sprintf("/api/v1/websites/%d", id)},
			"the list":            {method: "GET", path: "/api/v1/websites"},
			"a change":            {method: "PUT", path: fmt.Sprintf("/api/v1/websites/%d", id), body: "email=1"},
			"an annotation":       {method: "POST", path: fmt.Sprintf("/api/v1/websites/%d/annotations", id), body: "day=2026-03-01&text=x"},
			"the account":         {method: "GET", path: "/api/v1/me"},
			"as a key":            {method: "POST", path: "/api/v1/query", body: query(id), key: token},
			"the other dashboard": {method: "GET", path: "/api/v1/dashboards/example.org"},
		} {
			r.cookie = forged
			if got := s.do(r); got.status != 401 {
				t.Errorf("%s: %s", name, got.text())
			}
		}

		second := s.openDashboard("example.com", "sesame")
		out := s.want(200, s.do(request{method: "DELETE", path: "/api/v1/dashboards/example.com/session", cookie: cookie}))
		if !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("closing sets %s", out.header.Get("Set-Cookie"))
		}
		s.want(401, s.do(request{method: "POST", path: "/api/v1/query", body: query(id), cookie: cookie}))
		s.want(200, s.do(request{method: "POST", path: "/api/v1/query", body: query(id), cookie: second}))

		s.want(200, s.ask(key, "PUT", fmt.Sprintf("/api/v1/websites/%d", id), "password=thyme"))
		s.want(401, s.do(request{method: "POST", path: "/api/v1/query", body: query(id), cookie: second}))
		s.want(401, s.do(request{method: "GET", path: "/api/v1/dashboards/example.com", cookie: second}))
	})
}

// Nobody learns from an answer whether a domain that they may not see is registered.
func TestPrivateDashboardLooksLikeNone(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=private.example&password=sesame"))
	for _, r := range []request{
		{method: "GET", path: "/api/v1/dashboards/DOMAIN"},
		{method: "POST", path: "/api/v1/dashboards/DOMAIN/session", body: "password=sesame"},
		{method: "DELETE", path: "/api/v1/dashboards/DOMAIN/session", cookie: "footfall_share_1=x; footfall_share_2=x"},
	} {
		look := func(domain string) string {
			asked := r
			asked.path = strings.Replace(r.path, "DOMAIN", domain, 1)
			got := s.do(asked)
			return strings.ReplaceAll(fmt.Sprint(got.status, string(got.body), plain(got.header)), domain, "DOMAIN")
		}
		if private, absent := look("private.example"), look("absentt.example"); private != absent {
			t.Errorf("%s: %s\nand %s", r.path, private, absent)
		}
	}
}

func TestPublicDashboardNeedsNothing(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.account("ben@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com&privacy=0&timezone=Asia/Tokyo"))
	for name, c := range map[string]struct{ cookie, key, access string }{
		"nobody":           {"", "", "public"},
		"an ended session": {"footfall_session=ffs_" + strings.Repeat("0", 64), "", "public"},
		"another account":  {s.signIn("ben@example.com"), "", "public"},
		"the owner":        {s.signIn("anna@example.com"), "", "owner"},
		"the owner's key":  {"", key, "owner"},
	} {
		got := data[dashboard](t, s.want(200, s.do(request{method: "GET", path: "/api/v1/dashboards/example.com", cookie: c.cookie, key: c.key})))
		if want := (dashboard{1, "example.com", "Asia/Tokyo", 0, c.access}); got != want {
			t.Errorf("to %s it is %+v, want %+v", name, got, want)
		}
	}
	open := s.want(200, s.do(request{method: "POST", path: "/api/v1/dashboards/example.com/session", body: "password=x"}))
	if open.header.Get("Set-Cookie") != "" || data[dashboard](t, open).Access != "public" {
		t.Errorf("opening it is %s with %v", open.text(), open.header)
	}
	s.want(401, s.do(request{method: "GET", path: "/api/v1/websites/1"}))
}

// S5: guesses are limited for each address and for each website, before a hash is compared.
func TestGuessesAtADashboardAreLimited(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Secret = 2 })
	key := s.account("anna@example.com")
	s.protect(key, "example.com", "sesame")
	guess := func(address, password string) response {
		return s.do(request{method: "POST", path: "/api/v1/dashboards/example.com/session", body: "password=" + password,
			headers: map[string]string{"X-Forwarded-For": address}})
	}
	for range 2 {
		s.want(401, guess("192.0.2.1", "guess"))
	}
	if got := s.want(429, guess("192.0.2.1", "sesame")); got.header.Get("Retry-After") == "" || got.header.Get("Set-Cookie") != "" {
		t.Errorf("the third from one address is %v", got.header)
	}
	for i := range 8 { // 5 times 2 in all
		s.want(401, guess(fmt.Sprintf("192.0.2.%d", 10+i), "guess"))
	}
	s.want(429, guess("192.0.2.99", "sesame"))
	s.clock.pass(time.Minute)
	s.want(200, guess("192.0.2.1", "sesame"))
}

func TestShareCookieIsSecureOverTLS(t *testing.T) {
	base, _ := url.Parse("https://stats.example.com")
	s := newService(t, func(o *httpapi.Options) { o.BaseURL = base })
	s.protect(s.account("anna@example.com"), "example.com", "sesame")
	r := s.do(request{method: "POST", path: "/api/v1/dashboards/example.com/session", body: "password=sesame"})
	if !strings.Contains(r.header.Get("Set-Cookie"), "; Secure") {
		t.Errorf("cookie is %s", r.header.Get("Set-Cookie"))
	}
	r = s.do(request{method: "POST", path: "/api/v1/dashboards/example.com/session", body: "password=sesame", headers: map[string]string{"Sec-Fetch-Site": "cross-site"}})
	if r.status != 403 {
		t.Errorf("another website opens it: %s", r.text())
	}
}

func TestAnnotationsOverHTTP(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com&privacy=0"))
	made := s.want(201, s.ask(key, "POST", "/api/v1/websites/1/annotations", map[string]any{"day": "2026-03-09", "text": "<b>Launch</b> = 1"}))
	if !strings.HasSuffix(made.header.Get("Location"), "/api/v1/websites/1/annotations/1") {
		t.Errorf("it is at %s", made.header.Get("Location"))
	}
	s.want(200, s.ask(key, "PUT", "/api/v1/websites/1/annotations/1", "day=2026-03-10"))
	want := `{"data":[{"id":1,"day":"2026-03-10","text":"<b>Launch</b> = 1","created_at":"2026-04-01T12:00:00Z"}]}` + "\n"
	if got := s.do(request{method: "GET", path: "/api/v1/websites/1/annotations?from=2026-03-10&to=2026-03-31"}); string(got.body) != want {
		t.Errorf("the list is %s, want %s", got.body, want)
	}
	if got := s.get(key, "/api/v1/websites/1/annotations?to=2026-03-09"); string(got.body) != `{"data":[]}`+"\n" {
		t.Errorf("the list of before is %s", got.body)
	}
	s.want(422, s.get(key, "/api/v1/websites/1/annotations?from=yesterday"))
	s.want(200, s.ask(key, "DELETE", "/api/v1/websites/1/annotations/1", nil))
	s.want(404, s.ask(key, "DELETE", "/api/v1/websites/1/annotations/1", nil))
}

package httpapi_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/httpapi"
)

func TestRequestsWithoutAGoodKeyAre401(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		for name, header := range map[string]string{
			"none": "", "only the scheme": "Bearer", "another scheme": "Basic " + key, "no scheme": key, "two spaces more": "Bearer  x y",
			"in other case": "Bearer " + strings.ToUpper(key), "cut": "Bearer " + key[:len(key)-1], "longer": "Bearer " + key + "0", "junk": "Bearer \x80\xff",
		} {
			r := request{method: "GET", path: "/api/v1/websites", headers: map[string]string{}}
			if header != "" {
				r.headers["Authorization"] = header
			}
			got := s.do(r)
			if got.status != 401 || got.header.Get("WWW-Authenticate") != "Bearer" || problemOf(t, got).Code != "unauthorized" {
				t.Errorf("%s: %s with %q", name, got.text(), got.header.Get("WWW-Authenticate"))
			}
		}
		s.want(200, s.do(request{method: "GET", path: "/api/v1/me", headers: map[string]string{"Authorization": "bearer " + key}}))
	})
}

func TestSessionIsAnAlternativeToTheKey(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		s.account("anna@example.com")
		r := s.want(201, s.do(request{method: "POST", path: "/api/v1/session", body: "email=Anna@Example.com&password=" + url.QueryEscape(passwordOf("anna@example.com"))}))
		cookie := r.header.Get("Set-Cookie")
		for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("the cookie %s lacks %s", cookie, part)
			}
		}
		if strings.Contains(cookie, "Secure") || strings.Contains(string(r.body), "ffs_") {
			t.Errorf("the cookie is %s, the body is %s", cookie, r.body)
		}
		cookie, _, _ = strings.Cut(cookie, ";")
		s.want(200, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie}))
		s.want(401, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie, key: "ffk_wrong"})) // the key counts if there is one
		out := s.want(200, s.do(request{method: "DELETE", path: "/api/v1/session", cookie: cookie}))
		if !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("signing out sets %s", out.header.Get("Set-Cookie"))
		}
		s.want(401, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie}))
	})
}

func TestPasswordChangeEndsSessionsAndGivesANewOne(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		s.account("anna@example.com")
		mine, other := s.signIn("anna@example.com"), s.signIn("anna@example.com")
		body := form(map[string]any{"password": passwordOf("anna@example.com"), "new_password": "another password"})
		r := s.want(200, s.do(request{method: "PUT", path: "/api/v1/me/password", body: body, cookie: mine}))
		for _, cookie := range []string{mine, other} {
			s.want(401, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie}))
		}
		fresh, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
		s.want(200, s.do(request{method: "GET", path: "/api/v1/me", cookie: fresh}))
	})
}

func TestOtherWebsitesCannotUseTheCookie(t *testing.T) {
	base, _ := url.Parse("https://stats.example.com")
	s := newService(t, func(o *httpapi.Options) { o.BaseURL = base })
	key := s.account("anna@example.com")
	cookie := s.signIn("anna@example.com")
	cases := map[string]struct {
		headers map[string]string
		status  int
	}{
		"the same origin":            {map[string]string{"Sec-Fetch-Site": "same-origin"}, 201},
		"no browser":                 {nil, 201},
		"another website":            {map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"another subdomain":          {map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"an old browser":             {map[string]string{"Origin": "https://evil.example"}, 403},
		"the origin of the base URL": {map[string]string{"Origin": "https://stats.example.com", "Sec-Fetch-Site": "cross-site"}, 201},
	}
	for name, c := range cases {
		domain := "domain=" + strings.ReplaceAll(name, " ", "-") + ".example"
		if got := s.do(request{method: "POST", path: "/api/v1/websites", body: domain, cookie: cookie, headers: c.headers}); got.status != c.status {
			t.Errorf("%s: %s, want %d", name, got.text(), c.status)
		}
		if got := s.do(request{method: "POST", path: "/api/v1/session", body: "email=x&password=x", headers: c.headers}); (got.status == 403) != (c.status == 403) {
			t.Errorf("sign-in from %s: %s", name, got.text())
		}
	}
	s.want(201, s.do(request{method: "POST", path: "/api/v1/websites", body: "domain=with-key.example", key: key, cookie: cookie, headers: cases["another website"].headers}))
}

func TestCookieIsSecureOverTLS(t *testing.T) {
	secure, _ := url.Parse("https://stats.example.com")
	cases := map[string]struct {
		base    *url.URL
		headers map[string]string
		want    bool
	}{
		"plain":                             {nil, nil, false},
		"behind a proxy that speaks TLS":    {nil, map[string]string{"X-Forwarded-Proto": "https"}, true},
		"the same in another header":        {nil, map[string]string{"Forwarded": "for=192.0.2.1;proto=https"}, true},
		"behind a proxy that does not":      {nil, map[string]string{"X-Forwarded-Proto": "http"}, false},
		"the base URL says so":              {secure, nil, true},
		"the base URL outweighs the header": {secure, map[string]string{"X-Forwarded-Proto": "http"}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newService(t, func(o *httpapi.Options) { o.BaseURL = c.base })
			r := s.do(request{method: "DELETE", path: "/api/v1/session", headers: c.headers})
			if got := strings.Contains(r.header.Get("Set-Cookie"), "; Secure"); got != c.want {
				t.Errorf("cookie is %s", r.header.Get("Set-Cookie"))
			}
		})
	}
}

func TestCrossOriginReadingIsOffUnlessSet(t *testing.T) {
	preflight := request{method: "OPTIONS", path: "/api/v1/websites/1", headers: map[string]string{
		"Origin": "https://app.example", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization",
	}}
	off := newService(t, nil)
	r := off.want(204, off.do(preflight))
	if r.header.Get("Access-Control-Allow-Origin") != "" || r.header.Get("Allow") != "DELETE, GET, HEAD, PUT, OPTIONS" {
		t.Errorf("off: %v", r.header)
	}
	on := newService(t, func(o *httpapi.Options) { o.CORSOrigins = []string{"https://app.example"} })
	r = on.want(204, on.do(preflight))
	if r.header.Get("Access-Control-Allow-Origin") != "https://app.example" || !strings.Contains(r.header.Get("Access-Control-Allow-Methods"), "PUT") ||
		r.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("on: %v", r.header)
	}
	preflight.headers["Origin"] = "https://evil.example"
	if r = on.do(preflight); r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another origin: %v", r.header)
	}
}

func TestManyAtOnceMakeOneAdministrator(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		if string(s.do(request{method: "GET", path: "/api/v1/setup"}).body) != `{"data":{"needed":true,"name":"Footfall"}}`+"\n" {
			t.Error("setup is not needed")
		}
		token, err := s.db.NewSetupToken(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.want(403, s.do(request{method: "POST", path: "/api/v1/setup", body: "token=fft_guess&email=eve@example.com&password=long+enough"}))
		s.want(422, s.do(request{method: "POST", path: "/api/v1/setup", body: "password=short&token=" + token}))
		const many = 8
		statuses := make(chan int, many)
		for i := range many {
			go func() {
				email := string(rune('a'+i)) + "@example.com"
				r, err := http.PostForm(s.url+"/api/v1/setup", url.Values{"token": {token}, "email": {email}, "password": {"long enough"}, "role": {"member"}})
				if err != nil {
					statuses <- 0
					return
				}
				r.Body.Close()
				statuses <- r.StatusCode
			}()
		}
		count := make(map[int]int)
		for range many {
			count[<-statuses]++
		}
		if count[201] != 1 || count[409] != many-1 {
			t.Errorf("statuses are %v", count)
		}
		all, err := s.db.Accounts(t.Context(), accounts.Shell())
		if err != nil || len(all) != 1 || all[0].Role != accounts.Admin {
			t.Errorf("accounts are %v, %v", all, err)
		}
	})
}

func TestLimitsFireAndRecover(t *testing.T) {
	limits := httpapi.Limits{Address: 30, Key: 20, Secret: 5}
	s := newService(t, func(o *httpapi.Options) {
		o.Limits = limits
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	key := s.account("anna@example.com")
	s.protect(key, "protected.example", "sesame")
	s.clock.pass(time.Minute)
	from := func(address string, r request) request {
		r.headers = map[string]string{"X-Forwarded-For": address}
		return r
	}
	cases := map[string]struct {
		r     request
		limit int
		good  int
	}{
		"by address": {request{method: "GET", path: "/api/v1/setup"}, limits.Address, 200},
		"by key":     {request{method: "GET", path: "/api/v1/me", key: key}, limits.Key, 200},
		"sign-in":    {request{method: "POST", path: "/api/v1/session", body: "email=anna@example.com&password=wrong"}, limits.Secret, 401},
		"setup":      {request{method: "POST", path: "/api/v1/setup", body: "token=guess"}, limits.Secret, 409},
		"dashboard":  {request{method: "POST", path: "/api/v1/dashboards/protected.example/session", body: "password=guess"}, limits.Secret, 401},
		"code":       {request{method: "PUT", path: "/api/v1/me/totp", body: "code=123456", key: key}, limits.Secret, 409},
	}
	n := 0
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			n++
			address := "2001:db8:0:" + string(rune('0'+n)) + "::1"
			for i := range c.limit {
				if got := s.do(from(address, c.r)); got.status != c.good {
					t.Fatalf("request %d is %s", i+1, got.text())
				}
			}
			got := s.do(from(strings.Replace(address, "::1", "::2", 1), c.r)) // the same network
			if got.status != 429 || got.header.Get("Retry-After") == "" || got.header.Get("Retry-After") == "0" || got.header.Get("RateLimit-Remaining") != "0" {
				t.Fatalf("one more is %s, with %v", got.text(), got.header)
			}
			if name != "by key" {
				if other := s.do(from("198.51.100.7", c.r)); other.status != c.good {
					t.Errorf("another address is %s", other.text())
				}
			}
			s.clock.pass(time.Minute / time.Duration(c.limit))
			if got := s.do(from(address, c.r)); got.status != c.good {
				t.Errorf("after a while it is %s", got.text())
			}
			if got := s.do(from(address, c.r)); got.status != 429 {
				t.Errorf("once more it is %s", got.text())
			}
			s.clock.pass(time.Minute)
		})
	}
}

// One who comes from everywhere still cannot guess at one account without end.
func TestGuessesAtOneAccountAreLimitedFromAnywhere(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Secret = 1 })
	limited := false
	for i := range 12 {
		r := s.do(request{method: "POST", path: "/api/v1/session", body: "email=anna@example.com&password=guess",
			headers: map[string]string{"X-Forwarded-For": "192.0.2." + string(rune('0'+i%10)) + string(rune('0'+i/10))}})
		limited = limited || r.status == 429
	}
	if !limited {
		t.Error("twelve guesses from twelve addresses are all answered")
	}
}

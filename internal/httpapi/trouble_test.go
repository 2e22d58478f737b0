package httpapi_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footfall/internal/httpapi"
	"footfall/internal/store"
)

// failing is a store that cannot answer.
type failing struct{ err error }

func (f failing) Run(context.Context, store.Query) (store.Result, error) {
	if f.err == nil {
		panic("a mistake of ours")
	}
	return store.Result{}, f.err
}

func TestFailuresAreLoggedAndNotShown(t *testing.T) {
	for name, err := range map[string]error{"an error": errors.New("disk sdb7 is on fire"), "a panic": nil} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, func(o *httpapi.Options) { o.Store = failing{err} })
			key := s.account("anna@example.com")
			s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example"))
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-01&search=private+words", nil)
			r.Header.Set("Authorization", "Bearer "+key)
			s.api.ServeHTTP(w, r)
			body, id := w.Body.String(), w.Header().Get("X-Request-Id")
			if w.Code != 500 || !strings.Contains(body, id) || !strings.Contains(body, `"code":"internal"`) {
				t.Errorf("answer is %d %s", w.Code, body)
			}
			if strings.Contains(body, "sdb7") || strings.Contains(body, "mistake") {
				t.Errorf("the answer says why: %s", body)
			}
			log := s.log.String()
			if !strings.Contains(log, id) || err != nil && !strings.Contains(log, "sdb7") || err == nil && !strings.Contains(log, "mistake") {
				t.Errorf("the log does not say why: %s", log)
			}
			if strings.Contains(log, "private") {
				t.Error("the log has the query string")
			}
		})
	}
}

func TestReadyTellsWhatIsNot(t *testing.T) {
	var ailing []string
	s := newService(t, func(o *httpapi.Options) { o.Ready = func(context.Context) []string { return ailing } })
	s.want(200, s.do(request{method: "GET", path: "/readyz"}))
	ailing = []string{"journal"}
	r := s.want(503, s.do(request{method: "GET", path: "/readyz"}))
	if p := problemOf(t, r); len(p.Errors["journal"]) == 0 || r.header.Get("Retry-After") != "5" {
		t.Errorf("answer is %s, Retry-After %q", r.body, r.header.Get("Retry-After"))
	}
	s.want(200, s.do(request{method: "GET", path: "/healthz"}))
}

func TestMetricsNeedTheTokenOrAnAddressOfTheirOwn(t *testing.T) {
	hidden := newService(t, nil)
	hidden.want(404, hidden.do(request{method: "GET", path: "/metrics"}))
	s := newService(t, func(o *httpapi.Options) {
		o.MetricsToken = "token"
		o.Gauges = func() []httpapi.Gauge { return []httpapi.Gauge{{Name: "store_events", Help: "Events held.", Value: 3}} }
	})
	s.want(401, s.do(request{method: "GET", path: "/metrics"}))
	s.want(401, s.get("tokem", "/metrics"))
	body := string(s.want(200, s.get("token", "/metrics")).body)
	for _, line := range []string{
		"# TYPE footfall_store_events gauge\nfootfall_store_events 3\n", "# TYPE footfall_http_requests_total counter\n",
		`footfall_http_requests_total{route="/metrics",method="GET",status="401"} 2` + "\n",
	} {
		if !strings.Contains(body, line) {
			t.Errorf("metrics lack %q:\n%s", line, body)
		}
	}
	own := httptest.NewRecorder()
	hidden.api.MetricsHandler().ServeHTTP(own, httptest.NewRequest("GET", "/metrics", nil))
	if own.Code != 200 {
		t.Errorf("on its own address it is %d", own.Code)
	}
}

// Canaries of every kind of secret are used, then searched for in the log, in all files and in the answers.
func TestSecretsStandNowhere(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.MetricsToken = "canary-metrics-token" })
	setup, err := s.db.NewSetupToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := s.want(201, s.do(request{method: "POST", path: "/api/v1/setup", body: form(map[string]any{"token": setup, "email": "anna@example.com", "password": "canary-account-password"})}))
	cookie, _, _ := strings.Cut(strings.TrimPrefix(r.header.Get("Set-Cookie"), "footfall_session="), ";")
	made := data[struct{ Key string }](t, s.want(201, s.do(request{method: "POST", path: "/api/v1/keys", body: "name=x", cookie: "footfall_session=" + cookie})))
	var seen strings.Builder
	do := func(r request) { seen.WriteString(s.do(r).text()) }
	do(request{method: "POST", path: "/api/v1/websites", key: made.Key, body: "domain=a.example&privacy=2&password=canary-website-password"})
	do(request{method: "POST", path: "/api/v1/websites", key: made.Key, body: "privacy=9&password=canary-website-password"})
	do(request{method: "POST", path: "/api/v1/session", body: "email=anna@example.com&password=canary-wrong-password"})
	do(request{method: "POST", path: "/api/v1/session", body: map[string]any{"email": "canary-wrong-password", "password": "canary-wrong-password"}})
	do(request{method: "PUT", path: "/api/v1/me/password", key: made.Key, body: "password=canary-wrong-password&new_password=short"})
	do(request{method: "GET", path: "/api/v1/websites?key=" + made.Key[:len(made.Key)-1] + "&search=canary-search", key: made.Key + "x"})
	do(request{method: "GET", path: "/api/v1/keys", key: made.Key})
	do(request{method: "GET", path: "/metrics", key: "canary-metrics-token"})
	open := s.do(request{method: "POST", path: "/api/v1/dashboards/a.example/session", body: "password=canary-website-password"})
	pass, _, _ := strings.Cut(strings.TrimPrefix(open.header.Get("Set-Cookie"), "footfall_share_1="), ";")
	do(request{method: "POST", path: "/api/v1/dashboards/a.example/session", body: "password=canary-wrong-password"})
	do(request{method: "GET", path: "/api/v1/dashboards/a.example", cookie: "footfall_share_1=" + pass})
	do(request{method: "POST", path: "/api/v1/me/totp", key: made.Key, body: "password=canary-wrong-password"})
	begun := data[struct{ Secret string }](t, s.do(request{method: "POST", path: "/api/v1/me/totp", key: made.Key, body: "password=canary-account-password"}))
	recovery := data[struct {
		Codes []string `json:"recovery_codes"`
	}](t, s.do(request{method: "PUT", path: "/api/v1/me/totp", key: made.Key, body: "code=" + s.code(begun.Secret)})).Codes
	do(request{method: "POST", path: "/api/v1/session", body: "email=anna@example.com&password=canary-account-password&code=" + recovery[0] + "&label=x"})
	do(request{method: "DELETE", path: "/api/v1/me/totp", key: made.Key, body: "password=canary-account-password&code=" + recovery[0]})
	do(request{method: "GET", path: "/metrics", key: "canary-metrics-tokem"})
	if err := s.db.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	secrets := []string{setup, cookie, made.Key, made.Key[:len(made.Key)-1], "canary-", pass, recovery[0], strings.ReplaceAll(recovery[1], "-", "")}
	if !strings.HasPrefix(pass, "ffd_") || strings.Contains(s.log.String()+seen.String(), begun.Secret) { // the database has to hold it
		t.Errorf("the pass is %q; the log or an answer may hold the secret of the second factor", pass)
	}
	look := func(where, text string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %s", where, secret)
			}
		}
	}
	look("the log", s.log.String())
	look("an answer", seen.String())
	files := 0
	filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			files++
			look(path, string(content))
		}
		return err
	})
	if files < 3 {
		t.Errorf("only %d files were searched", files)
	}
}

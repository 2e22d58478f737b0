package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/httpapi"
)

// A right is how a route is asked, and what it answers to those who may.
type right struct {
	thing string // what the path or the body names: website, dashboard, annotation, share, key, session, account, file; "" is nothing
	body  func(n int) string
	ok    int
}

func fixed(body string) func(int) string { return func(int) string { return body } }

// rights has a row for every route.
var rights = map[string]right{
	"POST /api/event":                            {"", fixed(`{"n":"pageview","u":"https://example.com/"}`), 202},
	"GET /api/event.gif":                         {"", nil, 400},
	"GET /js/script.js":                          {"", nil, 200},
	"GET /js/{file}":                             {"", nil, 404}, // names that are taken, script_test.go tests
	"GET /api/v1/websites/{id}/drops":            {"website", nil, 200},
	"GET /api/v1/websites":                       {"", nil, 200},
	"POST /api/v1/websites":                      {"", func(n int) string { return fmt.Sprintf("domain=new%d.example", n) }, 201},
	"GET /api/v1/websites/{id}":                  {"website", nil, 200},
	"PUT /api/v1/websites/{id}":                  {"website", fixed("email=1"), 200},
	"DELETE /api/v1/websites/{id}":               {"website", nil, 200},
	"GET /api/v1/stats/{id}":                     {"website", nil, 200},
	"POST /api/v1/query":                         {"queried", nil, 200},
	"GET /api/v1/websites/{id}/realtime":         {"website", nil, 200},
	"POST /api/v1/websites/{id}/import":          {"website", nil, 422}, // without its parameters; import_test.go sends files
	"POST /api/v1/overview":                      {"overview", nil, 200},
	"GET /api/v1/dashboards/{domain}":            {"dashboard", nil, 200},
	"POST /api/v1/dashboards/{domain}/session":   {"dashboard", fixed("password=sesame"), 200},
	"DELETE /api/v1/dashboards/{domain}/session": {"dashboard", nil, 200},

	"GET /api/v1/websites/{id}/annotations":                 {"website", nil, 200},
	"POST /api/v1/websites/{id}/annotations":                {"website", fixed("day=2026-03-09&text=x"), 201},
	"PUT /api/v1/websites/{id}/annotations/{annotation}":    {"annotation", fixed("text=x"), 200},
	"DELETE /api/v1/websites/{id}/annotations/{annotation}": {"annotation", nil, 200},

	"GET /api/v1/websites/{id}/report":                        {"website", nil, 200},
	"GET /api/v1/websites/{id}/subscription":                  {"website", nil, 200},
	"PUT /api/v1/websites/{id}/subscription":                  {"website", fixed("reports=1"), 200},
	"GET /unsubscribe/{token}":                                {"", nil, 404}, // without one: what one does, report_test.go tests
	"POST /unsubscribe/{token}":                               {"", nil, 404},
	"GET /api/v1/websites/{id}/shares":                        {"website", nil, 200},
	"POST /api/v1/websites/{id}/shares":                       {"website", fixed("email=carl@example.com"), 201},
	"DELETE /api/v1/websites/{id}/shares/{account}":           {"share", nil, 200},
	"GET /api/v1/websites/{id}/alerts":                        {"website", nil, 200},
	"POST /api/v1/websites/{id}/alerts":                       {"website", fixed("kind=above"), 201},
	"PUT /api/v1/websites/{id}/alerts/{alert}":                {"alert", fixed("hours=4"), 200},
	"DELETE /api/v1/websites/{id}/alerts/{alert}":             {"alert", nil, 200},
	"GET /api/v1/websites/{id}/webhooks":                      {"website", nil, 200},
	"POST /api/v1/websites/{id}/webhooks":                     {"website", fixed("url=https://example.com/"), 201},
	"DELETE /api/v1/websites/{id}/webhooks/{webhook}":         {"webhook", nil, 200},
	"POST /api/v1/websites/{id}/webhooks/{webhook}/test":      {"webhook", nil, 202},
	"GET /api/v1/websites/{id}/webhooks/{webhook}/deliveries": {"webhook", nil, 200},
	"GET /api/v1/keys":                                        {"", nil, 200},
	"POST /api/v1/keys":                                       {"", fixed("name=x"), 201},
	"DELETE /api/v1/keys/{id}":                                {"key", nil, 200},
	"GET /api/v1/me":                                          {"", nil, 200},
	"PUT /api/v1/me":                                          {"", fixed("name=x"), 200},
	"PUT /api/v1/me/password":                                 {"", fixed("password=wrong&new_password=long+enough"), 422},
	"POST /api/v1/me/totp":                                    {"", fixed("password=wrong"), 422},
	"PUT /api/v1/me/totp":                                     {"", fixed("code=123456"), 409},
	"DELETE /api/v1/me/totp":                                  {"", fixed("password=wrong"), 422},
	"POST /api/v1/me/totp/recovery-codes":                     {"", fixed("password=wrong"), 422},
	"POST /api/v1/session":                                    {"", fixed("email=anna@example.com&password=wrong"), 401},
	"DELETE /api/v1/session":                                  {"", nil, 200},
	"GET /api/v1/sessions":                                    {"", nil, 200},
	"DELETE /api/v1/sessions/{id}":                            {"session", nil, 200},
	"GET /api/v1/setup":                                       {"", nil, 200},
	"POST /api/v1/setup":                                      {"", fixed("token=x"), 409},
	"GET /api/v1/accounts":                                    {"", nil, 200},
	"POST /api/v1/accounts":                                   {"", fixed("email=carl@example.com&password=long+enough"), 409},
	"PUT /api/v1/accounts/{id}":                               {"account", fixed("name=x"), 200},
	"DELETE /api/v1/accounts/{id}":                            {"account", nil, 200},
	"PUT /api/v1/accounts/{id}/password":                      {"account", fixed("password=long+enough"), 200},
	"DELETE /api/v1/accounts/{id}/totp":                       {"account", nil, 200},
	"GET /api/v1/installation":                                {"", nil, 200},
	"PUT /api/v1/installation":                                {"", fixed("name=x"), 200},
	"GET /api/openapi.yaml":                                   {"", nil, 200},
	"GET /api/openapi.json":                                   {"", nil, 200},
	"GET /docs":                                               {"", nil, 200},
	"GET /setup":                                              {"", nil, 200},
	"GET /pages/{file}":                                       {"file", nil, 200},
	"GET /{$}":                                                {"", nil, 200},
	"GET /sign-in":                                            {"", nil, 200},
	"GET /account":                                            {"", nil, 200},
	"GET /installation":                                       {"", nil, 200},
	"GET /{domain}":                                           {"", nil, 200},
	"GET /{domain}/{section}":                                 {"", nil, 200},
	"GET /assets/{file}":                                      {"", nil, 404}, // the name holds a hash: what there is, static_test.go tests
	"GET /healthz":                                            {"", nil, 200},
	"GET /readyz":                                             {"", nil, 200},
	"GET /metrics":                                            {"", nil, 200},
}

// callers are the kinds of those who ask. Anna owns all that a path names as "own".
var callers = []string{
	"nobody", "a share cookie", "junk", "anna's key", "anna's reading key", "anna's revoked key", "anna's expired key", "anna's session", "anna's ended session",
	"ben's key", "ben's session", "the administrator's key", "the administrator's reading key",
}

// targets are the kinds of what is named. Foreign, public and protected are Carl's.
var targets = []string{"own", "foreign", "deleted", "absent", "no id", "public", "protected"}

func TestWhoMayDoWhat(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, func(o *httpapi.Options) { o.MetricsToken = "the token of the metrics" })
		for _, email := range []string{"root@example.com", "anna@example.com", "ben@example.com", "carl@example.com"} {
			s.account(email)
		}
		s.dashboards(t)
		n := 0
		for _, route := range httpapi.Routes() {
			name := route.Method + " " + route.Pattern
			right, ok := rights[name]
			if !ok {
				t.Errorf("%s has no row in the table of rights", name)
				continue
			}
			for _, who := range callers {
				unseen := make(map[string]string) // what those see who may not, or who ask for nothing
				for _, target := range targets {
					if skips(right.thing, target) {
						continue
					}
					n++
					c := s.caller(who)
					path, id, website := s.target(route, right, target, n, c)
					if who == "a share cookie" { // it opens one website, whatever it is sent as
						c.cookie = fmt.Sprintf("footfall_share_%d=%s", website, s.pass())
					}
					r := c.request(route.Method, path)
					if right.body != nil {
						r.body = right.body(n)
					}
					if right.thing == "queried" {
						r.body = map[string]any{"website_id": jsonID(id), "period": "7d", "questions": []any{map[string]any{}}}
					}
					if right.thing == "overview" {
						r.body = map[string]any{"ids": []any{jsonID(id)}}
					}
					got := s.do(r)
					if want := expected(route, right, c, target); got.status != want {
						t.Errorf("%s by %s, %s: %s, want %d", name, who, target, got.text(), want)
					}
					if target == "foreign" || target == "deleted" || target == "absent" {
						unseen[target] = strings.ReplaceAll(string(got.body), id, "ID") + fmt.Sprint(plain(got.header))
					}
					if own := target == "own" && c.email == "anna@example.com"; right.thing == "overview" && got.status == 200 && strings.Contains(string(got.body), "today") != own {
						t.Errorf("%s by %s, %s: %s", name, who, target, got.body)
					}
				}
				for target, seen := range unseen {
					if seen != unseen["absent"] {
						t.Errorf("%s by %s tells apart what is %s and what is absent: %q", name, who, target, unseen)
					}
				}
			}
		}
	})
}

// skips tells whether there is no such target of a thing. A key that has ended stays, and to an administrator no account
// is foreign.
func skips(thing, target string) bool {
	if target == "public" || target == "protected" {
		return !slices.Contains([]string{"website", "queried", "overview", "dashboard", "annotation", "alert", "webhook", "share"}, thing)
	}
	return thing == "" && target != "own" || thing == "key" && target == "deleted" || thing == "account" && target == "foreign"
}

// plain is a header without what differs from one answer to the next anyway.
func plain(h http.Header) http.Header {
	h = h.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length"} {
		h.Del(name)
	}
	return h
}

func jsonID(id string) any {
	n, err := strconv.Atoi(id)
	if err != nil {
		return id
	}
	return n
}

// expected is what the columns of the table say.
func expected(route httpapi.Route, right right, c testCaller, target string) int {
	admin, reads := c.email == "root@example.com", strings.Contains(c.kind, "reading")
	known := c.email != "" && !strings.Contains(c.kind, "revoked") && !strings.Contains(c.kind, "expired") && !strings.Contains(c.kind, "ended")
	missing := http.StatusNotFound
	if right.thing == "queried" && target == "no id" {
		missing = http.StatusUnprocessableEntity
	}
	switch route.Who {
	case httpapi.Anyone:
		if right.thing == "file" && target != "own" || right.thing == "dashboard" && route.Method == "POST" && target != "public" && target != "protected" {
			return missing
		}
		return right.ok
	case httpapi.Viewer:
		return expectedToLook(right, c, known, target)
	case httpapi.Operator:
		return http.StatusUnauthorized
	}
	if !known {
		return http.StatusUnauthorized
	}
	if right.thing == "overview" {
		if target == "no id" {
			return http.StatusUnprocessableEntity
		}
		return right.ok
	}
	if target == "no id" && right.thing != "queried" {
		return missing // before anyone is asked
	}
	switch route.Who {
	case httpapi.Overseer:
		if !admin {
			return http.StatusForbidden
		}
	case httpapi.Admin:
		if !admin || reads {
			return http.StatusForbidden
		}
	case httpapi.Manager:
		if reads {
			return http.StatusForbidden
		}
	}
	if right.thing == "" || target == "own" && (c.email == "anna@example.com" || right.thing == "account") {
		return right.ok
	}
	return missing
}

// expectedToLook is what the columns say of a route for a viewer.
func expectedToLook(right right, c testCaller, known bool, target string) int {
	switch {
	case c.key != "" && !known: // whoever shows a key shows a good one
		return http.StatusUnauthorized
	case target == "public", target == "protected" && c.kind == "a share cookie", target == "own" && known && c.email == "anna@example.com":
		return right.ok
	case right.thing == "queried" && target == "no id" && known:
		return http.StatusUnprocessableEntity
	case right.thing == "dashboard" && target == "protected":
		return http.StatusUnauthorized // asks for the password
	case right.thing == "dashboard", known, right.thing == "website" && target == "no id":
		return http.StatusNotFound
	}
	return http.StatusUnauthorized
}

// A testCaller is somebody who asks.
type testCaller struct{ kind, email, key, cookie string }

func (c testCaller) request(method, path string) request {
	return request{method: method, path: path, key: c.key, cookie: c.cookie}
}

// caller makes a new key or session for somebody, as a route may end it.
func (s *service) caller(kind string) testCaller {
	s.t.Helper()
	c := testCaller{kind: kind}
	switch {
	case kind == "nobody", kind == "a share cookie":
		return c
	case kind == "junk":
		c.key = "ffk_" + strings.Repeat("0", 64)
		return c
	case strings.HasPrefix(kind, "anna"):
		c.email = "anna@example.com"
	case strings.HasPrefix(kind, "ben"):
		c.email = "ben@example.com"
	default:
		c.email = "root@example.com"
	}
	actor, err := s.db.ActAs(s.t.Context(), c.email)
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.Contains(kind, "session") {
		account, err := s.db.Account(s.t.Context(), actor)
		if err != nil {
			s.t.Fatal(err)
		}
		_, token, err := s.db.StartSession(s.t.Context(), account, "")
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains(kind, "ended") {
			s.db.SignOut(s.t.Context(), token)
		}
		c.cookie = "footfall_session=" + token
		return c
	}
	in := accounts.KeyInput{Scope: "manage"}
	if strings.Contains(kind, "reading") {
		in.Scope = "read"
	}
	if strings.Contains(kind, "expired") {
		in.ExpiresAt = s.clock.time().Add(1e9).Format("2006-01-02T15:04:05Z07:00")
	}
	k, key, err := s.db.CreateKey(s.t.Context(), actor, in)
	if err != nil {
		s.t.Fatal(err)
	}
	switch {
	case strings.Contains(kind, "revoked"):
		_, err = s.db.RevokeKey(s.t.Context(), actor, k.ID)
	case strings.Contains(kind, "expired"):
		s.clock.pass(2e9)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	c.key = key
	return c
}

// dashboards makes the websites that are public and protected, once, as a password takes a while.
func (s *service) dashboards(t *testing.T) {
	t.Helper()
	carl, err := s.db.ActAs(t.Context(), "carl@example.com")
	if err != nil {
		t.Fatal(err)
	}
	s.open = make(map[string]accounts.Website)
	for target, privacy := range map[string]string{"public": "0", "protected": "2"} {
		s.open[target], err = s.db.CreateWebsite(t.Context(), carl, accounts.WebsiteInput{Domain: new(target + ".example"), Privacy: &privacy, Password: new("sesame")})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// pass is a token that opens the protected website.
func (s *service) pass() string {
	s.t.Helper()
	id := s.open["protected"].ID
	o := accounts.Onlooker{Pass: func(int64) string { return s.token }}
	if _, err := s.db.VisibleWebsite(s.t.Context(), o, id); err == nil {
		return s.token
	}
	var err error
	if s.token, err = s.db.OpenDashboard(s.t.Context(), id, "sesame"); err != nil {
		s.t.Fatal(err)
	}
	return s.token
}

// target is the path of a route for a kind of target, the id in it, and the website that it is about, if there is one.
func (s *service) target(route httpapi.Route, right right, target string, n int, c testCaller) (path, id string, website int64) {
	s.t.Helper()
	owner := "anna@example.com"
	if target == "foreign" {
		owner = "carl@example.com"
	}
	switch {
	case right.thing == "":
		return strings.NewReplacer("{$}", "", "{domain}", "example.com", "{section}", "settings").Replace(route.Pattern), "", 0
	case target == "absent":
		id = strconv.Itoa(1_000_000 + n)
	case target == "no id":
		id = "nose"
	case target == "public" || target == "protected":
		website = s.open[target].ID
		id = strconv.FormatInt(website, 10)
	default:
		website = s.thing(right.thing, owner, route, n, c)
		id = strconv.FormatInt(website, 10)
	}
	if right.thing == "file" {
		id = map[string]string{"own": "docs.js", "foreign": "web.go", "deleted": "..%2Fweb.go", "absent": "web.go", "no id": "nose"}[target]
	}
	if target == "deleted" {
		s.drop(right.thing, owner, id)
	}
	if right.thing == "dashboard" {
		id = s.domain(target, n)
	}
	annotation := strconv.FormatInt(max(1, s.annotation), 10)
	path = strings.NewReplacer("{id}", id, "{domain}", id, "{file}", id, "{account}", "4", "{annotation}", annotation,
		"{alert}", strconv.FormatInt(max(1, s.alert), 10), "{webhook}", strconv.FormatInt(max(1, s.webhook), 10)).Replace(route.Pattern)
	if strings.HasPrefix(path, "/api/v1/stats/") {
		path += "?name=page&from=2026-03-01&to=2026-03-31"
	}
	return path, id, website
}

// domain is that of the website that is named.
func (s *service) domain(target string, n int) string {
	switch target {
	case "no id":
		return "nose"
	case "public", "protected":
		return s.open[target].Domain
	}
	return fmt.Sprintf("thing%d.example", n) // absent it is nobody's
}

// thing makes something that a path can name.
func (s *service) thing(kind, owner string, route httpapi.Route, n int, c testCaller) int64 {
	s.t.Helper()
	ctx := s.t.Context()
	actor, err := s.db.ActAs(ctx, owner)
	if err != nil {
		s.t.Fatal(err)
	}
	var id int64
	switch kind {
	case "website", "share", "queried", "overview", "dashboard", "annotation", "alert", "webhook":
		var w accounts.Website
		w, err = s.db.CreateWebsite(ctx, actor, accounts.WebsiteInput{Domain: new(fmt.Sprintf("thing%d.example", n))})
		if id = w.ID; kind == "share" && err == nil && owner == "anna@example.com" {
			_, err = s.db.ShareWebsite(ctx, actor, id, accounts.ShareInput{Email: "carl@example.com"})
		}
		if kind == "annotation" && err == nil {
			var a accounts.Annotation
			a, err = s.db.AddAnnotation(ctx, actor, id, accounts.AnnotationInput{Day: new("2026-03-09"), Text: new("x")})
			s.annotation = a.ID
		}
		if kind == "alert" && err == nil {
			var a accounts.Alert
			a, err = s.db.AddAlert(ctx, actor, id, accounts.AlertInput{Kind: new("above")})
			s.alert = a.ID
		}
		if kind == "webhook" && err == nil {
			var h accounts.Webhook
			h, _, err = s.db.AddWebhook(ctx, actor, id, "https://example.com/")
			s.webhook = h.ID
		}
	case "key":
		var k accounts.Key
		k, _, err = s.db.CreateKey(ctx, actor, accounts.KeyInput{})
		id = k.ID
	case "session":
		var a accounts.Account
		if a, err = s.db.Account(ctx, actor); err == nil {
			var session accounts.Session
			session, _, err = s.db.StartSession(ctx, a, "")
			id = session.ID
		}
	case "account":
		id = 4
		if c.kind == "the administrator's key" {
			var a accounts.Account
			a, err = s.db.AddAccount(ctx, accounts.Shell(), accounts.AccountInput{Email: new(fmt.Sprintf("thing%d@example.com", n)), Password: new("long enough")})
			id = a.ID
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// drop removes what thing made.
func (s *service) drop(kind, owner, id string) {
	s.t.Helper()
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return
	}
	actor, err := s.db.ActAs(s.t.Context(), owner)
	if err != nil {
		s.t.Fatal(err)
	}
	switch kind {
	case "website", "share", "queried", "overview", "dashboard", "annotation", "alert", "webhook":
		err = s.db.DeleteWebsite(s.t.Context(), actor, n)
	case "session":
		err = s.db.EndSession(s.t.Context(), actor, n)
	case "account":
		if n != 4 {
			err = s.db.DeleteAccount(s.t.Context(), accounts.Shell(), n)
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

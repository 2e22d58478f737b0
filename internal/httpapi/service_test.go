package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"footfall/api"
	"footfall/internal/accounts"
	"footfall/internal/httpapi"
	"footfall/internal/store/segments"
)

// A service is a real one: an HTTP server over a database and an engine of its own. Every answer that it
// gives is held to the OpenAPI document.
type service struct {
	t      *testing.T
	dir    string
	db     *accounts.DB
	engine *segments.Engine
	road   *road
	api    *httpapi.Server
	url    string
	clock  *clock
	log    *logged

	open       map[string]accounts.Website // those that are public and protected, of the test of rights
	token      string                      // that opens the protected one
	annotation int64                       // the last that was made
	alert      int64                       // likewise
	webhook    int64                       // likewise
}

// newService starts a service on SQLite. change may be nil.
func newService(t *testing.T, change func(*httpapi.Options)) *service {
	t.Helper()
	return newServiceOn(t, "", change)
}

// newServiceOn starts a service on the database at a URL.
func newServiceOn(t *testing.T, database string, change func(*httpapi.Options)) *service {
	t.Helper()
	s := &service{t: t, dir: t.TempDir(), clock: &clock{now: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)}, log: &logged{}}
	var err error
	if s.db, err = accounts.Open(t.Context(), database, accounts.Options{Dir: s.dir, Now: s.clock.time, Throwaway: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if s.engine, err = segments.Open(s.dir, segments.Options{Now: s.clock.time, Log: log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.engine.Close() })
	s.road = newRoad(t, s)
	o := httpapi.Options{Accounts: s.db, Store: s.engine, Live: s.live, Collect: s.road.collector, Log: log, Now: s.clock.time}
	if change != nil {
		change(&o)
	}
	s.api = httpapi.New(o)
	server := httptest.NewServer(s.api.Handler())
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *service) live(ctx context.Context, website int64) (httpapi.Live, error) {
	found, err := s.engine.Realtime(ctx, website, httpapi.LiveWindow)
	live := httpapi.Live{Visitors: found.Visitors}
	for _, p := range found.Pages {
		live.Pages = append(live.Pages, httpapi.LivePage{Value: p.Page, Visitors: p.Visitors})
	}
	for _, c := range found.Countries {
		live.Countries = append(live.Countries, httpapi.LiveCountry{Value: c.Country, Visitors: c.Visitors})
	}
	return live, err
}

// account makes an account and returns a key of it that may do everything.
func (s *service) account(email string) (key string) {
	s.t.Helper()
	_, err := s.db.AddAccount(s.t.Context(), accounts.Shell(), accounts.AccountInput{Email: &email, Password: new(passwordOf(email))})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.key(email, "manage")
}

func passwordOf(email string) string { return "password of " + email }

func (s *service) key(email, scope string) string {
	s.t.Helper()
	c, err := s.db.ActAs(s.t.Context(), email)
	if err != nil {
		s.t.Fatal(err)
	}
	_, key, err := s.db.CreateKey(s.t.Context(), c, accounts.KeyInput{Scope: scope})
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

// signIn returns the cookie of a new session.
func (s *service) signIn(email string) string {
	s.t.Helper()
	_, token, err := s.db.SignIn(s.t.Context(), email, passwordOf(email), "")
	if err != nil {
		s.t.Fatal(err)
	}
	return "footfall_session=" + token
}

// A request is one to a service. A body that is a string is a form, bytes are sent as they are, any other is JSON.
type request struct {
	method, path string
	body         any
	key, cookie  string
	headers      map[string]string
}

type response struct {
	status int
	header http.Header
	body   []byte
}

// text is a response as a person would see it.
func (r response) text() string { return http.StatusText(r.status) + " " + string(r.body) }

// get and ask are the usual requests, with a key.
func (s *service) get(key, path string) response {
	s.t.Helper()
	return s.do(request{method: "GET", path: path, key: key})
}

func (s *service) ask(key, method, path string, body any) response {
	s.t.Helper()
	return s.do(request{method: method, path: path, key: key, body: body})
}

// do sends a request, and holds the answer to the document.
func (s *service) do(r request) response {
	s.t.Helper()
	var body io.Reader
	kind := ""
	switch b := r.body.(type) {
	case []byte:
		body, kind = bytes.NewReader(b), "text/plain;charset=UTF-8"
	case nil:
	case string:
		body, kind = strings.NewReader(b), "application/x-www-form-urlencoded"
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		body, kind = bytes.NewReader(encoded), "application/json"
	}
	req, err := http.NewRequestWithContext(s.t.Context(), r.method, s.url+r.path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	if r.cookie != "" {
		req.Header.Set("Cookie", r.cookie)
	}
	for name, value := range r.headers {
		req.Header.Set(name, value)
	}
	answer, err := http.DefaultTransport.RoundTrip(req) // follows no redirect
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	got := response{answer.StatusCode, answer.Header, content}
	s.checkShape(r, got)
	return got
}

// want fails the test unless the answer has this status.
func (s *service) want(status int, r response) response {
	s.t.Helper()
	if r.status != status {
		s.t.Fatalf("answer is %d %s, want %d", r.status, r.body, status)
	}
	return r
}

// data decodes what an answer holds.
func data[T any](t *testing.T, r response) T {
	t.Helper()
	var body struct{ Data T }
	if err := json.Unmarshal(r.body, &body); err != nil {
		t.Fatalf("answer %s: %v", r.body, err)
	}
	return body.Data
}

// A problem is the body of an error.
type problem struct {
	Message string
	Code    string
	Errors  map[string][]string
}

func problemOf(t *testing.T, r response) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatalf("answer %s: %v", r.body, err)
	}
	return p
}

// document is the OpenAPI document.
var document = sync.OnceValue(func() *openapi3.T {
	d, err := openapi3.NewLoader().LoadFromData(api.Document)
	if err != nil {
		panic(err)
	}
	return d
})

// checkShape holds an answer to the document: its status must be there, and its body must be as the schema says.
func (s *service) checkShape(r request, got response) {
	s.t.Helper()
	if got.status == http.StatusInternalServerError {
		s.t.Errorf("%s %s is %s; the log: %s", r.method, r.path, got.text(), s.log.String())
	}
	path := r.path
	if u, err := url.Parse(path); err == nil {
		path = u.Path
	}
	item := findPath(path)
	if item == nil || r.method == "HEAD" || r.method == "OPTIONS" || got.status == http.StatusMethodNotAllowed {
		return
	}
	operation := item.GetOperation(r.method)
	if operation == nil {
		s.t.Errorf("%s %s answers %d and is not in the document", r.method, r.path, got.status)
		return
	}
	answer := operation.Responses.Status(got.status)
	if answer == nil {
		s.t.Errorf("%s %s answers %d, which is not in the document: %s", r.method, r.path, got.status, got.body)
		return
	}
	if len(got.body) == 0 && len(answer.Value.Content) == 0 {
		return
	}
	kind, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	media := answer.Value.Content[kind]
	if media == nil {
		s.t.Errorf("%s %s answers with %s, which is not in the document", r.method, r.path, kind)
		return
	}
	if kind != "application/json" {
		return
	}
	var value any
	if err := json.Unmarshal(got.body, &value); err != nil {
		s.t.Errorf("%s %s: %v", r.method, r.path, err)
		return
	}
	if err := document().ValidateSchemaJSON(media.Schema.Value, value, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
		s.t.Errorf("%s %s answers %s, which is not as the document says: %v", r.method, r.path, got.body, err)
	}
}

// findPath finds what the document says of a path.
func findPath(path string) *openapi3.PathItem {
	sent := strings.Split(path, "/")
	for pattern, item := range document().Paths.Map() {
		parts := strings.Split(pattern, "/")
		if len(parts) == len(sent) && !slices.ContainsFunc(indexes(parts), func(i int) bool {
			return parts[i] != sent[i] && !strings.HasPrefix(parts[i], "{")
		}) {
			return item
		}
	}
	return nil
}

func indexes(parts []string) []int {
	all := make([]int, len(parts))
	for i := range all {
		all[i] = i
	}
	return all
}

// form is fields as a form.
func form(fields map[string]any) string {
	values := make(url.Values)
	for name, value := range fields {
		values.Set(name, fmt.Sprint(value))
	}
	return values.Encode()
}

// A clock shows the time that a test says it is.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// logged is what a service has logged.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

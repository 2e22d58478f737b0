package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/httpapi"
	"footfall/internal/store/segments"
)

// importBook is the imports in the accounts, as app has them.
type importBook struct{ db *accounts.DB }

func (b importBook) Import(ctx context.Context, k collect.ImportKey) (collect.Progress, bool, error) {
	i, found, err := b.db.Import(ctx, k.Website, k.Digest, string(k.Format))
	return collect.Progress{Run: i.Run, Lines: i.Lines, Events: i.Events, Dropped: i.Dropped, Bad: i.Bad, Started: i.StartedAt, Done: i.Done}, found, err
}

func (b importBook) SaveImports(ctx context.Context, all map[collect.ImportKey]collect.Progress) error {
	var list []accounts.Import
	for k, p := range all {
		list = append(list, accounts.Import{Website: k.Website, Digest: k.Digest, Format: string(k.Format),
			Run: p.Run, Lines: p.Lines, Events: p.Events, Dropped: p.Dropped, Bad: p.Bad, StartedAt: p.Started, Done: p.Done})
	}
	return b.db.SaveImports(ctx, list)
}

// newImportService is a service that takes files, with Anna's key and her website 1.
func newImportService(t *testing.T) (s *service, key string) {
	t.Helper()
	s = newService(t, func(o *httpapi.Options) {
		book := importBook{o.Accounts}
		tally := &collect.Tally{Journal: o.Collect.Journal, Ledger: nothing{}, Imports: book}
		o.Import = &collect.Importer{Collector: o.Collect, Store: o.Store.(*segments.Engine), Tally: tally, Book: book}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- tally.Run(ctx) }()
		t.Cleanup(func() { stop(); <-ended })
	})
	key = s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com"))
	if err := s.road.collector.Websites.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, key
}

type nothing struct{}

func (nothing) Position(context.Context) (uint64, error)           { return 0, nil }
func (nothing) Add(context.Context, uint64, []collect.Count) error { return nil }

func (s *service) importFile(key, format, file, digest string) response {
	s.t.Helper()
	return s.do(request{
		method: "POST", path: fmt.Sprintf("/api/v1/websites/1/import?format=%s&sha256=%s", format, digest), key: key, body: []byte(file),
		headers: map[string]string{"Content-Type": "application/octet-stream"},
	})
}

func digestOf(file string) string {
	sum := sha256.Sum256([]byte(file))
	return hex.EncodeToString(sum[:])
}

func TestFileIsImportedAndCountsOnce(t *testing.T) {
	s, key := newImportService(t)
	file := "time,page,kind\n2026-03-01T10:00:00Z,/,pageview\nnever,/,pageview\n" + strings.Repeat("x", 2<<20) + "\n2026-03-02T10:00:00Z,/a,pageview\n"
	got := s.want(200, s.importFile(key, "csv", file, digestOf(file)))
	want := `{"data":{"lines":4,"events":2,"dropped":0,"bad":2,"resumed":0,"reasons":{},"errors":[` +
		`{"line":3,"message":"has no time such as 2006-01-02T15:04:05Z"},{"line":4,"message":"is longer than 1 MiB"}]}}`
	if strings.TrimSpace(string(got.body)) != want {
		t.Errorf("it is %s", got.body)
	}
	s.want(409, s.importFile(key, "csv", file, strings.ToUpper(digestOf(file))))
	s.road.arrive()
	stat := s.want(200, s.get(key, "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-02"))
	if text := string(stat.body); !strings.Contains(text, `"value":"/"`) || !strings.Contains(text, `"value":"/a"`) || strings.Contains(text, `"count":2`) {
		t.Errorf("pages are %s", text)
	}
}

func TestImportSaysWhatIsWrong(t *testing.T) {
	s, key := newImportService(t)
	const good = "time\n2026-03-01T10:00:00Z\n"
	for name, c := range map[string]struct {
		format, file, digest string
		status               int
		want                 string
	}{
		"another file":           {"csv", good, digestOf("other"), 422, "sha256"},
		"no digest":              {"csv", good, "", 422, "sha256"},
		"half a digest":          {"csv", good, digestOf(good)[:32], 422, "sha256"},
		"a digest of a stranger": {"csv", good, strings.Repeat("z", 64), 422, "sha256"},
		"no such format":         {"xml", good, digestOf(good), 422, "csv, jsonl, goatcounter, log"},
		"no head":                {"csv", "a,b\n", digestOf("a,b\n"), 422, "one of them must be time"},
		"nothing at all":         {"csv", "", digestOf(""), 422, "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.importFile(key, c.format, c.file, c.digest); got.status != c.status || !strings.Contains(string(got.body), c.want) {
				t.Errorf("it is %s", got.text())
			}
		})
	}
	s.want(403, s.importFile(s.key("anna@example.com", "read"), "csv", good, digestOf(good)))
	s.want(415, s.do(request{method: "POST", path: "/api/v1/websites/1/import?format=csv&sha256=" + digestOf(good), key: key, body: []byte(good),
		headers: map[string]string{"Content-Encoding": "gzip"}}))
}

func TestWhoOnlySeesAWebsiteImportsNothing(t *testing.T) {
	s, key := newImportService(t)
	ben := s.account("ben@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites/1/shares", "email=ben@example.com&role=viewer"))
	const good = "time\n2026-03-01T10:00:00Z\n"
	s.want(403, s.importFile(ben, "csv", good, digestOf(good)))
}

// A sender that is gone half way is told nothing, and the file goes on when it is sent again.
func TestFileThatBreaksOffGoesOnWhenItIsSentAgain(t *testing.T) {
	s, key := newImportService(t)
	var b strings.Builder
	b.WriteString("time,page\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "2026-03-01T10:00:00Z,/%d/%s\n", i, strings.Repeat("x", 80))
	}
	file := b.String()
	in, out := io.Pipe()
	r, err := http.NewRequest("POST", s.url+"/api/v1/websites/1/import?format=csv&sha256="+digestOf(file), in)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	go func() {
		io.WriteString(out, file[:len(file)*3/4])
		out.CloseWithError(io.ErrClosedPipe)
	}()
	if answer, err := http.DefaultClient.Do(r); err == nil {
		answer.Body.Close()
		t.Fatalf("it was answered with %s", answer.Status)
	}
	var got response
	for got.status == 0 || got.status == 409 && strings.Contains(string(got.body), "being imported") {
		got = s.importFile(key, "csv", file, digestOf(file))
	}
	if got.status != 200 || !strings.Contains(string(got.body), `"lines":20000,"events":20000`) || strings.Contains(string(got.body), `"resumed":0`) {
		t.Errorf("it is %s", got.text())
	}
	s.road.arrive()
	stat := s.want(200, s.get(key, "/api/v1/stats/1?name=pageviews&from=2026-03-01&to=2026-03-01"))
	if !strings.Contains(string(stat.body), `"count":20000`) {
		t.Errorf("pageviews are %s", stat.body)
	}
}

package collect

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footfall/test/system/program"
)

// onPostgres is a data directory with an account, whose accounts are in a database.
func onPostgres(t *testing.T, database string) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), database: database}
	h.prepare()
	return h
}

// background sends hits until stop is called, which tells when all are answered.
func (l *load) background() (stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() { l.run(ended); close(done) }()
	return func() { close(ended); <-done }
}

// R7: PostgreSQL is away while hits come. They are taken and counted, none is lost or counted twice, and what cannot be answered
// meanwhile is said to be so.
func TestWithoutItsDatabaseItTakesHits(t *testing.T) {
	away, rate := 2*time.Second, 300
	if long() {
		away, rate = 30*time.Minute, 20 // as many pages as can be told apart in a day
	}
	p := program.StartPostgres(t)
	h := onPostgres(t, p.URL)
	h.serve()
	if _, err := os.Stat(filepath.Join(h.dir, "salts")); !os.IsNotExist(err) {
		t.Errorf("salts are in a file, where other nodes do not find them: %v", err)
	}
	for name, outage := range map[string]struct{ begin, end func(testing.TB) }{
		"frozen": {p.Freeze, p.Thaw},
		"killed": {p.Kill, p.Start},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			l := &load{url: h.service.URL, domain: name + ".example", rate: rate}
			website := h.register(l.domain)
			stop := l.background()
			time.Sleep(500 * time.Millisecond)
			outage.begin(t)
			began := time.Now()
			h.refusesHonestly(website)
			if dropped, err := send(httpClient, h.service.URL, chrome, `{"u":"https://unknown.example/"}`); err != nil || dropped != "unknown_website" {
				t.Errorf("a hit for nobody: dropped %q, %v", dropped, err)
			}
			time.Sleep(time.Until(began.Add(away)))
			took := time.Since(began)
			outage.end(t)
			h.eventually("statistics are back", func() bool { return h.status("GET", fmt.Sprintf("/api/v1/websites/%d", website), "") == http.StatusOK })
			fresh := h.register("after-" + l.domain) // websites are made again, and found
			stop()
			if _, err := send(httpClient, h.service.URL, chrome, `{"u":"https://after-`+l.domain+`/"}`); err != nil {
				t.Error(err)
			}
			h.eventually("a new website is counted", func() bool { return h.pages(fresh)["/"] == 1 })
			if len(l.errs) > 0 {
				t.Errorf("%d of %d hits were not taken: %v", len(l.errs), l.sent, l.errs[0])
			}
			if slowest := p99(l.took); slowest > time.Second {
				t.Errorf("p99 of the hits is %v", slowest)
			}
			t.Logf("away for %v: %d hits sent, %d pageviews counted, p99 %v", took.Round(time.Millisecond), l.sent, l.check(h, website), p99(l.took))
		})
	}
}

// refusesHonestly asks for statistics, for a website and for a session: all are told to come again.
func (h *house) refusesHonestly(website int64) {
	h.t.Helper()
	var all sync.WaitGroup
	for _, ask := range []struct{ method, path, body string }{
		{"GET", fmt.Sprintf("/api/v1/stats/%d?name=page&from=2026-01-01&to=2026-01-31", website), ""},
		{"POST", "/api/v1/websites", "domain=meanwhile.example"},
		{"POST", "/api/v1/session", "email=anna@example.com&password=long enough"},
	} {
		all.Go(func() {
			if status := h.status(ask.method, ask.path, ask.body); status != http.StatusServiceUnavailable {
				h.t.Errorf("%s %s is %d: %s", ask.method, ask.path, status, lastLines(h.service.Log()))
			}
		})
	}
	all.Wait()
	h.eventually("it is not ready", func() bool { return h.status("GET", "/readyz", "") == http.StatusServiceUnavailable })
}

// lastLines are the end of a log.
func lastLines(log string) string { return log[max(0, len(log)-9000):] }

// status asks for something and tells the status of the answer. A refusal says when to come again.
func (h *house) status(method, path, body string) int {
	h.t.Helper()
	r, err := http.NewRequest(method, h.service.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Error(err)
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+h.key)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := httpClient.Do(r)
	if err != nil {
		h.t.Error(err)
		return 0
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") == "" && path != "/readyz" {
		h.t.Errorf("%s %s does not say when to come again", method, path)
	}
	return answer.StatusCode
}

// R7: what the database did is not done again because its reply was cut. Counts of drops are what would be doubled.
func TestCutRepliesOfTheDatabaseDoubleNothing(t *testing.T) {
	cuts := 20
	if long() {
		cuts = 500
	}
	p := program.StartPostgres(t)
	wire := newWire(t, p.Address)
	address, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	address.Host = wire.address
	h := onPostgres(t, p.URL)
	h.database = address.String()
	h.serve()
	l := &load{url: h.service.URL, domain: "example.com", rate: 300}
	website := h.register(l.domain)
	stop := l.background()
	for wire.done() < cuts {
		wire.cutNext(4) // the reply to a commit, and those to what is tried again
		h.eventually("replies were cut, and then one was not", wire.rested)
	}
	stop()
	if len(l.errs) > 0 {
		t.Errorf("%d of %d hits were not taken: %v", len(l.errs), l.sent, l.errs[0])
	}
	h.eventually("the database is back", func() bool { return h.status("GET", fmt.Sprintf("/api/v1/websites/%d", website), "") == http.StatusOK })
	t.Logf("%d replies to commits were cut: %d hits sent, %d pageviews counted, %d drops", wire.done(), l.sent, l.check(h, website), l.ackedD)
}

// A wire leads to a database. It can be cut at the worst moment: the database has committed, and nobody is told.
type wire struct {
	address string

	mu        sync.Mutex
	left, cut int  // replies to commits that are to be cut, and that were
	passed    bool // a reply, since the last cut
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w := &wire{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.join(c, to)
		}
	}()
	return w
}

func (w *wire) cutNext(n int) { w.mu.Lock(); defer w.mu.Unlock(); w.left, w.passed = n, false }

func (w *wire) done() int { w.mu.Lock(); defer w.mu.Unlock(); return w.cut }

func (w *wire) rested() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.passed }

// cuts tells whether a reply to a commit is to be cut.
func (w *wire) cuts() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left == 0 {
		w.passed = true
		return false
	}
	w.left--
	w.cut++
	return true
}

// join carries bytes both ways until one side ends. The reply to a commit has the word in it.
func (w *wire) join(here net.Conn, to string) {
	defer here.Close()
	there, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer there.Close()
	go func() {
		io.Copy(there, here)
		there.Close()
	}()
	b := make([]byte, 64<<10)
	for {
		n, err := there.Read(b)
		if err != nil {
			return
		}
		if strings.Contains(string(b[:n]), "COMMIT\x00") && w.cuts() {
			return
		}
		if _, err := here.Write(b[:n]); err != nil {
			return
		}
	}
}

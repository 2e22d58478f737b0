// Package collect sends hits to the real binary as browsers do, and kills, stops, crowds and starves it meanwhile: what it
// acknowledged it counts, once, and it keeps nothing of who sent it.
package collect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"footfall/test/system/program"
)

func TestMain(m *testing.M) { program.Main(m) }

// long tells whether the figures of a long run are wanted.
func long() bool { return os.Getenv("FOOTFALL_TEST_LONG") != "" }

const (
	chrome     = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
	bot        = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	knownAfter = 10 * time.Second // at most, on a busy machine, until a new website is known and an event can be asked for
)

// A house is a data directory with an account.
type house struct {
	t        *testing.T
	dir      string
	database string // where the accounts are; "" is in dir
	key      string
	service  *program.Service
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir()}
	h.prepare()
	return h
}

// prepare makes the account and its key.
func (h *house) prepare() {
	h.t.Helper()
	program.Must(h.t, h.dir, "long enough\n", "user", "add", "anna@example.com", "--database-url="+h.database)
	h.key = program.Must(h.t, h.dir, "", "key", "add", "anna@example.com", "--database-url="+h.database)
}

// serve starts the service, and tells how long it took to be ready.
func (h *house) serve(args ...string) time.Duration {
	h.t.Helper()
	began := time.Now()
	h.service = program.Serve(h.t, h.dir, append([]string{"--rate-limit-address=0", "--rate-limit-key=0", "--database-url=" + h.database}, args...)...)
	return time.Since(began)
}

// register makes a website and returns when its hits count.
func (h *house) register(domain string) (id int64) {
	h.t.Helper()
	var made struct{ Data struct{ ID int64 } }
	h.ask("POST", "/api/v1/websites", "application/x-www-form-urlencoded", "domain="+domain, &made)
	for end := time.Now().Add(knownAfter); ; time.Sleep(5 * time.Millisecond) {
		dropped, err := send(http.DefaultClient, h.service.URL, bot, `{"n":"engagement","u":"https://`+domain+`/"}`) // leaves no trace
		if err != nil {
			h.t.Fatal(err)
		}
		if dropped == "bot" {
			return made.Data.ID
		}
		if time.Now().After(end) {
			h.t.Fatalf("%s is not known: %q", domain, dropped)
		}
	}
}

// ask asks the interface, and reads the answer into a value.
func (h *house) ask(method, path, kind, body string, into any) {
	h.t.Helper()
	r, err := http.NewRequest(method, h.service.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.key)
	r.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		h.t.Fatalf("%s %s is %s %s, %v", method, path, answer.Status, b, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		h.t.Fatalf("%s: %v", b, err)
	}
}

// pages are how often each page of a website was viewed, today and yesterday.
func (h *house) pages(website int64) map[string]int {
	h.t.Helper()
	found := make(map[string]int)
	for page := 1; ; page++ {
		var answer struct {
			Data struct {
				Answers []struct {
					Rows []struct {
						Value     string
						Pageviews int
					}
				}
			}
		}
		h.ask("POST", "/api/v1/query", "application/json", fmt.Sprintf(`{"website_id":%d,"period":"7d","questions":[
			{"dimension":"page","metrics":["pageviews"],"limit":1000,"page":%d,"order":{"by":"value"}}]}`, website, page), &answer)
		rows := answer.Data.Answers[0].Rows
		for _, r := range rows {
			found[r.Value] += r.Pageviews
		}
		if len(rows) < 1000 {
			return found
		}
	}
}

// tallied is what a website is told about its hits.
type tallied struct {
	Received, Counted int
	Dropped           []struct {
		Reason string
		Count  int
	}
}

func (c tallied) dropped(reason string) int {
	for _, d := range c.Dropped {
		if d.Reason == reason {
			return d.Count
		}
	}
	return 0
}

func (h *house) tallied(website int64) tallied {
	h.t.Helper()
	var answer struct{ Data tallied }
	h.ask("GET", fmt.Sprintf("/api/v1/websites/%d/drops", website), "", "", &answer)
	return answer.Data
}

// eventually asks until something is true, or too late.
func (h *house) eventually(what string, ok func() bool) {
	h.t.Helper()
	for end := time.Now().Add(2 * knownAfter); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("%s: not within %v", what, 2*knownAfter)
		}
	}
}

// send sends a body as a browser with this user agent does, and tells why it was dropped. An error is all but 202.
func send(c *http.Client, url, agent, body string) (dropped string, err error) {
	r, err := http.NewRequest("POST", url+"/api/event", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("User-Agent", agent)
	r.Header.Set("Accept-Language", "de")
	answer, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusAccepted {
		err = fmt.Errorf("%s %s", answer.Status, bytes.TrimSpace(said))
	}
	return answer.Header.Get("X-Dropped"), err
}

// A load is senders that send one pageview after the other, each of a page of its own. Every tenth is a bot's.
type load struct {
	url, domain string
	rate        int // events a second, of all senders

	mu     sync.Mutex
	sent   int
	drops  int             // of bots that were sent
	acked  map[string]bool // pages
	ackedD int             // drops
	errs   []error
	took   []time.Duration
}

const senders = 32

// run sends until stop is closed, and returns when all answers are there.
func (l *load) run(stop <-chan struct{}) {
	l.acked = make(map[string]bool)
	turns := make(chan int)
	go func() {
		defer close(turns)
		began := time.Now()
		for n := 0; ; n++ {
			due := began.Add(time.Duration(n) * time.Second / time.Duration(l.rate))
			select {
			case <-stop:
				return
			case <-time.After(time.Until(due)):
			}
			select {
			case turns <- n:
			case <-stop:
				return
			}
		}
	}()
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			c := &http.Client{Transport: &http.Transport{}, Timeout: 30 * time.Second}
			defer c.CloseIdleConnections()
			for n := range turns {
				l.one(c, n)
			}
		})
	}
	all.Wait()
}

func (l *load) one(c *http.Client, n int) {
	page, agent := fmt.Sprintf("/%d", n), chrome
	if n%10 == 9 {
		agent = bot
	}
	l.mu.Lock()
	l.sent++
	if agent == bot {
		l.drops++
	}
	l.mu.Unlock()
	began := time.Now()
	dropped, err := send(c, l.url, agent, fmt.Sprintf(`{"n":"pageview","u":"https://%s%s","i":"%d"}`, l.domain, page, n))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.errs = append(l.errs, err)
	case agent == bot && dropped == "bot":
		l.ackedD++
	case agent == chrome && dropped == "":
		l.acked[page] = true
	default:
		l.errs = append(l.errs, fmt.Errorf("page %s: dropped %q", page, dropped))
	}
	l.took = append(l.took, time.Since(began))
}

// check compares what was acknowledged with what is counted: each once, and nothing that was not sent. It waits until all
// that was acknowledged is there.
func (l *load) check(h *house, website int64) (counted int) {
	h.t.Helper()
	var pages map[string]int
	h.eventually("acknowledged pageviews are counted", func() bool {
		pages = h.pages(website)
		return len(pages) >= len(l.acked)
	})
	lost := 0
	for page := range l.acked {
		if pages[page] == 0 {
			lost++
		}
	}
	for page, n := range pages {
		counted += n
		if n != 1 {
			h.t.Errorf("%s%s was counted %d times", l.domain, page, n)
		}
	}
	if lost > 0 {
		h.t.Errorf("%s: %d of %d pageviews were acknowledged and are not counted", l.domain, lost, len(l.acked))
	}
	if counted > l.sent-l.drops {
		h.t.Errorf("%s: %d pageviews were sent and %d are counted", l.domain, l.sent-l.drops, counted)
	}
	var told tallied
	h.eventually("acknowledged drops are counted", func() bool {
		told = h.tallied(website)
		return told.dropped("bot") >= l.ackedD
	})
	if n := told.dropped("bot"); n > l.drops {
		h.t.Errorf("%s: %d hits of bots were sent and %d are counted", l.domain, l.drops, n)
	}
	if told.Received != told.Counted+told.dropped("bot") || told.Counted != counted {
		h.t.Errorf("%s: the sum does not agree: %+v, %d pages", l.domain, told, counted)
	}
	return counted
}

// sendAsServer sends a body with the key, which may say who the visitors were.
func (h *house) sendAsServer(body string) (dropped string) {
	h.t.Helper()
	r, err := http.NewRequest("POST", h.service.URL+"/api/event", strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.key)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusAccepted {
		h.t.Fatalf("%s %s, %v", answer.Status, said, err)
	}
	return answer.Header.Get("X-Dropped")
}

// Package stop ends the real binary with SIGTERM while it has much to do: what it has begun it finishes, and it tells
// everybody.
package stop

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"footfall/test/system/program"
)

const (
	stopWithin = 10 * time.Second
	clients    = 12 // that ask as fast as they are answered
	underWay   = 4  // requests of which half is sent when the signal comes
)

func TestMain(m *testing.M) { program.Main(m) }

// R8: a request that was accepted is answered, what was acknowledged is there, and what was not answered was not done.
func TestToldToStopItAnswersWhatItAccepted(t *testing.T) {
	rounds := 10
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		rounds = 200
	}
	dir := t.TempDir()
	program.Must(t, dir, "long enough\n", "user", "add", "anna@example.com")
	key := program.Must(t, dir, "", "key", "add", "anna@example.com")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	answered, slowest := 0, time.Duration(0)
	for n := range rounds {
		r := &round{t: t, n: n, key: key, created: make(map[string]bool), ids: make(map[string]bool)}
		took := r.run(dir, time.Duration(20+rng.IntN(400))*time.Millisecond)
		answered += len(r.ids)
		slowest = max(slowest, took)
		if t.Failed() {
			t.Fatalf("in round %d", n)
		}
	}
	t.Logf("%d requests answered, the slowest stop took %v", answered, slowest)
	if answered < rounds*clients {
		t.Errorf("only %d requests: nothing was tested", answered)
	}
}

// A round is one life of the service.
type round struct {
	t       *testing.T
	n       int
	key     string
	service *program.Service

	mu      sync.Mutex
	created map[string]bool // domains that were acknowledged
	ids     map[string]bool // of the requests that were answered
}

// run lets the service live for a while under load, and tells how long it took to stop.
func (r *round) run(dir string, after time.Duration) time.Duration {
	r.service = program.Serve(r.t, dir, "--log-level=info", "--rate-limit-address=0", "--rate-limit-key=0")
	stopping := make(chan struct{})
	var load sync.WaitGroup
	for c := range clients {
		load.Go(func() { r.askUntil(stopping, c) })
	}
	time.Sleep(after)
	var begun []*halfSent
	for i := range underWay {
		begun = append(begun, r.begin(i))
	}
	began := time.Now()
	r.service.Signal(r.t, syscall.SIGTERM)
	close(stopping)
	r.refused()
	for _, h := range begun {
		h.finish(r)
	}
	if status := r.service.Wait(r.t, stopWithin-time.Since(began)); status != 0 {
		r.t.Errorf("it ended with %d: %s", status, tail(r.service.Log()))
	}
	took := time.Since(began)
	load.Wait()
	r.checkLog()
	r.checkWebsites(dir)
	return took
}

// refused waits until no more connections are taken.
func (r *round) refused() {
	for start := time.Now(); time.Since(start) < stopWithin; time.Sleep(time.Millisecond) {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.service.URL, "http://"))
		if err != nil {
			return
		}
		c.Close()
	}
	r.t.Error("it goes on taking connections")
}

// askUntil asks one thing after the other until the service is gone.
func (r *round) askUntil(stopping <-chan struct{}, client int) {
	c := &http.Client{Transport: &http.Transport{}, Timeout: stopWithin}
	defer c.CloseIdleConnections()
	for i := 0; ; i++ {
		domain := fmt.Sprintf("r%d-c%d-%d.example", r.n, client, i)
		method, path, body := "GET", "/api/v1/websites?per_page=100", ""
		switch (client + i) % 5 {
		case 0:
			method, path, body = "POST", "/api/v1/websites", "domain="+domain
		case 1:
			path = "/api/v1/websites/1"
		case 2:
			path = "/api/v1/stats/1?name=page&from=2025-01-01&to=2025-12-31"
		case 3:
			method, path, body = "POST", "/api/v1/query", `{"website_id": 1, "period": "30d", "questions": [{"dimension": "day"}, {"dimension": "page"}]}`
		}
		answer, err := r.ask(c, method, path, body)
		if err != nil {
			select {
			case <-stopping: // it may be gone, or this request came too late
				return
			case <-time.After(time.Second):
				r.t.Errorf("%s %s: %v", method, path, err)
				return
			}
		}
		r.note(answer)
		if answer.StatusCode == http.StatusCreated {
			r.acknowledge(domain)
		}
		if answer.StatusCode >= 500 {
			r.t.Errorf("%s %s is %s", method, path, answer.Status)
		}
	}
}

// ask sends a request and reads all of its answer.
func (r *round) ask(c *http.Client, method, path, body string) (*http.Response, error) {
	req, err := http.NewRequest(method, r.service.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	} else if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer, err
}

func (r *round) note(answer *http.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids[answer.Header.Get("X-Request-Id")] = true
}

func (r *round) acknowledge(domain string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.created[domain] = true
}

// A halfSent is a request that the service waits for the body of.
type halfSent struct {
	conn   net.Conn
	in     *bufio.Reader
	domain string
}

// begin sends the head of a request, and returns when the service has asked for its body: from then on it is accepted.
func (r *round) begin(i int) *halfSent {
	h := &halfSent{domain: fmt.Sprintf("r%d-half-%d.example", r.n, i)}
	var err error
	if h.conn, err = net.Dial("tcp", strings.TrimPrefix(r.service.URL, "http://")); err != nil {
		r.t.Fatal(err)
	}
	h.conn.SetDeadline(time.Now().Add(2 * stopWithin))
	h.in = bufio.NewReader(h.conn)
	fmt.Fprintf(h.conn, "POST /api/v1/websites HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nExpect: 100-continue\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n", r.key, len("domain="+h.domain))
	line, err := h.in.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		r.t.Fatalf("%q, %v", line, err)
	}
	h.in.ReadString('\n')
	return h
}

// finish sends the body and wants an answer.
func (h *halfSent) finish(r *round) {
	defer h.conn.Close()
	fmt.Fprint(h.conn, "domain="+h.domain)
	answer, err := http.ReadResponse(h.in, nil)
	if err != nil {
		r.t.Errorf("a request that was accepted is not answered: %v", err)
		return
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusCreated {
		r.t.Errorf("a request that was accepted is answered with %s %s, %v", answer.Status, body, err)
		return
	}
	r.note(answer)
	r.acknowledge(h.domain)
}

var logged = regexp.MustCompile(`msg=request id=([0-9a-f]+) `)

// checkLog compares the requests that the service dealt with to those that were answered.
func (r *round) checkLog() {
	log := r.service.Log()
	dealtWith := 0
	for _, m := range logged.FindAllStringSubmatch(log, -1) {
		if !r.ids[m[1]] && !strings.Contains(log, "id="+m[1]+" method=GET route=/readyz") {
			r.t.Errorf("request %s was dealt with and not answered", m[1])
		}
		dealtWith++
	}
	if dealtWith < len(r.ids) {
		r.t.Errorf("%d requests were answered, %d are in the log", len(r.ids), dealtWith)
	}
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			r.t.Errorf("it logged %s", line)
		}
	}
}

// checkWebsites starts the service again and compares the websites that are there to those that were acknowledged.
func (r *round) checkWebsites(dir string) {
	s := program.Serve(r.t, dir)
	found := make(map[string]bool)
	for page, last := 1, 1; page <= last; page++ {
		status, body := s.Get(r.t, r.key, fmt.Sprintf("/api/v1/websites?per_page=100&search=r%d-&page=%d", r.n, page))
		var list struct {
			Data []struct{ Domain string }
			Meta struct {
				LastPage int `json:"last_page"`
			}
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil || status != http.StatusOK {
			r.t.Fatalf("%d %s", status, body)
		}
		last = list.Meta.LastPage
		for _, w := range list.Data {
			found[w.Domain] = true
			if !r.created[w.Domain] {
				r.t.Errorf("%s was created and not acknowledged", w.Domain)
			}
		}
	}
	for domain := range r.created {
		if !found[domain] {
			r.t.Errorf("%s was acknowledged and is not there", domain)
		}
	}
	s.Signal(r.t, syscall.SIGTERM)
	if status := s.Wait(r.t, stopWithin); status != 0 {
		r.t.Errorf("idle, it ended with %d: %s", status, s.Log())
	}
}

func tail(s string) string { return s[max(0, len(s)-2000):] }

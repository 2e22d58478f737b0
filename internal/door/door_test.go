package door

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A rig is a door with net/http behind it. Hits are answered with what they said.
type rig struct {
	t      *testing.T
	door   *Door
	server *http.Server
	served chan error
	hold   chan struct{} // hits wait until it is closed; nil is not at all
	held   chan struct{} // gets one for each that does
	log    bytes.Buffer
	mu     sync.Mutex
	others int // requests that came to net/http
}

func newRig(t *testing.T, hold bool) *rig {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &rig{t: t, served: make(chan error, 1), held: make(chan struct{}, 100)}
	if hold {
		r.hold = make(chan struct{})
	}
	answer := http.HandlerFunc(r.take)
	r.door = New(l, Hits{"/api/event", answer}, slog.New(slog.NewTextHandler(&r.log, nil)))
	r.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.others++
		r.mu.Unlock()
		answer(w, q)
	})}
	go func() { r.served <- r.server.Serve(r.door) }()
	t.Cleanup(func() { r.server.Close() })
	return r
}

func (r *rig) take(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if string(body) == "panic" {
		panic("as told")
	}
	if r.hold != nil {
		r.held <- struct{}{}
		select {
		case <-r.hold:
		case <-q.Context().Done():
			return
		}
	}
	w.Header().Set("X-Agent", q.Header.Get("User-Agent"))
	w.Header()["X-Two"] = []string{"1", "2"}
	if err != nil || bytes.HasPrefix(body, []byte("bad")) {
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, "%s of %s", body, q.Method)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// passed is how many requests net/http got.
func (r *rig) passed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.others
}

// A caller is a connection to the door.
type caller struct {
	*net.TCPConn
	t    *testing.T
	from *bufio.Reader
}

func (r *rig) call() *caller {
	r.t.Helper()
	c, err := net.Dial("tcp", r.door.Addr().String())
	must(r.t, err)
	r.t.Cleanup(func() { c.Close() })
	must(r.t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return &caller{c.(*net.TCPConn), r.t, bufio.NewReader(c)}
}

func (c *caller) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// answers reads an answer to a request of that method.
func (c *caller) answers(method string) (status int, body string, h http.Header) {
	c.t.Helper()
	a, err := http.ReadResponse(c.from, &http.Request{Method: method})
	must(c.t, err)
	read, err := io.ReadAll(a.Body)
	must(c.t, err)
	return a.StatusCode, string(read), a.Header
}

func (c *caller) wants(method string, status int, body string) {
	c.t.Helper()
	if gotStatus, got, _ := c.answers(method); gotStatus != status || got != body {
		c.t.Errorf("answer is %d %q, want %d %q", gotStatus, got, status, body)
	}
}

// ends expects that the door says no more.
func (c *caller) ends() {
	c.t.Helper()
	if b, err := c.from.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		c.t.Errorf("got %q and %v, want the end of the connection", b, err)
	}
}

func post(body string) string {
	return fmt.Sprintf("POST /api/event HTTP/1.1\r\nHost: stats.example\r\nUser-Agent: Firefox\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

const get = "GET /else HTTP/1.1\r\nHost: stats.example\r\n\r\n"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestHitsAreAnsweredWithoutOthers(t *testing.T) {
	r := newRig(t, false)
	c := r.call()
	for i := range 100 {
		body := strings.Repeat("x", 1+i*50)
		if i%10 == 9 {
			body = "bad" + body
			c.say(post(body))
			c.wants("POST", 422, body+" of POST")
			continue
		}
		c.say(post(body))
		c.wants("POST", 202, "")
	}
	if r.passed() != 0 {
		t.Errorf("%d were answered by net/http", r.passed())
	}
}

func TestAnswerIsThatOfOthers(t *testing.T) {
	r := newRig(t, false)
	for _, body := range []string{"x", "bad", strings.Repeat("bad", 500)} {
		quick, slow := r.call(), r.call()
		quick.say(post(body))
		slow.say(strings.Replace(post(body), "\r\n\r\n", "\r\nPragma: x\r\n\r\n", 1))
		status, said, header := quick.answers("POST")
		wantStatus, want, wantHeader := slow.answers("POST")
		header.Del("Date")
		wantHeader.Del("Date")
		if status != wantStatus || said != want || cmp.Diff(wantHeader, header) != "" {
			t.Errorf("answers differ: %d %d\n%s", status, wantStatus, cmp.Diff(wantHeader, header))
		}
	}
	if r.passed() != 3 {
		t.Errorf("net/http answered %d, want 3", r.passed())
	}
}

func TestConnectionGoesToOthersWithWhatWasRead(t *testing.T) {
	r := newRig(t, false)
	c := r.call()
	c.say(post("a") + post("bad b") + get + post("bad c")) // all at once
	c.wants("POST", 202, "")
	c.wants("POST", 422, "bad b of POST")
	c.wants("GET", 202, "")
	c.wants("POST", 422, "bad c of POST")
	if r.passed() != 2 {
		t.Errorf("net/http answered %d, want the last 2", r.passed())
	}
}

func TestHitMayComeInPieces(t *testing.T) {
	r := newRig(t, false)
	c := r.call()
	must(t, c.SetNoDelay(true))
	for _, b := range []byte(post("bad")) {
		c.say(string(b))
	}
	c.wants("POST", 422, "bad of POST")
	large := "bad" + strings.Repeat("x", mostBody-3)
	c.say(post(large))
	c.wants("POST", 422, large+" of POST")
	c.say(post("a"))
	c.wants("POST", 202, "")
	if r.passed() != 0 {
		t.Errorf("%d were answered by net/http", r.passed())
	}
	c.say(post(large + "x"))
	c.wants("POST", 422, large+"x of POST")
	if r.passed() != 1 {
		t.Errorf("net/http answered %d, want the one that is too large for the door", r.passed())
	}
}

func TestWhoEndsAfterAHitIsAnswered(t *testing.T) {
	c := newRig(t, false).call()
	c.say(post("a"))
	must(t, c.CloseWrite())
	c.wants("POST", 202, "")
	c.ends()
}

func TestWhoKeepsStillIsSentAway(t *testing.T) {
	r := newRig(t, false)
	fresh, idle, busy := r.call(), r.call(), r.call()
	for _, c := range []*caller{idle, busy} {
		c.say(post("a"))
		c.wants("POST", 202, "")
	}
	r.await(map[uint64]int{begins: 1, says: 2})
	r.rounds(newRounds + 1)
	r.await(map[uint64]int{says: 2})
	fresh.say(post("bad")) // net/http has waited for it
	fresh.wants("POST", 422, "bad of POST")
	for range nextRounds / 2 {
		busy.say(post("a"))
		busy.wants("POST", 202, "")
		r.rounds(2)
	}
	idle.ends()
	busy.say(post("a"))
	busy.wants("POST", 202, "")
}

// rounds lets the porter make his rounds.
func (r *rig) rounds(n int) {
	for range n {
		r.door.look()
	}
}

// await waits until guests do this, so many of each, and there are no others.
func (r *rig) await(want map[uint64]int) {
	r.t.Helper()
	var are map[uint64]int
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		are = make(map[uint64]int)
		r.door.mu.Lock()
		for g := range r.door.guests {
			are[g.step.Load()%doings]++
		}
		r.door.mu.Unlock()
		if maps.Equal(are, want) {
			return
		}
	}
	r.t.Fatalf("guests do %v, want %v", are, want)
}

func TestWhoIsSlowIsLeftToOthers(t *testing.T) {
	r := newRig(t, false)
	c := r.call()
	request := post("bad")
	c.say(post("a"))
	c.wants("POST", 202, "")
	c.say(request[:30])
	r.await(map[uint64]int{begins: 1})
	for i := 30; i < 60; i++ { // byte after byte is slow too
		c.say(request[i : i+1])
		r.rounds(1)
	}
	r.await(map[uint64]int{})
	c.say(request[60:])
	c.wants("POST", 422, "bad of POST")
	if r.passed() != 1 {
		t.Errorf("net/http answered %d, want 1", r.passed())
	}
}

func TestHitThatWaitsIsNotHurried(t *testing.T) {
	r := newRig(t, true)
	c := r.call()
	c.say(post("a"))
	<-r.held
	r.rounds(1000)
	close(r.hold)
	c.wants("POST", 202, "")
}

func TestWhoTakesNoAnswerIsSentAway(t *testing.T) {
	r := newRig(t, false)
	c := r.call()
	must(t, c.SetReadBuffer(1))
	bad := post("bad" + strings.Repeat("x", mostBody-3))
	ended := make(chan error, 1)
	go func() { // until neither side takes anything any more
		for {
			if _, err := io.WriteString(c, bad); err != nil {
				ended <- err
				return
			}
		}
	}()
	r.awaitDeaf()
	r.rounds(sendRounds + 1)
	if err := <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection was kept")
	}
}

// awaitDeaf waits until the guest has not taken an answer for a while.
func (r *rig) awaitDeaf() {
	r.t.Helper()
	same, last := 0, uint64(0)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && same < 100; time.Sleep(time.Millisecond) {
		r.door.mu.Lock()
		for g := range r.door.guests {
			if step := g.step.Load(); step == last && step%doings == listens {
				same++
			} else {
				same, last = 0, step
			}
		}
		r.door.mu.Unlock()
	}
	r.await(map[uint64]int{listens: 1})
}

func TestClosedDoorAnswersHitsThatAreThere(t *testing.T) {
	r := newRig(t, true)
	waiting, idle := r.call(), r.call()
	waiting.say(post("a"))
	<-r.held
	r.await(map[uint64]int{waits: 1, begins: 1})
	done := make(chan error, 1)
	go func() {
		done <- errors.Join(r.server.Shutdown(t.Context()), r.door.Wait(t.Context()))
	}()
	idle.ends()
	select {
	case err := <-done:
		t.Fatalf("the door has not waited: %v", err)
	default:
	}
	close(r.hold)
	status, _, header := waiting.answers("POST")
	if status != 202 {
		t.Errorf("status is %d", status)
	}
	if got := header.Get("Connection"); got != "" && got != "close" {
		t.Errorf("Connection is %q", got)
	}
	waiting.ends()
	must(t, <-done)
	if err := <-r.served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", r.door.Addr().String()); err == nil {
		t.Error("somebody was let in")
	}
}

func TestHitsThatTakeTooLongAreCut(t *testing.T) {
	r := newRig(t, true)
	c := r.call()
	c.say(post("a"))
	<-r.held
	must(t, r.door.Close())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.door.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	c.ends()
	<-r.door.empty // the handler has heard of it too
}

func TestPanicEndsOneConnection(t *testing.T) {
	r := newRig(t, false)
	c, next := r.call(), r.call()
	c.say(post("panic"))
	c.ends()
	next.say(post("a"))
	next.wants("POST", 202, "")
	must(t, errors.Join(r.door.Close(), r.door.Wait(t.Context())))
	if !strings.Contains(r.log.String(), "as told") {
		t.Errorf("log is %s", r.log.String())
	}
}

func TestAnswerHasNoLineThatAHandlerDidNotMean(t *testing.T) {
	var a answer
	a.begin()
	a.Header().Set("X-Name", "a\r\nSet-Cookie: b")
	a.Header().Set("Content-Length", "7")
	if got := string(a.bytes(false)); strings.Contains(got, "Set-Cookie") || strings.Contains(got, "7") && !strings.HasSuffix(got, "Content-Length: 0\r\n\r\n") {
		t.Errorf("answer is %q", got)
	}
}

func BenchmarkHit(b *testing.B) {
	head := "POST /api/event HTTP/1.1\r\nHost: stats.example\r\nUser-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36\r\nAccept: */*\r\n" +
		"Accept-Language: de-AT,de;q=0.9\r\nOrigin: https://site.example\r\nReferer: https://site.example/\r\nX-Forwarded-For: 81.2.3.4\r\nContent-Length: 2\r\n\r\n{}"
	r := reader()
	for b.Loop() {
		if _, k := r.read([]byte(head)); k != whole {
			b.Fatal("it is no hit")
		}
	}
}

package collect

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

const (
	eventsPerSecond = 3000
	readyWithin     = 5 * time.Second
	stopWithin      = 10 * time.Second
)

// R1: killed again and again, it loses no hit that it acknowledged, and counts none twice.
func TestKilledItLosesAndDoublesNothing(t *testing.T) {
	kills := 20
	if long() {
		kills = 1000
	}
	h := newHouse(t)
	h.serve()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	sent, acked, counted, slowest := 0, 0, 0, time.Duration(0)
	for life := range kills {
		l := &load{url: h.service.URL, domain: fmt.Sprintf("life%d.example", life), rate: eventsPerSecond}
		website := h.register(l.domain)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() { l.run(stop); close(done) }()
		time.Sleep(time.Duration(50+rng.IntN(400)) * time.Millisecond)
		h.service.Signal(t, syscall.SIGKILL)
		close(stop)
		h.service.Wait(t, stopWithin)
		<-done
		slowest = max(slowest, h.serve())
		counted += l.check(h, website)
		sent += l.sent - l.drops
		acked += len(l.acked)
		if t.Failed() {
			t.Fatalf("in life %d", life)
		}
	}
	t.Logf("%d kills: %d pageviews sent, %d acknowledged, %d counted; the slowest start took %v", kills, sent, acked, counted, slowest)
	if acked < 20*kills {
		t.Errorf("only %d hits: nothing was tested", acked)
	}
	if slowest > readyWithin {
		t.Errorf("it was ready after %v", slowest)
	}
}

// R8: told to stop while hits come in, it ends soon, in good order, with all that it acknowledged.
func TestToldToStopItKeepsWhatItAcknowledged(t *testing.T) {
	rounds := 10
	if long() {
		rounds = 200
	}
	h := newHouse(t)
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	sent, acked, counted, slowest := 0, 0, 0, time.Duration(0)
	h.serve()
	for round := range rounds {
		l := &load{url: h.service.URL, domain: fmt.Sprintf("round%d.example", round), rate: eventsPerSecond}
		website := h.register(l.domain)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() { l.run(stop); close(done) }()
		time.Sleep(time.Duration(50+rng.IntN(300)) * time.Millisecond)
		began := time.Now()
		h.service.Signal(t, syscall.SIGTERM)
		close(stop)
		if status := h.service.Wait(t, stopWithin); status != 0 {
			t.Errorf("it ended with %d: %s", status, h.service.Log())
		}
		slowest = max(slowest, time.Since(began))
		<-done
		h.serve()
		counted += l.check(h, website)
		sent += l.sent - l.drops
		acked += len(l.acked)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("%d stops: %d pageviews sent, %d acknowledged, %d counted; the slowest stop took %v", rounds, sent, acked, counted, slowest)
}

// R15: a tracker that sends the same event again is counted once, also if the service was killed in between.
func TestRetriesAreCountedOnce(t *testing.T) {
	retries := 10_000
	if long() {
		retries = 1_000_000
	}
	h := newHouse(t)
	h.serve()
	website := h.register("example.com")
	const perArray = 500
	body := []byte("[")
	for i := range perArray {
		body = fmt.Appendf(body, `{"n":"pageview","u":"https://example.com/retried","i":"0.123","a":%d},`, i)
	}
	body[len(body)-1] = ']'
	sent := 0
	for i := range retries / perArray {
		if i == retries/perArray/2 {
			h.service.Signal(t, syscall.SIGKILL)
			h.service.Wait(t, stopWithin)
			h.serve()
		}
		if _, err := send(httpClient, h.service.URL, chrome, string(body)); err != nil {
			t.Fatal(err)
		}
		sent += perArray
	}
	if _, err := send(httpClient, h.service.URL, chrome, `{"n":"pageview","u":"https://example.com/last","i":"0.124"}`); err != nil {
		t.Fatal(err)
	}
	h.eventually("the last one is counted", func() bool { return h.pages(website)["/last"] == 1 })
	if got := h.pages(website); got["/retried"] != 1 {
		t.Errorf("%d sent, counted %v", sent, got)
	}
	if told := h.tallied(website); told.Counted != 2 || told.Received != 2 {
		t.Errorf("told %+v", told)
	}
}

package collect

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var httpClient = &http.Client{Transport: &http.Transport{}, Timeout: 30 * time.Second}

// p99 is the time that all but one in a hundred were faster than.
func p99(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)*99/100]
}

// R11: those who send slowly are cut, and the others do not notice.
func TestSlowClientsHarmNobody(t *testing.T) {
	slow := 1000
	if long() {
		slow = 10_000
	}
	h := newHouse(t)
	h.serve("--log-level=warn")
	website := h.register("example.com")
	address := strings.TrimPrefix(h.service.URL, "http://")
	var open sync.WaitGroup
	var mu sync.Mutex
	var cut []time.Duration
	began := time.Now()
	for i := range slow {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		open.Go(func() {
			if i%2 == 0 {
				fmt.Fprint(c, "POST /api/event HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
			} else {
				fmt.Fprint(c, "POST /api/event HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{\"n\":")
			}
			c.SetReadDeadline(time.Now().Add(15 * time.Second))
			if i%2 == 0 {
				if _, err := c.Read(make([]byte, 1)); err == nil || !os.IsTimeout(err) { // an answer, or the end
					mu.Lock()
					cut = append(cut, time.Since(began))
					mu.Unlock()
				}
			}
		})
	}
	before := h.resident()
	l := &load{url: h.service.URL, domain: "example.com", rate: 500}
	stop := make(chan struct{})
	time.AfterFunc(3*time.Second, func() { close(stop) })
	l.run(stop)
	if len(l.errs) > 0 {
		t.Errorf("%d of %d hits failed: %v", len(l.errs), l.sent, l.errs[0])
	}
	if slowest := p99(l.took); slowest > 2*time.Second {
		t.Errorf("p99 of the others is %v", slowest)
	}
	l.check(h, website)
	open.Wait()
	t.Logf("%d slow clients, %d of %d slow headers were cut; others: %d hits, p99 %v; memory %d MB, then %d MB",
		slow, len(cut), slow/2, l.sent, p99(l.took), before>>20, h.resident()>>20)
	if len(cut) < slow/2 {
		t.Errorf("only %d of %d who sent their headers slowly were cut", len(cut), slow/2)
	}
	if grown := h.resident() - before; grown > 200<<20 {
		t.Errorf("memory grew by %d MB", grown>>20)
	}
}

// resident is the memory of the service, in bytes.
func (h *house) resident() int64 {
	h.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.service.PID()))
	if err != nil {
		h.t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var kb int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	h.t.Fatal("no VmRSS")
	return 0
}

// R9: under a steady load memory is flat, hits are answered soon, and so are questions.
func TestASteadyLoadIsBorne(t *testing.T) {
	lasts, rate := 10*time.Second, 1500
	if long() {
		lasts = time.Hour
	}
	h := newHouse(t)
	h.serve()
	website := h.register("example.com")
	l := &load{url: h.service.URL, domain: "example.com", rate: rate}
	stop, done := make(chan struct{}), make(chan struct{})
	time.AfterFunc(lasts, func() { close(stop) })
	go func() { l.run(stop); close(done) }()
	var asked []time.Duration
	var peak int64
	for began, minutes, asking := time.Now(), 0, true; asking; {
		if now := int(time.Since(began).Minutes()); now > minutes {
			minutes = now
			t.Logf("minute %d: memory %d MB", now, h.resident()>>20)
		}
		select {
		case <-done:
			asking = false
		case <-time.After(lasts / 40):
			began := time.Now()
			h.tallied(website)
			asked = append(asked, time.Since(began))
			peak = max(peak, h.resident())
		}
	}
	if len(l.errs) > 0 {
		t.Errorf("%d of %d hits failed: %v", len(l.errs), l.sent, l.errs[0])
	}
	t.Logf("%d hits in %v, %d a second, p99 %v; %d questions, p99 %v; memory at most %d MB",
		l.sent, lasts, int(float64(l.sent)/lasts.Seconds()), p99(l.took), len(asked), p99(asked), peak>>20)
	if p99(l.took) > 2*time.Second || p99(asked) > 2*time.Second || peak > 300<<20 {
		t.Errorf("p99 of hits %v, of questions %v, memory %d MB", p99(l.took), p99(asked), peak>>20)
	}
	var told tallied
	h.eventually("all is counted", func() bool { told = h.tallied(website); return told.Received >= l.sent })
	if told.Counted != len(l.acked) || told.dropped("bot") != l.ackedD {
		t.Errorf("told %+v, acknowledged %d and %d", told, len(l.acked), l.ackedD)
	}
}

// R10: junk of which every text is another stays within bounds, and harms no other website.
func TestJunkStaysWithinBounds(t *testing.T) {
	arrays := 2000 // of 500
	if long() {
		arrays = 200_000
	}
	h := newHouse(t)
	h.serve()
	junk, other := h.register("junk.example"), h.register("other.example")
	peak := int64(0)
	for n := range arrays {
		if n%50 == 0 {
			peak = max(peak, h.resident())
		}
		body := []byte("[")
		for i := range 500 {
			id := n*500 + i
			body = fmt.Appendf(body, `{"n":"event %d","u":"https://h%[1]d.junk.example/page/%[1]d?q=%[1]d&utm_campaign=c%[1]d","r":"https://r%[1]d.example.org/","d":"junk.example",`+
				`"p":{"k%[1]d":"v%[1]d"},"v":1,"c":"U%[1]d","ip":"10.%d.%d.%d","ua":"Mozilla/5.0 (X11; Linux x86_64; rv:%[1]d.0) Gecko/20100101 Firefox/%[1]d.0"},`,
				id, id>>16&255, id>>8&255, id&255)
		}
		body[len(body)-1] = ']'
		if dropped := h.sendAsServer(string(body)); dropped != "" {
			t.Fatalf("dropped %s", dropped)
		}
		if _, err := send(httpClient, h.service.URL, chrome, fmt.Sprintf(`{"n":"pageview","u":"https://other.example/%d"}`, n%10)); err != nil {
			t.Fatal(err)
		}
	}
	var told tallied
	h.eventually("all is counted", func() bool { told = h.tallied(junk); return told.Received >= arrays*500 })
	if told.Counted != arrays*500 {
		t.Errorf("told %+v", told)
	}
	if pages := h.pages(other); len(pages) != 10 || pages["/0"] != arrays/10 {
		t.Errorf("the other website has %v", pages)
	}
	used := int64(0)
	err := filepath.WalkDir(h.dir, func(_ string, d os.DirEntry, err error) error {
		if info, infoErr := d.Info(); err == nil && infoErr == nil {
			used += info.Size()
		}
		return nil
	})
	t.Logf("%d junk events: memory %d MB, disk %d MB, %v", arrays*500, h.resident()>>20, used>>20, err)
	if room := max(100<<20, int64(arrays)*500*250); peak > 300<<20 || used > room {
		t.Errorf("memory at most %d MB, disk %d MB of %d MB", peak>>20, used>>20, room>>20)
	}
}

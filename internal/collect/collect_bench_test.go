package collect_test

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
)

const benchBody = `{"n":"pageview","u":"https://example.com/blog/2026/a-post?utm_source=news&utm_medium=email&page=2","d":"example.com","r":"https://www.google.com/","i":"0.123456789",` +
	`"s":"1920x1080","l":"de-AT","t":0,"h":false,"wd":false,"a":12,"ch":{"pv":"15.0.0","m":""}}`

// A full journal refuses at once, so what is left to measure is all that happens to a hit before it.
func newFull(b *testing.B) *rig {
	return newRigOn(b, b.TempDir(), journal.Options{MaxBytes: 1}, site(nil))
}

// cpu tells how much time of the processors an operation took: on a busy machine the clock tells more of the others.
func cpu(b *testing.B) (stop func()) {
	spent := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	began := spent()
	return func() { b.ReportMetric(float64(spent()-began)/float64(b.N), "cpu-ns/op") }
}

func enrich(b *testing.B, r *rig, req collect.Request, body []byte) {
	hits, err := collect.Parse(body)
	if err != nil {
		b.Fatal(err)
	}
	accept(b, r, req, hits)
}

func accept(b *testing.B, r *rig, req collect.Request, hits []collect.Hit) {
	if _, err := r.Accept(context.Background(), req, hits); err == nil {
		b.Fatal("the journal is not full")
	}
}

// BenchmarkSteps is what makes an event of a hit that was read, like those before it: the same browsers and pages, other addresses.
func BenchmarkSteps(b *testing.B) {
	r, n := newFull(b), 0
	hits, err := collect.Parse([]byte(benchBody))
	if err != nil {
		b.Fatal(err)
	}
	defer cpu(b)()
	r.Enrich(visitor(), &hits[0], b.N, func(req *collect.Request) {
		n++
		req.Address = netip.AddrFrom4([4]byte{byte(n>>16) + 1, byte(n >> 8), byte(n), 7})
	})
}

// BenchmarkStepsUncached is the same of a hit of which nothing was seen before.
func BenchmarkStepsUncached(b *testing.B) {
	r, n := newFull(b), 0
	hit := collect.Hit{Kind: event.Pageview, Domain: "example.com", Language: "de"}
	defer cpu(b)()
	r.Enrich(visitor(), &hit, b.N, func(req *collect.Request) {
		n++
		id := strconv.Itoa(n)
		req.Address = netip.AddrFrom4([4]byte{byte(n>>16) + 1, byte(n >> 8), byte(n), 7})
		req.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; n" + id + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0." + id + ".0 Safari/537.36"
		hit.URL, hit.Referrer = "https://example.com/"+id+"?utm_source=n"+id, "https://r"+id+".example.org/"
	})
}

// BenchmarkAccept is BenchmarkEnrich without reading the body.
func BenchmarkAccept(b *testing.B) {
	r, n := newFull(b), 0
	hits, err := collect.Parse([]byte(benchBody))
	if err != nil {
		b.Fatal(err)
	}
	defer cpu(b)()
	for b.Loop() {
		n++
		req := visitor()
		req.Address = netip.AddrFrom4([4]byte{byte(n>>16) + 1, byte(n >> 8), byte(n), 7})
		accept(b, r, req, hits)
	}
}

// BenchmarkEnrich is a hit like those before it: the same browsers, other addresses.
func BenchmarkEnrich(b *testing.B) {
	r, body, n := newFull(b), []byte(benchBody), 0
	b.ReportAllocs()
	defer cpu(b)()
	for b.Loop() {
		n++
		req := visitor()
		req.Address = netip.AddrFrom4([4]byte{byte(n>>16) + 1, byte(n >> 8), byte(n), 7})
		enrich(b, r, req, body)
	}
}

// BenchmarkEnrichUncached is a hit of which nothing was seen before.
func BenchmarkEnrichUncached(b *testing.B) {
	r, n := newFull(b), 0
	b.ReportAllocs()
	defer cpu(b)()
	for b.Loop() {
		n++
		req := visitor()
		req.UserAgent = fmt.Sprintf("Mozilla/5.0 (Windows NT 10.0; Win64; x64; n%d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.%[1]d.0 Safari/537.36", n)
		req.Address = netip.AddrFrom4([4]byte{byte(n>>16) + 1, byte(n >> 8), byte(n), 7})
		enrich(b, r, req, fmt.Appendf(nil, `{"n":"pageview","u":"https://example.com/%d?utm_source=n%[1]d","r":"https://r%[1]d.example.org/","l":"de"}`, n))
	}
}

// S10: whatever is sent, a hit costs little.
func BenchmarkEnrichHostile(b *testing.B) {
	long := strings.Repeat("Mozilla/5.0 (a; b) Version/9.9 Chrome/9 ", 800)
	cases := map[string]struct{ agent, body string }{
		"agent":   {long, benchBody},
		"URL":     {chrome, fmt.Sprintf(`{"u":"https://example.com/?%s"}`, strings.Repeat("a=%2525&b&", 3000))},
		"props":   {chrome, fmt.Sprintf(`{"u":"https://example.com/","n":"x","p":{%s"z":1}}`, strings.Repeat(`"a\u0000":"\u2028",`, 3000))},
		"escapes": {chrome, fmt.Sprintf(`{"u":"https://example.com/%s"}`, strings.Repeat(`\ud800`, 8000))},
		"hosts":   {chrome, fmt.Sprintf(`{"u":"https://%s","d":"%s"}`, strings.Repeat("a.", 8000), strings.Repeat("a.b,", 2000))},
	}
	for name, c := range cases {
		b.Run(name, func(b *testing.B) {
			r, body := newFull(b), []byte(c.body)
			req := visitor()
			req.UserAgent = c.agent
			for b.Loop() {
				enrich(b, r, req, body)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	body := []byte(benchBody)
	b.ReportAllocs()
	defer cpu(b)()
	for b.Loop() {
		if _, err := collect.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

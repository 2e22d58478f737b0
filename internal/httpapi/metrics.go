package httpapi

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Gauge is a number for /metrics. Those whose name ends in _total only grow.
type Gauge struct {
	Name  string // without the prefix footfall_
	Help  string
	Value float64
}

// counters count requests. Prometheus' own library would do this for 4 MB of binary; this is what we use of it.
type counters struct {
	mu  sync.Mutex
	all map[counted]*counter
}

type counted struct {
	method, pattern string
	status          int
}

type counter struct {
	requests int64
	took     time.Duration
}

// note counts a request. Routes and statuses are ours, so there are few kinds.
func (c *counters) note(route Route, status int, took time.Duration) {
	k := counted{route.Method, route.Pattern, status}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = make(map[counted]*counter)
	}
	n := c.all[k]
	if n == nil {
		n = &counter{}
		c.all[k] = n
	}
	n.requests++
	n.took += took
}

// each calls f for every kind of request, in order.
func (c *counters) each(f func(labels string, n counter)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kinds := slices.SortedFunc(maps.Keys(c.all), func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	})
	for _, k := range kinds {
		f(fmt.Sprintf(`{route=%q,method=%q,status="%d"}`, k.pattern, k.method, k.status), *c.all[k])
	}
}

func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	s.writeMetrics(w)
	return nil
}

// writeMetrics answers in Prometheus' text format.
func (s *Server) writeMetrics(w http.ResponseWriter) {
	var b bytes.Buffer
	family := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP footfall_%s %s\n# TYPE footfall_%[1]s %[3]s\n", name, help, kind)
	}
	family("http_requests_total", "counter", "Requests answered.")
	s.counters.each(func(labels string, n counter) {
		fmt.Fprintf(&b, "footfall_http_requests_total%s %d\n", labels, n.requests)
	})
	family("http_request_seconds_total", "counter", "Time spent on requests.")
	s.counters.each(func(labels string, n counter) {
		fmt.Fprintf(&b, "footfall_http_request_seconds_total%s %s\n", labels, number(n.took.Seconds()))
	})
	if s.gauges != nil {
		for _, g := range s.gauges() {
			kind := "gauge"
			if strings.HasSuffix(g.Name, "_total") {
				kind = "counter"
			}
			family(g.Name, kind, g.Help)
			fmt.Fprintf(&b, "footfall_%s %s\n", g.Name, number(g.Value))
		}
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(b.Bytes())
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

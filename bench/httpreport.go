package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An httpReport is all that was found about the service.
type httpReport struct {
	settings httpSettings
	events   int
	figures  []figure
	measured []measured
}

func (r *httpReport) add(f figure) { r.figures = append(r.figures, f) }

// String is the report in Markdown that also reads well in a terminal.
func (r *httpReport) String() string {
	rows := [][]string{{"request", "bytes", "requests/s", "bare handler", "ratio", "goal", "p50", "p99", "goal", "bare p99", "ok"}}
	for _, m := range r.measured {
		perSecond := func(r round) float64 { return r.perSecond }
		p99 := of(m.service, func(r round) time.Duration { return r.p99 })
		ok, slowest := m.ratio() >= m.request.ratio, ""
		if m.request.p99 > 0 {
			ok, slowest = ok && p99 <= m.request.p99, "≤ "+milliseconds(m.request.p99)
		}
		rows = append(rows, []string{
			m.name, count(m.bytes), count(int(of(m.service, perSecond))), count(int(of(m.bare, perSecond))),
			fmt.Sprintf("%.2f", m.ratio()), fmt.Sprintf("≥ %.3g", m.request.ratio),
			milliseconds(of(m.service, func(r round) time.Duration { return r.p50 })), milliseconds(p99), slowest,
			milliseconds(of(m.bare, func(r round) time.Duration { return r.p99 })), yes(ok),
		})
	}
	return "\n" + table(rows) + "\n" + (&report{figures: r.figures}).figureTable()
}

// write keeps the report as a file, named by the date and the number of events.
func (r *httpReport) write() error {
	s := r.settings
	now := time.Now()
	command := fmt.Sprintf("`go run . http -n %d -seed %d -rounds %d -seconds %d -connections %d`", s.events, s.seed, s.rounds, s.seconds, s.connections)
	var b strings.Builder
	fmt.Fprintf(&b, "# Service over HTTP, %s events\n\n- date: %s\n- commit: %s\n- machine: %s\n- command: %s\n", count(r.events),
		now.Format(time.DateOnly), commit(), machine(), command)
	fmt.Fprintf(&b, "- load: wrk, 2 threads, %d connections, on loopback of the same machine; medians of %d rounds, in turn with the bare handler\n%s",
		s.connections, s.rounds, r)
	if err := os.MkdirAll(s.results, 0o755); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-http-%s.md", now.Format(time.DateOnly), short(r.events))
	return os.WriteFile(filepath.Join(s.results, name), []byte(b.String()), 0o644)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A reportsReport is all that was found about reports.
type reportsReport struct {
	settings reportsSettings
	http     httpReport // for the program and how to start it
	events   int
	reports  int // that are due

	turns            int // with reports, and as many without
	alone, meanwhile latency
	took             time.Duration
	others, resident float64
}

// String is the report in Markdown that also reads well in a terminal.
func (r *reportsReport) String() string {
	rows := [][]string{{"hits", "number", "p50", "p99", "longest"}}
	for _, p := range []struct {
		name string
		latency
	}{{"without reports", r.alone}, {"while they are built and sent", r.meanwhile}} {
		rows = append(rows, []string{p.name, count(p.hits), milliseconds(p.p50), milliseconds(p.p99), milliseconds(p.longest)})
	}
	goal := float64(thousandGoal) * float64(r.reports) / 1000
	figures := []figure{
		{Name: fmt.Sprintf("%s reports, built and sent", count(r.reports)), Value: r.took.Seconds(), Unit: "s", Goal: goal, Most: true},
		{Name: "p99 of hits meanwhile, of that without", Value: float64(r.meanwhile.p99) / float64(max(r.alone.p99, 1)), Unit: "times", Goal: slowerGoal, Most: true},
		{Name: "memory after all of it", Value: r.resident, Unit: "MB"},
		{Name: "others on the machine meanwhile", Value: r.others, Unit: "%"},
	}
	return "\n" + table(rows) + "\n" + (&report{figures: figures}).figureTable()
}

// write keeps the report as a file, named by the date.
func (r *reportsReport) write() error {
	s := r.settings
	now := time.Now()
	var b strings.Builder
	fmt.Fprintf(&b, "# Reports beside hits\n\n- date: %s\n- commit: %s\n- machine: %s\n- command: `go run . reports -websites %d -rate %d -seconds %d`\n",
		now.Format(time.DateOnly), commit(), machine(), s.websites, s.rate, s.seconds)
	fmt.Fprintf(&b, "- data: %s websites, one in a hundred of them large, with %s events in 31 days\n", count(s.websites), count(r.events))
	fmt.Fprintf(&b, "- load: %d hits a second over %d connections, at a steady rate whatever becomes of them; each is counted from when it was to be sent. "+
		"It comes from this machine too, and so does the mail server, which takes everything.\n- turns: %d with reports, and as many without\n%s", s.rate, hitSenders, r.turns, r)
	if err := os.MkdirAll(s.results, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.results, now.Format(time.DateOnly)+"-reports.md"), []byte(b.String()), 0o644)
}

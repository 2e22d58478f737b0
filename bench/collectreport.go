package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A collectReport is all that was found about collection.
type collectReport struct {
	settings collectSettings
	http     httpReport // for the program and how to start it
	loads    []hitLoad
	minutes  []minute // of a steady load
	figures  []figure
}

// A hitLoad is what came of hits over so many connections.
type hitLoad struct {
	connections   int
	service, bare []round
	cpu, bareCPU  []time.Duration // for a hit
	hits, counted int
	queryable     time.Duration // after the last one, at worst
}

func (r *collectReport) add(f figure) { r.figures = append(r.figures, f) }

func (l hitLoad) ratio() float64 {
	return measured{service: l.service, bare: l.bare}.ratio()
}

// String is the report in Markdown that also reads well in a terminal.
func (r *collectReport) String() string {
	if len(r.minutes) > 0 {
		return "\n" + r.minuteTable() + (&report{figures: r.figures}).figureTable()
	}
	rows := [][]string{{"connections", "durable hits/s", "bare handler", "ratio", "goal", "p50", "p99", "goal", "bare p99", "CPU of a hit", "goal", "bare CPU", "acknowledged", "counted", "queryable after", "goal", "ok"}}
	for _, l := range r.loads {
		goal := narrowRatio
		if l.connections == wideConnections {
			goal = wideRatio
		}
		perSecond := func(r round) float64 { return r.perSecond }
		p99 := of(l.service, func(r round) time.Duration { return r.p99 })
		cpu := float64(middle(l.cpu)) / 1000
		rows = append(rows, []string{
			fmt.Sprint(l.connections), count(int(of(l.service, perSecond))), count(int(of(l.bare, perSecond))), fmt.Sprintf("%.2f", l.ratio()), fmt.Sprintf("≥ %.2g", goal),
			milliseconds(of(l.service, func(r round) time.Duration { return r.p50 })), milliseconds(p99), "≤ " + milliseconds(hitP99Goal),
			milliseconds(of(l.bare, func(r round) time.Duration { return r.p99 })), fmt.Sprintf("%.1f µs", cpu), fmt.Sprintf("≤ %d µs", cpuGoal),
			fmt.Sprintf("%.1f µs", float64(middle(l.bareCPU))/1000),
			count(l.hits), count(l.counted), fmt.Sprintf("%.2f s", l.queryable.Seconds()), fmt.Sprintf("≤ %d s", queryableGoal),
			yes(l.ratio() >= goal && p99 <= hitP99Goal && cpu <= cpuGoal && l.queryable.Seconds() <= queryableGoal),
		})
	}
	return "\n" + table(rows) + "\n" + (&report{figures: r.figures}).figureTable()
}

// write keeps the report as a file, named by the date.
func (r *collectReport) write() error {
	s := r.settings
	now := time.Now()
	var b strings.Builder
	name, command := "collect", fmt.Sprintf("-rounds %d -seconds %d", s.rounds, s.seconds)
	if s.minutes > 0 {
		name, command = "collect-steady", fmt.Sprintf("-minutes %d", s.minutes)
	}
	fmt.Fprintf(&b, "# Collection over HTTP\n\n- date: %s\n- commit: %s\n- machine: %s\n- command: `go run . collect %s`\n", now.Format(time.DateOnly), commit(), machine(), command)
	fmt.Fprintf(&b, "- load: wrk, 2 threads, on loopback of the same machine; medians of %d rounds, in turn with a bare handler that reads the same body and answers 202. "+
		"Every hit is on disk before it is answered. Counted may be more than acknowledged by those that were under way when wrk ended, at most one for each connection.\n%s", s.rounds, r)
	if err := os.MkdirAll(s.results, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.results, now.Format(time.DateOnly)+"-"+name+".md"), []byte(b.String()), 0o644)
}

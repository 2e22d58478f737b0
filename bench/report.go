package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footfall/internal/store"
)

const goalEvents = 50_000_000 // that the goals are set for

// A figure is a number that a phase measured.
type figure struct {
	Name  string
	Value float64
	Unit  string
	Goal  float64 // 0 is none
	Most  bool    // the goal is not to be passed, instead of to be reached
}

// A timing is how long a query took, each time, and its result.
type timing struct {
	Engine  string // "footfall" or "duckdb"
	Probe   string
	Website int64
	Times   []time.Duration
	Result  store.Result
}

// A report is all that was found.
type report struct {
	settings settings
	figures  []figure
	timings  []timing
}

func (r *report) timing(engine, probe string, website int64) (timing, bool) {
	i := slices.IndexFunc(r.timings, func(t timing) bool {
		return t.Engine == engine && t.Probe == probe && t.Website == website
	})
	if i < 0 {
		return timing{}, false
	}
	return r.timings[i], true
}

// quantile is the time that a share q of the times do not exceed; 0 if there are none.
func (t timing) quantile(q float64) time.Duration {
	if len(t.Times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.Times))
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}

func (t timing) median() time.Duration { return t.quantile(0.5) }

// String is the report in Markdown that also reads well in a terminal.
func (r *report) String() string {
	var b strings.Builder
	if len(r.figures) > 0 {
		b.WriteString("\n" + r.figureTable())
	}
	if len(r.timings) > 0 {
		b.WriteString("\n" + r.timingTable())
	}
	for _, d := range r.differences() {
		b.WriteString("\n" + d)
	}
	return b.String()
}

func (r *report) figureTable() string {
	rows := [][]string{{"measured", "value", "goal", "ok"}}
	for _, f := range r.figures {
		goal, ok := "", ""
		if f.Goal > 0 {
			goal, ok = "≥ ", yes(f.Value >= f.Goal)
			if f.Most {
				goal, ok = "≤ ", yes(f.Value <= f.Goal)
			}
			goal += f.format(f.Goal)
		}
		rows = append(rows, []string{f.Name, f.format(f.Value), goal, ok})
	}
	return table(rows)
}

func (f figure) format(v float64) string {
	s := ""
	switch {
	case v >= 1000:
		s = count(int(math.Round(v)))
	case f.Unit == "%":
		s = fmt.Sprintf("%.0f", v)
	default:
		s = fmt.Sprintf("%.3g", v)
	}
	if f.Unit != "" {
		s += " " + f.Unit
	}
	return s
}

// timingTable has the probes of the biggest website first, then of the others. The goals are for 50 M events; those for the
// smallest website are for whatever is asked.
func (r *report) timingTable() string {
	rows := [][]string{{"question", "website", "median", "p95", "DuckDB", "ratio", "goal", "ok"}}
	for _, w := range websites {
		for _, p := range probes {
			ours, asked := r.timing("footfall", p.name, w.id)
			duck, compared := r.timing("duckdb", p.name, w.id)
			if !asked && !compared {
				continue
			}
			row := []string{p.name, w.name, "", "", "", "", "", ""}
			if asked {
				row[2], row[3] = milliseconds(ours.median()), milliseconds(ours.quantile(0.95))
			}
			if compared {
				row[4] = milliseconds(duck.median())
			}
			goal, least := p.goal, p.ratio
			switch w.name {
			case "middle":
				goal, least = 0, 0
			case "smallest":
				goal, least = smallestGoal, smallestRatio
			}
			ok := goal == 0 || ours.Times != nil && ours.median() <= goal
			if goal > 0 {
				row[6] = fmt.Sprintf("≤ %s, ≥ %.3g ×", milliseconds(goal), least)
			}
			if asked && compared {
				ratio := float64(duck.median()) / float64(ours.median())
				row[5] = fmt.Sprintf("%.3g ×", ratio)
				if ratio >= 1000 {
					row[5] = count(int(ratio)) + " ×"
				}
				ok = ok && ratio >= least
			}
			if goal > 0 && asked {
				row[7] = yes(ok)
			}
			rows = append(rows, row)
		}
	}
	text := table(rows)
	if r.settings.events != goalEvents {
		text += fmt.Sprintf("\nGoals are for %s events, of which the biggest website has 40 %%.\n", count(goalEvents))
	}
	return text
}

func milliseconds(d time.Duration) string {
	ms := d.Seconds() * 1000
	if ms >= 1000 {
		return count(int(math.Round(ms))) + " ms"
	}
	if ms >= 100 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2g ms", ms)
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

// table is a Markdown table with aligned columns, the first row its head.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	line := func(row []string) {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
	}
	line(rows[0])
	for _, w := range widths {
		b.WriteString("|" + strings.Repeat("-", w+2))
	}
	b.WriteString("|\n")
	for _, row := range rows[1:] {
		line(row)
	}
	return b.String()
}

// differences are the answers that are not equal to DuckDB's, in full.
func (r *report) differences() []string {
	var all []string
	for _, ours := range r.timings {
		duck, ok := r.timing("duckdb", ours.Probe, ours.Website)
		if ours.Engine != "footfall" || !ok {
			continue
		}
		if ours.Result.Partial {
			all = append(all, fmt.Sprintf("website %d, %s: the answer is partial\n", ours.Website, ours.Probe))
		}
		for i := range max(len(ours.Result.Answers), len(duck.Result.Answers)) {
			if i < len(ours.Result.Answers) && i < len(duck.Result.Answers) && sameAnswer(ours.Result.Answers[i], duck.Result.Answers[i]) {
				continue
			}
			all = append(all, fmt.Sprintf("website %d, %s, question %d differs\n  footfall: %s\n  DuckDB:   %s\n",
				ours.Website, ours.Probe, i+1, answerText(ours.Result, i), answerText(duck.Result, i)))
		}
	}
	return all
}

func sameAnswer(a, b store.Answer) bool {
	return a.Total == b.Total && slices.EqualFunc(a.Rows, b.Rows, func(x, y store.Row) bool {
		return x.Value == y.Value && slices.Equal(x.Metrics, y.Metrics)
	})
}

func answerText(r store.Result, i int) string {
	if i >= len(r.Answers) {
		return "none"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows in all", r.Answers[i].Total)
	for _, row := range r.Answers[i].Rows {
		fmt.Fprintf(&b, "; %q %v", row.Value, row.Metrics)
	}
	return b.String()
}

// write keeps the report as a file in dir, named by the date and the number of events.
func (r *report) write(dir string) error {
	s := r.settings
	now := time.Now()
	compared := 0
	for _, t := range r.timings {
		if _, ok := r.timing("duckdb", t.Probe, t.Website); ok && t.Engine == "footfall" {
			compared++
		}
	}
	verdict := fmt.Sprintf("%d answers compared with DuckDB, %d different parts.", compared, len(r.differences()))
	text := fmt.Sprintf("# Store, %s events\n\n- date: %s\n- commit: %s\n- machine: %s\n- command: %s\n- %s\n%s",
		count(s.events), now.Format(time.DateOnly), commit(), machine(), s.command(), verdict, r)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-store-%s.md", now.Format(time.DateOnly), short(s.events))
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
}

func (s settings) command() string {
	c := fmt.Sprintf("`go run . -n %d -seed %d -rounds %d -batch %d -memory-limit %d -restart-n %d`",
		s.events, s.seed, s.rounds, s.batch, s.memoryLimit, s.restartEvents)
	if s.only != "" {
		c += ", only " + s.only
	}
	return c
}

// short is a number with M or k where it is round enough for that.
func short(n int) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return fmt.Sprintf("%gM", float64(n)/1_000_000)
	case n >= 1000 && n%100 == 0:
		return fmt.Sprintf("%gk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}

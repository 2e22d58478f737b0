package stats

import (
	"maps"
	"slices"
	"strings"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A custom event has several properties, and stands in the row of the name of each. A store has a row for the names that came
// together, so what adds up over events is added up here; who sent them does not.

// ofNames tells whether the rows are names of properties.
func (d Dimension) ofNames() bool { return d.Source == store.FromPropNames }

// addsUp tells whether a metric is the sum of those of single custom events.
func addsUp(m Metric) bool { return m.Metric == store.Events || m.Metric == store.Revenue }

func addingUp() []string {
	var names []string
	for _, m := range Metrics {
		if addsUp(m) {
			names = append(names, m.Name())
		}
	}
	return names
}

// byName is the page that was asked for, of all rows by the names that came together.
func (q *question) byName(together []store.Row) store.Answer {
	named := make(map[string]*store.Row)
	for _, r := range together {
		for name := range event.SplitProps(r.Value) {
			if name == "" || !strings.Contains(strings.ToLower(name), strings.ToLower(q.search)) {
				continue
			}
			if named[name] == nil {
				named[name] = &store.Row{Value: name, Metrics: make([]float64, len(r.Metrics))}
			}
			addRow(named[name], r)
		}
	}
	rows := make([]store.Row, 0, len(named))
	for _, r := range named {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, q.compare)
	page := rows[min(q.offset, len(rows)):]
	return store.Answer{Rows: page[:min(q.limit, len(page))], Total: len(rows)}
}

// addRow adds the numbers of a row to those of another.
func addRow(to *store.Row, r store.Row) {
	for i, n := range r.Metrics {
		to.Metrics[i] += n
	}
	sums := make(map[string]int64)
	for _, a := range slices.Concat(to.Revenue, r.Revenue) {
		sums[a.Unit] += a.Sum
	}
	to.Revenue = nil
	for _, unit := range slices.Sorted(maps.Keys(sums)) {
		to.Revenue = append(to.Revenue, store.Amount{Unit: unit, Sum: sums[unit]})
	}
}

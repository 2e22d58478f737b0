package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/store"
)

// DuckDB is what answers are compared with, so its SQL is compared with counting by hand.
func TestDuckDBCountsByTheRulesOfStore(t *testing.T) {
	o := traffic.Options{Seed: 3, Events: 30_000, From: yearFrom, Days: 365}
	d, err := openDuck(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	if err := d.load(t.Context(), o, &progress{out: t.Output()}); err != nil {
		t.Fatal(err)
	}
	events := []event.Event{}
	s := traffic.New(o)
	for e := (event.Event{}); s.Next(&e); {
		events = append(events, e)
	}
	for _, p := range probes {
		for _, w := range websites {
			q := p.query(w.id)
			run, err := d.prepare(q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for i, question := range q.Questions {
				want := countByHand(events, q, question)
				if !sameAnswer(got.Answers[i], want) {
					t.Errorf("%s of the %s website, question %d\n got: %s\nwant: %s", p.name, w.name, i+1,
						answerText(got, i), answerText(store.Result{Answers: []store.Answer{want}}, 0))
				}
			}
		}
	}
}

// visitKey names a visit by its visitor and the number of visits that they had before on that day.
type visitKey struct {
	visitor uint64
	day     event.Day
	number  int
}

// countByHand answers a question by looking at all events, which are in order of time.
func countByHand(events []event.Event, q store.Query, question store.Question) store.Answer {
	type tally struct {
		visitors  map[visitKey]bool
		visits    map[visitKey]bool
		pageviews int
	}
	rows := map[string]*tally{}
	last := map[visitKey]int64{} // time of the last event, by visitor
	number := map[visitKey]int{} // of the visit, by visitor
	landing := map[visitKey]string{}
	for _, e := range events {
		visitor := visitKey{visitor: e.Visitor, day: e.Day}
		if before, ok := last[visitor]; ok && e.Time-before > store.VisitGap.Milliseconds() {
			number[visitor]++
		}
		last[visitor] = e.Time
		visit := visitor
		visit.number = number[visitor]
		if _, ok := landing[visit]; !ok && e.Kind == event.Pageview {
			landing[visit] = e.Fields[event.Page]
		}
		if e.Website != q.Website || e.Day < q.From || e.Day >= q.To || !keeps(q.Filter, &e) {
			continue
		}
		value := ""
		switch d := question.Dimension; d.Source {
		case store.FromField:
			value = e.Fields[d.Field]
			if value == "" && !d.Empty {
				continue
			}
		case store.FromLanding:
			value = landing[visit]
		case store.FromDay:
			value = e.Day.String()
		case store.FromHour:
			value = time.UnixMilli(e.Time).UTC().Format("2006-01-02T15:00")
		}
		row := rows[value]
		if row == nil {
			row = &tally{visitors: map[visitKey]bool{}, visits: map[visitKey]bool{}}
			rows[value] = row
		}
		row.visitors[visitor] = true
		row.visits[visit] = true
		if e.Kind == event.Pageview {
			row.pageviews++
		}
	}
	if question.Dimension.Source == store.FromNothing && len(rows) == 0 {
		rows[""] = &tally{}
	}
	a := store.Answer{Total: len(rows)}
	for value, row := range rows {
		r := store.Row{Value: value}
		for _, m := range question.Metrics {
			r.Metrics = append(r.Metrics, map[store.Metric]float64{
				store.Visitors:  float64(len(row.visitors)),
				store.Visits:    float64(len(row.visits)),
				store.Pageviews: float64(row.pageviews),
			}[m])
		}
		a.Rows = append(a.Rows, r)
	}
	slices.SortFunc(a.Rows, func(x, y store.Row) int {
		if !question.Order.ByValue && x.Metrics[0] != y.Metrics[0] {
			return int(y.Metrics[0] - x.Metrics[0])
		}
		return strings.Compare(x.Value, y.Value)
	})
	if question.Limit > 0 && len(a.Rows) > question.Limit {
		a.Rows = a.Rows[:question.Limit]
	}
	return a
}

func keeps(f store.Filter, e *event.Event) bool {
	for _, g := range f.Filters {
		if !keeps(g, e) {
			return false
		}
	}
	return f.Op == store.Everything || f.Op == store.AllOf || f.Keep(e.Fields[f.Dimension.Field])
}

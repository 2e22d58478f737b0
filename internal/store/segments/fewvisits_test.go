package segments_test

import (
	"fmt"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// manyPages gives events browsers from rare to common, and forty pages; or one page, so that their codes are a run.
func manyPages(random *traffic, events []event.Event, onePage bool) []event.Event {
	browsers := map[uint64]string{}
	for i := range events {
		e := &events[i]
		if browsers[e.Visitor] == "" {
			browsers[e.Visitor] = choose(random, "Rare", "Some", "Some", "Often", "Often", "Often", "Often", "Often", "Often", "Often",
				"Often", "Often", "Often", "Often", "Often", "Often", "Often", "Often", "Often", "Often")
		}
		e.Fields[event.Browser] = browsers[e.Visitor]
		e.Fields[event.Page] = fmt.Sprint("/", random.IntN(40))
		if onePage {
			e.Fields[event.Page] = "/7"
		}
	}
	return events
}

// A filter that leaves few visits looks at their events alone, whatever it asks of these and wherever they lie.
func TestFewVisitsHaveTheAnswersOfTheOracle(t *testing.T) {
	from := event.NewDay(2026, 1, 1)
	r := newRig(t, t.TempDir(), from.UTC().Add(8*time.Hour), segments.Options{AnswerBytes: -1})
	random := newTraffic(3)
	var queries []store.Query
	for _, w := range websites[:2] {
		for _, browser := range []string{"Rare", "Some", "Often"} {
			for _, f := range []store.Filter{
				{Op: store.Is, Values: []string{"/7"}},
				{Op: store.Is, Values: []string{"/7", "/8"}},
				{Op: store.Is, Values: []string{"/nowhere"}},
				{Op: store.IsNot, Values: []string{"/7"}},
				{Op: store.Contains, Values: []string{"3"}},
			} {
				f.Dimension, _ = store.DimensionNamed("page")
				q := panels(w, from, from+40)[0]
				is := store.Filter{Op: store.Is, Values: []string{browser}}
				is.Dimension, _ = store.DimensionNamed("browser")
				q.Filter = store.Filter{Op: store.AllOf, Filters: []store.Filter{is, f}}
				queries = append(queries, q)
			}
		}
	}
	for d := from; d < from+12; d++ {
		r.clock.set(d.UTC().Add(23 * time.Hour))
		for i, w := range websites[:2] {
			r.load(manyPages(random, random.day(w, d, 40), i == 1 && d%3 == 0))
		}
		if d == from+6 {
			sameAnswers(t, r.engine, r.oracle, queries...) // of days that are open or sealed
		}
		r.settle()
	}
	r.clock.set((from + 40).UTC())
	r.settle()
	sameAnswers(t, r.engine, r.oracle, queries...) // of a month
}

package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Contract asks for what store.Engine promises besides numbers.
func Contract(t *testing.T, subject Subject) {
	t.Run("a closed engine says so", func(t *testing.T) { closedEngine(t, subject) })
	t.Run("a query that cannot be answered is an error", func(t *testing.T) { impossibleQueries(t, subject) })
	t.Run("records that the journal lost leave a gap", func(t *testing.T) { lostRecords(t, subject) })
	t.Run("maintain ends with its context", func(t *testing.T) { maintainEnds(t, subject) })
	t.Run("questions are answered while events come", func(t *testing.T) { askWhileLoading(t, subject) })
}

var contractTime = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// contractEvents are n pageviews of n visitors, a second apart.
func contractEvents(n int) []event.Event {
	events := make([]event.Event, n)
	for i := range events {
		events[i] = event.Event{Website: 1, Visitor: uint64(i), Kind: event.Pageview}
		events[i].Fields[event.Page] = "/"
		events[i].At(contractTime.Add(time.Duration(i)*time.Second), time.UTC)
	}
	return events
}

// contractQuery asks for all pageviews and visitors.
func contractQuery() store.Query {
	return store.Query{
		Website: 1, From: event.NewDay(2026, 1, 1), To: event.NewDay(2027, 1, 1),
		Questions: []store.Question{{Metrics: []store.Metric{store.Pageviews, store.Visitors}}},
	}
}

func closedEngine(t *testing.T, subject Subject) {
	m := newMachine(t, subject, contractTime)
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	_, run := m.engine.Run(m.ctx, contractQuery())
	_, realtime := m.engine.Realtime(m.ctx, 1, time.Minute)
	for name, err := range map[string]error{
		"Append":   m.engine.Append(m.ctx, store.Batch{From: 0, To: 1, Events: contractEvents(1)}),
		"Run":      run,
		"Realtime": realtime,
		"Delete":   m.engine.Delete(m.ctx, 1),
		"Recount":  m.engine.Recount(m.ctx, 1, 0, 1),
		"Flush":    m.engine.Flush(m.ctx),
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s of a closed engine gives %v, want %v", name, err, store.ErrClosed)
		}
	}
}

func impossibleQueries(t *testing.T, subject Subject) {
	m := newMachine(t, subject, contractTime)
	for name, spoil := range map[string]func(*store.Query){
		"no question":             func(q *store.Query) { q.Questions = nil },
		"no metric":               func(q *store.Query) { q.Questions[0].Metrics = nil },
		"unknown metric":          func(q *store.Query) { q.Questions[0].Metrics[0] = store.Metric(store.NumMetrics) },
		"order by what is absent": func(q *store.Query) { q.Questions[0].Order.Metric = 2 },
		"negative limit":          func(q *store.Query) { q.Questions[0].Limit = -1 },
		"filter of nothing":       func(q *store.Query) { q.Filter = store.Filter{Op: store.Is, Values: []string{"x"}} },
	} {
		q := contractQuery()
		spoil(&q)
		if _, err := m.engine.Run(m.ctx, q); err == nil {
			t.Errorf("%s: the engine answers", name)
		}
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

func lostRecords(t *testing.T, subject Subject) {
	m := newMachine(t, subject, contractTime)
	events := contractEvents(3)
	for i, b := range []store.Batch{
		{From: 5, To: 6, Events: events[:1]}, {From: 10, To: 12, Events: events[1:]}, {From: 10, To: 12, Events: events[1:]},
	} {
		if err := m.append(b); err != nil {
			t.Fatalf("batch %d: %v", i, err)
		}
	}
	if err := countContractEvents(m, 3); err != nil {
		t.Error(err)
	}
	if err := m.engine.Flush(m.ctx); err != nil {
		t.Fatal(err)
	}
	if d := m.engine.Durable(); d != 12 {
		t.Errorf("durable is %d after a flush, want 12", d)
	}
	if err := m.open(); err != nil {
		t.Fatal(err)
	}
	if p := m.engine.Position(); p != 12 {
		t.Errorf("position is %d after opening again, want 12", p)
	}
	if err := countContractEvents(m, 3); err != nil {
		t.Error(err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

func maintainEnds(t *testing.T, subject Subject) {
	m := newMachine(t, subject, contractTime)
	ctx, cancel := context.WithCancel(m.ctx)
	ended := make(chan error)
	go func() { ended <- m.engine.Maintain(ctx) }()
	if err := m.load(contractEvents(10)); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("maintain ends with %v", err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

// askWhileLoading loads, flushes and settles while others ask.
func askWhileLoading(t *testing.T, subject Subject) {
	m := newMachine(t, subject, contractTime)
	done := make(chan struct{})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			if err := askUntil(done, m); err != nil {
				t.Error(err)
			}
		})
	}
	events := contractEvents(600)
	for i := 0; i < len(events) && !t.Failed(); i += 20 {
		err := m.load(events[i : i+20])
		if i%200 == 0 {
			m.clock.set(contractTime.Add(time.Duration(i) * time.Hour)) // so that days are sealed under the questions
			err = errors.Join(err, m.flush(), m.settle())
		}
		if err != nil {
			t.Error(err)
		}
	}
	close(done)
	asking.Wait()
	if err := countContractEvents(m, 600); err != nil {
		t.Error(err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

// askUntil asks for pageviews and visitors all the time. Their number never falls, and is the same for both.
func askUntil(done <-chan struct{}, m *machine) error {
	for last := 0.0; ; {
		result, err := runQuery(m, contractQuery())
		if err != nil {
			return err
		}
		n := result.Answers[0].Rows[0].Metrics
		if n[0] < last || n[0] != n[1] {
			return fmt.Errorf("%v pageviews of %v visitors, after there were %v", n[0], n[1], last)
		}
		last = n[0]
		select {
		case <-done:
			return nil
		default:
		}
	}
}

// countContractEvents tells whether the engine counts n of contractEvents.
func countContractEvents(m *machine, n float64) error {
	return ask{contractQuery(), []expectation{{[]store.Row{{Metrics: []float64{n, n}}}, 1}}}.play(m)
}

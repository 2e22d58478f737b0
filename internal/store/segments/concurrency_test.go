package segments_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/disk"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// uniform events are pageviews of as many visitors, on a few pages.
func uniform(website int64, day event.Day, first, n int) []event.Event {
	events := make([]event.Event, n)
	for i := range events {
		e := &events[i]
		e.Website, e.Visitor, e.ID, e.Kind = website, uint64(first+i)*0x9e3779b97f4a7c15+1, uint64(first+i+1), event.Pageview
		e.Fields[event.Page] = fmt.Sprintf("/%d", (first+i)%7)
		e.Fields[event.Country] = "Germany"
		e.At(day.UTC().Add(time.Duration((first+i)%80_000)*time.Second), time.UTC)
	}
	return events
}

// A tug is an engine that many pull at.
type tug struct {
	t              *testing.T
	engine         *segments.Engine
	clock          *fakeClock
	begin, end     event.Day
	started, taken atomic.Int64 // events of website 1 whose append began, and ended
	done           chan struct{}
}

// TestAnswersAreConsistentWhileEverythingHappens asks all the time while events come, days are sealed, months compacted
// and websites deleted.
func TestAnswersAreConsistentWhileEverythingHappens(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	counting := &countingFS{FS: disk.OS{}}
	c := &tug{t: t, begin: event.NewDay(2026, 1, 20), done: make(chan struct{})}
	c.end = c.begin + 40
	c.clock = clockAt(c.begin.UTC().Add(20 * time.Hour))
	var err error
	c.engine, err = segments.Open(t.TempDir(), segments.Options{FS: counting, Now: c.clock.now, MemoryEvents: 500, CacheBytes: 1 << 16})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := c.engine.Maintain(ctx); err != nil {
			t.Errorf("maintain: %v", err)
		}
	})
	for i := range 3 {
		all.Go(func() { c.read(i) })
	}
	all.Go(c.pester)
	c.append(figure(25, 12, 400))
	must(t, c.engine.Flush(t.Context()))
	must(t, c.engine.Settle(t.Context()))
	close(c.done)
	cancel()
	all.Wait()
	if n := c.total(); n != c.taken.Load() {
		t.Errorf("%d events in the end, %d were appended", n, c.taken.Load())
	}
	if s := c.engine.Status(); s.Err != nil || len(s.Damaged) > 0 {
		t.Errorf("status says %v, damaged are %q", s.Err, s.Damaged)
	}
	must(t, c.engine.Close())
	if n := counting.held.Load(); n != 0 {
		t.Errorf("%d files are open after closing", n)
	}
	checkGoroutines(t, goroutines)
}

// append brings events of many days, in batches that go over two days and two websites, while the clock moves on.
func (c *tug) append(rounds int) {
	const size = 60
	position := uint64(0)
	for i := range rounds {
		day := c.begin + event.Day(i)*(c.end-c.begin)/event.Day(rounds)
		c.clock.set(day.UTC().Add(20 * time.Hour))
		for k := range 5 {
			first := (i*5 + k) * 2 * size
			events := append(uniform(1, day, first, size), uniform(1, day-1, first+size, size)...)
			events = append(events, uniform(9, day, first, size)...)
			c.started.Add(2 * size)
			if err := c.engine.Append(c.t.Context(), store.Batch{From: position, To: position + 1, Events: events}); err != nil {
				c.t.Errorf("append: %v", err)
				return
			}
			position++
			c.taken.Add(2 * size)
		}
		if i == rounds/2 {
			if err := c.engine.Delete(c.t.Context(), 9); err != nil {
				c.t.Errorf("delete: %v", err)
			}
		}
	}
}

func (c *tug) total() int64 {
	r, err := c.engine.Run(c.t.Context(), totals(1, c.begin-1, c.end+1))
	must(c.t, err)
	return int64(r.Answers[0].Rows[0].Metrics[2])
}

// read asks questions of all kinds and checks that each answer is a moment that was.
func (c *tug) read(reader int) {
	queries := append(panels(1, c.begin-1, c.end+1), totals(1, c.begin-1, c.end+1))
	for i := reader; ; i++ {
		select {
		case <-c.done:
			return
		default:
		}
		low := c.taken.Load()
		q := queries[i%len(queries)]
		r, err := c.engine.Run(c.t.Context(), q)
		high := c.started.Load()
		if err != nil || r.Partial {
			c.t.Errorf("run: %v, partial: %v, damaged: %q", err, r.Partial, c.engine.Status().Damaged)
			return
		}
		n := r.Answers[0].Rows[0].Metrics // visitors, visits, pageviews
		if n[0] != n[1] || n[1] != n[2] || int64(n[2]) < low || int64(n[2]) > high {
			c.t.Errorf("%v visitors, %v visits, %v pageviews where %d to %d events were", n[0], n[1], n[2], low, high)
			return
		}
		sum, at := 0.0, 0
		for _, row := range r.Answers[1].Rows {
			for k, m := range q.Questions[1].Metrics {
				if m == store.Pageviews {
					at = k
				}
			}
			sum += row.Metrics[at]
		}
		if sum != n[2] {
			c.t.Errorf("pages sum up to %v of %v pageviews", sum, n[2])
			return
		}
	}
}

// pester calls everything else.
func (c *tug) pester() {
	ctx := c.t.Context()
	for i := 0; ; i++ {
		select {
		case <-c.done:
			return
		default:
		}
		var err error
		switch i % 7 {
		case 0:
			err = c.engine.Flush(ctx)
		case 1:
			err = c.engine.Settle(ctx)
		case 2:
			err = c.engine.Recount(ctx, 1, c.begin-1, c.end)
		case 3:
			_, err = c.engine.Realtime(ctx, 1, 30*time.Minute)
		case 4:
			if s := c.engine.Status(); s.Err != nil || len(s.Damaged) > 0 {
				err = fmt.Errorf("status says %w, damaged are %q", s.Err, s.Damaged)
			}
		case 5:
			_, err = c.engine.Verify(ctx, nil)
		case 6:
			if c.engine.Durable() > c.engine.Position() {
				err = errors.New("durable is ahead of position")
			}
		}
		if err != nil {
			c.t.Errorf("call %d: %v", i%7, err)
			return
		}
	}
}

// checkGoroutines lets goroutines that have nothing left to do end, and counts.
func checkGoroutines(t *testing.T, before int) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); { // a busy machine may not let the last one end for long
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func TestCloseWhileQuestionsRunIsClean(t *testing.T) {
	h := makeHistory(t, 3)
	dir := h.ondisk(t)
	for range figure(10, 4, 100) {
		counting := &countingFS{FS: disk.OS{}}
		e, err := segments.Open(dir, segments.Options{FS: counting, Now: h.clock.now})
		must(t, err)
		var asked atomic.Int64
		var readers sync.WaitGroup
		for i := range 4 {
			readers.Go(func() {
				for k := i; ; k++ {
					queries := wholePeriod()
					q := queries[k%len(queries)]
					got, err := e.Run(t.Context(), q)
					asked.Add(1)
					if errors.Is(err, store.ErrClosed) {
						return
					}
					if want, _ := h.oracle.Run(t.Context(), q); err != nil || got.Partial || !same(want, got) {
						t.Errorf("run: %v, partial %v", err, got.Partial)
						return
					}
				}
			})
		}
		for asked.Load() < 10 {
			runtime.Gosched()
		}
		must(t, e.Close())
		readers.Wait()
		if n := counting.held.Load(); n != 0 {
			t.Errorf("%d files are open after closing", n)
		}
	}
}

func TestClosedEngineSaysSoAndTouchesNothing(t *testing.T) {
	h := makeHistory(t, 2)
	dir := h.ondisk(t)
	e := openEngine(t, dir, segments.Options{Now: h.clock.now})
	must(t, e.Close())
	before, err := os.ReadFile(filepath.Join(dir, "events", "MANIFEST"))
	must(t, err)
	ctx := t.Context()
	_, run := e.Run(ctx, totals(1, historyFrom, historyTo))
	_, realtime := e.Realtime(ctx, 1, time.Minute)
	_, verify := e.Verify(ctx, nil)
	position := e.Position()
	for name, err := range map[string]error{
		"Run": run, "Realtime": realtime, "Verify": verify,
		"Append":   e.Append(ctx, store.Batch{From: position, To: position + 1}),
		"Delete":   e.Delete(ctx, websites[0]),
		"Recount":  e.Recount(ctx, websites[0], historyFrom, historyTo),
		"Flush":    e.Flush(ctx),
		"Settle":   e.Settle(ctx),
		"Maintain": e.Maintain(ctx),
		"Status":   e.Status().Err,
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s of a closed engine gives %v, want %v", name, err, store.ErrClosed)
		}
	}
	if err := e.Close(); err != nil {
		t.Errorf("closing twice gives %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "events", "MANIFEST")); err != nil || string(after) != string(before) {
		t.Errorf("the manifest of a closed engine has changed: %v", err)
	}
}

func TestMaintainEndsSoonAfterClose(t *testing.T) {
	e := openEngine(t, t.TempDir(), segments.Options{})
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- e.Maintain(ctx) }()
	must(t, e.Close())
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, store.ErrClosed) {
		t.Errorf("maintain ends with %v", err)
	}
}

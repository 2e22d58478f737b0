package storetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// An Oracle is an engine that answers by the rules of package store with plain loops over all events. It is slow, it
// forgets everything when the process ends, and it is meant to be obviously right.
type Oracle struct {
	now func() time.Time

	mu       sync.Mutex
	events   []taken
	position uint64
	deleted  map[int64]bool
	closed   bool
}

// taken is an event as it came.
type taken struct {
	event.Event
	late bool // its day was sealed: its visitor is not the one of the same hash who came in time
}

var _ store.Engine = (*Oracle)(nil)

// NewOracle makes an oracle without events. It looks at the clock to tell which events are late.
func NewOracle(now func() time.Time) *Oracle {
	return &Oracle{now: now, deleted: map[int64]bool{}}
}

// OracleSubject is the oracle as an engine under test. It keeps its data for as long as the test runs.
func OracleSubject() Subject {
	var mu sync.Mutex
	kept := map[string]*Oracle{}
	return Subject{Open: func(t *testing.T, dir string, now func() time.Time) store.Engine {
		mu.Lock()
		defer mu.Unlock()
		o := NewOracle(now)
		if old := kept[dir]; old != nil {
			o.events, o.position, o.deleted = old.events, old.position, old.deleted
		}
		kept[dir] = o
		return o
	}}
}

// Append implements store.Engine.
func (o *Oracle) Append(_ context.Context, b store.Batch) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return store.ErrClosed
	}
	if b.To <= o.position {
		return nil
	}
	o.position = b.To
	for _, e := range b.Events {
		if !o.deleted[e.Website] {
			o.events = append(o.events, taken{e, Sealed(e.Day, o.now())})
		}
	}
	return nil
}

// Position implements store.Engine.
func (o *Oracle) Position() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.position
}

// Durable implements store.Engine.
func (o *Oracle) Durable() uint64 { return o.Position() }

// Delete implements store.Engine.
func (o *Oracle) Delete(_ context.Context, website int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return store.ErrClosed
	}
	o.deleted[website] = true
	o.events = slices.DeleteFunc(o.events, func(e taken) bool { return e.Website == website })
	return nil
}

// Recount implements store.Engine. The oracle counts from the events always.
func (o *Oracle) Recount(context.Context, int64, event.Day, event.Day) error { return o.open() }

// Flush implements store.Engine.
func (o *Oracle) Flush(context.Context) error { return o.open() }

// Maintain implements store.Engine.
func (o *Oracle) Maintain(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Close implements store.Engine.
func (o *Oracle) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return nil
}

// Status implements store.Engine.
func (o *Oracle) Status() store.Status {
	o.mu.Lock()
	defer o.mu.Unlock()
	return store.Status{Events: int64(len(o.events))}
}

func (o *Oracle) open() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return store.ErrClosed
	}
	return nil
}

// about are the events of a website that keep says yes to, in the order of their time.
func (o *Oracle) about(website int64, keep func(*taken) bool) ([]taken, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, store.ErrClosed
	}
	var found []taken
	for i := range o.events {
		if e := &o.events[i]; e.Website == website && keep(e) {
			found = append(found, *e)
		}
	}
	slices.SortStableFunc(found, func(a, b taken) int { return byTime(a.Event, b.Event) })
	return found, nil
}

func byTime(a, b event.Event) int {
	switch {
	case a.Time < b.Time:
		return -1
	case a.Time > b.Time:
		return 1
	}
	return 0
}

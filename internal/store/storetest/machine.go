package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A fakeClock is the time of an engine under test.
type fakeClock struct{ ms atomic.Int64 }

func (c *fakeClock) now() time.Time  { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *fakeClock) set(t time.Time) { c.ms.Store(t.UnixMilli()) }

// A machine is an engine in the hands of a script, with its clock and with the journal that it is loaded from.
type machine struct {
	t       *testing.T
	ctx     context.Context
	subject Subject
	dir     string
	clock   fakeClock
	engine  store.Engine
	journal []event.Event // record n holds the n-th event
	last    store.Batch   // of the last load
	ground  ground
	deleted bool // since the last flush
	closed  bool
}

func newMachine(t *testing.T, subject Subject, begin time.Time) *machine {
	t.Helper()
	m := &machine{t: t, ctx: t.Context(), subject: subject, dir: t.TempDir()}
	m.clock.set(begin)
	m.engine = subject.Open(t, m.dir, m.clock.now)
	t.Cleanup(m.release)
	return m
}

// release closes the engine of a test that went wrong.
func (m *machine) release() {
	if !m.closed {
		m.closed = true
		m.engine.Close()
	}
}

// close ends the use of an engine that should be in good health.
func (m *machine) close() error {
	if s := m.engine.Status(); s.Err != nil || len(s.Damaged) > 0 {
		return fmt.Errorf("status has error %v and damaged files %q", s.Err, s.Damaged)
	}
	m.closed = true
	if err := m.engine.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}

// forward moves the clock to a time unless it is past it.
func (m *machine) forward(t time.Time) {
	if t.After(m.clock.now()) {
		m.clock.set(t)
	}
}

// load takes events into the journal and appends them.
func (m *machine) load(events []event.Event) error {
	if err := m.ground.enter(events, m.clock.now()); err != nil {
		return err
	}
	from := uint64(len(m.journal))
	m.journal = append(m.journal, events...)
	m.last = store.Batch{From: from, To: uint64(len(m.journal)), Events: events}
	return m.append(m.last)
}

func (m *machine) append(b store.Batch) error {
	want := max(b.To, m.engine.Position())
	b.Events = slices.Clone(b.Events)
	if err := m.engine.Append(m.ctx, b); err != nil {
		return fmt.Errorf("append %d events: %w", len(b.Events), err)
	}
	clear(b.Events) // they belong to the caller again, so no engine may look at them any more
	position, durable := m.engine.Position(), m.engine.Durable()
	if position != want || durable > position {
		return fmt.Errorf("position is %d and durable %d after records up to %d", position, durable, want)
	}
	return nil
}

func (m *machine) settle() error {
	m.ground.settle(m.clock.now())
	if m.subject.Settle == nil {
		return nil
	}
	if err := m.subject.Settle(m.ctx, m.engine); err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	return nil
}

func (m *machine) flush() error {
	if err := m.engine.Flush(m.ctx); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	m.deleted = false
	if d := m.engine.Durable(); d != uint64(len(m.journal)) {
		return fmt.Errorf("durable is %d after a flush of %d records", d, len(m.journal))
	}
	return nil
}

// reopen leaves the engine as a service does that is stopped, and opens it again.
func (m *machine) reopen() error {
	if err := m.flush(); err != nil {
		return err
	}
	if err := m.open(); err != nil {
		return err
	}
	if p := m.engine.Position(); p != uint64(len(m.journal)) {
		return fmt.Errorf("position is %d after %d records were flushed and the engine opened again", p, len(m.journal))
	}
	return nil
}

// replay leaves the engine without a flush, opens it again, and appends what the journal has beyond its position.
func (m *machine) replay() error {
	if m.deleted {
		if err := m.flush(); err != nil { // deletions are not in the journal
			return err
		}
	}
	durable := m.engine.Durable()
	if err := m.open(); err != nil {
		return err
	}
	from, to := m.engine.Position(), uint64(len(m.journal))
	if from < durable || from > to {
		return fmt.Errorf("position is %d after opening, with %d of %d records durable before", from, durable, to)
	}
	if from == to {
		return nil
	}
	return m.append(store.Batch{From: from, To: to, Events: m.journal[from:]})
}

func (m *machine) open() error {
	if err := m.engine.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	m.engine = m.subject.Open(m.t, m.dir, m.clock.now)
	return nil
}

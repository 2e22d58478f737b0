package segments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"footfall/internal/event"
)

// Flush implements store.Engine.
func (e *Engine) Flush(ctx context.Context) error {
	if err := e.rotate(nil); err != nil {
		return err
	}
	if err := e.flushMemories(ctx); err != nil {
		return err
	}
	e.housekeeping.Lock()
	defer e.housekeeping.Unlock()
	return e.purge(ctx)
}

// flushMemories writes the memories that wait to parts.
func (e *Engine) flushMemories(ctx context.Context) error {
	e.flushing.Lock()
	defer e.flushing.Unlock()
	for {
		v, err := e.acquire()
		if err != nil {
			return err
		}
		var waiting *memory
		if len(v.memories) > 1 {
			waiting = v.memories[0]
		}
		deleted := v.manifest.Deleted
		v.release()
		if waiting == nil {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.flush(waiting, deleted); err != nil {
			return e.failed(fmt.Errorf("flush %d events: %w", waiting.n, err))
		}
	}
}

// flush writes a memory that no longer grows to parts, and drops it.
func (e *Engine) flush(m *memory, deleted []int64) error {
	type partition struct {
		period event.Day
		late   bool
	}
	cells := make(map[partition][]cellKey)
	for _, key := range m.cellKeys() {
		if slices.Contains(deleted, key.website) {
			continue
		}
		p := partition{key.day, false}
		if key.day < m.lateBefore {
			p = partition{key.day.Month(), true}
		}
		cells[p] = append(cells[p], key)
	}
	c := e.newChange()
	defer c.abandon()
	var entries []partEntry
	for p, keys := range cells {
		number := c.number()
		entry := partEntry{Number: number, Period: p.period, Late: p.late, From: m.from, To: m.to, Written: e.now().Unix()}
		file, err := c.create(eventsName, entry.name(), partColumns, false)
		if err != nil {
			return err
		}
		w := newPartWriter(file)
		xlate := new(translations)
		for _, key := range keys {
			r := m.rows(key, allFields, xlate)
			if err := w.add(key, r, 0, r.n); err != nil {
				return err
			}
			entry.MaxTime = max(entry.MaxTime, slices.Max(r.time))
		}
		entry.Events = w.total
		if entry.File, err = c.finishPart(w); err != nil {
			return err
		}
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(a, b partEntry) int { return cmp.Compare(a.Number, b.Number) })
	return c.commit(func(next *manifest) {
		next.Parts = append(next.Parts, entries...)
		next.Position = m.to
	}, m)
}

// failed remembers why events cannot be made durable; nil means that they can.
func (e *Engine) failed(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
	return err
}

package segments

import (
	"context"
	"fmt"
	"slices"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Append implements store.Engine. When memory is full and the one before it is not yet in files, it waits for that.
func (e *Engine) Append(ctx context.Context, b store.Batch) error {
	e.appending.Lock()
	defer e.appending.Unlock()
	if position := e.Position(); b.To <= position {
		return nil
	} else if b.From < position {
		return fmt.Errorf("append records %d to %d where %d is next", b.From, b.To, position)
	}
	if err := e.makeRoom(ctx); err != nil {
		return err
	}
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer v.release()
	events := make([]event.Event, 0, len(b.Events))
	for i := range b.Events {
		if slices.Contains(v.manifest.Deleted, b.Events[i].Website) {
			continue
		}
		events = append(events, b.Events[i])
		e.limits.apply(&events[len(events)-1], v.held)
	}

	e.rotating.Lock() // none of these events may slip into a memory that is being flushed
	defer e.rotating.Unlock()
	e.mu.Lock()
	active := e.view.active()
	e.mu.Unlock()
	active.append(events, b.To)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.position = b.To
	return nil
}

// makeRoom begins a new memory if the active one is full.
func (e *Engine) makeRoom(ctx context.Context) error {
	v, err := e.acquire()
	if err != nil {
		return err
	}
	full := e.isFull(v.active())
	waiting := len(v.memories) > 1
	v.release()
	if !full {
		return nil
	}
	if waiting {
		if err := e.flushMemories(ctx); err != nil {
			return fmt.Errorf("make room: %w", err)
		}
	}
	defer e.wakeUp()
	return e.rotate(nil)
}

// maxMemoryBytes bounds memory where texts are long.
const maxMemoryBytes = 48 << 20

func (e *Engine) isFull(m *memory) bool {
	m.mu.RLock()
	n := m.n
	m.mu.RUnlock()
	return n >= e.memory || m.size() >= maxMemoryBytes
}

// rotate begins a new memory; what is in the active one waits to be flushed. lateBefore, if not nil, is the new day
// before which events are late.
func (e *Engine) rotate(lateBefore *event.Day) error {
	e.rotating.Lock()
	defer e.rotating.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return store.ErrClosed
	}
	active := e.view.active()
	next := newMemory(e.position, active.lateBefore)
	if lateBefore != nil {
		next.lateBefore = *lateBefore
	}
	memories := slices.Clone(e.view.memories)
	if active.from == active.to {
		memories = memories[:len(memories)-1]
	}
	e.replaceView(e.view.manifest, append(memories, next))
	return nil
}

// held tells the limits about a cell: how many of its events are in parts and memory, and which values they have.
func (v *view) held(key cellKey) (int, func(yield func(f int, value string))) {
	n := 0
	for _, f := range v.parts {
		if p, err := f.asPart(); err == nil {
			for _, c := range p.find(key) {
				n += c.rows.len()
			}
		}
	}
	for _, m := range v.memories {
		_, rows := m.snapshot(key)
		n += len(rows)
	}
	return n, func(yield func(f int, value string)) { v.eachValue(key, yield) }
}

func (v *view) eachValue(key cellKey, yield func(f int, value string)) {
	for _, f := range v.parts {
		p, err := f.asPart()
		if err != nil {
			continue
		}
		for _, c := range p.find(key) {
			g := p.group(c.group, nil)
			for f := range event.NumFields {
				codes, values, err := g.codes(partFields+f, c.rows.from, c.rows.to)
				if err != nil {
					continue // a damaged column counts as empty; it is left out of answers too
				}
				yieldCodes(f, codes, values, yield)
			}
		}
	}
	for _, m := range v.memories {
		d, rows := m.snapshot(key)
		for f := range event.NumFields {
			yieldCodes(f, pick(d.codes[f], rows), d.values[f], yield)
		}
	}
}

func yieldCodes(f int, codes []int32, values []string, yield func(f int, value string)) {
	seen := make([]bool, len(values))
	for _, c := range codes {
		if !seen[c] {
			seen[c] = true
			if values[c] != "" {
				yield(f, values[c])
			}
		}
	}
}

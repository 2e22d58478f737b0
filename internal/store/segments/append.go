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
	e.admitted = e.admitted[:0]
	for i := range b.Events {
		if ev := &b.Events[i]; !slices.Contains(v.manifest.Deleted, ev.Website) {
			e.admitted = append(e.admitted, e.limits.apply(ev, held{v, e.admitted}))
		}
	}

	e.rotating.Lock() // none of these events may slip into a memory that is being flushed
	defer e.rotating.Unlock()
	e.mu.Lock()
	active := e.view.active()
	e.mu.Unlock()
	active.append(e.admitted, b.To)
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
	held := 0
	for _, m := range v.memories {
		m.mu.RLock()
		held += m.n
		m.mu.RUnlock()
	}
	v.release()
	if !full && held < 2*e.memory {
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
const maxMemoryBytes = 16 << 20

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
	room := 0
	if active.n >= e.memory { // it was filled: so will be the next
		room = e.memory
	}
	next := newMemory(e.position, active.lateBefore, room)
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

// held is what there is of open cells: in parts, in memory, and about to be appended.
type held struct {
	view    *view
	pending []*event.Event
}

// count is the number of events of a cell, but for those that are pending.
func (h held) count(key cellKey) int {
	n := 0
	for _, f := range h.view.parts {
		if p, err := f.asPart(); err == nil {
			for _, c := range p.find(key) {
				n += c.rows.len()
			}
		}
	}
	for _, m := range h.view.memories {
		_, rows := m.snapshot(key)
		n += len(rows)
	}
	return n
}

// eachValue yields the values of a cell, some of them more than once.
func (h held) eachValue(key cellKey, yield func(f int, value string)) {
	for _, f := range h.view.parts {
		p, err := f.asPart()
		if err != nil {
			continue
		}
		for _, c := range p.find(key) {
			g := p.group(c.group, nil)
			for f := range event.NumFields {
				codes, values, err := g.strings(partFields+f, c.rows.from, c.rows.to)
				if err != nil {
					continue // a damaged column counts as empty; it is left out of answers too
				}
				yieldCodes(f, codes, values, yield)
			}
		}
	}
	for _, m := range h.view.memories {
		d, rows := m.snapshot(key)
		for f := range event.NumFields {
			yieldCodes(f, pick(d.codes[f], rows), d.values[f], yield)
		}
	}
	for _, e := range h.pending {
		if e.Website != key.website || e.Day != key.day {
			continue
		}
		for f, value := range e.Fields {
			yield(f, value)
		}
	}
}

func yieldCodes(f int, codes []int32, values []string, yield func(f int, value string)) {
	seen := make([]bool, len(values))
	for _, c := range codes {
		if !seen[c] {
			seen[c] = true
			yield(f, values[c])
		}
	}
}

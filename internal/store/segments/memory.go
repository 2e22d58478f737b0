package segments

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"footfall/internal/event"
)

// A cellKey names a cell.
type cellKey struct {
	website int64
	day     event.Day
}

func (c cellKey) compare(o cellKey) int {
	return cmp.Or(cmp.Compare(c.website, o.website), cmp.Compare(c.day, o.day))
}

// A memory holds the events that are in no file yet, in the order of their arrival. One goroutine appends; any number
// read at the same time: the columns only ever grow, and a reader looks no further than they were when it came.
type memory struct {
	from, to   uint64    // journal positions
	began      time.Time // by the machine's clock, whatever time the engine is told
	lateBefore event.Day // events of earlier days are late: their cells were sealed before this memory began

	mu    sync.RWMutex // guards what follows; held for moments only
	n     int
	data  memoryColumns
	cells map[cellKey][]int32 // the rows of each cell
	bytes int64               // rough size of the texts

	index  [event.NumFields]map[string]int32 // of the appending goroutine alone
	recent [4096]int32                       // likewise: the last row of a visitor, by their hash
}

type memoryColumns struct {
	visitor, time, id, value []int64
	offset                   []int16
	kind                     []event.Kind
	scroll                   []uint8
	engaged                  []int32
	codes                    [event.NumFields][]int32
	values                   [event.NumFields][]string // by code; 0 is ""
}

// newMemory makes room for so many events; it grows if there are more.
func newMemory(from uint64, lateBefore event.Day, events int) *memory {
	m := &memory{from: from, to: from, began: time.Now(), lateBefore: lateBefore, cells: make(map[cellKey][]int32)}
	d := &m.data
	for _, column := range []*[]int64{&d.visitor, &d.time, &d.id, &d.value} {
		*column = make([]int64, 0, events)
	}
	d.offset, d.kind, d.scroll = make([]int16, 0, events), make([]event.Kind, 0, events), make([]uint8, 0, events)
	d.engaged = make([]int32, 0, events)
	for f := range m.index {
		m.index[f] = map[string]int32{"": 0}
		d.values[f] = []string{""}
		d.codes[f] = make([]int32, 0, events)
	}
	return m
}

// append adds events that cover the journal up to position to.
func (m *memory) append(events []*event.Event, to uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range events {
		m.add(e)
	}
	m.to = to
}

func (m *memory) add(e *event.Event) {
	d := &m.data
	// The last event of the visitor most likely has the same texts, and comparing them is faster than finding them.
	last := &m.recent[e.Visitor%uint64(len(m.recent))]
	like := int(*last)
	*last = int32(m.n)
	if like >= m.n || d.visitor[like] != int64(e.Visitor) {
		like = -1
	}
	d.visitor = append(d.visitor, int64(e.Visitor))
	d.time = append(d.time, e.Time)
	d.id = append(d.id, int64(e.ID))
	d.value = append(d.value, e.Value)
	d.offset = append(d.offset, e.Offset)
	d.kind = append(d.kind, e.Kind)
	d.scroll = append(d.scroll, e.Scroll)
	d.engaged = append(d.engaged, e.Engaged)
	for f := range e.Fields {
		code := int32(-1)
		if like >= 0 {
			if c := d.codes[f][like]; d.values[f][c] == e.Fields[f] {
				code = c
			}
		}
		if code < 0 {
			code = m.code(f, e.Fields[f])
		}
		d.codes[f] = append(d.codes[f], code)
	}
	key := cellKey{e.Website, e.Day}
	m.cells[key] = append(m.cells[key], int32(m.n))
	m.n++
}

func (m *memory) code(f int, s string) int32 {
	if s == "" {
		return 0
	}
	if c, ok := m.index[f][s]; ok {
		return c
	}
	s = strings.Clone(s) // s is a piece of a whole batch
	c := int32(len(m.data.values[f]))
	m.data.values[f] = append(m.data.values[f], s)
	m.index[f][s] = c
	m.bytes += int64(len(s)) + 64
	return c
}

// size is a rough number of bytes.
func (m *memory) size() int64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.bytes + int64(m.n)*(4*int64(event.NumFields)+48)
}

// cellKeys are the cells that have events, in order.
func (m *memory) cellKeys() []cellKey {
	m.mu.RLock()
	defer m.mu.RUnlock()
	keys := make([]cellKey, 0, len(m.cells))
	for k := range m.cells {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cellKey.compare)
	return keys
}

// snapshot is the columns as they are now, and the rows of a cell in them.
func (m *memory) snapshot(key cellKey) (memoryColumns, []int32) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.data, m.cells[key]
}

// rows are the events of a cell, by visitor and time, with the fields in need. It returns nil if there are none.
func (m *memory) rows(key cellKey, need fieldSet, xlate *translations) *rows {
	d, cell := m.snapshot(key)
	if len(cell) == 0 {
		return nil
	}
	order := slices.Clone(cell)
	slices.SortFunc(order, func(a, b int32) int {
		if d.visitor[a] != d.visitor[b] {
			return cmp.Compare(d.visitor[a], d.visitor[b])
		}
		return cmp.Or(cmp.Compare(d.time[a], d.time[b]), cmp.Compare(a, b))
	})
	r := &rows{n: len(order), xlate: xlate}
	r.visitor = pick(d.visitor, order)
	r.time = pick(d.time, order)
	r.id = pick(d.id, order)
	r.value = pick(d.value, order)
	r.engaged = pick(d.engaged, order)
	r.offset = make([]int64, len(order))
	r.scroll = make([]int32, len(order))
	r.kind = make([]event.Kind, len(order))
	for i, k := range order {
		r.offset[i], r.scroll[i], r.kind[i] = int64(d.offset[k]), int32(d.scroll[k]), d.kind[k]
	}
	for f := range event.NumFields {
		if need.has(f) {
			r.fields[f] = fieldRows{codes: pick(d.codes[f], order), values: d.values[f]}
		}
	}
	return r
}

func pick[T any](column []T, order []int32) []T {
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = column[k]
	}
	return out
}

package segments

import (
	"hash/maphash"

	"footfall/internal/event"
	"footfall/internal/store"
)

// limits keep junk in bounds: in each cell, a field has at most so many different values, those that came first; others are
// store.Other. The limit applies when an event is appended, so that all states of a cell hold the same.
//
// A cell with fewer events than the limit cannot be over it. Only beyond that are its values remembered.
type limits struct {
	max   int
	seed  maphash.Seed
	cells map[cellKey]*cellLimit
}

type cellLimit struct {
	events int
	seen   *[event.NumFields]map[uint64]struct{} // hashes of the values; nil while there are few events
}

var otherProps = event.JoinProps(map[string]string{store.Other: store.Other})

func newLimits(max int) *limits {
	return &limits{max: max, seed: maphash.MakeSeed(), cells: make(map[cellKey]*cellLimit)}
}

// apply replaces what is over the limit in an event that is about to be appended. held finds the events of the cell
// that are there already: their number, and their values.
func (l *limits) apply(e *event.Event, held func(cellKey) (int, func(yield func(f int, value string)))) {
	key := cellKey{e.Website, e.Day}
	c := l.cells[key]
	if c == nil {
		n, _ := held(key)
		c = &cellLimit{events: n}
		l.cells[key] = c
	}
	c.events++
	if c.events <= l.max {
		return
	}
	if c.seen == nil {
		c.seen = new([event.NumFields]map[uint64]struct{})
		for f := range c.seen {
			c.seen[f] = make(map[uint64]struct{})
		}
		_, values := held(key)
		values(func(f int, value string) { c.seen[f][maphash.String(l.seed, value)] = struct{}{} })
	}
	for f := range e.Fields {
		value := e.Fields[f]
		if value == "" {
			continue
		}
		hash := maphash.String(l.seed, value)
		if _, ok := c.seen[f][hash]; ok {
			continue
		}
		if len(c.seen[f]) < l.max {
			c.seen[f][hash] = struct{}{}
			continue
		}
		e.Fields[f] = store.Other
		if event.Field(f) == event.Props {
			e.Fields[f] = otherProps
		}
	}
}

// forget drops the cells of days before d.
func (l *limits) forget(d event.Day) {
	for key := range l.cells {
		if key.day < d {
			delete(l.cells, key)
		}
	}
}

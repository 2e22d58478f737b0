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

// apply is the event as it may be appended: itself, or one in which what is over the limit is replaced. h is what
// there is already.
func (l *limits) apply(e *event.Event, h held) *event.Event {
	key := cellKey{e.Website, e.Day}
	c := l.cells[key]
	if c == nil {
		c = &cellLimit{events: h.count(key)}
		l.cells[key] = c
	}
	c.events++
	if c.events <= l.max {
		return e
	}
	if c.seen == nil {
		c.seen = new([event.NumFields]map[uint64]struct{})
		for f := range c.seen {
			c.seen[f] = make(map[uint64]struct{})
		}
		h.eachValue(key, func(f int, value string) {
			if value != "" {
				c.seen[f][maphash.String(l.seed, value)] = struct{}{}
			}
		})
	}
	out := e
	for f := range e.Fields {
		if value := e.Fields[f]; value == "" || l.admits(c.seen[f], value) {
			continue
		}
		if out == e {
			out = new(*e)
		}
		out.Fields[f] = store.Other
		if event.Field(f) == event.Props {
			out.Fields[f] = otherProps
		}
	}
	return out
}

func (l *limits) admits(seen map[uint64]struct{}, value string) bool {
	hash := maphash.String(l.seed, value)
	if _, ok := seen[hash]; ok {
		return true
	}
	if len(seen) >= l.max {
		return false
	}
	seen[hash] = struct{}{}
	return true
}

// forget drops the cells of days before d.
func (l *limits) forget(d event.Day) {
	for key := range l.cells {
		if key.day < d {
			delete(l.cells, key)
		}
	}
}

package storetest

import (
	"fmt"
	"time"

	"footfall/internal/event"
)

// A ground watches that a test stays where the rules say what must happen. They leave open when exactly an engine seals
// a day that is due, and so whether a visitor who has events before and after that is one or two. A test that loads
// such events settles in between, and loads late events of a visitor only once.
type ground struct {
	settled time.Time
	seen    map[person]sighting
}

// A person is a visitor by name: who they are in the counts depends on when their events came.
type person struct {
	website int64
	day     event.Day
	visitor uint64
}

type sighting struct {
	late    bool
	settled time.Time
}

func (g *ground) settle(now time.Time) { g.settled = now }

// enter tells why events should not be loaded at a time.
func (g *ground) enter(events []event.Event, now time.Time) error {
	if g.seen == nil {
		g.seen = map[person]sighting{}
	}
	for i := range events {
		e := &events[i]
		key := person{e.Website, e.Day, e.Visitor}
		is := sighting{Sealed(e.Day, now), g.settled}
		was, met := g.seen[key]
		switch {
		case met && was.late && was.settled != is.settled:
			return fmt.Errorf("visitor %#x of %s is late twice with a settle in between: the rules do not say who they are", e.Visitor, e.Day)
		case met && !was.late && is.late && !Sealed(e.Day, g.settled):
			return fmt.Errorf("visitor %#x of %s is late, but nothing was settled since: write a clock statement", e.Visitor, e.Day)
		}
		g.seen[key] = is
	}
	return nil
}

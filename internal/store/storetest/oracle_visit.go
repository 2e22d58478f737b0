package storetest

import (
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A visitor is one person-device on one day of the website that is asked about.
type visitor struct {
	day  event.Day
	hash uint64
	late bool
	nth  int // of those that store.MaxVisitor makes of one
}

func (e *taken) visitor() visitor { return visitor{day: e.Day, hash: e.Visitor, late: e.late} }

// A visit is what a visitor did with no gap longer than store.VisitGap.
type visit struct {
	visitor visitor
	events  []event.Event // in the order of time
}

// visits cuts events, which are in the order of time, into visits.
func visits(events []taken) []*visit {
	var all []*visit
	current := map[visitor]*visit{}
	seen := map[visitor]map[uint64]bool{}
	counted := map[visitor]int{}
	for i := range events {
		e := &events[i]
		who := e.visitor()
		if e.ID != 0 && seen[who][e.ID] {
			continue
		}
		if seen[who] == nil {
			seen[who] = map[uint64]bool{}
		}
		seen[who][e.ID] = true
		counted[who]++
		who.nth = (counted[who] - 1) / store.MaxVisitor
		v := current[who]
		if v == nil || e.Time-v.last().Time > store.VisitGap.Milliseconds() {
			v = &visit{visitor: who}
			current[who] = v
			all = append(all, v)
		}
		v.events = append(v.events, e.Event)
	}
	return all
}

func (v *visit) first() *event.Event { return &v.events[0] }
func (v *visit) last() *event.Event  { return &v.events[len(v.events)-1] }

func (v *visit) count(kind event.Kind) int {
	n := 0
	for i := range v.events {
		if v.events[i].Kind == kind {
			n++
		}
	}
	return n
}

func (v *visit) landingPage() string {
	for i := range v.events {
		if v.events[i].Kind == event.Pageview {
			return v.events[i].Fields[event.Page]
		}
	}
	return ""
}

func (v *visit) exitPage() string {
	for i := len(v.events) - 1; i >= 0; i-- {
		if v.events[i].Kind == event.Pageview {
			return v.events[i].Fields[event.Page]
		}
	}
	return ""
}

func (v *visit) engaged() time.Duration {
	var ms int64
	for i := range v.events {
		ms += int64(v.events[i].Engaged)
	}
	return time.Duration(ms) * time.Millisecond
}

func (v *visit) duration() time.Duration {
	span := time.Duration(v.last().Time-v.first().Time) * time.Millisecond
	return max(span, v.engaged())
}

func (v *visit) bounced() bool {
	return v.count(event.Pageview) == 1 && v.count(event.Custom) == 0 && v.engaged() < store.BounceTime
}

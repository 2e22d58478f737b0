package storetest

import (
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// schedule makes a script of the world: its events in batches, with everything in between that an engine goes through,
// and questions. What the answers should be is left open.
func (w *world) schedule(questions int) *script {
	c := &script{file: "generated", rule: "A generated case."}
	add := func(s statement) { c.steps = append(c.steps, step{len(c.steps) + 1, s}) }
	for _, s := range w.sites {
		add(zone{s.id, s.name})
	}
	batches := w.batches(w.arrivals())
	late := w.late()
	for i, b := range batches {
		w.today = int(b.until.Sub(w.begin) / day)
		add(load{b.events})
		w.disturb(add, b.until)
		if w.chance(20) {
			add(live{website: pick(w, w.sites).id, window: pick(w, []time.Duration{5 * time.Minute, 30 * time.Minute}), at: latest(b.events)})
		}
		if w.chance(15) && len(late) > 0 && Sealed(late[0][0].Day, b.until) {
			add(clock{b.until})
			add(load{late[0]})
			late = late[1:]
		}
		for due := (i + 1) * questions / 2 / len(batches); asked(c) < due; {
			add(ask{query: w.query(due - asked(c))})
		}
	}
	w.finish(c, questions, add)
	return c
}

// finish lets everything become old, and asks the rest of the questions.
func (w *world) finish(c *script, questions int, add func(statement)) {
	end := w.begin.AddDate(0, 0, w.days)
	for due := questions * 3 / 4; asked(c) < due; {
		add(ask{query: w.query(due - asked(c))})
	}
	add(clock{end.Add(60 * day)})
	if w.chance(50) {
		add(reopen{})
	}
	s := pick(w, w.sites)
	if w.chance(30) {
		add(recount{s.id, event.DayOf(w.begin), event.DayOf(end)})
	}
	if w.chance(30) {
		add(remove{s.id})
	}
	for asked(c) < questions {
		add(ask{query: w.query(questions - asked(c))})
	}
}

func asked(c *script) int {
	n := 0
	for _, s := range c.steps {
		if a, ok := s.statement.(ask); ok {
			n += len(a.query.Questions)
		}
	}
	return n
}

// disturb adds what may happen after a batch. An engine is replayed only when all that is due was done, as it is in a
// service that runs.
func (w *world) disturb(add func(statement), until time.Time) {
	switch w.IntN(10) {
	case 0:
		add(flush{})
	case 1:
		add(reopen{})
	case 2:
		add(clock{until})
		add(replay{})
	case 3, 4, 5:
		add(clock{until})
	case 6:
		add(again{})
	}
}

// A batch is what arrived until some time.
type batch struct {
	events []event.Event
	until  time.Time
}

// batches cuts arrivals so that those of a batch are less than a day apart.
func (w *world) batches(arrivals []arrival) []batch {
	var all []batch
	for len(arrivals) > 0 {
		until := arrivals[0].at.Add(w.duration(day))
		b := batch{until: until}
		for len(arrivals) > 0 && arrivals[0].at.Before(until) {
			b.events = append(b.events, arrivals[0].Event)
			arrivals = arrivals[1:]
		}
		all = append(all, b)
	}
	return all
}

// late are events that come after their day was sealed, once for each cell, in the order of days. Their visitors have
// hashes that others of the day have too.
func (w *world) late() [][]event.Event {
	var all [][]event.Event
	for d := -40; d < w.days; d++ {
		if !w.chance(25) {
			continue
		}
		s := pick(w, w.sites)
		cell := event.DayOf(w.begin) + event.Day(d)
		var events []event.Event
		for range 1 + w.IntN(3) {
			for _, a := range w.session(s, pick(w, w.hashes), cell.UTC().Add(w.duration(day))) {
				if a.Day == cell {
					events = append(events, a.Event)
				}
			}
		}
		if len(events) > 0 {
			all = append(all, events)
		}
	}
	return all
}

// query is a random one with up to most questions.
func (w *world) query(most int) store.Query {
	q := store.Query{Website: pick(w, w.sites).id}
	q.From, q.To = w.period()
	if w.chance(50) {
		q.Filter = w.filter(0)
	}
	for range 1 + w.IntN(min(4, most)) {
		q.Questions = append(q.Questions, w.question())
	}
	return q
}

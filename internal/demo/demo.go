// Package demo makes up believable traffic, so that there is something to look at before a website is connected.
//
// The one thing to know: all of it follows from the website and the day. The same day of the same year has the same
// visits on every machine, however much of it is asked for; only Live, which goes on from now, depends on the clock.
//
//	websites.go  the two websites: their pages, what brings people there, and when
//	people.go    where people come from and what they hold in their hands
//	visit.go     the way of one visit through the pages
package demo

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"footfall/internal/event"
)

// Days is how many days of history there are.
const Days = 365

// seed is what all chance begins with.
const seed = 0x666f6f7466616c6c

// Year yields the visits of the year that ends with the day last, on the website's calendar, each as its events, as far as
// these came before a moment. What it yields is good until the next.
func (w *Website) Year(id int64, last event.Day, before time.Time) iter.Seq[[]event.Event] {
	return func(yield func([]event.Event) bool) {
		for day := range Days {
			for visit := range w.day(id, last, day) {
				visit = slices.DeleteFunc(visit, func(e event.Event) bool { return e.Day > last || e.Time >= before.UnixMilli() })
				if len(visit) > 0 && !yield(visit) {
					return
				}
			}
		}
	}
}

// day yields the visits of one day, counted from 0 in the year that ends with last.
func (w *Website) day(id int64, last event.Day, day int) iter.Seq[[]event.Event] {
	return func(yield func([]event.Event) bool) {
		date := last - Days + 1 + event.Day(day)
		r := rand.New(rand.NewPCG(seed+w.number, uint64(date)))
		t := &traveller{website: w, id: id, day: day, r: r}
		y, m, d := date.UTC().Date()
		for _, second := range w.starts(r, day, date) {
			if !yield(t.visit(time.Date(y, m, d, 0, 0, second, r.IntN(1000)*1e6, w.zone))) {
				return
			}
		}
	}
}

// starts are the seconds of a day at which visits begin, in order.
func (w *Website) starts(r *rand.Rand, day int, date event.Day) []int {
	visits := w.visits * math.Pow(w.growth, float64(day)/Days-1) * w.weekdays[date.UTC().Weekday()] * (0.88 + 0.24*r.Float64())
	for _, s := range w.surges {
		visits *= 1 + s.on(day)
	}
	seconds := make([]int, int(visits))
	for i := range seconds {
		seconds[i] = w.hours.pick(r)*3600 + r.IntN(3600)
	}
	slices.Sort(seconds)
	return seconds
}

// Live yields what goes on on a website from a moment on, without an end: events in the order of their time. A visit
// begins every so often on the average.
func (w *Website) Live(id int64, from time.Time, every time.Duration) iter.Seq[event.Event] {
	return func(yield func(event.Event) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(from.UnixNano())))
		t := &traveller{website: w, id: id, day: Days - 1, r: r}
		var coming []event.Event
		for start := from; ; start = start.Add(time.Duration(r.ExpFloat64() * float64(every))) {
			for len(coming) > 0 && coming[0].Time < start.UnixMilli() {
				if !yield(coming[0]) {
					return
				}
				coming = coming[1:]
			}
			coming = append(coming, t.visit(start)...)
			slices.SortStableFunc(coming, func(a, b event.Event) int { return int(a.Time - b.Time) })
		}
	}
}

// A surge is a time at which more people come than on other days.
type surge struct {
	day     int     // it begins on this day of the year
	times   float64 // how many times as many come in addition
	fading  float64 // days after which about a third of them is left
	sources choices[*source]
}

func (s surge) on(day int) float64 {
	if day < s.day {
		return 0
	}
	return s.times * math.Exp(-float64(day-s.day)/s.fading)
}

// choices are things with their shares.
type choices[T any] []struct {
	share float64
	of    T
}

// pick takes one by chance. Of no choices it takes the zero value.
func (c choices[T]) pick(r *rand.Rand) (none T) {
	if len(c) == 0 {
		return none
	}
	var total float64
	for i := range c {
		total += c[i].share
	}
	at := r.Float64() * total
	for i := range c {
		if at -= c[i].share; at < 0 {
			return c[i].of
		}
	}
	return c[len(c)-1].of
}

package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"footfall/internal/event"
)

// A world is a few websites over some weeks, made at random from a seed: small vocabularies, so that values, visitors
// and IDs meet again, and the times at which rules decide.
type world struct {
	*rand.Rand
	sites  []site
	begin  time.Time
	days   int
	today  int // the day, counted from begin, that has come
	hashes []uint64
	ids    uint64
}

type site struct {
	id    int64
	name  string // of the zone
	zone  *time.Location
	pages []string
}

// An arrival is an event and when it reached the engine.
type arrival struct {
	event.Event
	at time.Time
}

var worldZones = []string{
	"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Kiritimati",
	"Pacific/Pago_Pago", "America/St_Johns", "Asia/Kathmandu", "America/Havana",
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0))}
	w.begin = time.Date(2026, time.Month(1+w.IntN(12)), 1+w.IntN(28), 0, 0, 0, 0, time.UTC)
	w.days = 20 + w.IntN(41)
	for _, id := range []int64{1, 2, 1<<40 + 3}[:2+w.IntN(2)] {
		w.sites = append(w.sites, w.site(id))
	}
	w.hashes = []uint64{0, 1, 1 << 63, 1<<64 - 1}
	for range 12 + w.IntN(40) {
		w.hashes = append(w.hashes, w.Uint64())
	}
	w.ids = uint64(20 + w.IntN(5000))
	return w
}

func (w *world) site(id int64) site {
	s := site{id: id, name: pick(w, worldZones)}
	var err error
	if s.zone, err = time.LoadLocation(s.name); err != nil {
		panic(err)
	}
	s.pages = slices.Clone(pageNames)
	for i := range w.IntN(150) {
		s.pages = append(s.pages, fmt.Sprintf("/blog/%d", i))
	}
	return s
}

func pick[T any](w *world, all []T) T { return all[w.IntN(len(all))] }

func (w *world) chance(percent int) bool { return w.IntN(100) < percent }

// duration is a random one from 1 ms to most.
func (w *world) duration(most time.Duration) time.Duration {
	return time.Millisecond * time.Duration(1+w.Int64N(most.Milliseconds()))
}

// arrivals are the events that come in time, in the order in which they come.
func (w *world) arrivals() []arrival {
	var all []arrival
	for _, s := range w.sites {
		busy := 1 + w.IntN(24)
		for d := range w.days {
			for range w.IntN(busy + 1) {
				start := w.begin.AddDate(0, 0, d).Add(w.duration(day))
				all = append(all, w.session(s, pick(w, w.hashes), start)...)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return a.at.Compare(b.at) })
	return all
}

// session is what one visitor does in a while, with duplicates.
func (w *world) session(s site, visitor uint64, at time.Time) []arrival {
	var all []arrival
	visit := w.visitFields()
	for range w.length() {
		e := event.Event{Website: s.id, Visitor: visitor}
		if w.chance(50) {
			e.ID = 1 + w.Uint64N(w.ids)
		}
		w.fill(&e, s, visit)
		e.At(at, s.zone)
		all = append(all, arrival{e, at.Add(w.delay())})
		if e.ID != 0 && w.chance(12) {
			all = append(all, w.duplicate(e, s, at))
		}
		at = at.Add(w.gap())
	}
	return all
}

// length is of a session, in events: some go on for long.
func (w *world) length() int {
	if w.chance(5) {
		return 1 + w.IntN(60)
	}
	return 1 + w.IntN(7)
}

// duplicate is an event sent again: the same, or at another time and on another page.
func (w *world) duplicate(e event.Event, s site, at time.Time) arrival {
	if w.chance(50) {
		return arrival{e, at.Add(w.delay())}
	}
	if w.chance(50) {
		e.Fields[event.Page] = pick(w, s.pages)
	}
	at = at.Add(w.duration(40*time.Minute) - 20*time.Minute)
	e.At(at, s.zone)
	return arrival{e, at.Add(w.delay())}
}

// gap is the time to the next event: often near the limit of a visit, sometimes none.
func (w *world) gap() time.Duration {
	switch w.IntN(8) {
	case 0:
		return 30 * time.Minute
	case 1:
		return 30*time.Minute + time.Millisecond
	case 2:
		return 30*time.Minute + w.duration(5*time.Hour)
	case 3:
		return time.Duration(w.IntN(2)) * time.Millisecond
	}
	return w.duration(10 * time.Minute)
}

// maxDelay and the length of a batch together are under two days: no event of arrivals is late.
const maxDelay = 20 * time.Hour

func (w *world) delay() time.Duration {
	switch w.IntN(20) {
	case 0:
		return w.duration(maxDelay)
	case 1, 2:
		return w.duration(time.Hour)
	}
	return 0
}

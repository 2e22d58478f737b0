// Package traffic makes up the events of a year on two hundred websites, the same ones for the same seed.
//
// A Stream yields them one by one in the order of their time, as they would arrive: thousands of visitors are under way
// at once, and what is held in memory is those, never the events. It holds to the rules that a comparison with another
// database needs: times within a visitor grow, visits of a visitor are more than 30 minutes apart and end before
// midnight, all websites are in UTC, and what belongs to the visit is the same on all its events.
package traffic

import (
	"math"
	"math/rand/v2"
	"time"

	"footfall/internal/event"
)

// The websites, by their share of the traffic.
const (
	Websites = 200

	Biggest  = int64(firstWebsite)                                  // about 40 % of all events
	Middle   = int64((13*websiteStep+firstWebsite-1)%Websites + 1)  // rank 14, about 0.8 %
	Smallest = int64((199*websiteStep+firstWebsite-1)%Websites + 1) // rank 200, about 0.014 %

	// Ranks are spread over the ids, so that the biggest website is not the first in a file sorted by website.
	firstWebsite = 92
	websiteStep  = 73
)

// What filters of the benchmark ask for.
const (
	Country = "Germany" // about 10 % of visitors
	Browser = "Firefox" // about 8 % of visitors
)

// Options say what a Stream yields.
type Options struct {
	Seed   uint64
	Events int       // exactly that many
	From   event.Day // the first day
	Days   int       // how many days they are spread over; 0 is 365
}

// DefaultFrom is the first day of the year that the benchmark loads.
var DefaultFrom = event.NewDay(2025, time.January, 1)

// A Stream yields events. It is for one goroutine.
type Stream struct {
	world  *world
	rng    *rand.PCG
	days   []int // events of each day
	day    int   // index into days of the day that is under way
	from   event.Day
	start  int64 // Unix milliseconds at which that day began
	under  queue // visitors under way
	coming visitor
	spawn  int64 // when coming comes; noMore if that day has no further visitors

	planned  int    // events of the day that visitors already have been given
	visitors uint64 // so far, for their ids
	events   uint64 // so far, for their ids
}

const (
	dayLength = 24 * 3600 * 1000
	lastStart = dayLength - 30_000 // nobody comes in the last half minute, so that a visit can end before midnight
	noMore    = math.MaxInt64
)

// New is a Stream at its beginning.
func New(o Options) *Stream {
	if o.Days == 0 {
		o.Days = 365
	}
	s := &Stream{
		world: newWorld(),
		rng:   rand.NewPCG(o.Seed, 0x666f6f7466616c6c),
		days:  spread(o.Events, o.From, o.Days),
		from:  o.From,
		day:   -1,
		spawn: noMore,
	}
	s.visitors = o.Seed << 40
	s.events = o.Seed << 40
	return s
}

// spread gives each day its events: fewer at weekends, and half as many again at the end as at the beginning.
func spread(events int, from event.Day, days int) []int {
	weights := make([]float64, days)
	var sum float64
	for i := range weights {
		weights[i] = 1 + 0.5*float64(i)/float64(days)
		if wd := (from + event.Day(i)).UTC().Weekday(); wd == time.Saturday || wd == time.Sunday {
			weights[i] *= 0.7
		}
		sum += weights[i]
	}
	counts := make([]int, days)
	var done, until float64
	for i, w := range weights {
		until += w
		upTo := math.Round(float64(events) * until / sum)
		counts[i] = int(upTo - done)
		done = upTo
	}
	return counts
}

// Next fills in the next event. It returns false when there are no more.
func (s *Stream) Next(e *event.Event) bool {
	for s.spawn == noMore && s.under.len() == 0 {
		if s.day+1 >= len(s.days) {
			return false
		}
		s.beginDay()
	}
	for s.spawn <= s.under.soonest() {
		s.under.add(s.spawn, s.coming)
		s.plan()
	}
	now, v := s.under.first()
	s.emit(e, now, v)
	if next := s.advance(now, v); next == noMore {
		s.under.remove()
	} else {
		s.under.postpone(next)
	}
	return true
}

func (s *Stream) beginDay() {
	s.day++
	s.start = (s.from + event.Day(s.day)).UTC().UnixMilli()
	s.planned = 0
	s.plan()
}

// plan decides about the visitor that comes next. Its moment follows from how much of the day's events earlier visitors
// took, so that a day gets exactly its events in the daily rhythm.
func (s *Stream) plan() {
	quota := s.days[s.day]
	if s.planned >= quota {
		s.spawn = noMore
		return
	}
	v := visitor{rank: uint16(s.world.websites.pick(s.rng.Uint64())), left: s.visitLength()}
	if s.chance(0.25) {
		v.later = s.visitLength()
	}
	room := quota - s.planned
	v.left = uint16(min(int(v.left), room))
	v.later = uint16(min(int(v.later), room-int(v.left)))
	took := int(v.left) + int(v.later)
	at := (float64(s.planned) + float64(took)*s.float()) / float64(quota)
	s.spawn = s.start + int64(s.world.moment(at)*lastStart)
	s.planned += took

	s.visitors++
	v.id = mix(s.visitors)
	s.world.person(&v, s.rng.Uint64(), s.rng.Uint64())
	s.world.arrive(&v, s.rng.Uint64())
	s.coming = v
}

// visitLength is a number of events: two visits in five have one, and about 3 in a visit are pageviews on average.
func (s *Stream) visitLength() uint16 {
	if s.chance(0.40) {
		return 1
	}
	const mean = 3.45 // of what comes on top of the two
	return uint16(min(2+s.exponential(mean), 60))
}

// advance moves a visitor on to their next event, or tells that there is none. Times always grow, and what is left to
// do fits before midnight.
func (s *Stream) advance(now int64, v *visitor) int64 {
	midnight := s.start + dayLength
	v.left--
	v.first = false
	if v.left == 0 && v.later > 0 {
		v.left, v.later = v.later, 0
		pause := int64(31*60_000 + s.exponential(2*3600_000))
		if now+pause < s.start+lastStart {
			s.world.arrive(v, s.rng.Uint64())
			return now + pause
		}
	}
	if v.left == 0 {
		return noMore
	}
	room := (midnight - now) / int64(v.left+1)
	return now + min(1+int64(s.exponential(50_000)), 25*60_000, room)
}

func (s *Stream) emit(e *event.Event, now int64, v *visitor) {
	w := s.world
	s.events++
	*e = event.Event{
		ID:      mix(^s.events),
		Website: websiteAt(int(v.rank)),
		Visitor: v.id,
		Day:     s.from + event.Day(s.day),
		Time:    now,
		Kind:    event.Pageview,
	}
	switch kind := s.float(); {
	case v.first || kind >= customShare+engagementShare:
		v.page = w.page(v.first, s.rng.Uint64())
	case kind < customShare:
		w.custom(e, s.rng.Uint64())
	default:
		e.Kind = event.Engagement
		e.Engaged = int32(min(500+s.exponential(20_000), 600_000))
		e.Scroll = uint8(s.rng.Uint64() % 101)
	}
	w.fill(e, v)
}

// Of the events of a visit after the first. Since that is always a pageview, 10 % of all events are engagements and
// 3.5 % are custom events.
const (
	customShare     = 0.05
	engagementShare = 0.14
)

func (s *Stream) float() float64 { return float64(s.rng.Uint64()>>11) / (1 << 53) }

func (s *Stream) chance(p float64) bool { return s.float() < p }

// exponential is a whole number with the given mean, most often a small one.
func (s *Stream) exponential(mean float64) int {
	return int(-mean * math.Log(1-s.float()))
}

func websiteAt(rank int) int64 { return int64((rank*websiteStep+firstWebsite-1)%Websites + 1) }

// mix turns a counter into a number that looks random; different counters never give the same number (SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package report

import (
	"time"

	"footfall/internal/event"
	"footfall/internal/stats"
)

// A Span is how long the time is that a report tells about.
type Span string

// The spans.
const (
	Week  Span = "week"  // Monday to Sunday
	Month Span = "month" // the first to the last
)

// Spans are all of them.
var Spans = []Span{Week, Month}

// dueHour is when a report is sent, on the website's clock: before people begin to work, and late enough for events of the
// night that came late.
const dueHour = 6

// first is the first day of the span that a day is in. It is also the day on which the report on the one before is due.
func (s Span) first(d event.Day) event.Day {
	if s == Month {
		return d.Month()
	}
	return d.Monday()
}

// before is the period that ended with the day before the first of another.
func (s Span) before(first event.Day) stats.Period {
	return stats.Period{From: s.first(first - 1), To: first}
}

// last is the last whole period before a moment, on the clock of a zone.
func (s Span) last(now time.Time, zone *time.Location) stats.Period {
	return s.before(s.first(event.DayOf(now.In(zone))))
}

// due is the last moment up to now at which a report was due, and the period that it is about.
func (s Span) due(now time.Time, zone *time.Location) (time.Time, stats.Period) {
	first := s.first(event.DayOf(now.In(zone)))
	at := morning(first, zone)
	if at.After(now) {
		first = s.first(first - 1)
		at = morning(first, zone)
	}
	return at, s.before(first)
}

// morning is the hour at which reports are due on a day. Where the clock skips it, it is the hour after.
func morning(d event.Day, zone *time.Location) time.Time {
	y, m, day := d.UTC().Date()
	return time.Date(y, m, day, dueHour, 0, 0, 0, zone)
}

package alert

import (
	"time"

	"footfall/internal/event"
)

// An hour is one on a website's clock. Where the clock is set back it has both hours of that name.
type hour struct {
	day event.Day
	of  int // 0 to 23
}

func hourAt(t time.Time, zone *time.Location) hour {
	t = t.In(zone)
	return hour{event.DayOf(t), t.Hour()}
}

// before tells whether an hour comes earlier than another.
func (h hour) before(other hour) bool {
	return h.day < other.day || h.day == other.day && h.of < other.of
}

// quarter is how fine the offsets of time zones are.
const quarter = 15 * time.Minute

// span is the time in which a website's clock shows the hour that a moment is in.
func span(t time.Time, zone *time.Location) (from, to time.Time) {
	h := hourAt(t, zone)
	from = t.Truncate(quarter)
	for hourAt(from.Add(-quarter), zone) == h {
		from = from.Add(-quarter)
	}
	to = t.Truncate(quarter).Add(quarter)
	for hourAt(to, zone) == h {
		to = to.Add(quarter)
	}
	return from, to
}

// weeksBefore is the moment weeks ago at which the clock showed the same. If it never did, ok is false.
func weeksBefore(t time.Time, weeks int, zone *time.Location) (before time.Time, ok bool) {
	t = t.In(zone)
	before = time.Date(t.Year(), t.Month(), t.Day()-7*weeks, t.Hour(), t.Minute(), 0, 0, zone)
	return before, before.Hour() == t.Hour() && before.Minute() == t.Minute()
}

// hoursUpTo are the hours that the clock showed in a number of hours before a moment, the last first. An hour that it showed
// twice is there once.
func hoursUpTo(end time.Time, n int, zone *time.Location) []hour {
	var all []hour
	for i := range n {
		h := hourAt(end.Add(-time.Duration(i)*time.Hour-quarter), zone)
		if len(all) == 0 || all[len(all)-1] != h {
			all = append(all, h)
		}
	}
	return all
}

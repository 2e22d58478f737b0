package stats

import (
	"slices"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A period of hours is the hour of a time and those of the 23 hours before it that really passed, whatever was done to the
// website's clock. An hour that the clock skipped is not among them. One that it showed twice is one row, so a period with it
// has 23 of them; one that begins with it has all of it.

const (
	hoursBack = 23 * time.Hour
	quarter   = 15 * time.Minute // no zone sets its clock by less
)

// lastHours is the hour of a time and those of the 23 hours before it.
func lastHours(t time.Time) Period {
	first := t.Add(-hoursBack)
	p := Period{From: event.DayOf(first), To: event.DayOf(t) + 1}
	for at := first; !at.After(t); at = at.Add(quarter) {
		if hour := at.Format(hourFormat); !slices.Contains(p.hours, hour) {
			p.hours = append(p.hours, hour)
		}
	}
	return p
}

// hoursBefore is as long a period, which ends where lastHours begins.
func hoursBefore(t time.Time) Period {
	last := t.Add(-hoursBack)
	for first := last.Format(hourFormat); last.Format(hourFormat) == first; {
		last = last.Add(-quarter)
	}
	return lastHours(last)
}

// yearBefore is the same time of the same day a year before.
func yearBefore(t time.Time) time.Time {
	d := years(event.DayOf(t), -1).UTC()
	return time.Date(d.Year(), d.Month(), d.Day(), t.Hour(), t.Minute(), 0, 0, t.Location())
}

// filter keeps of what a filter keeps that which lies in the period's hours.
func (p Period) filter(f store.Filter) store.Filter {
	if p.hours == nil {
		return f
	}
	only := store.Filter{Op: store.Is, Dimension: named("hour"), Values: p.hours}
	switch f.Op {
	case store.Everything:
		return only
	case store.AllOf: // side by side, so that a store can look at visits first
		return store.Filter{Op: store.AllOf, Filters: slices.Concat([]store.Filter{only}, f.Filters)}
	}
	return store.Filter{Op: store.AllOf, Filters: []store.Filter{only, f}}
}

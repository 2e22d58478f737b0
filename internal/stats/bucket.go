package stats

import (
	"fmt"
	"slices"
	"time"

	"footfall/internal/store"
)

// A bucket is a value of a dimension of time.

const hourFormat = "2006-01-02T15:00"

// countBuckets is how many buckets a period has.
func (p Period) countBuckets(d Dimension) int {
	days := int(p.To - p.From)
	switch d.Source {
	case store.FromHourOfDay:
		return 24
	case store.FromDay:
		return days
	case store.FromHour:
		if p.hours == nil {
			return 24 * days
		}
	}
	return len(p.buckets(d))
}

// buckets are those of a period, in the order of time, and the 24 hours of each whole day whatever the clock did.
func (p Period) buckets(d Dimension) []string {
	var all []string
	switch d.Source {
	case store.FromHourOfDay:
		for h := range 24 {
			all = append(all, fmt.Sprintf("%02d", h))
		}
	case store.FromHour:
		if p.hours != nil {
			return p.hours
		}
		for day := p.From; day < p.To; day++ {
			for h := range 24 {
				all = append(all, day.UTC().Add(time.Duration(h)*time.Hour).Format(hourFormat))
			}
		}
	case store.FromDay:
		for day := p.From; day < p.To; day++ {
			all = append(all, day.String())
		}
	case store.FromWeek:
		for day := p.From.Monday(); day < p.To; day += 7 {
			all = append(all, day.String())
		}
	case store.FromMonth:
		for day := p.From.Month(); day < p.To; day = day.NextMonth() {
			all = append(all, day.UTC().Format("2006-01"))
		}
	}
	return all
}

// filled are the rows of an answer by time, in which buckets without events have a row too: of zeros, or without numbers if
// they have not begun. Left out are the hours that the website's clock skipped. The rows come in the order of time.
func (a *Asked) filled(q *question, rows []store.Row) []store.Row {
	happened := index(rows)
	now := a.scope.now().Format(hourFormat)
	buckets := a.period.buckets(q.dimension)
	all := make([]store.Row, 0, len(buckets))
	for _, b := range buckets {
		row, ok := happened[b]
		switch {
		case ok:
		case q.dimension.Source == store.FromHour && a.skipped(b):
			continue
		case q.dimension.Source != store.FromHourOfDay && b > now:
			row = store.Row{Value: b}
		default:
			row = store.Row{Value: b, Metrics: make([]float64, len(q.metrics))}
		}
		all = append(all, row)
	}
	if q.order.Reverse {
		slices.Reverse(all)
	}
	return all
}

// skipped tells whether an hour does not exist because the website's clock was set forward over all of it.
func (a *Asked) skipped(hour string) bool {
	if a.scope.Zone == nil {
		return false
	}
	t, err := time.Parse(hourFormat, hour)
	if err != nil {
		return false
	}
	exists := func(minute int) bool {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), minute, 0, 0, a.scope.Zone).Hour() == t.Hour()
	}
	return !exists(0) && !exists(30)
}

// counterparts lead from the buckets of a period to those of another at the same position: its first day to the other's
// first day. Hours of the day are their own counterparts.
func counterparts(d Dimension, of, in Period) map[string]string {
	there := in.buckets(d)
	to := make(map[string]string, len(there))
	for i, b := range of.buckets(d) {
		if i < len(there) {
			to[b] = there[i]
		}
	}
	return to
}

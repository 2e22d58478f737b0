package alert

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footfall/internal/event"
	"footfall/internal/stats"
	"footfall/internal/store"
)

// A history is what happened on a website, as far as it was asked for.
type history struct {
	from    stats.Querier
	website int64
	zone    *time.Location
	now     time.Time
	days    map[event.Day]*[24]count
}

// A count is that of an hour.
type count struct {
	visitors float64
	hits     float64 // pageviews and custom events
}

// errPartial is that of history that cannot be read whole, and so says nothing on what is usual.
var errPartial = errors.New("some of the history cannot be read")

// read asks for the days from first to last, unless they are known.
func (h *history) read(ctx context.Context, first, last event.Day) error {
	for first <= last && h.days[first] != nil {
		first++
	}
	if first > last {
		return nil
	}
	asked, err := stats.Parse(stats.Scope{Website: h.website, Zone: h.zone, Now: h.now}, stats.Params{
		Period: stats.PeriodParams{From: first.String(), To: last.String()},
		Questions: []stats.QuestionParams{{
			Dimension: "hour", Metrics: []string{store.Visitors.String(), store.Pageviews.String(), store.Events.String()},
		}},
	})
	if err != nil {
		return fmt.Errorf("ask for the hours of website %d: %w", h.website, err)
	}
	answer, err := asked.Run(ctx, h.from)
	if err != nil {
		return fmt.Errorf("ask for the hours of website %d: %w", h.website, err)
	}
	if answer.Partial {
		return errPartial
	}
	for day := first; day <= last; day++ {
		h.days[day] = new([24]count)
	}
	for _, row := range answer.Answers[0].Rows {
		at, err := time.Parse("2006-01-02T15:04", row.Value)
		if err != nil {
			return fmt.Errorf("read an hour of website %d: %w", h.website, err)
		}
		day := h.days[event.DayOf(at)]
		if row.Now == nil || day == nil { // an hour that has not begun
			continue
		}
		number := func(m store.Metric) float64 { return row.Now.Number(m.String()) }
		day[at.Hour()] = count{number(store.Visitors), number(store.Pageviews) + number(store.Events)}
	}
	return nil
}

// at is what happened in an hour of a day that was read.
func (h *history) at(t hour) count { return h.days[t.day][t.of] }

// happened tells whether there was a hit on one of the days from first to last, which were read.
func (h *history) happened(first, last event.Day) bool {
	for day := first; day <= last; day++ {
		for _, c := range h.days[day] {
			if c.hits > 0 {
				return true
			}
		}
	}
	return false
}

// hits counts the hits in some hours, which come the last first.
func (h *history) hits(ctx context.Context, hours []hour) (n float64, err error) {
	if err := h.read(ctx, hours[len(hours)-1].day, hours[0].day); err != nil {
		return 0, err
	}
	for _, t := range hours {
		n += h.at(t).hits
	}
	return n, nil
}

// aWeek is what was counted in a week, and whether anything happened around.
type aWeek struct {
	counted float64
	alive   bool
}

// known are the numbers of the weeks since something happens at all; the weeks come the last first. They are none if too few
// are known.
func known(all []aWeek) []float64 {
	for len(all) > 0 && !all[len(all)-1].alive {
		all = all[:len(all)-1]
	}
	if len(all) < leastWeeks {
		return nil
	}
	counted := make([]float64, len(all))
	for i, w := range all {
		counted[i] = w.counted
	}
	return counted
}

func newHistory(from stats.Querier, website int64, zone *time.Location, now time.Time) *history {
	return &history{from: from, website: website, zone: zone, now: now, days: make(map[event.Day]*[24]count)}
}

package stats

import (
	"context"
	"fmt"

	"footfall/internal/event"
	"footfall/internal/store"
)

// An Overview is a website at a glance: its visitors on the last days, of which the last is today.
type Overview struct {
	Today     int64
	Yesterday int64
	Visitors  int64   // of all the days
	Previous  int64   // of as many days before them
	Series    []int64 // of each day
}

// MaxOverviewDays is how many days an overview has at most.
const MaxOverviewDays = 90

// NewOverview asks a store, once, for the overview of some days, 1 to MaxOverviewDays.
func NewOverview(ctx context.Context, from Querier, s Scope, days int) (Overview, error) {
	if s.Website <= 0 || days < 1 || days > MaxOverviewDays {
		return Overview{}, fmt.Errorf("overview of %d days of website %d", days, s.Website)
	}
	today := s.today()
	first := today + 1 - event.Day(2*days)
	byDay, _ := store.DimensionNamed("day")
	result, err := from.Run(ctx, store.Query{
		Website: s.Website, From: first, To: today + 1,
		Questions: []store.Question{{Dimension: byDay, Metrics: []store.Metric{store.Visitors}, Order: store.Order{ByValue: true}}},
	})
	if err != nil {
		return Overview{}, fmt.Errorf("ask for an overview: %w", err)
	}
	visitors := make([]int64, 2*days)
	for _, r := range result.Answers[0].Rows {
		day, err := event.ParseDay(r.Value)
		if err != nil {
			return Overview{}, fmt.Errorf("read the day of an overview: %w", err)
		}
		visitors[day-first] = int64(r.Metrics[0])
	}
	o := Overview{Today: visitors[2*days-1], Yesterday: visitors[2*days-2], Series: visitors[days:]}
	for i, n := range visitors {
		if i < days {
			o.Previous += n
		} else {
			o.Visitors += n
		}
	}
	return o, nil
}

package stats

import (
	"context"
	"fmt"

	"footfall/internal/event"
	"footfall/internal/store"
)

// All is the name of the period that begins with Scope.First.
const All = "all"

// FirstDay is the first day on which something happened on a website within the longest period, and today if nothing
// has. It asks for the first month, which roll-ups answer, and then for the first day of it.
func FirstDay(ctx context.Context, from Querier, s Scope) (event.Day, error) {
	today := s.today()
	month, found, err := first(ctx, from, s.Website, Period{From: years(today+1, -maxYears), To: today + 1}, "month")
	if err != nil || !found {
		return today, err
	}
	day, found, err := first(ctx, from, s.Website, Period{From: max(month, years(today+1, -maxYears)), To: min(month.NextMonth(), today+1)}, "day")
	if err != nil || !found {
		return today, err
	}
	return day, nil
}

// first is the first day of the first month, or day, of a period on which something happened.
func first(ctx context.Context, from Querier, website int64, p Period, dimension string) (event.Day, bool, error) {
	d, _ := store.DimensionNamed(dimension)
	result, err := from.Run(ctx, store.Query{
		Website: website, From: p.From, To: p.To,
		Questions: []store.Question{{Dimension: d, Metrics: []store.Metric{store.Visitors}, Order: store.Order{ByValue: true}, Limit: 1}},
	})
	if err != nil {
		return 0, false, fmt.Errorf("ask for the first %s: %w", dimension, err)
	}
	if len(result.Answers[0].Rows) == 0 {
		return 0, false, nil
	}
	value := result.Answers[0].Rows[0].Value
	if d.Source == store.FromMonth {
		value += "-01"
	}
	day, err := event.ParseDay(value)
	if err != nil {
		return 0, false, fmt.Errorf("read the first %s: %w", dimension, err)
	}
	return day, true, nil
}

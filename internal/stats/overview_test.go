package stats_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/event"
	"footfall/internal/stats"
)

func TestOverviewCountsByTheDaysOfTheWebsite(t *testing.T) {
	var events []event.Event
	visitors := func(day string, n int) {
		for range n {
			events = append(events, at(day+" 10:00", uint64(len(events)+1), event.Pageview, "/", nil))
		}
	}
	visitors("2026-02-25", 9) // before all
	visitors("2026-02-26", 1) // the first of the three before
	visitors("2026-03-01", 2)
	visitors("2026-03-02", 3)
	visitors("2026-03-04", 4)
	visitors("2026-03-05", 7) // tomorrow, in UTC
	store := load(t, events...)
	tokyo := time.FixedZone("Tokyo", 9*3600)
	for name, c := range map[string]struct {
		zone *time.Location
		days int
		want stats.Overview
	}{
		"three days":        {nil, 3, stats.Overview{Today: 4, Yesterday: 0, Visitors: 7, Previous: 2, Series: []int64{3, 0, 4}}},
		"four days":         {nil, 4, stats.Overview{Today: 4, Yesterday: 0, Visitors: 9, Previous: 10, Series: []int64{2, 3, 0, 4}}},
		"one day":           {nil, 1, stats.Overview{Today: 4, Yesterday: 0, Visitors: 4, Previous: 0, Series: []int64{4}}},
		"where it is later": {tokyo, 2, stats.Overview{Today: 7, Yesterday: 4, Visitors: 11, Previous: 3, Series: []int64{4, 7}}},
	} {
		t.Run(name, func(t *testing.T) {
			store.queries = nil
			got, err := stats.NewOverview(t.Context(), store, stats.Scope{Website: 1, Now: now, Zone: c.zone}, c.days)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if len(store.queries) != 1 {
				t.Errorf("%d questions for one website", len(store.queries))
			}
		})
	}
	if _, err := stats.NewOverview(t.Context(), store, stats.Scope{Now: now}, 30); err == nil {
		t.Error("an overview of no website is answered")
	}
}

func TestFirstDayIsTheFirstWithAnEvent(t *testing.T) {
	other := at("2020-01-01 10:00", 9, event.Pageview, "/", nil)
	other.Website = 2
	for name, c := range map[string]struct {
		days []string
		want string
	}{
		"nothing yet":            {nil, "2026-03-04"},
		"today":                  {[]string{"2026-03-04"}, "2026-03-04"},
		"in the middle":          {[]string{"2024-11-17", "2024-11-30", "2025-01-01"}, "2024-11-17"},
		"longer ago than counts": {[]string{"2010-01-01", "2025-01-01"}, "2025-01-01"},
		"the earliest that does": {[]string{"2016-03-04", "2016-03-05"}, "2016-03-05"},
		"only in the future":     {[]string{"2026-03-09"}, "2026-03-04"},
	} {
		t.Run(name, func(t *testing.T) {
			events := []event.Event{other}
			for i, day := range c.days {
				events = append(events, at(day+" 10:00", uint64(i+1), event.Engagement, "/", nil))
			}
			got, err := stats.FirstDay(t.Context(), load(t, events...), scope)
			if err != nil || got.String() != c.want {
				t.Errorf("it is %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

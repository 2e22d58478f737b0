package traffic_test

import (
	"slices"
	"testing"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/store"
)

func all(o traffic.Options) []event.Event {
	s := traffic.New(o)
	var events []event.Event
	for {
		var e event.Event
		if !s.Next(&e) {
			return events
		}
		events = append(events, e)
	}
}

var year = traffic.Options{Seed: 1, Events: 200_000, From: traffic.DefaultFrom}

func TestSameSeedGivesSameEvents(t *testing.T) {
	a, b := all(year), all(year)
	if !slices.Equal(a, b) {
		t.Error("two streams with one seed differ")
	}
	other := year
	other.Seed = 2
	if slices.Equal(a[:100], all(other)[:100]) {
		t.Error("streams with different seeds are the same")
	}
}

func TestStreamYieldsWhatWasAskedInOrderOfTime(t *testing.T) {
	for name, o := range map[string]traffic.Options{
		"a year": year,
		"a day":  {Seed: 1, Events: 100_000, From: traffic.DefaultFrom, Days: 1},
		"few":    {Seed: 1, Events: 7, From: traffic.DefaultFrom},
	} {
		t.Run(name, func(t *testing.T) {
			events := all(o)
			if len(events) != o.Events {
				t.Errorf("%d events, want %d", len(events), o.Events)
			}
			days := event.Day(max(o.Days, 1))
			if o.Days == 0 {
				days = 365
			}
			for i, e := range events {
				if i > 0 && e.Time < events[i-1].Time {
					t.Fatalf("event %d goes back in time", i)
				}
				if e.Day < o.From || e.Day >= o.From+days || event.Day(e.Time/86400000) != e.Day {
					t.Fatalf("event %d at %d is on %v", i, e.Time, e.Day)
				}
			}
		})
	}
}

func TestVisitsHaveOneSourceAndBeginWithAPageview(t *testing.T) {
	type key struct {
		website int64
		day     event.Day
		visitor uint64
	}
	last := map[key]event.Event{}
	visits, pageviews := 0, 0
	ids := map[uint64]bool{}
	for _, e := range all(year) {
		if e.ID == 0 || ids[e.ID] {
			t.Fatal("an id is zero or comes twice")
		}
		ids[e.ID] = true
		if e.Kind == event.Pageview {
			pageviews++
		}
		k := key{e.Website, e.Day, e.Visitor}
		before, seen := last[k]
		last[k] = e
		if !seen || e.Time-before.Time > store.VisitGap.Milliseconds() {
			visits++
			if e.Kind != event.Pageview {
				t.Fatal("a visit begins without a pageview")
			}
			continue
		}
		if e.Time <= before.Time {
			t.Fatal("times of a visitor do not grow")
		}
		if !slices.Equal(e.Fields[event.NumEventFields:], before.Fields[event.NumEventFields:]) {
			t.Fatal("fields change within a visit")
		}
	}
	if mean := float64(pageviews) / float64(visits); mean < 2.8 || mean > 3.2 {
		t.Errorf("%.2f pageviews a visit", mean)
	}
	t.Logf("%d visitors, %d visits, %d pageviews", len(last), visits, pageviews)
}

func TestSharesAndNumbersOfValues(t *testing.T) {
	o := year
	o.Events = 1_000_000
	websites := map[int64]int{}
	kinds := map[event.Kind]int{}
	pages := map[string]bool{}
	var values [event.NumFields]map[string]int
	for i := range values {
		values[i] = map[string]int{}
	}
	s := traffic.New(o)
	var e event.Event
	for s.Next(&e) {
		websites[e.Website]++
		kinds[e.Kind]++
		for i, v := range e.Fields {
			values[i][v]++
		}
		if e.Website == traffic.Biggest {
			pages[e.Fields[event.Page]] = true
		}
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(o.Events) }
	for _, c := range []struct {
		what     string
		got      float64
		min, max float64
	}{
		{"websites", float64(len(websites)), 200, 200},
		{"% of the biggest website", share(websites[traffic.Biggest]), 38, 42},
		{"% of the middle website", share(websites[traffic.Middle]), 0.6, 1},
		{"% of the smallest website", share(websites[traffic.Smallest]), 0.005, 0.03},
		{"% custom events", share(kinds[event.Custom]), 3, 5},
		{"% engagements", share(kinds[event.Engagement]), 9, 11},
		{"% Country", share(values[event.Country][traffic.Country]), 9, 11},
		{"% Browser", share(values[event.Browser][traffic.Browser]), 7, 9},
		{"% without a campaign", share(values[event.UTMCampaign][""]), 88, 92},
		{"% without a referrer", share(values[event.Referrer][""]), 35, 45},
		{"pages of the biggest website", float64(len(pages)), 4700, 5000},
		{"continents", float64(len(values[event.Continent])), 7, 7},
		{"countries", float64(len(values[event.Country])), 120, 120},
		{"regions", float64(len(values[event.Region])), 400, 400},
		{"cities", float64(len(values[event.City])), 2900, 3000},
		{"referrers", float64(len(values[event.Referrer])), 501, 501},
		{"sources", float64(len(values[event.Source])), 41, 41},
		{"channels", float64(len(values[event.Channel])), 10, 10},
		{"browsers", float64(len(values[event.Browser])), 12, 12},
		{"systems", float64(len(values[event.OS])), 8, 8},
		{"devices", float64(len(values[event.Device])), 4, 4},
		{"resolutions", float64(len(values[event.Resolution])), 40, 40},
		{"languages", float64(len(values[event.Language])), 40, 40},
	} {
		if c.got < c.min || c.got > c.max {
			t.Errorf("%s: %v, want %v to %v", c.what, c.got, c.min, c.max)
		}
	}
}

func TestPathsOfAWebsiteDiffer(t *testing.T) {
	for _, website := range []int64{traffic.Biggest, traffic.Middle, traffic.Smallest} {
		seen := map[string]bool{}
		for rank := range 5000 {
			p := traffic.Path(website, rank)
			if seen[p] {
				t.Errorf("%s comes twice", p)
			}
			if rank > 0 && (len(p) < 10 || len(p) > 60) {
				t.Errorf("%s has %d bytes", p, len(p))
			}
			seen[p] = true
		}
	}
}

func BenchmarkNext(b *testing.B) {
	s := traffic.New(traffic.Options{Seed: 1, Events: b.N, From: traffic.DefaultFrom})
	var e event.Event
	b.ReportAllocs()
	for s.Next(&e) {
	}
}

func BenchmarkNextInOneDay(b *testing.B) {
	s := traffic.New(traffic.Options{Seed: 1, Events: b.N, From: traffic.DefaultFrom, Days: 1})
	var e event.Event
	b.ReportAllocs()
	for s.Next(&e) {
	}
}

package main

import (
	"time"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/store"
)

// A probe is one line of the table: a query about a website, put to Footfall and to DuckDB.
type probe struct {
	name  string
	raw   bool // Footfall answers without roll-ups
	query func(website int64) store.Query

	// What is to be reached for the biggest website of 50 M events.
	goal  time.Duration
	ratio float64 // times faster than DuckDB
}

// What is to be reached for the smallest website, whatever is asked.
const (
	smallestGoal  = 5 * time.Millisecond
	smallestRatio = 1
)

// websites are those that are asked about.
var websites = []struct {
	name string
	id   int64
}{
	{"biggest", traffic.Biggest},
	{"middle", traffic.Middle},
	{"smallest", traffic.Smallest},
}

const top = 10 // rows of a panel

var (
	yearFrom = traffic.DefaultFrom
	yearTo   = yearFrom + 365

	countryIs = store.Filter{Op: store.Is, Dimension: dimension("country"), Values: []string{traffic.Country}}
)

// probes are all that is asked.
var probes = []probe{
	{name: "page", query: single("page"), goal: 5 * time.Millisecond, ratio: 50},
	{name: "country", query: single("country"), goal: 5 * time.Millisecond, ratio: 50},
	{name: "city", query: single("city"), goal: 5 * time.Millisecond, ratio: 50},
	{name: "referrer", query: single("referrer"), goal: 5 * time.Millisecond, ratio: 50},
	{name: "browser", query: single("browser"), goal: 5 * time.Millisecond, ratio: 50},
	{name: "10 panels", query: panels(yearFrom, yearTo, store.Filter{}), goal: 80 * time.Millisecond, ratio: 100},
	{
		name:  "10 panels, Jan 12 to Dec 19",
		query: panels(event.NewDay(2025, time.January, 12), event.NewDay(2025, time.December, 20), store.Filter{}),
		goal:  80 * time.Millisecond, ratio: 100,
	},
	{name: "page, from raw rows", raw: true, query: single("page"), goal: 100 * time.Millisecond, ratio: 20},
	{name: "page where country = X", query: pagesOfCountry, goal: 100 * time.Millisecond, ratio: 1.3},
	{name: "visitors where browser = X and page = Y", query: visitorsOfBrowserAndPage, goal: 90 * time.Millisecond, ratio: 2},
	{
		name:  "10 panels where country = X, 30 days",
		query: panels(event.NewDay(2025, time.November, 10), event.NewDay(2025, time.December, 10), countryIs),
		goal:  40 * time.Millisecond, ratio: 2.5,
	},
	{
		name:  "10 panels where country = X",
		query: panels(yearFrom, yearTo, countryIs),
		goal:  300 * time.Millisecond, ratio: 2.5,
	},
	{name: "visitors by hour, 7 days", query: hours},
}

// dimension is one that exists.
func dimension(name string) store.Dimension {
	d, ok := store.DimensionNamed(name)
	if !ok {
		panic("no dimension " + name)
	}
	return d
}

func single(name string) func(int64) store.Query {
	return func(website int64) store.Query {
		return store.Query{Website: website, From: yearFrom, To: yearTo, Questions: []store.Question{panel(name)}}
	}
}

func panel(name string) store.Question {
	return store.Question{Dimension: dimension(name), Metrics: []store.Metric{store.Visitors, store.Pageviews}, Limit: top}
}

// panels is what a dashboard asks: totals, a graph by day and ten panels, in one call.
func panels(from, to event.Day, filter store.Filter) func(int64) store.Query {
	questions := []store.Question{
		{Metrics: []store.Metric{store.Visitors, store.Visits, store.Pageviews}},
		{Dimension: dimension("day"), Metrics: []store.Metric{store.Visitors, store.Pageviews}, Order: store.Order{ByValue: true}},
		{Dimension: dimension("landing_page"), Metrics: []store.Metric{store.Visits}, Limit: top},
	}
	for _, name := range []string{"channel", "source", "referrer", "page", "country", "city", "browser", "os", "device"} {
		questions = append(questions, panel(name))
	}
	return func(website int64) store.Query {
		return store.Query{Website: website, From: from, To: to, Filter: filter, Questions: questions}
	}
}

func pagesOfCountry(website int64) store.Query {
	q := single("page")(website)
	q.Filter = countryIs
	return q
}

func visitorsOfBrowserAndPage(website int64) store.Query {
	return store.Query{
		Website: website, From: yearFrom, To: yearTo,
		Filter: store.Filter{Op: store.AllOf, Filters: []store.Filter{
			{Op: store.Is, Dimension: dimension("browser"), Values: []string{traffic.Browser}},
			{Op: store.Is, Dimension: dimension("page"), Values: []string{traffic.Path(website, 1)}},
		}},
		Questions: []store.Question{{Metrics: []store.Metric{store.Visitors}}},
	}
}

func hours(website int64) store.Query {
	from := event.NewDay(2025, time.December, 1)
	return store.Query{
		Website: website, From: from, To: from + 7,
		Questions: []store.Question{{
			Dimension: dimension("hour"),
			Metrics:   []store.Metric{store.Visitors, store.Pageviews},
			Order:     store.Order{ByValue: true},
		}},
	}
}

package stats

import "footfall/internal/store"

// A Format is how the number of a metric is written for people.
type Format string

// The formats.
const (
	Count   Format = "count"
	Ratio   Format = "ratio"
	Percent Format = "percent" // 0 to 100
	Seconds Format = "seconds"
	Money   Format = "money" // a sum for each unit, of money or of whatever the website counts
)

// A Metric is a number that can be asked for.
type Metric struct {
	store.Metric
	Format Format
	Help   string
}

// Name is the name of the metric in questions and answers.
func (m Metric) Name() string { return m.String() }

// Metrics are all metrics.
var Metrics = []Metric{
	{store.Visitors, Count, "Visitors, counted per day and summed over the period."},
	{store.Visits, Count, "Visits. A visit ends after 30 minutes without an event, and at midnight."},
	{store.Pageviews, Count, "Pages viewed."},
	{store.Events, Count, "Custom events."},
	{store.ViewsPerVisit, Ratio, "Pageviews by visits."},
	{store.BounceRate, Percent, "Visits with one pageview, no custom event and less than 10 seconds engaged, of all visits."},
	{store.VisitDuration, Seconds, "First to last event of a visit, or engaged time if that is longer; the average of all visits."},
	{store.EngagedTime, Seconds, "Time that the page was in view and in use; the average of all visits."},
	{store.ScrollDepth, Percent, "How far down a page a visit scrolled; the average of visits and pages that sent it."},
	{store.Revenue, Money, "Sum of the values of custom events, for each unit."},
}

// MetricNamed finds a metric by its name.
func MetricNamed(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name() == name {
			return m, true
		}
	}
	return Metric{}, false
}

func metricNames() []string {
	names := make([]string, len(Metrics))
	for i, m := range Metrics {
		names[i] = m.Name()
	}
	return names
}

// stored are the metrics as a store knows them.
func stored(metrics []Metric) []store.Metric {
	all := make([]store.Metric, len(metrics))
	for i, m := range metrics {
		all[i] = m.Metric
	}
	return all
}

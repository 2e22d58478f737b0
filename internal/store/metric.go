package store

import "slices"

// A Metric is a number that a question can ask for.
type Metric uint8

// The metrics. Revenue has no single number: Row.Revenue holds it.
const (
	Visitors      Metric = iota // visitors per day, summed over the period
	Visits                      //
	Pageviews                   //
	Events                      // custom events
	ViewsPerVisit               // pageviews by visits
	BounceRate                  // percent of visits
	VisitDuration               // seconds, average over visits
	EngagedTime                 // seconds, average over visits
	ScrollDepth                 // percent of the page, average
	Revenue                     // sum of Value for each Unit

	NumMetrics = int(Revenue) + 1
)

var metricNames = [NumMetrics]string{
	"visitors", "visits", "pageviews", "events", "views_per_visit", "bounce_rate", "visit_duration", "engaged_time",
	"scroll_depth", "revenue",
}

func (m Metric) String() string { return metricNames[m] }

// MetricNamed finds a metric by its name.
func MetricNamed(name string) (Metric, bool) {
	i := slices.Index(metricNames[:], name)
	return Metric(max(i, 0)), i >= 0
}

// Counts are the sums that all metrics are made of. They add up over days.
type Counts struct {
	Visitors  int64
	Visits    int64
	Pageviews int64
	Events    int64
	Bounces   int64
	Duration  int64 // milliseconds
	Engaged   int64 // milliseconds
	Scroll    int64 // percent, the greatest of each visit and page
	Scrolls   int64 // how many visits and pages Scroll is the sum of
}

// Add adds o to c.
func (c *Counts) Add(o *Counts) {
	c.Visitors += o.Visitors
	c.Visits += o.Visits
	c.Pageviews += o.Pageviews
	c.Events += o.Events
	c.Bounces += o.Bounces
	c.Duration += o.Duration
	c.Engaged += o.Engaged
	c.Scroll += o.Scroll
	c.Scrolls += o.Scrolls
}

// Metric is the value of m; that of Revenue is 0.
func (c *Counts) Metric(m Metric) float64 {
	switch m {
	case Visitors:
		return float64(c.Visitors)
	case Visits:
		return float64(c.Visits)
	case Pageviews:
		return float64(c.Pageviews)
	case Events:
		return float64(c.Events)
	case ViewsPerVisit:
		return ratio(c.Pageviews, c.Visits)
	case BounceRate:
		return ratio(100*c.Bounces, c.Visits)
	case VisitDuration:
		return ratio(c.Duration, 1000*c.Visits)
	case EngagedTime:
		return ratio(c.Engaged, 1000*c.Visits)
	case ScrollDepth:
		return ratio(c.Scroll, c.Scrolls)
	}
	return 0
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

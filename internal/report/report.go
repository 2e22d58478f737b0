// Package report is the email that tells people how their website was doing: every Monday of the week, and on the first of
// the month.
//
// The one thing to know is the way of a report. The Planner puts it into the outbox when it is due on the website's clock,
// once for each account (plan.go). When its turn comes the Clerk (clerk.go) asks the store (build.go) and writes it in the
// account's language (letter.go), and package outbox sends it. So what is in the outbox is small, and names nobody's statistics.
//
//	span.go      which days a report is about, and when it is due
//	story.go     what changed most, and why
//	chart.go     the picture
//	words.go     the texts, in English and German; format.go the numbers
//	link.go      links to the dashboard, and the signed one that ends the reports
package report

import (
	"footfall/internal/event"
	"footfall/internal/stats"
	"footfall/internal/store"
)

// A Report is the numbers of a website, before they are words.
type Report struct {
	Website  int64
	Domain   string
	Span     Span
	Period   stats.Period
	Previous stats.Period // as many whole weeks or months before
	Figures  []Figure     // in the order of figures
	Days     []Day
	Lists    []List
	Story    Story
	Partial  bool // something could not be read and was left out
}

// A Figure is a number with what it was.
type Figure struct {
	Metric  stats.Metric
	Is, Was float64
}

// figures are the metrics that a report begins with.
var figures = []store.Metric{store.Visitors, store.Visits, store.Pageviews, store.BounceRate, store.VisitDuration}

// A Day is the visitors of one day, and those of its counterpart in the period before.
type Day struct {
	Day event.Day
	Is  float64
	Was float64
}

// A List is the values of a dimension that have most of something.
type List struct {
	Dimension string
	Metric    stats.Metric
	Rows      []Row
}

// A Row is one of them.
type Row struct {
	Value   string // as the interface shows it, in English; whatever a browser sent
	Code    string // its standard code, or ""
	Is, Was float64
}

// lists are what a report lists, and by what.
var lists = []struct {
	dimension string
	metric    store.Metric
}{
	{"page", store.Visitors},
	{"source", store.Visitors},
	{"country", store.Visitors},
	{"event", store.Events},
}

// shownRows is how many rows of a list a report has.
const shownRows = 5

// figure is the number of a metric.
func (r *Report) figure(m store.Metric) Figure {
	for _, f := range r.Figures {
		if f.Metric.Metric == m {
			return f
		}
	}
	return Figure{}
}

// Package stats turns a question into a checked query, asks a store, and shapes the answer.
//
// There are two ways to ask. A statistic is one list by name, from the parameters of a URL (ParseStatistic). A query is
// several questions with one period and filter, from JSON (Parse). Either is checked as a whole: the caller learns all
// that is wrong at once. What can be asked for stands in two tables, Metrics and Dimensions, and nowhere else.
//
// The one thing to know: an answer is for people. Where events have no value, a store has "" and an answer has the
// dimension's Label ("Direct / None", "Unknown"); filters, search and order by value look at that text.
package stats

import (
	"context"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A Querier answers queries. Every store.Engine is one.
type Querier interface {
	Run(ctx context.Context, q store.Query) (store.Result, error)
}

// A Scope is what a question is about, as far as the caller has no say in it: a website that he may see, and the clock
// that periods such as "today" are read from.
type Scope struct {
	Website int64          // a question without one is never answered
	Zone    *time.Location // the website's; nil is UTC
	Now     time.Time
	First   event.Day // where the period All begins, but not earlier than the longest period; 0 is as early as that
}

func (s Scope) now() time.Time {
	if s.Zone == nil {
		return s.Now.UTC()
	}
	return s.Now.In(s.Zone)
}

func (s Scope) today() event.Day { return event.DayOf(s.now()) }

// Limits on a question, so that its cost is bounded by the data and not by the asker.
const (
	maxYears        = 10 // of a period
	maxQuestions    = 20
	maxMetrics      = store.NumMetrics
	maxRows         = 1000 // of an answer by values
	maxFileRows     = 10_000
	defaultRows     = 10   // of a page, if nobody says so
	maxBuckets      = 4000 // of an answer by times: ten years of days
	maxPage         = 1_000_000
	maxSearchBytes  = 500
	maxFiltersBytes = 16 << 10 // of the parameter filters
	maxFilterDepth  = 4
	maxFilters      = 50
	maxValues       = 100 // of one filter
	maxValueBytes   = event.MaxText
	maxPropBytes    = 200 // of the name of a property
)

package report

import (
	"cmp"
	"context"
	"math"
	"slices"

	"footfall/internal/stats"
	"footfall/internal/store"
)

// A Story is what changed most, and the rows that contributed most to it.
type Story struct {
	Kind   StoryKind
	Metric store.Metric // Visitors, or Pageviews if it was those that changed
	Is     float64
	Was    float64
	Causes []Cause
}

// A StoryKind is how a story begins.
type StoryKind uint8

// The kinds.
const (
	Nothing StoryKind = iota // nobody came
	First                    // nobody had come before
	TooFew                   // to compare
	Steady                   // no more of a change than chance makes
	Changed
)

// A Cause is a row that changed as the whole did.
type Cause struct {
	Dimension string
	Value     string
	Code      string
	Change    float64
}

const (
	fewVisitors = 20   // in both periods
	steadyShare = 0.03 // of what it was
	causeShare  = 0.2  // of the whole change

	// pageviewShare is larger than the others: the pages of a visit come together, so that chance alone makes more of a
	// difference.
	pageviewShare = 0.15
)

// tell finds out what changed. It asks again only if less came than before: then the causes are among the rows that were
// large.
func (r *Report) tell(ctx context.Context, from stats.Querier, answer stats.Answer) (Story, error) {
	visitors, pageviews := r.figure(store.Visitors), r.figure(store.Pageviews)
	s := Story{Metric: store.Visitors, Is: visitors.Is, Was: visitors.Was}
	switch {
	case visitors.Is == 0:
		s.Kind = Nothing
	case visitors.Was == 0:
		s.Kind = First
	case visitors.Is+visitors.Was < fewVisitors:
		s.Kind = TooFew
	case differs(visitors, steadyShare):
		s.Kind = Changed
	case differs(pageviews, pageviewShare):
		s = Story{Kind: Changed, Metric: store.Pageviews, Is: pageviews.Is, Was: pageviews.Was}
	default:
		s.Kind = Steady
	}
	if s.Kind != Changed {
		return s, nil
	}
	tables, turned := answer.Answers[2:], false
	if s.Is < s.Was {
		was, err := r.ask(ctx, from, r.Previous, r.Period, questions()[2:])
		if err != nil {
			return s, err
		}
		tables, turned = was.Answers, true
	}
	s.Causes = s.causes(tables, turned)
	return s, nil
}

// differs tells whether a number changed by more than a share of what it was, and by more than chance makes of as many
// that come independently of each other: the square root of both together.
func differs(f Figure, share float64) bool {
	change := math.Abs(f.Is - f.Was)
	return change > share*f.Was && change > math.Sqrt(f.Is+f.Was)
}

// isCause tells whether a row changed as the whole did, is a good part of it, and changed by more of itself than the whole: a
// country that most visitors are from is no reason for more of them.
func (s Story) isCause(dimension string, row Row) bool {
	if row.Value == store.Other || dimension == "country" && row.Code == "" {
		return false
	}
	change, whole := row.Is-row.Was, s.Is-s.Was
	return change/whole >= causeShare && change/whole*s.Was > row.Was && differs(Figure{Is: row.Is, Was: row.Was}, 0)
}

// causes are the rows of the tables that tell most of what changed. In tables that are turned, what
// is and what was have changed places.
func (s Story) causes(tables []stats.Table, turned bool) []Cause {
	dimensions := map[string]int{"source": 2, "page": 1, "country": 1} // how many of each
	if s.Metric == store.Pageviews {
		dimensions = map[string]int{"page": 2}
	}
	var all []Cause
	for _, t := range tables {
		var found []Cause
		for _, row := range rows(t, s.Metric) {
			if turned {
				row.Is, row.Was = row.Was, row.Is
			}
			if s.isCause(t.Dimension, row) {
				found = append(found, Cause{Dimension: t.Dimension, Value: row.Value, Code: row.Code, Change: row.Is - row.Was})
			}
		}
		slices.SortStableFunc(found, func(a, b Cause) int { return cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)) })
		all = append(all, found[:min(dimensions[t.Dimension], len(found))]...)
	}
	order := []string{"source", "page", "country"}
	slices.SortStableFunc(all, func(a, b Cause) int {
		return cmp.Compare(slices.Index(order, a.Dimension), slices.Index(order, b.Dimension))
	})
	return all
}

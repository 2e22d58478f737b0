package segments

import (
	"strings"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A plan is a query made ready: what each question needs to count.
type plan struct {
	query     *store.Query
	questions []questionPlan
	filterKey string // the filter as a text

	ofVisits, ofEvents store.Filter // the filter in two parts
}

type questionPlan struct {
	*store.Question
	need needs
}

// needs are the sums that a question is made of, so that the columns behind the others stay unread.
type needs struct {
	visitors, visits, pageviews, events, bounces, duration, engaged, scroll, revenue bool
}

// lean tells whether visitors and pageviews are all that is needed: the questions that are asked most.
func (n *needs) lean() bool { return !n.visits && !n.rest() }

// rest tells whether sums in a restTally are needed.
func (n *needs) rest() bool { return n.events || n.bounces || n.duration || n.engaged || n.scroll }

func newPlan(q *store.Query) *plan {
	p := &plan{query: q, questions: make([]questionPlan, len(q.Questions))}
	var key strings.Builder
	writeKey(&key, &q.Filter)
	p.filterKey = key.String()
	p.ofVisits, p.ofEvents = splitFilter(&q.Filter)
	for i := range q.Questions {
		p.questions[i].Question = &q.Questions[i]
		n := &p.questions[i].need
		for _, m := range q.Questions[i].Metrics {
			n.add(m)
		}
	}
	return p
}

func (n *needs) add(m store.Metric) {
	switch m {
	case store.Visits, store.ViewsPerVisit, store.BounceRate, store.VisitDuration, store.EngagedTime:
		n.visits = true
	}
	switch m {
	case store.Visitors:
		n.visitors = true
	case store.Pageviews, store.ViewsPerVisit:
		n.pageviews = true
	case store.Events:
		n.events = true
	case store.BounceRate:
		n.bounces = true
	case store.VisitDuration:
		n.duration = true
	case store.EngagedTime:
		n.engaged = true
	case store.ScrollDepth:
		n.scroll = true
	case store.Revenue:
		n.revenue = true
	}
}

// fields are the fields of events that a plan looks at. The page is always one of them where scroll depth is asked for.
func (p *plan) fields() fieldSet {
	var need fieldSet
	for _, q := range p.questions {
		need.addDimension(q.Dimension)
		if q.need.scroll {
			need.add(event.Page)
		}
		if q.need.revenue {
			need.add(event.Unit)
		}
	}
	need.addFilter(&p.query.Filter)
	return need
}

func (s *fieldSet) addDimension(d store.Dimension) {
	switch {
	case d.OfField():
		s.add(d.Field)
	case d.Source == store.FromLanding, d.Source == store.FromExit:
		s.add(event.Page)
	}
}

func (s *fieldSet) addFilter(f *store.Filter) {
	s.addDimension(f.Dimension)
	for i := range f.Filters {
		s.addFilter(&f.Filters[i])
	}
}

package stats

import (
	"fmt"
	"slices"
	"strings"

	"footfall/internal/store"
)

// An Asked is a query that has been checked. Only Parse makes one that can be run.
type Asked struct {
	scope     Scope
	period    Period
	compared  *Period // nil is with nothing
	filter    store.Filter
	questions []question
	totals    question // all metrics of the questions, of everything
}

// A question is one that has been checked.
type question struct {
	dimension     Dimension
	metrics       []Metric
	search        string
	order         store.Order
	limit, offset int
	fill          bool
}

// Parse checks a query. Its error is a fault that names all that is wrong.
func Parse(s Scope, p Params) (Asked, error) {
	var c checker
	for _, n := range p.notes {
		c.Add(n.field, "%s", n.text)
	}
	c.website(s)
	a := Asked{scope: s, period: c.period("period", s, p.Period)}
	if p.Compare != nil {
		with := c.comparison("compare", s, a.period, *p.Compare)
		a.compared = &with
	}
	if p.Filter != nil {
		a.filter = c.filter("filters", *p.Filter, 1)
	}
	if len(p.Questions) == 0 || len(p.Questions) > maxQuestions {
		c.Add("questions", "must be a list of 1 to %d questions", maxQuestions)
	} else if p.File && len(p.Questions) > 1 {
		c.Add("questions", "must be one question for a file")
	}
	for i, q := range p.Questions {
		a.questions = append(a.questions, c.question(fmt.Sprintf("questions[%d]", i), &a, &p, q))
	}
	if err := c.Err(); err != nil {
		return Asked{}, err
	}
	for _, q := range a.questions {
		for _, m := range q.metrics {
			if !slices.ContainsFunc(a.totals.metrics, func(t Metric) bool { return t.Metric == m.Metric }) {
				a.totals.metrics = append(a.totals.metrics, m)
			}
		}
	}
	return a, nil
}

func (c *checker) question(field string, a *Asked, all *Params, p QuestionParams) question {
	q := question{search: strings.TrimSpace(p.Search)}
	if p.Dimension != "" {
		q.dimension = c.dimension(field+".dimension", a, p.Dimension)
	}
	q.metrics = c.metrics(field+".metrics", q.dimension, p.Metrics)
	c.text(field+".search", q.search, maxSearchBytes)
	if q.search != "" && p.Dimension == "" {
		c.Add(field+".search", "needs a dimension")
	}
	q.order = c.order(field+".order", q, p.Order)
	q.fill = c.fill(field+".fill", q, p.Fill)
	if p.Limit < 0 || int64(p.Limit) > all.rows() {
		c.Add(field+".limit", "must be a whole number from 1 to %d", all.rows())
	}
	if p.Page < 0 || p.Page > maxPage {
		c.Add(field+".page", "must be a whole number from 1 to %d", maxPage)
	}
	q.limit = p.Limit
	switch {
	case q.limit > 0:
	case q.dimension.OfTime():
		q.limit = maxBuckets
	case all.File:
		q.limit = maxFileRows
	default:
		q.limit = defaultRows
	}
	q.offset = max(p.Page-1, 0) * q.limit
	return q
}

func (c *checker) metrics(field string, of Dimension, names []string) []Metric {
	if len(names) == 0 && of.ofNames() {
		names = []string{store.Events.String()}
	} else if len(names) == 0 {
		names = []string{store.Visitors.String()}
	}
	if len(names) > maxMetrics {
		c.Add(field, "must have at most %d members", maxMetrics)
		return nil
	}
	var all []Metric
	for i, name := range names {
		m, ok := MetricNamed(name)
		switch {
		case !ok:
			c.Add(fmt.Sprintf("%s[%d]", field, i), "must be %s", oneOf(metricNames()))
		case slices.Contains(names[:i], name):
			c.Add(fmt.Sprintf("%s[%d]", field, i), "must not be there twice")
		case of.ofNames() && !addsUp(m):
			c.Add(fmt.Sprintf("%s[%d]", field, i), "must be %s: others do not add up by the names of properties", oneOf(addingUp()))
		}
		all = append(all, m)
	}
	return all
}

func (c *checker) dimension(field string, a *Asked, name string) Dimension {
	d, ok := DimensionNamed(name)
	if !ok {
		c.Add(field, "must be %s", oneOf(dimensionNames(func(Dimension) bool { return true })))
	}
	if !d.OfTime() {
		return d
	}
	if n := a.period.countBuckets(d); n > maxBuckets {
		c.Add(field, "makes %d rows of this period, more than %d: shorten it or choose longer times", n, maxBuckets)
	}
	if a.compared != nil && a.compared.countBuckets(d) > maxBuckets {
		c.Add("compare", "must be shorter for rows by %s", name)
	}
	return d
}

// order is the one that was sent: by value or by a metric of the question.
func (c *checker) order(field string, q question, p OrderParams) store.Order {
	if p.Dir != "" {
		c.choice(field+".dir", p.Dir, "asc", "desc")
	}
	if p.By == "value" || p.By == "" && q.dimension.OfTime() {
		return store.Order{ByValue: true, Reverse: p.Dir == "desc"}
	}
	metric := 0
	if p.By != "" {
		metric = slices.IndexFunc(q.metrics, func(m Metric) bool { return m.Name() == p.By })
	}
	if metric < 0 {
		c.Add(field+".by", "must be value or a metric of the question")
		metric = 0
	}
	return store.Order{Metric: metric, Reverse: p.Dir == "asc"}
}

// fill tells whether times without events get rows. Of rows that were picked by a number or a search, they are none.
func (c *checker) fill(field string, q question, sent *bool) bool {
	can := q.dimension.OfTime() && q.order.ByValue && q.search == ""
	if sent == nil {
		return can
	}
	if *sent && !can {
		c.Add(field, "needs a dimension of time, ordered by value and without search")
	}
	return *sent && can
}

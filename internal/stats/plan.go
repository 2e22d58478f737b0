package stats

import (
	"context"
	"fmt"

	"footfall/internal/store"
)

// A plan is the query that some questions become, and where in its answers theirs lie.
type plan struct {
	query  store.Query
	places []place
}

// A place is where the answer to a question lies.
type place struct {
	question *question
	rows     int
	empty    int // the row of the empty value by itself; -1 if it is among the others
}

func newPlan(website int64, p Period, filter store.Filter) *plan {
	return &plan{query: store.Query{Website: website, From: p.From, To: p.To, Filter: p.filter(filter)}}
}

// add puts a question into the plan.
func (p *plan) add(q *question) {
	asked := store.Question{
		Dimension: q.dimension.Dimension, Metrics: stored(q.metrics), Search: q.search, Order: q.order,
		Limit: q.limit, Offset: q.offset,
	}
	if q.fill || q.dimension.ofNames() {
		asked.Limit, asked.Offset = 0, 0 // pages are cut when all are there
	}
	if q.dimension.ofNames() {
		asked.Search = ""
	}
	at := place{question: q, rows: len(p.query.Questions), empty: -1}
	if q.placesEmpty() {
		at.empty = at.rows + 1
		p.query.Questions = append(p.query.Questions, withoutEmpty(asked), onlyEmpty(asked))
	} else {
		p.query.Questions = append(p.query.Questions, asked)
	}
	p.places = append(p.places, at)
}

// run asks the store. The answers are in the order in which the questions were added.
func (p *plan) run(ctx context.Context, from Querier) (answers []store.Answer, partial bool, err error) {
	result, err := from.Run(ctx, p.query)
	if err != nil {
		return nil, false, fmt.Errorf("ask %d questions: %w", len(p.query.Questions), err)
	}
	for _, at := range p.places {
		a := result.Answers[at.rows]
		switch {
		case at.empty >= 0:
			a = at.question.withEmpty(a, result.Answers[at.empty].Rows)
		case at.question.dimension.ofNames():
			a = at.question.byName(a.Rows)
		}
		answers = append(answers, a)
	}
	return answers, result.Partial, nil
}

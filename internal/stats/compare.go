package stats

import (
	"context"
	"math"

	"footfall/internal/store"
)

// maxPreviousRows is how many rows of the compared period are fetched for each question, in its order. Beyond it, rows
// are asked for by their values.
const maxPreviousRows = 5000

// compare adds the numbers of the compared period to an answer. Rows are found by their value, those of times by their
// position in the period.
func (a *Asked) compare(ctx context.Context, from Querier, answer *Answer) error {
	questions := make([]question, len(a.questions))
	for i, q := range a.questions {
		q.limit, q.offset, q.fill = maxPreviousRows, 0, false
		if q.dimension.ofNames() {
			q.limit = math.MaxInt // all are there, and cannot be asked for by their values
		}
		if q.dimension.OfTime() {
			q.search = "" // the counterpart of a time that it finds is another time
		}
		questions[i] = q
	}
	found, partial, err := a.ask(ctx, from, *a.compared, questions)
	if err != nil {
		return err
	}
	answer.Partial = answer.Partial || partial
	answer.Totals.Previous = numbers(a.totals.metrics, found[len(questions)].Rows[0])
	for i := range questions {
		q, table := &questions[i], &answer.Answers[i]
		previous := index(found[i].Rows)
		if found[i].Total > len(found[i].Rows) {
			if err := a.findByValue(ctx, from, q, table, previous); err != nil {
				return err
			}
		}
		a.addPrevious(q, table, previous)
	}
	return nil
}

// index finds rows by their value.
func index(rows []store.Row) map[string]store.Row {
	byValue := make(map[string]store.Row, len(rows))
	for _, r := range rows {
		byValue[r.Value] = r
	}
	return byValue
}

// findByValue adds to previous the rows of a table that are not in it, as far as they exist.
func (a *Asked) findByValue(ctx context.Context, from Querier, q *question, t *Table, previous map[string]store.Row) error {
	var missing []string
	for _, r := range t.Rows {
		if _, ok := previous[r.stored]; !ok {
			missing = append(missing, r.stored)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	only := store.Filter{Op: store.Is, Dimension: q.dimension.Dimension, Values: missing}
	plan := newPlan(a.scope.Website, *a.compared, store.Filter{Op: store.AllOf, Filters: []store.Filter{a.filter, only}})
	plan.add(q)
	found, _, err := plan.run(ctx, from)
	if err != nil {
		return err
	}
	for _, r := range found[0].Rows {
		previous[r.Value] = r
	}
	return nil
}

// addPrevious gives the rows of a table the numbers that they had. A row that was not there had zeros; a time that the
// compared period does not reach has none.
func (a *Asked) addPrevious(q *question, t *Table, previous map[string]store.Row) {
	var to map[string]string
	if q.dimension.OfTime() {
		to = counterparts(q.dimension, a.period, *a.compared)
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		value := r.stored
		if to != nil {
			var ok bool
			if value, ok = to[value]; !ok {
				continue
			}
		}
		if value != r.stored {
			r.PreviousValue = value
		}
		was, ok := previous[value]
		if !ok {
			was.Metrics = make([]float64, len(q.metrics))
		}
		r.Previous = numbers(q.metrics, was)
	}
}

package stats

import (
	"context"

	"footfall/internal/store"
)

// Run asks a store and shapes the answer. It asks twice if there is a comparison, and once more for each question whose
// rows of before cannot be found otherwise.
func (a *Asked) Run(ctx context.Context, from Querier) (Answer, error) {
	answers, partial, err := a.ask(ctx, from, a.period, a.questions)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Period: a.period, Comparison: a.compared, Partial: partial}
	for i := range a.questions {
		answer.Answers = append(answer.Answers, a.table(&a.questions[i], answers[i]))
	}
	answer.Totals = newRow(&a.totals, answers[len(a.questions)].Rows[0])
	if a.compared != nil {
		return answer, a.compare(ctx, from, &answer)
	}
	return answer, nil
}

// ask asks questions about a period, and for its totals, which are the last of the answers.
func (a *Asked) ask(ctx context.Context, from Querier, p Period, questions []question) ([]store.Answer, bool, error) {
	plan := newPlan(a.scope.Website, p, a.filter)
	for i := range questions {
		plan.add(&questions[i])
	}
	plan.add(&a.totals)
	return plan.run(ctx, from)
}

// table is the answer to one question.
func (a *Asked) table(q *question, found store.Answer) Table {
	t := Table{Dimension: q.dimension.Name, Rows: []Row{}, Total: found.Total}
	for _, m := range q.metrics {
		t.Metrics = append(t.Metrics, m.Name())
	}
	rows := found.Rows
	if q.fill {
		rows = a.filled(q, rows)
		t.Total = len(rows)
		rows = rows[min(q.offset, len(rows)):]
		rows = rows[:min(q.limit, len(rows))]
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, newRow(q, r))
	}
	return t
}

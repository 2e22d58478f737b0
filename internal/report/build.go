package report

import (
	"context"
	"fmt"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/stats"
	"footfall/internal/store"
)

// Last makes the report on the last whole week or month of a website before a moment.
func Last(ctx context.Context, from stats.Querier, w accounts.Website, s Span, now time.Time) (*Report, error) {
	zone, err := time.LoadLocation(w.Timezone)
	if err != nil {
		return nil, fmt.Errorf("load the time zone of website %d: %w", w.ID, err)
	}
	return build(ctx, from, w, s, s.last(now, zone))
}

// build asks the store for a report on a period.
func build(ctx context.Context, from stats.Querier, w accounts.Website, s Span, p stats.Period) (*Report, error) {
	r := &Report{Website: w.ID, Domain: w.Domain, Span: s, Period: p, Previous: s.before(p.From)}
	answer, err := r.ask(ctx, from, r.Period, r.Previous, questions())
	if err != nil {
		return nil, err
	}
	r.Partial = answer.Partial
	for _, m := range figures {
		metric, _ := stats.MetricNamed(m.String())
		r.Figures = append(r.Figures, Figure{metric, answer.Totals.Now.Number(m.String()), answer.Totals.Previous.Number(m.String())})
	}
	for i, row := range answer.Answers[1].Rows {
		r.Days = append(r.Days, Day{Day: p.From + event.Day(i), Is: number(row.Now, store.Visitors), Was: number(row.Previous, store.Visitors)})
	}
	for i, l := range lists {
		metric, _ := stats.MetricNamed(l.metric.String())
		list := List{Dimension: l.dimension, Metric: metric, Rows: rows(answer.Answers[2+i], l.metric)}
		list.Rows = list.Rows[:min(shownRows, len(list.Rows))]
		r.Lists = append(r.Lists, list)
	}
	r.Story, err = r.tell(ctx, from, answer)
	return r, err
}

// storyRows is how many rows of a dimension are looked at for what changed. The one that grew most is nearly always one of
// the largest.
const storyRows = 25

// questions are the figures, the days, and the lists.
func questions() []stats.QuestionParams {
	totals := make([]string, len(figures))
	for i, m := range figures {
		totals[i] = m.String()
	}
	all := []stats.QuestionParams{{Metrics: totals}, {Dimension: "day", Metrics: []string{store.Visitors.String()}}}
	for _, l := range lists {
		q := stats.QuestionParams{Dimension: l.dimension, Metrics: []string{l.metric.String()}, Limit: storyRows}
		if l.dimension == "page" {
			q.Metrics = append(q.Metrics, store.Pageviews.String())
		}
		all = append(all, q)
	}
	return all
}

// ask asks about a period compared with another.
func (r *Report) ask(ctx context.Context, from stats.Querier, p, with stats.Period, questions []stats.QuestionParams) (stats.Answer, error) {
	compare := params(with)
	asked, err := stats.Parse(stats.Scope{Website: r.Website, Now: p.To.UTC()}, stats.Params{Period: params(p), Compare: &compare, Questions: questions})
	if err != nil {
		return stats.Answer{}, fmt.Errorf("ask for the report on website %d: %w", r.Website, err)
	}
	answer, err := asked.Run(ctx, from)
	if err != nil {
		return stats.Answer{}, fmt.Errorf("build the report on website %d: %w", r.Website, err)
	}
	return answer, nil
}

func params(p stats.Period) stats.PeriodParams {
	return stats.PeriodParams{From: p.From.String(), To: (p.To - 1).String()}
}

func rows(t stats.Table, m store.Metric) []Row {
	all := make([]Row, len(t.Rows))
	for i, r := range t.Rows {
		all[i] = Row{Value: r.Value, Code: r.Code, Is: number(r.Now, m), Was: number(r.Previous, m)}
	}
	return all
}

// number is a metric of a row; 0 if the row has none.
func number(n *stats.Numbers, m store.Metric) float64 {
	if n == nil {
		return 0
	}
	return n.Number(m.String())
}

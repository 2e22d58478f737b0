package main

import (
	"fmt"
	"strings"

	"footfall/internal/event"
	"footfall/internal/store"
)

// statement is a question in DuckDB's SQL: a value, the metrics and the number of rows without a limit. It knows what the
// probes ask, and refuses the rest.
func statement(q store.Query, question store.Question) (string, error) {
	where, err := condition(q.Filter)
	if err != nil {
		return "", err
	}
	where = fmt.Sprintf("website = %d AND day >= DATE '%v' AND day < DATE '%v' AND %s", q.Website, q.From, q.To, where)
	if question.Search != "" {
		return "", fmt.Errorf("search is not translated")
	}
	if question.Dimension.Source == store.FromLanding {
		return landings(q, question, where)
	}
	metrics := make([]string, len(question.Metrics))
	for i, m := range question.Metrics {
		if metrics[i], err = metric(m); err != nil {
			return "", err
		}
	}
	columns := strings.Join(metrics, ", ")
	d := question.Dimension
	group, value := "", ""
	switch d.Source {
	case store.FromNothing:
		return fmt.Sprintf("SELECT '', %s, 1 FROM events WHERE %s", columns, where), nil
	case store.FromField:
		group = quoteName(d.Name)
		value = group
		if !d.Empty {
			where += " AND " + group + " <> ''"
		}
	case store.FromDay:
		group, value = "day", "strftime(day, '%Y-%m-%d')"
	case store.FromHour:
		group, value = "date_trunc('hour', time)", "strftime(date_trunc('hour', time), '%Y-%m-%dT%H:00')"
	default:
		return "", fmt.Errorf("dimension %s is not translated", d.Name)
	}
	return fmt.Sprintf("SELECT %s, %s, count(*) OVER () FROM events WHERE %s GROUP BY %s %s",
		value, columns, where, group, order(question)), nil
}

// landings counts visits by the page of their first pageview.
func landings(q store.Query, question store.Question, where string) (string, error) {
	if len(question.Metrics) != 1 || question.Metrics[0] != store.Visits || !ofVisit(q.Filter) {
		return "", fmt.Errorf("landing_page is translated for visits only")
	}
	visits := "SELECT arg_min(page, time) AS landing FROM events WHERE kind = 1 AND " + where + " GROUP BY visit"
	return fmt.Sprintf("SELECT landing, count(*), count(*) OVER () FROM (%s) GROUP BY landing %s", visits, order(question)), nil
}

func metric(m store.Metric) (string, error) {
	switch m {
	case store.Visitors:
		return "count(DISTINCT visitor)", nil
	case store.Visits:
		return "count(DISTINCT visit)", nil
	case store.Pageviews:
		return fmt.Sprintf("count(*) FILTER (kind = %d)", event.Pageview), nil
	}
	return "", fmt.Errorf("metric %v is not translated", m)
}

// order sorts by the column of a metric, then by value.
func order(q store.Question) string {
	by := fmt.Sprintf("ORDER BY %d DESC, 1", q.Order.Metric+2)
	if q.Order.ByValue {
		by = "ORDER BY 1"
	}
	if q.Limit > 0 {
		by += fmt.Sprintf(" LIMIT %d OFFSET %d", q.Limit, q.Offset)
	}
	return by
}

// condition is a filter. All events of a visit carry the fields of their visit, so no filter needs to look at others.
func condition(f store.Filter) (string, error) {
	switch {
	case f.Op == store.Everything:
		return "true", nil
	case f.Op == store.AllOf:
		parts := make([]string, len(f.Filters))
		for i := range f.Filters {
			var err error
			if parts[i], err = condition(f.Filters[i]); err != nil {
				return "", err
			}
		}
		return strings.Join(parts, " AND "), nil
	case f.Op == store.Is && f.Dimension.Source == store.FromField && len(f.Values) == 1:
		return quoteName(f.Dimension.Name) + " = " + quote(f.Values[0]), nil
	}
	return "", fmt.Errorf("filter operation %d on %q is not translated", f.Op, f.Dimension.Name)
}

// ofVisit tells whether a filter keeps or drops whole visits.
func ofVisit(f store.Filter) bool {
	for i := range f.Filters {
		if !ofVisit(f.Filters[i]) {
			return false
		}
	}
	return f.Op == store.Everything || f.Op == store.AllOf || f.Dimension.OfVisit()
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

package stats

import (
	"cmp"
	"slices"
	"strings"

	"footfall/internal/store"
)

// A store searches and sorts what it has stored; people read a label where that is the empty text. So where the two
// differ, the row of the empty value is asked for by itself, in the same pass, and put where its label belongs.

// placesEmpty tells whether the row of the empty value has to be placed by its label. In the order of a metric, without
// a search, a store does it: among rows with the same number the empty one is the first.
func (q *question) placesEmpty() bool {
	if q.dimension.Label == "" {
		return false
	}
	if q.search != "" {
		return strings.Contains(strings.ToLower(q.dimension.Label), strings.ToLower(q.search))
	}
	return q.order.ByValue
}

// withoutEmpty asks for the other rows, and for one more in front of a page: where the row of the empty value falls tells
// by how many the page is off.
func withoutEmpty(q store.Question) store.Question {
	q.Dimension.Empty = false
	if q.Offset > 0 {
		q.Offset--
		q.Limit++
	}
	return q
}

// onlyEmpty asks for the row of the empty value, which is the first of all in the order of values.
func onlyEmpty(q store.Question) store.Question {
	q.Search, q.Offset, q.Limit = "", 0, 1
	q.Order = store.Order{ByValue: true}
	return q
}

// withEmpty is the page that was asked for, of the answers to withoutEmpty and onlyEmpty.
func (q *question) withEmpty(others store.Answer, first []store.Row) store.Answer {
	rows := others.Rows
	before := min(q.offset, 1) // rows in front of the page
	if len(first) == 0 || first[0].Value != "" {
		return store.Answer{Rows: rows[min(before, len(rows)):], Total: others.Total}
	}
	page := store.Answer{Total: others.Total + 1}
	if before > len(rows) {
		return page
	}
	at, _ := slices.BinarySearchFunc(rows, first[0], q.compare)
	if before > 0 && at > 0 {
		rows = rows[1:]
		at--
	} else if before > 0 {
		page.Rows = rows[:min(q.limit, len(rows))]
		return page
	}
	page.Rows = slices.Insert(slices.Clone(rows), at, first[0])
	page.Rows = page.Rows[:min(q.limit, len(page.Rows))]
	return page
}

// compare puts rows in the order of the question, by what people read.
func (q *question) compare(a, b store.Row) int {
	byValue := strings.Compare(q.dimension.text(a.Value), q.dimension.text(b.Value))
	if !q.order.ByValue {
		byMetric := cmp.Compare(q.rank(b), q.rank(a))
		if q.order.Reverse {
			byMetric = -byMetric
		}
		return cmp.Or(byMetric, byValue)
	}
	if q.order.Reverse {
		return -byValue
	}
	return byValue
}

// rank is the number that a row is ordered by; of several amounts, the greatest.
func (q *question) rank(r store.Row) float64 {
	if q.metrics[q.order.Metric].Metric != store.Revenue {
		return r.Metrics[q.order.Metric]
	}
	if len(r.Revenue) == 0 {
		return 0
	}
	return float64(slices.MaxFunc(r.Revenue, func(a, b store.Amount) int { return cmp.Compare(a.Sum, b.Sum) }).Sum)
}

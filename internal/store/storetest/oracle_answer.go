package storetest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Run implements store.Engine.
func (o *Oracle) Run(_ context.Context, q store.Query) (store.Result, error) {
	if err := q.Check(); err != nil {
		return store.Result{}, err
	}
	events, err := o.about(q.Website, func(e *taken) bool { return q.From <= e.Day && e.Day < q.To })
	if err != nil {
		return store.Result{}, err
	}
	all := visits(events)
	var result store.Result
	for _, question := range q.Questions {
		result.Answers = append(result.Answers, answer(all, &q.Filter, question))
	}
	return result, nil
}

// A heap is the events that stand in one row, and by them their visits and visitors.
type heap struct {
	visitors  map[visitor]bool
	visits    map[*visit]bool
	pageviews int64
	events    int64
	engaged   int64
	scroll    map[scrolled]int64
	revenue   map[string]int64
}

// scrolled is a visit on a page.
type scrolled struct {
	visit *visit
	page  string
}

func newHeap() *heap {
	return &heap{map[visitor]bool{}, map[*visit]bool{}, 0, 0, 0, map[scrolled]int64{}, map[string]int64{}}
}

func (h *heap) add(v *visit, e *event.Event) {
	h.visitors[v.visitor] = true
	h.visits[v] = true
	switch e.Kind {
	case event.Pageview:
		h.pageviews++
	case event.Custom:
		h.events++
	}
	h.engaged += int64(e.Engaged)
	if e.Scroll > 0 {
		where := scrolled{v, e.Fields[event.Page]}
		h.scroll[where] = max(h.scroll[where], int64(e.Scroll))
	}
	if e.Value != 0 {
		h.revenue[e.Fields[event.Unit]] += e.Value
	}
}

func (h *heap) counts() store.Counts {
	c := store.Counts{
		Visitors:  int64(len(h.visitors)),
		Visits:    int64(len(h.visits)),
		Pageviews: h.pageviews,
		Events:    h.events,
		Engaged:   h.engaged,
		Scrolls:   int64(len(h.scroll)),
	}
	for v := range h.visits {
		if v.bounced() {
			c.Bounces++
		}
		c.Duration += v.duration().Milliseconds()
	}
	for _, percent := range h.scroll {
		c.Scroll += percent
	}
	return c
}

func (h *heap) row(value string, metrics []store.Metric) store.Row {
	row := store.Row{Value: value}
	counts := h.counts()
	for _, m := range metrics {
		row.Metrics = append(row.Metrics, counts.Metric(m))
	}
	if slices.Contains(metrics, store.Revenue) {
		for _, unit := range slices.Sorted(maps.Keys(h.revenue)) {
			row.Revenue = append(row.Revenue, store.Amount{Unit: unit, Sum: h.revenue[unit]})
		}
	}
	return row
}

func answer(all []*visit, filter *store.Filter, q store.Question) store.Answer {
	heaps := map[string]*heap{}
	grouped := q.Dimension.Source != store.FromNothing
	if !grouped {
		heaps[""] = newHeap()
	}
	for _, v := range all {
		for i := range v.events {
			e := &v.events[i]
			value := value(q.Dimension, v, e)
			if !keeps(filter, v, e) || grouped && value == "" && !q.Dimension.Empty {
				continue
			}
			if heaps[value] == nil {
				heaps[value] = newHeap()
			}
			heaps[value].add(v, e)
		}
	}
	var rows []store.Row
	for value, h := range heaps {
		if contains(value, q.Search) {
			rows = append(rows, h.row(value, q.Metrics))
		}
	}
	slices.SortFunc(rows, func(a, b store.Row) int { return compare(a, b, q) })
	from := min(q.Offset, len(rows))
	to := len(rows)
	if q.Limit > 0 {
		to = from + min(q.Limit, len(rows)-from)
	}
	return store.Answer{Rows: rows[from:to], Total: len(rows)}
}

func contains(value, search string) bool {
	return strings.Contains(strings.ToLower(value), strings.ToLower(search))
}

func compare(a, b store.Row, q store.Question) int {
	byValue := strings.Compare(a.Value, b.Value)
	if q.Order.ByValue {
		if q.Order.Reverse {
			return -byValue
		}
		return byValue
	}
	x, y := rank(a, q), rank(b, q)
	if q.Order.Reverse {
		x, y = y, x
	}
	switch {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return byValue
}

// rank is the number that a row is ordered by. A row without revenue has 0.
func rank(r store.Row, q store.Question) float64 {
	if q.Metrics[q.Order.Metric] != store.Revenue {
		return r.Metrics[q.Order.Metric]
	}
	if len(r.Revenue) == 0 {
		return 0
	}
	greatest := slices.MaxFunc(r.Revenue, func(a, b store.Amount) int { return cmp.Compare(a.Sum, b.Sum) })
	return float64(greatest.Sum)
}

// Realtime implements store.Engine.
func (o *Oracle) Realtime(_ context.Context, website int64, window time.Duration) (store.Live, error) {
	from := o.now().Add(-window).UnixMilli()
	events, err := o.about(website, func(e *taken) bool { return e.Time >= from })
	if err != nil {
		return store.Live{}, err
	}
	there := map[visitor]bool{}
	page, country := map[visitor]string{}, map[visitor]string{}
	for i := range events {
		e := &events[i]
		who := e.visitor()
		there[who] = true
		if text := e.Fields[event.Page]; text != "" {
			page[who] = text
		}
		if text := e.Fields[event.Country]; text != "" {
			country[who] = text
		}
	}
	live := store.Live{Visitors: len(there)}
	for _, c := range countTexts(page) {
		live.Pages = append(live.Pages, store.LivePage{Page: c.text, Visitors: c.visitors})
	}
	for _, c := range countTexts(country) {
		live.Countries = append(live.Countries, store.LiveCountry{Country: c.text, Visitors: c.visitors})
	}
	return live, nil
}

type textCount struct {
	text     string
	visitors int
}

// countTexts are the texts with the number of visitors who have them, most first, then A to Z.
func countTexts(of map[visitor]string) []textCount {
	visitors := map[string]int{}
	for _, text := range of {
		visitors[text]++
	}
	var all []textCount
	for _, text := range slices.Sorted(maps.Keys(visitors)) {
		all = append(all, textCount{text, visitors[text]})
	}
	slices.SortStableFunc(all, func(a, b textCount) int { return b.visitors - a.visitors })
	return all
}

package segments

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"footfall/internal/store"
)

// maxGroups bounds the rows of an answer before its limit. Cells are capped, so only a long period of junk gets here;
// then what comes later is counted as store.Other.
const maxGroups = 200_000

// groups are the rows of an answer in the making.
type groups struct {
	base    map[string]int32 // finds the groups that it began with; not to be changed
	index   map[string]int32 // finds the others
	values  []string
	counts  []store.Counts
	revenue []map[string]int64 // by unit; nil until one is added
	pages   *pages             // rows that were cut out of them; nil unless they are remembered, and so never change
}

// newGroups begins with what base has, which stays as it is; nil is nothing. base must not have a base itself.
func newGroups(base *groups) *groups {
	g := &groups{index: make(map[string]int32)}
	if base != nil {
		g.base = base.index
		g.values = slices.Clip(base.values)
		g.counts = slices.Clone(base.counts)
		for _, byUnit := range base.revenue {
			g.revenue = append(g.revenue, maps.Clone(byUnit))
		}
	}
	return g
}

func (g *groups) find(value string) int32 {
	if i, ok := g.base[value]; ok {
		return i
	}
	if i, ok := g.index[value]; ok {
		return i
	}
	if len(g.values) >= maxGroups && value != store.Other {
		return g.find(store.Other)
	}
	value = strings.Clone(value) // it lies in a page
	i := int32(len(g.values))
	g.index[value] = i
	g.values = append(g.values, value)
	g.counts = append(g.counts, store.Counts{})
	return i
}

func (g *groups) add(value string, c *store.Counts) { g.counts[g.find(value)].Add(c) }

func (g *groups) addRevenue(value, unit string, sum int64) {
	i := int(g.find(value))
	for len(g.revenue) <= i {
		g.revenue = append(g.revenue, nil)
	}
	if g.revenue[i] == nil {
		g.revenue[i] = make(map[string]int64)
	}
	if _, ok := g.revenue[i][unit]; !ok {
		unit = strings.Clone(unit)
	}
	g.revenue[i][unit] += sum
}

// merge adds the groups of another worker.
func (g *groups) merge(o *groups) {
	for i, v := range o.values {
		g.add(v, &o.counts[i])
	}
	for i, byUnit := range o.revenue {
		for unit, sum := range byUnit {
			g.addRevenue(o.values[i], unit, sum)
		}
	}
}

// answer sorts the groups and cuts out the rows that were asked for. It does not change them. The rows are the caller's,
// their metrics are not.
func (g *groups) answer(q *store.Question) store.Answer {
	if g.pages == nil {
		return g.cut(q)
	}
	key := newPageKey(q)
	a, ok := g.pages.get(key)
	if !ok {
		a = g.cut(q)
		g.pages.put(key, a)
	}
	a.Rows = slices.Clone(a.Rows)
	return a
}

func (g *groups) cut(q *store.Question) store.Answer {
	if q.Dimension.Source == store.FromNothing && len(g.values) == 0 && matchesSearch(q.Search, "") {
		g = newGroups(nil)
		g.find("") // there is a row even if nothing happened
	}
	order := make([]int32, len(g.values))
	for i := range order {
		order[i] = int32(i)
	}
	compare := g.comparison(q)
	skip, want := min(q.Offset, len(order)), len(order)
	if q.Limit > 0 {
		want = skip + min(q.Limit, want-skip)
	}
	if want < len(order)/8 { // sorting all of many rows takes longer than finding the few
		order = smallest(order, want, compare)
	} else {
		slices.SortFunc(order, compare)
	}
	a := store.Answer{Total: len(g.values)}
	for _, i := range order[skip:want] {
		a.Rows = append(a.Rows, g.row(q, int(i)))
	}
	return a
}

func (g *groups) row(q *store.Question, i int) store.Row {
	r := store.Row{Value: g.values[i], Metrics: make([]float64, len(q.Metrics))}
	for k, m := range q.Metrics {
		r.Metrics[k] = g.counts[i].Metric(m)
	}
	if slices.Contains(q.Metrics, store.Revenue) && i < len(g.revenue) {
		for unit, sum := range g.revenue[i] {
			r.Revenue = append(r.Revenue, store.Amount{Unit: unit, Sum: sum})
		}
		slices.SortFunc(r.Revenue, func(a, b store.Amount) int { return cmp.Compare(a.Unit, b.Unit) })
	}
	return r
}

// comparison puts rows in the order of the question.
func (g *groups) comparison(q *store.Question) func(a, b int32) int {
	byValue := func(a, b int32) int { return cmp.Compare(g.values[a], g.values[b]) }
	if q.Order.ByValue {
		if q.Order.Reverse {
			return func(a, b int32) int { return byValue(b, a) }
		}
		return byValue
	}
	m := q.Metrics[q.Order.Metric]
	keys := make([]float64, len(g.values))
	for i := range keys {
		if m == store.Revenue {
			keys[i] = g.greatestAmount(i)
		} else {
			keys[i] = g.counts[i].Metric(m)
		}
		if !q.Order.Reverse {
			keys[i] = -keys[i]
		}
	}
	return func(a, b int32) int {
		if keys[a] != keys[b] {
			return cmp.Compare(keys[a], keys[b])
		}
		return byValue(a, b)
	}
}

func (g *groups) greatestAmount(i int) float64 {
	if i >= len(g.revenue) || len(g.revenue[i]) == 0 {
		return 0
	}
	first, greatest := true, int64(0)
	for _, sum := range g.revenue[i] {
		if first || sum > greatest {
			first, greatest = false, sum
		}
	}
	return float64(greatest)
}

// smallest are the first n of list in order.
func smallest(list []int32, n int, compare func(a, b int32) int) []int32 {
	var top []int32
	for _, x := range list {
		if len(top) == n {
			if n == 0 || compare(x, top[n-1]) >= 0 {
				continue
			}
			top = top[:n-1]
		}
		i, _ := slices.BinarySearchFunc(top, x, compare)
		top = slices.Insert(top, i, x)
	}
	return top
}

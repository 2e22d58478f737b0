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

// groups are the rows of an answer in the making. As long as all their values come from one vocabulary they are found by
// number; with the first one that does not, by text.
type groups struct {
	base    map[string]int32 // finds the groups that it began with; not to be changed
	index   map[string]int32 // finds the others; nil as long as they are found by number
	values  []string
	counts  []store.Counts
	revenue []map[string]int64 // by unit; nil until one is added
	known   notes[int32]       // 1 about texts that are not searched for, or their row + 2
	ids     []uint32           // the numbers of values, as long as there is no index
	pages   *pages             // rows that were cut out of them; nil unless they are remembered, and so never change
}

// newGroups begins with what base has, which stays as it is; nil is nothing. base must not have a base itself.
func newGroups(base *groups) *groups {
	g := &groups{}
	if base != nil {
		base.byText() // if it is remembered, it is already
		g.base, g.index = base.index, make(map[string]int32)
		g.values = slices.Clip(base.values)
		g.counts = slices.Clone(base.counts)
		for _, byUnit := range base.revenue {
			g.revenue = append(g.revenue, maps.Clone(byUnit))
		}
	}
	return g
}

// byText lets groups be found by text from now on.
func (g *groups) byText() {
	if g.index != nil {
		return
	}
	g.index = make(map[string]int32, len(g.values))
	for i, v := range g.values {
		g.index[v] = int32(i)
	}
	g.ids = nil
}

func (g *groups) find(value string) int32 {
	g.byText()
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
	g.index[value] = int32(len(g.values))
	return g.append(value)
}

func (g *groups) append(value string) int32 {
	g.values = append(g.values, value)
	g.counts = append(g.counts, store.Counts{})
	return int32(len(g.values) - 1)
}

// rowOf finds the row of a text for a question, or -1 if it has none.
func (g *groups) rowOf(q *questionPlan, t *texts, code int32) int32 {
	if t.of == nil {
		return g.searched(q, t.list[code])
	}
	id := t.ids[code]
	if g.known.of != t.of && len(g.values) > 0 {
		g.byText()
	}
	row := g.known.at(t.of, id)
	switch {
	case *row > 0:
	case g.index == nil && len(g.values) < maxGroups && matchesSearch(q.Search, t.list[id]):
		*row = g.append(t.list[id]) + 2
		g.ids = append(g.ids, id)
	default:
		*row = g.searched(q, t.list[id]) + 2
	}
	return *row - 2
}

func (g *groups) searched(q *questionPlan, value string) int32 {
	if !matchesSearch(q.Search, value) {
		return -1
	}
	return g.find(value)
}

func (g *groups) addRevenue(row int32, unit string, sum int64) {
	i := int(row)
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
	everything := &questionPlan{Question: &store.Question{}} // what is left out is not in o
	texts := textsOf(o.values)
	if o.index == nil && len(o.values) > 0 {
		texts = o.known.of.texts(o.ids)
	}
	for i := range o.values {
		row := g.rowOf(everything, &texts, int32(i))
		g.counts[row].Add(&o.counts[i])
		if i < len(o.revenue) {
			for unit, sum := range o.revenue[i] {
				g.addRevenue(row, unit, sum)
			}
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

package storetest

import (
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// period is a random one: whole months, single days, all of the world, or anything, now and then empty or reversed.
func (w *world) period() (from, to event.Day) {
	first := event.DayOf(w.begin)
	from = first + event.Day(w.IntN(w.today+3)-1)
	switch w.IntN(12) {
	case 0, 1:
		return from.Month(), from.NextMonth()
	case 2, 3:
		return from, from + 1
	case 4, 5:
		return first - 60, first + 120
	case 6, 7:
		return from.Month(), from.NextMonth().NextMonth()
	case 8:
		return from, from - event.Day(w.IntN(3))
	}
	return from, from + event.Day(1+w.IntN(w.days))
}

// dimension is a random one, or one of properties.
func (w *world) dimension() store.Dimension {
	if w.chance(10) {
		d, _ := store.DimensionNamed(store.PropPrefix + pick(w, propNames))
		return d
	}
	return pick(w, store.Dimensions)
}

func (w *world) question() store.Question {
	var q store.Question
	if w.chance(85) {
		q.Dimension = w.dimension()
	}
	for range 1 + w.IntN(4) {
		q.Metrics = append(q.Metrics, store.Metric(w.IntN(store.NumMetrics)))
	}
	q.Order.Metric = w.IntN(len(q.Metrics))
	if w.chance(30) {
		q.Order = store.Order{ByValue: true}
	}
	q.Order.Reverse = w.chance(30)
	if q.Dimension.Source == store.FromNothing {
		return q
	}
	if w.chance(20) {
		q.Search = w.changeCase(w.part(w.value(q.Dimension)))
	}
	if w.chance(40) {
		q.Limit = w.IntN(12)
	}
	if w.chance(15) {
		q.Offset = w.IntN(8)
	}
	return q
}

// value is one that the dimension could have.
func (w *world) value(d store.Dimension) string {
	if d.OfTime() {
		return w.timeValue(d)
	}
	return pick(w, w.values(d.Name))
}

// timeValue is a time of the world, as the dimension writes it.
func (w *world) timeValue(d store.Dimension) string {
	t := w.begin.Add(time.Duration(w.IntN(24*(w.today+1))) * time.Hour)
	return value(d, nil, &event.Event{Time: t.UnixMilli()})
}

// part is a piece of a text, cut between letters.
func (w *world) part(text string) string {
	letters := []rune(text)
	from := w.IntN(len(letters) + 1)
	return string(letters[from : from+w.IntN(len(letters)-from+1)])
}

func (w *world) changeCase(text string) string {
	switch w.IntN(3) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToLower(text)
	}
	return text
}

// filter is a random one, of others or of one dimension.
func (w *world) filter(depth int) store.Filter {
	if depth < 3 && w.chance(40-10*depth) {
		f := store.Filter{Op: pick(w, []store.Op{store.AllOf, store.AnyOf})}
		for range 2 + w.IntN(2) {
			f.Filters = append(f.Filters, w.filter(depth+1))
		}
		return f
	}
	if w.chance(3) {
		return pick(w, []store.Filter{{}, {Op: store.AnyOf}})
	}
	f := store.Filter{Op: store.Is + store.Op(w.IntN(5)), Dimension: w.dimension()}
	for range 1 + w.IntN(3) {
		f.Values = append(f.Values, w.operand(f.Op, w.value(f.Dimension)))
	}
	return f
}

// operand makes of a value what a filter compares with.
func (w *world) operand(op store.Op, value string) string {
	switch op {
	case store.Contains, store.NotContains:
		return w.part(value)
	case store.Matches:
		letters := []rune(value)
		from := w.IntN(len(letters) + 1)
		to := from + w.IntN(len(letters)-from+1)
		return string(letters[:from]) + pick(w, []string{"*", "*", "**", ""}) + string(letters[to:])
	}
	return value
}

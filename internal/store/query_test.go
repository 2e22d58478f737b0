package store_test

import (
	"strings"
	"testing"

	"footfall/internal/store"
)

func dimension(t *testing.T, name string) store.Dimension {
	t.Helper()
	d, ok := store.DimensionNamed(name)
	if !ok {
		t.Fatalf("no dimension is called %q", name)
	}
	return d
}

func TestCheckTellsWhatCannotBeAnswered(t *testing.T) {
	page := dimension(t, "page")
	is := store.Filter{Op: store.Is, Dimension: page, Values: []string{"/"}}
	nest := func(f store.Filter, depth int) store.Filter {
		for range depth {
			f = store.Filter{Op: store.AllOf, Filters: []store.Filter{f}}
		}
		return f
	}
	cases := map[string]struct {
		change func(*store.Query)
		want   string // part of the error; "" for none
	}{
		"a plain query":              {func(*store.Query) {}, ""},
		"no days":                    {func(q *store.Query) { q.From, q.To = 5, 3 }, ""},
		"no question":                {func(q *store.Query) { q.Questions = nil }, "without a question"},
		"no metric":                  {func(q *store.Query) { q.Questions[0].Metrics = nil }, "no metric"},
		"unknown metric":             {func(q *store.Query) { q.Questions[0].Metrics[0] = 99 }, "metric 99"},
		"order beyond the metrics":   {func(q *store.Query) { q.Questions[0].Order.Metric = 1 }, "ordered by metric 1 of 1"},
		"order before the metrics":   {func(q *store.Query) { q.Questions[0].Order.Metric = -1 }, "ordered by metric -1"},
		"negative limit":             {func(q *store.Query) { q.Questions[0].Limit = -1 }, "negative"},
		"negative offset":            {func(q *store.Query) { q.Questions[0].Offset = -1 }, "negative"},
		"a filter":                   {func(q *store.Query) { q.Filter = is }, ""},
		"a filter of none":           {func(q *store.Query) { q.Filter = store.Filter{Op: store.AnyOf} }, ""},
		"a filter without dimension": {func(q *store.Query) { q.Filter = store.Filter{Op: store.Is, Values: []string{"x"}} }, "without a dimension"},
		"a filter on time":           {func(q *store.Query) { q.Filter = is; q.Filter.Dimension = dimension(t, "hour") }, ""},
		"a filter without values":    {func(q *store.Query) { q.Filter = is; q.Filter.Values = nil }, "compares with nothing"},
		"an unknown operation":       {func(q *store.Query) { q.Filter = is; q.Filter.Op = store.Matches + 1 }, "does not exist"},
		"a deep filter":              {func(q *store.Query) { q.Filter = nest(is, 8) }, ""},
		"too deep a filter":          {func(q *store.Query) { q.Filter = nest(is, 9) }, "deeper than 8"},
		"a mistake deep inside":      {func(q *store.Query) { q.Filter = nest(store.Filter{Op: store.Is, Dimension: page}, 3) }, "compares with nothing"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			q := store.Query{Questions: []store.Question{{Dimension: page, Metrics: []store.Metric{store.Visitors}}}}
			c.change(&q)
			err := q.Check()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

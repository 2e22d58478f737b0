package stats

import (
	"fmt"

	"footfall/internal/store"
)

// FilterParams are a filter as it was sent: one of And, Or and a dimension with an operation and values.
type FilterParams struct {
	And, Or   []FilterParams
	Dimension string
	Op        string
	Values    []string

	bare bool // And was sent as a list, without the word
}

var ops = []struct {
	name string
	op   store.Op
}{
	{"is", store.Is},
	{"is_not", store.IsNot},
	{"contains", store.Contains},
	{"not_contains", store.NotContains},
	{"matches", store.Matches},
}

func opNames() []string {
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = o.name
	}
	return names
}

// filter is the one that was sent. depth counts the filters that it stands in, itself among them.
func (c *checker) filter(field string, p FilterParams, depth int) store.Filter {
	if depth > maxFilterDepth {
		c.Add(field, "must not be nested deeper than %d", maxFilterDepth)
		return store.Filter{}
	}
	if c.filters++; c.filters == maxFilters+1 {
		c.Add(field, "is one filter too many: there must be at most %d", maxFilters)
	}
	if c.filters > maxFilters {
		return store.Filter{}
	}
	leaf := p.Dimension != "" || p.Op != "" || p.Values != nil
	switch {
	case p.bare:
		return c.filterList(field, store.AllOf, p.And, depth)
	case p.And != nil && p.Or == nil && !leaf:
		return c.filterList(field+".and", store.AllOf, p.And, depth)
	case p.Or != nil && p.And == nil && !leaf:
		return c.filterList(field+".or", store.AnyOf, p.Or, depth)
	case p.And != nil || p.Or != nil || !leaf:
		c.Add(field, `must be {"dimension": …, "op": …, "values": […]}, {"and": […]} or {"or": […]}`)
		return store.Filter{}
	}
	return c.comparedValue(field, p)
}

func (c *checker) filterList(field string, op store.Op, all []FilterParams, depth int) store.Filter {
	if len(all) == 0 {
		c.Add(field, "must have at least one filter")
	}
	f := store.Filter{Op: op}
	for i, p := range all {
		f.Filters = append(f.Filters, c.filter(fmt.Sprintf("%s[%d]", field, i), p, depth+1))
	}
	return f
}

// comparedValue is a filter on a dimension.
func (c *checker) comparedValue(field string, p FilterParams) store.Filter {
	d, ok := DimensionNamed(p.Dimension)
	if !ok || !d.filters() {
		c.Add(field+".dimension", "must be %s", oneOf(dimensionNames(Dimension.filters)))
	}
	f := store.Filter{Dimension: d.Dimension, Values: p.Values}
	for _, o := range ops {
		if o.name == p.Op {
			f.Op = o.op
		}
	}
	if f.Op == store.Everything {
		c.Add(field+".op", "must be %s", oneOf(opNames()))
	}
	if len(p.Values) == 0 || len(p.Values) > maxValues {
		c.Add(field+".values", "must be a list of 1 to %d texts", maxValues)
		return store.Filter{}
	}
	for i, v := range p.Values {
		at := fmt.Sprintf("%s.values[%d]", field, i)
		c.text(at, v, maxValueBytes)
		if v == "" && (f.Op == store.Contains || f.Op == store.NotContains) {
			c.Add(at, "must not be empty: every value contains that")
		}
	}
	return labelled(d, f)
}

// labelled is a filter that takes the empty value for the text that people read in its place. The empty text in the
// filter's own values means the empty value too.
func labelled(d Dimension, f store.Filter) store.Filter {
	if d.Label == "" {
		return f
	}
	label, empty := f.Keep(d.Label), f.Keep("")
	switch f.Op {
	case store.Is, store.Contains, store.Matches:
		if label && !empty {
			return store.Filter{Op: store.AnyOf, Filters: []store.Filter{f, isEmpty(d, store.Is)}}
		}
	case store.IsNot, store.NotContains:
		if !label && empty {
			return store.Filter{Op: store.AllOf, Filters: []store.Filter{f, isEmpty(d, store.IsNot)}}
		}
	}
	return f
}

func isEmpty(d Dimension, op store.Op) store.Filter {
	return store.Filter{Op: op, Dimension: d.Dimension, Values: []string{""}}
}

package segments

import (
	"slices"

	"footfall/internal/store"
)

// A selection is what a filter leaves of a block.
type selection struct {
	all     bool    // everything
	byEvent bool    // list has events rather than visits: the filter looks at single events
	list    []int32 // what is left; a visit is left with all its events
	visits  []int32 // of the events in list
}

func (s *selection) empty() bool { return !s.all && len(s.list) == 0 }

// selectRows applies the filter of the query to the block: first the part that looks at visits, which is cheaper.
func (s *scan) selectRows() (selection, error) {
	ofVisits, ofEvents := &s.plan.ofVisits, &s.plan.ofEvents
	if ofVisits.Op == store.Everything && ofEvents.Op == store.Everything {
		return selection{all: true}, nil
	}
	var visits []bool
	if ofVisits.Op != store.Everything {
		var err error
		if visits, err = s.keepVisits(ofVisits); err != nil || !slices.Contains(visits, true) {
			return selection{}, err
		}
	}
	if ofEvents.Op == store.Everything {
		return selection{list: s.list(visits)}, nil
	}
	codes, kept, err := s.keptCodes(ofEvents)
	if err != nil || codes == nil {
		return selection{}, err
	}
	return s.collect(visits, codes, kept)
}

// splitFilter splits a filter into one that looks at visits and one that looks at events, which both must be passed.
func splitFilter(f *store.Filter) (visits, events store.Filter) {
	switch {
	case ofVisits(f):
		return *f, store.Filter{}
	case f.Op != store.AllOf:
		return store.Filter{}, *f
	}
	var list [2][]store.Filter
	for _, part := range f.Filters {
		k := 1
		if ofVisits(&part) {
			k = 0
		}
		list[k] = append(list[k], part)
	}
	return allOf(list[0]), allOf(list[1])
}

func allOf(list []store.Filter) store.Filter {
	switch len(list) {
	case 0:
		return store.Filter{}
	case 1:
		return list[0]
	}
	return store.Filter{Op: store.AllOf, Filters: list}
}

// collect selects the events whose codes are kept, of the visits that are; nil are all visits.
func (s *scan) collect(visits []bool, codes []int32, kept []bool) (selection, error) {
	if err := s.loadStarts(); err != nil {
		return selection{}, err
	}
	starts := s.lazy.starts
	list, of := s.memory.int32s(len(codes)+1), s.memory.int32s(len(codes)+1)
	n := 0
	for v, from := range starts[:len(starts)-1] {
		if visits != nil && !visits[v] {
			continue
		}
		for e := from; e < starts[v+1]; e++ {
			list[n], of[n] = e, int32(v)
			if kept[codes[e]] {
				n++
			}
		}
	}
	return selection{byEvent: true, list: list[:n], visits: of[:n]}, nil
}

// ofVisits tells whether a filter decides the same for all events of a visit.
func ofVisits(f *store.Filter) bool {
	switch f.Op {
	case store.Everything:
		return true
	case store.AllOf, store.AnyOf:
		for i := range f.Filters {
			if !ofVisits(&f.Filters[i]) {
				return false
			}
		}
		return true
	}
	return f.Dimension.OfVisit()
}

// keepVisits decides about each visit.
func (s *scan) keepVisits(f *store.Filter) ([]bool, error) {
	switch f.Op {
	case store.Everything, store.AllOf, store.AnyOf:
		return s.combine(f, s.block.visits.rows(), s.keepVisits)
	}
	codes, kept, err := s.matching(f, s.block.visits)
	return s.keepCodes(codes, kept, s.block.visits.rows()), err
}

// keptCodes decides about each event: by a code, which is kept or not. There are no codes if none is kept.
func (s *scan) keptCodes(f *store.Filter) (codes []int32, kept []bool, err error) {
	switch f.Op {
	case store.Everything, store.AllOf, store.AnyOf:
		keep, err := s.keepEvents(f)
		codes = s.memory.int32s(len(keep))
		for e, k := range keep {
			codes[e] = 0
			if k {
				codes[e] = 1
			}
		}
		return codes, []bool{false, true}, err
	}
	return s.matching(f, s.block.events)
}

// keepEvents decides about each event.
func (s *scan) keepEvents(f *store.Filter) ([]bool, error) {
	switch f.Op {
	case store.Everything, store.AllOf, store.AnyOf:
		return s.combine(f, s.block.events.rows(), s.keepEvents)
	}
	if !f.Dimension.OfVisit() {
		codes, kept, err := s.matching(f, s.block.events)
		return s.keepCodes(codes, kept, s.block.events.rows()), err
	}
	visits, err := s.keepVisits(f)
	if err != nil {
		return nil, err
	}
	if err := s.loadVisitOf(); err != nil {
		return nil, err
	}
	return s.keepCodes(s.lazy.visitOf, visits, s.block.events.rows()), nil
}

// combine decides about n rows by what decide says to the parts of a filter.
func (s *scan) combine(f *store.Filter, n int, decide func(*store.Filter) ([]bool, error)) ([]bool, error) {
	keep := s.memory.bools(n)
	for i := range keep {
		keep[i] = f.Op != store.AnyOf
	}
	for i := range f.Filters {
		part, err := decide(&f.Filters[i])
		if err != nil {
			return nil, err
		}
		for k, p := range part {
			if f.Op == store.AllOf {
				keep[k] = keep[k] && p
			} else {
				keep[k] = keep[k] || p
			}
		}
	}
	return keep, nil
}

// matching are the codes of a dimension, and which of them a filter keeps. A text column none of whose entries is kept is
// not even decoded: then there are no codes.
func (s *scan) matching(f *store.Filter, c columns) (codes []int32, kept []bool, err error) {
	if !f.Dimension.OfField() {
		found, err := s.codes(f.Dimension, &selection{all: true})
		return found.codes, s.keepValues(f, found.values), err
	}
	col, _ := fieldColumn(f.Dimension)
	values, err := c.values(col)
	if err != nil {
		return nil, nil, err
	}
	if kept = s.keepValues(f, values); slices.Contains(kept, true) {
		codes, err = c.codes(col)
	}
	return codes, kept, err
}

// keepCodes decides about n rows by their codes; no codes are none that is kept.
func (s *scan) keepCodes(codes []int32, kept []bool, n int) []bool {
	keep := s.memory.bools(n)
	if codes == nil {
		clear(keep)
	}
	for i, c := range codes {
		keep[i] = kept[c]
	}
	return keep
}

// keepValues decides about each entry of a dictionary: once for each text of a vocabulary.
func (s *scan) keepValues(f *store.Filter, values texts) []bool {
	byCode := s.memory.bools(values.len())
	if values.of == nil {
		for i, v := range values.list {
			byCode[i] = f.Keep(f.Dimension.Value(v))
		}
		return byCode
	}
	const left, kept = 1, 2
	known := s.filtered[f]
	if known == nil {
		known = new(notes[uint8])
		s.filtered[f] = known
	}
	for i, id := range values.ids {
		note := known.at(values.of, id)
		if *note == 0 {
			*note = left
			if f.Keep(f.Dimension.Value(values.list[id])) {
				*note = kept
			}
		}
		byCode[i] = *note == kept
	}
	return byCode
}

// list are the indices of what is kept.
func (s *scan) list(keep []bool) []int32 {
	list := s.memory.int32s(len(keep))
	n := 0
	for i, k := range keep {
		list[n] = int32(i)
		if k {
			n++
		}
	}
	return list[:n]
}

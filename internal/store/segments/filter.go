package segments

import "footfall/internal/store"

// A selection is what a filter leaves of a block.
type selection struct {
	all     bool    // everything
	byEvent bool    // list has events rather than visits: the filter looks at single events
	list    []int32 // what is left; a visit is left with all its events
}

func (s *selection) empty() bool { return !s.all && len(s.list) == 0 }

// selectRows applies the filter of the query to the block.
func (s *scan) selectRows(f *store.Filter) (selection, error) {
	if f.Op == store.Everything {
		return selection{all: true}, nil
	}
	if ofVisits(f) {
		keep, err := s.keepVisits(f)
		return selection{list: s.list(keep)}, err
	}
	if f.Op == store.AllOf { // the part that looks at visits is cheaper: ask it first
		var visits, events store.Filter
		visits.Op, events.Op = store.AllOf, store.AllOf
		for _, part := range f.Filters {
			if ofVisits(&part) {
				visits.Filters = append(visits.Filters, part)
			} else {
				events.Filters = append(events.Filters, part)
			}
		}
		keep, err := s.keepVisits(&visits)
		if err != nil || !contains(keep, true) {
			return selection{}, err
		}
		list, err := s.eventsOf(&events)
		if err != nil || len(list) == 0 || len(visits.Filters) == 0 {
			return selection{byEvent: true, list: list}, err
		}
		if err := s.loadVisitOf(); err != nil {
			return selection{}, err
		}
		kept := list[:0]
		for _, e := range list {
			if keep[s.lazy.visitOf[e]] {
				kept = append(kept, e)
			}
		}
		return selection{byEvent: true, list: kept}, nil
	}
	list, err := s.eventsOf(f)
	return selection{byEvent: true, list: list}, err
}

func (s *scan) eventsOf(f *store.Filter) ([]int32, error) {
	keep, err := s.keepEvents(f)
	return s.list(keep), err
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
	keep := s.bools(s.block.visits.rows(), f.Op != store.AnyOf)
	switch f.Op {
	case store.Everything:
		return keep, nil
	case store.AllOf, store.AnyOf:
		return keep, combine(keep, f, s.keepVisits)
	}
	if f.Dimension.Source == store.FromLanding || f.Dimension.Source == store.FromExit {
		edges, err := s.edgeCodes(f.Dimension, &selection{all: true})
		if err != nil {
			return nil, err
		}
		byCode := s.keepValues(f, edges.values)
		for v, code := range edges.codes {
			keep[v] = byCode[code]
		}
		return keep, nil
	}
	col, _ := fieldColumn(f.Dimension)
	return keep, s.keepCodes(keep, f, s.block.visits, col)
}

// keepEvents decides about each event.
func (s *scan) keepEvents(f *store.Filter) ([]bool, error) {
	keep := s.bools(s.block.events.rows(), f.Op != store.AnyOf)
	switch f.Op {
	case store.Everything:
		return keep, nil
	case store.AllOf, store.AnyOf:
		return keep, combine(keep, f, s.keepEvents)
	}
	if !f.Dimension.OfVisit() {
		col, _ := fieldColumn(f.Dimension)
		return keep, s.keepCodes(keep, f, s.block.events, col)
	}
	visits, err := s.keepVisits(f)
	if err != nil {
		return nil, err
	}
	if err := s.loadVisitOf(); err != nil {
		return nil, err
	}
	for e, v := range s.lazy.visitOf {
		keep[e] = visits[v]
	}
	return keep, nil
}

func combine(keep []bool, f *store.Filter, decide func(*store.Filter) ([]bool, error)) error {
	for i := range f.Filters {
		part, err := decide(&f.Filters[i])
		if err != nil {
			return err
		}
		for k, p := range part {
			if f.Op == store.AllOf {
				keep[k] = keep[k] && p
			} else {
				keep[k] = keep[k] || p
			}
		}
	}
	return nil
}

// keepCodes decides about each row of a text column: once for each entry of its dictionary. A column none of whose
// entries is kept is not even decoded. keep comes all true.
func (s *scan) keepCodes(keep []bool, f *store.Filter, c columns, col int) error {
	values, err := c.values(col)
	if err != nil {
		return err
	}
	byCode := s.keepValues(f, values)
	if !contains(byCode, false) {
		return nil
	}
	if !contains(byCode, true) {
		clear(keep)
		return nil
	}
	codes, err := c.codes(col)
	if err != nil {
		return err
	}
	for i, c := range codes {
		keep[i] = byCode[c]
	}
	return nil
}

// keepValues decides about each entry of a dictionary.
func (s *scan) keepValues(f *store.Filter, values []string) []bool {
	byCode := s.memory.bools(len(values))
	for i, v := range values {
		byCode[i] = f.Keep(f.Dimension.Value(v))
	}
	return byCode
}

func contains(list []bool, b bool) bool {
	for _, x := range list {
		if x == b {
			return true
		}
	}
	return false
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

// bools are n times b.
func (s *scan) bools(n int, b bool) []bool {
	list := s.memory.bools(n)
	for i := range list {
		list[i] = b
	}
	return list
}

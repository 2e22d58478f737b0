package segments

import (
	"cmp"
	"slices"

	"footfall/internal/event"
)

// This file has the sums that are not a count of rows: scroll depth and revenue.

// sumScrolls adds the greatest scroll depth of each visit on each page, within each code.
func (s *scan) sumScrolls(codes blockCodes, sel *selection) error {
	if err := s.load(toLoad{true, s.loadScrollDepths}, toLoad{true, s.loadPages}); err != nil {
		return err
	}
	pages := s.lazy.pages
	list, visits, err := s.events(sel)
	if err != nil {
		return err
	}
	var pending []codeScroll
	visit := int32(-1)
	flush := func() {
		for _, d := range deepest(pending) {
			s.rest[d.code].scroll += int64(d.depth)
			s.rest[d.code].scrolls++
		}
		pending = pending[:0]
	}
	for i, v := range visits {
		e := int32(i)
		if list != nil {
			e = list[i]
		}
		depth := s.lazy.scrollDepths[e]
		if depth == 0 {
			continue
		}
		if v != visit {
			flush()
			visit = v
		}
		pending = append(pending, codeScroll{codes.atEvent(e, visit), pages[e], depth})
	}
	flush()
	return nil
}

// sumRevenue adds values by unit to the groups of a question.
func (s *scan) sumRevenue(g *groups, q *questionPlan, codes blockCodes, sel *selection) error {
	values, err := s.block.events.int64s(eventValue)
	if err != nil {
		return err
	}
	unitCodes, err := s.block.events.codes(eventFields + int(event.Unit))
	if err != nil {
		return err
	}
	units, err := s.block.events.values(eventFields + int(event.Unit))
	if err != nil {
		return err
	}
	list, visits, err := s.events(sel)
	if err != nil {
		return err
	}
	for i, v := range visits {
		e := int32(i)
		if list != nil {
			e = list[i]
		}
		if values[e] == 0 {
			continue
		}
		c := codes.atEvent(e, v)
		if c == codes.leftOut {
			continue
		}
		if row := g.rowOf(q, &codes.values, c); row >= 0 {
			g.addRevenue(row, units.at(unitCodes[e]), values[e])
		}
	}
	return nil
}

// A codeScroll is how deep a visit scrolled a page, for one code of a dimension.
type codeScroll struct{ code, page, depth int32 }

// deepest leaves the greatest depth of each code and page.
func deepest(s []codeScroll) []codeScroll {
	if len(s) < 2 {
		return s
	}
	slices.SortFunc(s, func(a, b codeScroll) int {
		return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.page, b.page), cmp.Compare(b.depth, a.depth))
	})
	return slices.CompactFunc(s, func(a, b codeScroll) bool { return a.code == b.code && a.page == b.page })
}

package segments

import "footfall/internal/store"

// A scan asks the questions of a plan of one block after the other. Each worker has one; their groups are added up in
// the end. Memory that it reuses makes it unfit for concurrent use.
type scan struct {
	plan   *plan
	groups []*groups   // for each question
	memory *arena      // good for one block
	tally  []tally     // reused
	seen   []seen      // reused
	views  []int32     // reused
	rest   []restTally // reused
	dense  densifier   // reused

	filtered map[*store.Filter]*notes[uint8] // what filters say of texts

	block *block
	lazy  lazyColumns
}

func newScan(p *plan, memory *arena) *scan {
	s := &scan{plan: p, groups: make([]*groups, len(p.questions)), memory: memory}
	s.filtered = make(map[*store.Filter]*notes[uint8])
	for i := range s.groups {
		s.groups[i] = newGroups(nil)
	}
	return s
}

// run asks all questions that ask keeps of the block.
func (s *scan) run(b *block, ask func(question int) bool) error {
	s.block = b
	s.lazy = lazyColumns{}
	sel, err := s.selectRows()
	if err != nil || sel.empty() {
		return err
	}
	for i := range s.plan.questions {
		if !ask(i) {
			continue
		}
		if err := s.question(i, &sel); err != nil {
			return err
		}
	}
	return nil
}

// question adds what the selection holds to the groups of question i.
func (s *scan) question(i int, sel *selection) error {
	q := &s.plan.questions[i]
	codes, err := s.codes(q.Dimension, sel)
	if err != nil {
		return err
	}
	if codes.codes != nil && codes.values.len() > 4*len(codes.codes) {
		s.dense.apply(&codes, s.memory)
	}
	s.tally = cleared(s.tally, codes.values.len())
	if s.rest = s.rest[:0]; q.need.rest() {
		s.rest = cleared(s.rest, codes.values.len())
	}
	if codes.ofVisit && !sel.byEvent {
		err = s.countVisits(q.need, codes, sel)
	} else if q.need.lean() && !codes.ofVisit {
		err = s.countLean(q.need, codes, sel)
	} else {
		err = s.countEvents(q.need, codes, sel)
	}
	if err == nil && q.need.revenue {
		err = s.sumRevenue(s.groups[i], q, codes, sel)
	}
	if err != nil {
		return err
	}
	g := s.groups[i]
	for code := range s.tally {
		t := &s.tally[code]
		if t.visits == 0 && t.visitors == 0 || int32(code) == codes.leftOut {
			continue
		}
		row := g.rowOf(q, &codes.values, int32(code))
		if row < 0 {
			continue
		}
		counts := &g.counts[row]
		counts.Visitors += int64(t.visitors)
		counts.Visits += int64(t.visits)
		counts.Pageviews += int64(t.pageviews)
		if len(s.rest) > 0 {
			r := &s.rest[code]
			counts.Add(&store.Counts{
				Events: r.events, Bounces: r.bounces, Duration: r.duration, Engaged: r.engaged, Scroll: r.scroll, Scrolls: r.scrolls,
			})
		}
	}
	return nil
}

// cleared is a slice of n zeros, in the memory of s if that is large enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// A tally is the counts of one code in one block that most questions need: small, so that thousands of them stay in the
// fastest cache. The marks hold the last visit and person + 1 that were counted: all rows of a visitor are neighbours, so
// that is enough to count each once.
type tally struct {
	visit, person               int32
	visitors, visits, pageviews int32
}

// A restTally is the other counts.
type restTally struct{ events, bounces, duration, engaged, scroll, scrolls int64 }

// countVisits counts whole visits.
func (s *scan) countVisits(need needs, codes blockCodes, sel *selection) error {
	if err := s.load(
		toLoad{need.visitors, s.loadPersonOf(sel)}, toLoad{need.pageviews, s.loadPageviews}, toLoad{need.events, s.loadCustoms},
		toLoad{need.bounces, s.loadBounced}, toLoad{need.duration, s.loadDuration}, toLoad{need.engaged, s.loadEngaged},
	); err != nil {
		return err
	}
	list, n := sel.list, len(sel.list)
	if sel.all {
		list, n = nil, s.block.visits.rows()
	}
	l, tallies, codeOf := &s.lazy, s.tally, codes.codes
	person, pageviews := l.person, l.pageviews
	more := need.bounces || need.duration || need.engaged || need.events
	for k := range n {
		v := k
		if list != nil {
			v = int(list[k])
		}
		code := int32(0)
		if codeOf != nil {
			code = codeOf[v]
		}
		t := &tallies[code]
		t.visits++
		if need.visitors && t.person != person[v]+1 {
			t.person = person[v] + 1
			t.visitors++
		}
		if need.pageviews {
			t.pageviews += pageviews[v]
		}
		if !more {
			continue
		}
		r := &s.rest[code]
		if need.events {
			r.events += int64(l.customs[v])
		}
		if need.bounces {
			r.bounces += int64(l.bounced[v])
		}
		if need.duration {
			r.duration += l.duration[v]
		}
		if need.engaged {
			r.engaged += l.engaged[v]
		}
	}
	if need.scroll {
		return s.sumScrolls(codes, sel)
	}
	return nil
}

// countLean is countEvents where visitors and pageviews are all that is needed, of a dimension of events. It has no
// branches that depend on the data: whether a visitor saw a page before is a coin toss, and guessing wrong costs more than
// the rest of the loop (13 against 20 ns an event, top pages of a year). Where everything is counted, visits are counted along in
// the bits that begin them: finding the visit of each event before took a tenth of the time.
func (s *scan) countLean(need needs, codes blockCodes, sel *selection) error {
	if err := s.load(
		toLoad{sel.all, s.loadBegins}, toLoad{!sel.all && !sel.byEvent, s.loadStarts},
		toLoad{true, s.loadPersonOf(sel)}, toLoad{need.pageviews, s.loadKinds},
	); err != nil {
		return err
	}
	s.seen = cleared(s.seen, len(s.tally))
	seen, person, starts := s.seen, s.lazy.person, s.lazy.starts
	switch {
	case sel.all:
		v := -1
		for i, begins := range s.lazy.begins.words {
			for _, code := range codes.codes[64*i : min(64*i+64, len(codes.codes))] {
				v += int(begins & 1)
				begins >>= 1
				seen[code].by(person[v] + 1)
			}
		}
	case sel.byEvent:
		for k, e := range sel.list {
			seen[codes.codes[e]].by(person[sel.visits[k]] + 1)
		}
	default:
		for _, v := range sel.list {
			for _, code := range codes.codes[starts[v]:starts[v+1]] {
				seen[code].by(person[v] + 1)
			}
		}
	}
	for i := range seen {
		s.tally[i].visitors = seen[i].visitors
	}
	if need.pageviews {
		s.countViews(codes.codes, sel)
	}
	return nil
}

// countViews counts the pageviews of each code.
func (s *scan) countViews(codes []int32, sel *selection) {
	s.views = cleared(s.views, len(s.tally))
	views, kinds, pageview := s.views, s.lazy.kinds, s.lazy.pageviewKind
	switch {
	case sel.all:
		for e, code := range codes {
			views[code] += equal(kinds[e], pageview)
		}
	case sel.byEvent:
		for _, e := range sel.list {
			views[codes[e]] += equal(kinds[e], pageview)
		}
	default:
		for _, v := range sel.list {
			for e := s.lazy.starts[v]; e < s.lazy.starts[v+1]; e++ {
				views[codes[e]] += equal(kinds[e], pageview)
			}
		}
	}
	for i, n := range views {
		s.tally[i].pageviews = n
	}
}

// A seen counts the people behind a code: small, so that thousands of them stay in the fastest cache.
type seen struct{ last, visitors int32 }

// by counts a person if it is not the last one.
func (s *seen) by(person int32) {
	s.visitors += 1 - equal(s.last, person)
	s.last = person
}

// equal is 1 if a is b, else 0, without a branch.
func equal(a, b int32) int32 {
	n := int32(0)
	if a == b {
		n = 1
	}
	return n
}

// countEvents counts events, and visits and visitors by them.
func (s *scan) countEvents(need needs, codes blockCodes, sel *selection) error {
	if err := s.load(
		toLoad{need.visitors, s.loadPersonOf(sel)}, toLoad{need.pageviews || need.events, s.loadKinds},
		toLoad{need.bounces, s.loadBounced}, toLoad{need.duration, s.loadDuration}, toLoad{need.engaged, s.loadEngagements},
	); err != nil {
		return err
	}
	list, visits, err := s.events(sel)
	if err != nil {
		return err
	}
	l, tallies, codeOf, byVisit := &s.lazy, s.tally, codes.codes, codes.ofVisit
	person, kinds := l.person, l.kinds
	more := need.engaged || need.events || need.bounces || need.duration
	for k, v := range visits {
		e := k
		if list != nil {
			e = int(list[k])
		}
		code := int32(0)
		if codeOf != nil {
			if byVisit {
				code = codeOf[v]
			} else {
				code = codeOf[e]
			}
		}
		t := &tallies[code]
		if t.visit != v+1 {
			t.visit = v + 1
			t.visits++
			if need.visitors && t.person != person[v]+1 {
				t.person = person[v] + 1
				t.visitors++
			}
			if need.bounces {
				s.rest[code].bounces += int64(l.bounced[v])
			}
			if need.duration {
				s.rest[code].duration += l.duration[v]
			}
		}
		if need.pageviews && kinds[e] == l.pageviewKind {
			t.pageviews++
		}
		if !more {
			continue
		}
		if need.events && kinds[e] == l.customKind {
			s.rest[code].events++
		}
		if need.engaged {
			s.rest[code].engaged += int64(l.engagements[e])
		}
	}
	if need.scroll {
		return s.sumScrolls(codes, sel)
	}
	return nil
}

// events are the events of a selection, nil for all, and the visit of each.
func (s *scan) events(sel *selection) (list, visits []int32, err error) {
	switch {
	case sel.all:
		err = s.loadVisitOf()
		return nil, s.lazy.visitOf, err
	case sel.byEvent:
		return sel.list, sel.visits, nil
	}
	if l := s.lazy.eventsLeft; l != nil {
		return l.list, l.visits, nil
	}
	if err := s.loadStarts(); err != nil {
		return nil, nil, err
	}
	starts, n := s.lazy.starts, int32(0)
	for _, v := range sel.list {
		n += starts[v+1] - starts[v]
	}
	list, visits = s.memory.int32s(int(n) + 1)[:0], s.memory.int32s(int(n) + 1)[:0]
	for _, v := range sel.list {
		for e := starts[v]; e < starts[v+1]; e++ {
			list, visits = append(list, e), append(visits, v)
		}
	}
	s.lazy.eventsLeft = &selection{list: list, visits: visits}
	return list, visits, nil
}

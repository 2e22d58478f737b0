package segments

import "footfall/internal/store"

// A scan asks the questions of a plan of one block after the other. Each worker has one; their groups are added up in
// the end. Memory that it reuses makes it unfit for concurrent use.
type scan struct {
	plan   *plan
	groups []*groups   // for each question
	memory *arena      // good for one block
	tally  []tally     // reused
	rest   []restTally // reused
	dense  densifier   // reused

	block *block
	lazy  lazyColumns
}

func newScan(p *plan, memory *arena) *scan {
	s := &scan{plan: p, groups: make([]*groups, len(p.questions)), memory: memory}
	for i := range s.groups {
		s.groups[i] = newGroups(nil)
	}
	return s
}

// run asks all questions that ask keeps of the block.
func (s *scan) run(b *block, ask func(question int) bool) error {
	s.block = b
	s.lazy = lazyColumns{}
	sel, err := s.selectRows(&s.plan.query.Filter)
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
	if codes.codes != nil && len(codes.values) > 4*len(codes.codes) {
		s.dense.apply(&codes, s.memory)
	}
	s.tally = cleared(s.tally, len(codes.values))
	if s.rest = s.rest[:0]; q.need.rest() {
		s.rest = cleared(s.rest, len(codes.values))
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
	for code := range s.tally {
		t := &s.tally[code]
		if t.visits == 0 && t.visitors == 0 || int32(code) == codes.leftOut || !matchesSearch(q.Search, codes.values[code]) {
			continue
		}
		counts := store.Counts{Visitors: int64(t.visitors), Visits: int64(t.visits), Pageviews: int64(t.pageviews)}
		if len(s.rest) > 0 {
			r := &s.rest[code]
			counts.Events, counts.Bounces, counts.Duration = r.events, r.bounces, r.duration
			counts.Engaged, counts.Scroll, counts.Scrolls = r.engaged, r.scroll, r.scrolls
		}
		s.groups[i].add(codes.values[code], &counts)
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
		toLoad{need.visitors, s.loadPerson}, toLoad{need.pageviews, s.loadPageviews}, toLoad{need.events, s.loadCustoms},
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
// the rest of the loop (13 against 20 ns an event, top pages of a year).
func (s *scan) countLean(need needs, codes blockCodes, sel *selection) error {
	if err := s.load(toLoad{true, s.loadVisitOf}, toLoad{true, s.loadPerson}, toLoad{need.pageviews, s.loadKinds}); err != nil {
		return err
	}
	list, err := s.eventList(sel)
	if err != nil {
		return err
	}
	l, tallies, codeOf := &s.lazy, s.tally, codes.codes
	visitOf, person := l.visitOf, l.person
	if sel.all {
		for e, v := range visitOf {
			tallies[codeOf[e]].seenBy(person[v] + 1)
		}
	}
	for _, e := range list {
		tallies[codeOf[e]].seenBy(person[visitOf[e]] + 1)
	}
	if !need.pageviews {
		return nil
	}
	kinds, pageview := l.kinds, l.pageviewKind
	if sel.all {
		for e, kind := range kinds {
			tallies[codeOf[e]].pageviews += equal(kind, pageview)
		}
	}
	for _, e := range list {
		tallies[codeOf[e]].pageviews += equal(kinds[e], pageview)
	}
	return nil
}

// seenBy counts a person if it is not the last one.
func (t *tally) seenBy(person int32) {
	t.visitors += 1 - equal(t.person, person)
	t.person = person
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
		toLoad{true, s.loadVisitOf}, toLoad{need.visitors, s.loadPerson}, toLoad{need.pageviews || need.events, s.loadKinds},
		toLoad{need.bounces, s.loadBounced}, toLoad{need.duration, s.loadDuration}, toLoad{need.engaged, s.loadEngagements},
	); err != nil {
		return err
	}
	list, err := s.eventList(sel)
	if err != nil {
		return err
	}
	n := len(list)
	if sel.all {
		n = s.block.events.rows()
	}
	l, tallies, codeOf, byVisit := &s.lazy, s.tally, codes.codes, codes.ofVisit
	visitOf, person, kinds := l.visitOf, l.person, l.kinds
	more := need.engaged || need.events || need.bounces || need.duration
	for k := range n {
		e := k
		if list != nil {
			e = int(list[k])
		}
		v := visitOf[e]
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

// eventList is the events of a selection; nil is all.
func (s *scan) eventList(sel *selection) ([]int32, error) {
	if sel.all {
		return nil, nil
	}
	if sel.byEvent {
		return sel.list, nil
	}
	if s.lazy.eventsOfVisits != nil {
		return s.lazy.eventsOfVisits, nil
	}
	if err := s.loadVisitOf(); err != nil {
		return nil, err
	}
	visitOf := s.lazy.visitOf
	list := s.memory.int32s(len(visitOf) + 1)[:0]
	k := 0
	for e, v := range visitOf { // both rise
		for k < len(sel.list) && sel.list[k] < v {
			k++
		}
		if k == len(sel.list) {
			break
		}
		if sel.list[k] == v {
			list = append(list, int32(e))
		}
	}
	s.lazy.eventsOfVisits = list
	return list, nil
}

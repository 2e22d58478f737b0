package segments

import (
	"fmt"
	"slices"

	"footfall/internal/event"
)

// lazyColumns are the columns of a block that several questions share, each read once.
type lazyColumns struct {
	// by visit
	person             []int32
	pageviews, customs []int32
	duration, engaged  []int64
	bounced            []int32
	// by event
	visitOf      []int32
	kinds        []int32 // codes
	pageviewKind int32   // of these
	customKind   int32
	pages        []int32
	pageValues   []string // of pages
	noPage       int32    // of these: ""
	engagements  []int32
	scrollDepths []int32
	// indices
	eventsOfVisits []int32 // the events of the visits that a filter left
}

type toLoad struct {
	needed bool
	load   func() error
}

func (s *scan) load(list ...toLoad) error {
	for _, l := range list {
		if l.needed {
			if err := l.load(); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadPerson numbers the visitors of the block's visits from 0.
func (s *scan) loadPerson() error {
	if s.lazy.person != nil {
		return nil
	}
	visitor, err := s.block.visits.int32s(visitVisitor)
	if err != nil {
		return err
	}
	person := s.memory.int32s(len(visitor) + 1)[:len(visitor)]
	next := int32(-1)
	for _, c := range s.block.cells {
		last := int32(-1)
		for v := c.visits.from; v < c.visits.to; v++ {
			if visitor[v] != last {
				last = visitor[v]
				next++
			}
			person[v] = next
		}
	}
	s.lazy.person = person
	return nil
}

// loadVisitOf finds the visit of each event, counted from the start of the block.
func (s *scan) loadVisitOf() error {
	if s.lazy.visitOf != nil {
		return nil
	}
	visit, err := s.block.events.int32s(eventVisit)
	if err != nil {
		return err
	}
	visitOf := s.memory.int32s(len(visit) + 1)[:len(visit)]
	for _, c := range s.block.cells {
		if c.events.len() == 0 {
			continue
		}
		base := visit[c.events.from] - int32(c.visits.from)
		from, to := visit[c.events.from:c.events.to], visitOf[c.events.from:c.events.to]
		for i, v := range from {
			to[i] = v - base
		}
		if to[len(to)-1] >= int32(c.visits.to) {
			return fmt.Errorf("events without their visit: %w", errPage)
		}
	}
	s.lazy.visitOf = visitOf
	return nil
}

func (s *scan) loadKinds() error {
	if s.lazy.kinds != nil {
		return nil
	}
	codes, err := s.block.events.codes(eventKind)
	if err != nil {
		return err
	}
	names, err := s.block.events.values(eventKind)
	if err != nil {
		return err
	}
	s.lazy.kinds = codes
	s.lazy.pageviewKind = int32(slices.Index(names, kindNames[event.Pageview]))
	s.lazy.customKind = int32(slices.Index(names, kindNames[event.Custom]))
	return nil
}

func (s *scan) loadPages() error {
	if s.lazy.pages != nil {
		return nil
	}
	const col = eventFields + int(event.Page)
	codes, err := s.block.events.codes(col)
	if err != nil {
		return err
	}
	values, err := s.block.events.values(col)
	if err != nil {
		return err
	}
	none := slices.Index(values, "")
	if none < 0 {
		none, values = len(values), append(slices.Clip(values), "")
	}
	s.lazy.pages, s.lazy.pageValues, s.lazy.noPage = codes, values, int32(none)
	return nil
}

func (s *scan) loadPageviews() error {
	return s.load32(&s.lazy.pageviews, s.block.visits, visitPageviews)
}

func (s *scan) loadCustoms() error { return s.load32(&s.lazy.customs, s.block.visits, visitEvents) }

func (s *scan) loadBounced() error { return s.load32(&s.lazy.bounced, s.block.visits, visitBounced) }

func (s *scan) loadDuration() error { return s.load64(&s.lazy.duration, s.block.visits, visitDuration) }

func (s *scan) loadEngaged() error { return s.load64(&s.lazy.engaged, s.block.visits, visitEngaged) }

func (s *scan) loadEngagements() error {
	return s.load32(&s.lazy.engagements, s.block.events, eventEngaged)
}

func (s *scan) loadScrollDepths() error {
	return s.load32(&s.lazy.scrollDepths, s.block.events, eventScroll)
}

func (s *scan) load32(to *[]int32, c columns, col int) (err error) {
	if *to == nil {
		*to, err = c.int32s(col)
	}
	return err
}

func (s *scan) load64(to *[]int64, c columns, col int) (err error) {
	if *to == nil {
		*to, err = c.int64s(col)
	}
	return err
}

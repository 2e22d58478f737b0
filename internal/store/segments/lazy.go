package segments

import (
	"fmt"

	"footfall/internal/event"
)

// lazyColumns are the columns of a block that several questions share, each read once.
type lazyColumns struct {
	// by visit
	person             []int32 // of the selected visits at least
	pageviews, customs []int32
	duration, engaged  []int64
	bounced            []int32
	starts             []int32 // the first event, and one more: the end of all
	// by event
	begins       bitmap // a visit
	visitOf      []int32
	kinds        []int32 // codes
	pageviewKind int32   // of these
	customKind   int32
	pages        []int32
	pageValues   texts // of pages
	noPage       int32 // of these: ""
	engagements  []int32
	scrollDepths []int32
	// what a filter of visits left
	eventsLeft *selection
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

// loadPersonOf numbers the visitors of the block's visits from 0: of all, or only of those that are selected if they are few.
func (s *scan) loadPersonOf(sel *selection) func() error {
	return func() error {
		if s.lazy.person != nil {
			return nil
		}
		begins, err := s.visitorBegins()
		if err != nil {
			return err
		}
		visits := sel.list
		if sel.byEvent {
			visits = sel.visits
		}
		if sel.all || len(visits) > begins.rows/oneInFew {
			s.lazy.person = begins.ranks(s.memory)
			return nil
		}
		begins.count(s.memory)
		s.lazy.person = s.memory.int32s(begins.rows)
		for _, v := range visits {
			s.lazy.person[v] = begins.rank(v+1) - 1
		}
		return nil
	}
}

// visitorBegins finds the visits that begin a visitor.
func (s *scan) visitorBegins() (bitmap, error) {
	begins, err := s.block.visits.steps(visitVisitor, s.memory)
	if err != nil {
		return bitmap{}, err
	}
	for _, c := range s.block.cells { // a cell begins with a new visitor in any case
		if c.visits.len() > 0 {
			begins.set(c.visits.from)
		}
	}
	return begins, nil
}

// loadBegins finds the events that begin a visit.
func (s *scan) loadBegins() error {
	if s.lazy.begins.words != nil {
		return nil
	}
	begins, err := s.block.events.steps(eventVisit, s.memory)
	if err != nil {
		return err
	}
	for _, c := range s.block.cells { // a cell begins with a new visit in any case
		if c.events.len() > 0 {
			begins.set(c.events.from)
		}
	}
	begins.count(s.memory)
	for _, c := range s.block.cells {
		if int(begins.rank(int32(c.events.to))-begins.rank(int32(c.events.from))) != c.visits.len() {
			return fmt.Errorf("events without their visit: %w", errPage)
		}
	}
	s.lazy.begins = begins
	return nil
}

// loadStarts finds the first event of each visit, and after the last visit the end of the events.
func (s *scan) loadStarts() error {
	if s.lazy.starts != nil {
		return nil
	}
	if err := s.loadBegins(); err != nil {
		return err
	}
	s.lazy.starts = append(s.lazy.begins.list(s.memory), int32(s.block.events.rows())) // the list has room for it
	return nil
}

// loadVisitOf finds the visit of each event.
func (s *scan) loadVisitOf() error {
	if s.lazy.visitOf != nil {
		return nil
	}
	if err := s.loadBegins(); err != nil {
		return err
	}
	s.lazy.visitOf = s.lazy.begins.ranks(s.memory)
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
	s.lazy.pageviewKind = names.find(kindNames[event.Pageview])
	s.lazy.customKind = names.find(kindNames[event.Custom])
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
	none := values.find("")
	if none < 0 {
		none, values = int32(values.len()), values.with("")
	}
	s.lazy.pages, s.lazy.pageValues, s.lazy.noPage = codes, values, none
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

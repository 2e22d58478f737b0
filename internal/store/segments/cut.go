package segments

import (
	"cmp"
	"slices"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A cutter turns the events of cells into visits: the one place where visitors are told apart and visits begin and
// end. Questions about open cells run it on the fly, sealing runs it once and for all; so both give the same numbers.
//
// The cells of a website are cut after each other into two tables, visits and events, as they stand in sealed files.
type cutter struct {
	need   fieldSet
	sorted bool // order the visitors of a cell by their first event, as far as that is possible in one go

	visits, events *table
	cells          []cell                // the cells in the tables
	epoch          int                   // changes when the dictionaries are emptied
	kinds          [len(kindNames)]int32 // code + 1 of each kind in its dictionary; 0 is not looked up yet

	visit, visitor int32 // next numbers in the current cell

	refs   []ref
	people []person
	sieve  sieve
}

// A cell is where the visits and events of one cell lie in tables or row groups.
type cell struct {
	cellKey
	visits, events span
}

// A span is the rows from ≤ i < to.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// A ref is an event that waits to be cut: a row of one of the runs being merged.
type ref struct {
	rows *rows
	row  int32
}

// A person is a run of refs: events of one visitor.
type person struct {
	from, to   int32
	start, end int64
}

// compare orders visitors by their first event, but puts those who came back last: their times jump over hours, which would
// cost the times around them bits.
func (p person) compare(o person) int {
	const back = 2 * 3600 * 1000
	if a, b := p.end-p.start > back, o.end-o.start > back; a != b {
		if b {
			return -1
		}
		return 1
	}
	return cmp.Compare(p.start, o.start)
}

func newCutter(need fieldSet) *cutter {
	return &cutter{need: need, visits: newTable(visitColumns), events: newTable(eventColumns), sieve: newSieve()}
}

// reset empties the tables. A cell may go on after it.
func (c *cutter) reset() {
	c.visits.reset()
	c.events.reset()
	c.cells = c.cells[:0]
	c.kinds = [len(kindNames)]int32{}
	c.epoch++
}

// begin starts a cell.
func (c *cutter) begin(key cellKey) {
	c.visit, c.visitor = 0, 0
	c.resume(key)
}

// resume goes on with a cell after a reset.
func (c *cutter) resume(key cellKey) {
	c.cells = append(c.cells, cell{
		cellKey: key, visits: span{c.visits.n, c.visits.n}, events: span{c.events.n, c.events.n},
	})
}

// cut merges runs of the current cell, in which the same visitor is the same person, and cuts them into visits. It
// calls full, if not nil, when the tables hold limit events, or too much else; full may empty them.
func (c *cutter) cut(runs []run, limit int, full func() error) error {
	heads := make([]head, 0, len(runs))
	for order, r := range runs {
		rows, err := r.next()
		if err != nil {
			return err
		}
		if rows != nil {
			heads = append(heads, head{run: r, rows: rows, order: order})
		}
	}
	emit := func() error {
		c.emit()
		if full == nil || !c.isFull(limit) {
			return nil
		}
		key := c.cells[len(c.cells)-1].cellKey
		if err := full(); err != nil {
			return err
		}
		if len(c.cells) == 0 {
			c.resume(key)
		}
		return nil
	}
	for len(heads) > 0 {
		if err := c.gather(heads, emit); err != nil {
			return err
		}
		heads = slices.DeleteFunc(heads, func(h head) bool { return h.at == h.rows.n })
	}
	return nil
}

// Junk has a visit for each event and more texts than rows. These bound the memory that it takes.
const (
	maxVisits = 96 << 10
	maxTexts  = 8 << 20 // bytes of dictionaries
)

func (c *cutter) isFull(limit int) bool {
	return c.events.n >= limit || c.visits.n >= maxVisits || c.visits.texts()+c.events.texts() >= maxTexts
}

// A head is a run being merged, at a row.
type head struct {
	run   run
	rows  *rows
	at    int
	order int // of arrival
}

// maxGather bounds the events that are cut in one go.
const maxGather = 32 << 10

// gather takes visitors off the heads until a piece of one of them ends, or there are many, and emits them.
func (c *cutter) gather(heads []head, emit func() error) error {
	for len(c.refs) < maxGather {
		visitor := heads[0].visitor()
		for i := range heads {
			visitor = min(visitor, heads[i].visitor())
		}
		ends := false
		for i := range heads {
			ends = ends || heads[i].last() == visitor
		}
		if ends {
			if err := c.follow(heads, visitor, emit); err != nil {
				return err
			}
			break
		}
		from := len(c.refs)
		for i := range heads {
			for h := &heads[i]; h.visitor() == visitor; h.at++ {
				c.refs = append(c.refs, ref{h.rows, int32(h.at)})
			}
		}
		c.people = append(c.people, person{from: int32(from), to: int32(len(c.refs))})
	}
	return emit()
}

func (h *head) visitor() int64 { return h.rows.visitor[h.at] }

// last is the last visitor of the piece.
func (h *head) last() int64 { return h.rows.visitor[h.rows.n-1] }

// follow takes a visitor who may go on in the next piece of a run. It goes by time, and emits all whom store.MaxVisitor makes
// of one: what has to be in memory does not depend on how much a visitor did.
func (c *cutter) follow(heads []head, visitor int64, emit func() error) error {
	sieve := newSieve()
	from := len(c.refs)
	for {
		var first *head
		for i := range heads {
			h := &heads[i]
			if h.at < h.rows.n && h.visitor() == visitor && (first == nil || h.rows.time[h.at] < first.rows.time[first.at]) {
				first = h
			}
		}
		if first == nil {
			break
		}
		e := ref{first.rows, int32(first.at)}
		if sieve.passes(c.refs[from:], e.id()) {
			c.refs = append(c.refs, e)
		}
		if len(c.refs)-from == store.MaxVisitor {
			c.people = append(c.people, person{from: int32(from), to: int32(len(c.refs))})
			sieve.next(c.refs[from:])
			if err := emit(); err != nil {
				return err
			}
			from = 0
		}
		if first.at++; first.at == first.rows.n {
			next, err := first.run.next()
			if err != nil {
				return err
			}
			if next != nil {
				first.rows, first.at = next, 0
			}
		}
	}
	if from < len(c.refs) {
		c.people = append(c.people, person{from: int32(from), to: int32(len(c.refs))})
	}
	return nil
}

// emit cuts the gathered visitors into visits.
func (c *cutter) emit() {
	for i := range c.people {
		p := &c.people[i]
		events := c.refs[p.from:p.to]
		if !slices.IsSortedFunc(events, compareTime) {
			slices.SortStableFunc(events, compareTime)
		}
		p.start, p.end = events[0].time(), events[len(events)-1].time()
	}
	if c.sorted {
		slices.SortStableFunc(c.people, person.compare)
	}
	for _, p := range c.people {
		c.unique(c.refs[p.from:p.to])
	}
	clear(c.refs) // or they would hold on to rows of cells that are long done
	c.refs, c.people = c.refs[:0], c.people[:0]
}

func compareTime(a, b ref) int { return cmp.Compare(a.time(), b.time()) }

func (r ref) time() int64 { return r.rows.time[r.row] }

// unique adds the visits of a visitor, whose events are in order of time, without those that were there before.
func (c *cutter) unique(events []ref) {
	if len(events) == 1 {
		c.person(events)
		return
	}
	c.sieve.begin()
	kept := events[:0]
	for _, e := range events {
		if !c.sieve.passes(kept, e.id()) {
			continue
		}
		kept = append(kept, e)
		if len(kept) == store.MaxVisitor {
			c.person(kept)
			c.sieve.next(kept)
			kept = kept[store.MaxVisitor:]
		}
	}
	if len(kept) > 0 {
		c.person(kept)
	}
}

// person adds the visits of one person, whose events are in order of time.
func (c *cutter) person(events []ref) {
	for len(events) > 0 {
		n := 1
		for n < len(events) && events[n].time()-events[n-1].time() <= store.VisitGap.Milliseconds() {
			n++
		}
		c.addVisit(events[:n])
		events = events[n:]
	}
	c.visitor++
}

// A sieve holds back events of a visitor that arrived before. It knows the IDs of the person who is being looked at, and of
// the one before, if they are the same visitor.
type sieve struct {
	ids, before map[int64]struct{}
}

func newSieve() sieve { return sieve{make(map[int64]struct{}), make(map[int64]struct{})} }

// begin starts with another visitor.
func (s *sieve) begin() {
	clear(s.ids)
	clear(s.before)
}

// next starts with the next person that the visitor is. kept are the events of the one before.
func (s *sieve) next(kept []ref) {
	s.know(kept)
	s.ids, s.before = s.before, s.ids
	clear(s.ids)
}

func (s *sieve) know(kept []ref) {
	if len(s.ids) > 0 {
		return
	}
	for _, e := range kept {
		s.ids[e.id()] = struct{}{}
	}
}

// passes tells whether the ID is a new one. kept are the events of the person so far. Most visitors have a handful, for which
// looking is faster than a map.
func (s *sieve) passes(kept []ref, id int64) bool {
	const few = 16
	if id == 0 {
		return true
	}
	if _, seen := s.before[id]; seen {
		return false
	}
	if len(kept) < few {
		return !slices.ContainsFunc(kept, func(e ref) bool { return e.id() == id })
	}
	s.know(kept)
	_, seen := s.ids[id]
	s.ids[id] = struct{}{}
	return !seen
}

func (r ref) id() int64 {
	if r.rows.id == nil {
		return 0
	}
	return r.rows.id[r.row]
}

func (c *cutter) addVisit(events []ref) {
	first, last := events[0], events[len(events)-1]
	cell := &c.cells[len(c.cells)-1]
	var pageviews, customs int32
	var engaged int64
	for _, e := range events {
		switch e.rows.kind[e.row] {
		case event.Pageview:
			pageviews++
		case event.Custom:
			customs++
		}
		engaged += int64(e.rows.engaged[e.row])
	}

	v := c.visits.data
	v[colWebsite].add(cell.website)
	v[colDay].add(int64(cell.day))
	add32(&v[visitVisit], c.visit)
	add32(&v[visitVisitor], c.visitor)
	add64(&v[visitDuration], max(last.time()-first.time(), engaged))
	add32(&v[visitPageviews], pageviews)
	add32(&v[visitEvents], customs)
	add64(&v[visitEngaged], engaged)
	bounced := int32(0)
	if pageviews == 1 && customs == 0 && engaged < store.BounceTime.Milliseconds() {
		bounced = 1
	}
	add32(&v[visitBounced], bounced)
	for f := event.NumEventFields; f < event.NumFields; f++ {
		if c.need.has(f) {
			col := visitFields + f - event.NumEventFields
			addCode(&v[col], c.translate(first, f, v[col].dict))
		}
	}
	c.visits.n++
	cell.visits.to++

	for _, e := range events {
		c.addEvent(e)
	}
	cell.events.to += len(events)
	c.visit++
}

func (c *cutter) addEvent(e ref) {
	cell := &c.cells[len(c.cells)-1]
	d := c.events.data
	d[colWebsite].add(cell.website)
	d[colDay].add(int64(cell.day))
	add32(&d[eventVisit], c.visit)
	add64(&d[eventTime], e.time())
	d[eventOffset].add(e.rows.offset[e.row])
	addCode(&d[eventKind], c.kindCode(e.rows.kind[e.row]))
	add32(&d[eventScroll], e.rows.scroll[e.row])
	add32(&d[eventEngaged], e.rows.engaged[e.row])
	add64(&d[eventValue], e.rows.value[e.row])
	for f := range event.NumEventFields {
		if c.need.has(f) {
			col := eventFields + f
			addCode(&d[col], c.translate(e, f, d[col].dict))
		}
	}
	c.events.n++
}

func (c *cutter) kindCode(k event.Kind) int32 {
	if c.kinds[k] == 0 {
		c.kinds[k] = c.events.data[eventKind].dict.code(kindNames[k]) + 1
	}
	return c.kinds[k] - 1
}

// translate is the code that the text in field f of e has in the dictionary to.
func (c *cutter) translate(e ref, f int, to *dictionary) int32 {
	t := &e.rows.xlate[f]
	if t.to != to || t.epoch != c.epoch {
		t.reset(e.rows.fields[f].values, to, c.epoch)
	}
	return t.code(e.rows.code(f, e.row))
}

func add32(d *columnData, v int32)   { d.i32 = append(d.i32, v) }
func add64(d *columnData, v int64)   { d.i64 = append(d.i64, v) }
func addCode(d *columnData, v int32) { d.codes = append(d.codes, v) }

package segments

import (
	"fmt"
	"slices"

	"footfall/internal/event"
)

// Sealed cells lie in a pair of files, one with visits and one with events, whose row groups go together: the n-th of
// one holds the visits of the events in the n-th of the other. The identity of visitors is gone; they have numbers.

// Sizes of row groups, in events. Websites that are large have row groups of their own; small ones share, but not too
// many rows, since asking about one of them reads the shared dictionaries and decodes some columns whole. Those of days
// are smaller: making a month holds one of each day in memory, and a large one as a whole, about 200 bytes an event.
const (
	monthGroupEvents    = 32 << 10
	maxMonthGroupEvents = 128 << 10
	dayGroupEvents      = 4 << 10
	maxDayGroupEvents   = 32 << 10
)

// A sealedCell is where a cell, or a piece of it, lies in a pair of files.
type sealedCell struct {
	cell
	group int
}

// A sealedFile is an open pair of files with its directory.
type sealedFile struct {
	visits, events *tableFile
	cells          []sealedCell // in order
}

func openSealed(visits, events *tableFile) (*sealedFile, error) {
	s := &sealedFile{visits: visits, events: events}
	if len(visits.groups) != len(events.groups) {
		return nil, fmt.Errorf("%s: %w: it does not go with its events", visits.info.Name, errDamaged)
	}
	for i := range visits.groups {
		vs, err := cellsOf(visits.group(i, nil))
		if err != nil {
			return nil, err
		}
		es, err := cellsOf(events.group(i, nil))
		if err != nil {
			return nil, err
		}
		if len(vs) != len(es) {
			return nil, fmt.Errorf("%s: %w: it does not go with its events", visits.info.Name, errDamaged)
		}
		for k := range vs {
			s.cells = append(s.cells, sealedCell{cell{vs[k].cellKey, vs[k].rows, es[k].rows}, i})
		}
	}
	return s, nil
}

// find are the cells of a website on the days from ≤ d < to.
func (s *sealedFile) find(website int64, from, to event.Day) []sealedCell {
	compare := func(c sealedCell, k cellKey) int { return c.compare(k) }
	a, _ := slices.BinarySearchFunc(s.cells, cellKey{website, from}, compare)
	b, _ := slices.BinarySearchFunc(s.cells, cellKey{website, to}, compare)
	return s.cells[a:max(a, b)]
}

// eachGroup calls yield for the cells that lie in one row group each.
func eachGroup(cells []sealedCell, yield func(group int, cells []cell)) {
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].group == cells[0].group {
			n++
		}
		list := make([]cell, n)
		for i := range list {
			list[i] = cells[i].cell
		}
		yield(cells[0].group, list)
		cells = cells[n:]
	}
}

// block reads cells of one row group.
func (s *sealedFile) block(group int, cells []cell, memory *arena) *block {
	visits, events := s.visits.group(group, memory), s.events.group(group, memory)
	return newBlock(cells, func(v, e span) (columns, columns) {
		return groupColumns{visits, v}, groupColumns{events, e}
	})
}

// A sealedReader gives sealed cells back as rows, to be cut again. It keeps the row groups it is in.
type sealedReader struct {
	file           *sealedFile
	index          int
	visits, events *group
	xlate          *translations
}

func newSealedReader(f *sealedFile) *sealedReader { return &sealedReader{file: f, index: -1} }

// run is the rows of a cell, or nil if the file has none.
func (s *sealedReader) run(key cellKey) run {
	cells := s.file.find(key.website, key.day, key.day+1)
	if len(cells) == 0 {
		return nil
	}
	return &sealedRun{s, cells}
}

type sealedRun struct {
	reader *sealedReader
	cells  []sealedCell
}

func (r *sealedRun) next() (*rows, error) {
	if len(r.cells) == 0 {
		return nil, nil
	}
	c := r.cells[0]
	r.cells = r.cells[1:]
	rows, err := r.reader.rows(c)
	if s := r.reader; c.visits.to == s.file.visits.groups[c.group].rows {
		s.index, s.visits, s.events, s.xlate = -1, nil, nil, nil // that was the last of its row group
	}
	return rows, err
}

func (s *sealedReader) rows(c sealedCell) (*rows, error) {
	if s.index != c.group {
		s.index, s.xlate = c.group, new(translations)
		s.visits, s.events = s.file.visits.group(c.group, nil), s.file.events.group(c.group, nil)
	}
	// The scan knows how to bring events and visits together.
	scan := scan{block: newBlock([]cell{c.cell}, func(v, e span) (columns, columns) {
		return groupColumns{s.visits, v}, groupColumns{s.events, e}
	})}
	if err := scan.loadVisitOf(); err != nil {
		return nil, err
	}
	visit := scan.lazy.visitOf
	visitors, err := scan.block.visits.int32s(visitVisitor)
	if err != nil {
		return nil, err
	}
	r := &rows{n: c.events.len(), visit: visit, visitor: make([]int64, len(visit)), xlate: s.xlate}
	for i, v := range visit {
		r.visitor[i] = int64(visitors[v])
	}
	events := scan.block.events
	if r.time, err = events.int64s(eventTime); err != nil {
		return nil, err
	}
	if r.value, err = events.int64s(eventValue); err != nil {
		return nil, err
	}
	if r.offset, err = events.int64s(eventOffset); err != nil {
		return nil, err
	}
	if r.scroll, err = events.int32s(eventScroll); err != nil {
		return nil, err
	}
	if r.engaged, err = events.int32s(eventEngaged); err != nil {
		return nil, err
	}
	if r.kind, err = readKinds(s.events, eventKind, c.events); err != nil {
		return nil, err
	}
	for f := range event.NumFields {
		g, col, rows := s.events, eventFields+f, c.events
		if f >= event.NumEventFields {
			g, col, rows = s.visits, visitFields+f-event.NumEventFields, c.visits
		}
		if r.fields[f].codes, r.fields[f].values, err = g.strings(col, rows.from, rows.to); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// A sealedWriter writes a pair of files, and the roll-ups of what is in them. Cells come in order.
type sealedWriter struct {
	cutter         *cutter
	visits, events *fileWriter
	rollup         *rollupWriter // nil for none
	shared         int           // events of a row group that websites share
	most           int           // events of any row group
	website        int64
	rolled         int // cells of the cutter that are in the roll-up
	total          int64
}

// newSealedWriter writes a day or, with a roll-up, a month.
func newSealedWriter(visits, events *fileWriter, rollup *rollupWriter) *sealedWriter {
	w := &sealedWriter{cutter: newCutter(allFields), visits: visits, events: events, rollup: rollup}
	w.shared, w.most = dayGroupEvents, maxDayGroupEvents
	if rollup != nil {
		w.shared, w.most = monthGroupEvents, maxMonthGroupEvents
	}
	w.cutter.sorted = true
	return w
}

// add cuts a cell of a website that has so many events in all. In each of the groups of runs, the same visitor is the
// same person.
func (w *sealedWriter) add(key cellKey, events int, people ...[]run) error {
	if key.website != w.website {
		if err := w.endWebsite(); err != nil {
			return err
		}
		w.website = key.website
		if events >= w.shared { // it gets row groups of its own
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	w.cutter.begin(key)
	for _, runs := range people {
		if err := w.cutter.cut(runs, w.most, w.flush); err != nil {
			return err
		}
	}
	return nil
}

func (w *sealedWriter) endWebsite() error {
	if err := w.roll(); err != nil {
		return err
	}
	if w.rollup != nil && w.website != 0 {
		if err := w.rollup.endWebsite(w.website); err != nil {
			return err
		}
	}
	if w.cutter.events.n >= w.shared {
		return w.flush()
	}
	return nil
}

// roll adds the cells that were cut since the last time to the roll-up.
func (w *sealedWriter) roll() error {
	c := w.cutter
	cells := c.cells[w.rolled:]
	w.rolled = len(c.cells)
	if w.rollup == nil || len(cells) == 0 {
		return nil
	}
	return w.rollup.add(newBlock(cells, func(v, e span) (columns, columns) {
		return tableColumns{c.visits, v}, tableColumns{c.events, e}
	}))
}

// flush writes the cutter's tables as row groups and empties them.
func (w *sealedWriter) flush() error {
	if err := w.roll(); err != nil {
		return err
	}
	w.total += int64(w.cutter.events.n)
	if err := w.visits.writeGroup(w.cutter.visits); err != nil {
		return err
	}
	if err := w.events.writeGroup(w.cutter.events); err != nil {
		return err
	}
	w.cutter.reset()
	w.rolled = 0
	return nil
}

// finish writes what is left. The files are the caller's to finish.
func (w *sealedWriter) finish() error {
	if err := w.endWebsite(); err != nil {
		return err
	}
	return w.flush()
}

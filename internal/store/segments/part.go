package segments

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"footfall/internal/event"
)

// A part is a file of events as they arrived, with the identity of their visitors: what memory becomes when it is
// full, and what sealing turns into visits.

// partGroupRows bounds a row group of a part. Merging holds a row group of each part in memory, about 180 bytes a row.
const (
	partGroupRows  = 16 << 10
	partGroupTexts = 2 << 20 // bytes of its dictionaries
	partStep       = 1 << 10 // rows after which these are looked at
)

// A partWriter writes a part. Cells come in order, and the rows of a cell by visitor and time.
type partWriter struct {
	file  *fileWriter
	table *table
	kinds [len(kindNames)]int32
	epoch int
	total int64 // events
}

func newPartWriter(file *fileWriter) *partWriter {
	return &partWriter{file: file, table: newTable(partColumns)}
}

// add adds the rows from ≤ i < to of r, which belong to the cell key.
func (w *partWriter) add(key cellKey, r *rows, from, to int) error {
	for from < to {
		if w.table.n >= partGroupRows || w.table.texts() >= partGroupTexts {
			if err := w.flush(); err != nil {
				return err
			}
		}
		n := min(to-from, partGroupRows-w.table.n, partStep)
		w.addSome(key, r, from, from+n)
		from += n
	}
	return nil
}

// addSome adds rows for which there is room, column by column.
func (w *partWriter) addSome(key cellKey, r *rows, from, to int) {
	d := w.table.data
	for i := from; i < to; i++ {
		d[colWebsite].add(key.website)
		d[colDay].add(int64(key.day))
		d[partOffset].add(r.offset[i])
		addCode(&d[partKind], w.kindCode(r.kind[i]))
	}
	for col, values := range map[int][]int64{partVisitor: r.visitor, partTime: r.time, partID: r.id, partValue: r.value} {
		d[col].i64 = append(d[col].i64, values[from:to]...)
	}
	d[partScroll].i32 = append(d[partScroll].i32, r.scroll[from:to]...)
	d[partEngaged].i32 = append(d[partEngaged].i32, r.engaged[from:to]...)
	for f := range event.NumFields {
		t, c := &r.xlate[f], &d[partFields+f]
		if t.to != c.dict || t.epoch != w.epoch {
			t.reset(r.fields[f].values, c.dict, w.epoch)
		}
		codes := c.codes
		for _, code := range r.fields[f].codes[from:to] {
			codes = append(codes, t.code(code))
		}
		c.codes = codes
	}
	w.table.n += to - from
	w.total += int64(to - from)
}

func (w *partWriter) kindCode(k event.Kind) int32 {
	if w.kinds[k] == 0 {
		w.kinds[k] = w.table.data[partKind].dict.code(kindNames[k]) + 1
	}
	return w.kinds[k] - 1
}

func (w *partWriter) flush() error {
	err := w.file.writeGroup(w.table)
	w.table.reset()
	w.kinds = [len(kindNames)]int32{}
	w.epoch++
	return err
}

// A partCell is where rows of a cell lie in a part: a span of one row group. A cell can have several.
type partCell struct {
	cellKey
	group int
	rows  span
}

// A partFile is an open part with its directory.
type partFile struct {
	*tableFile
	cells []partCell // in order
}

func openPart(t *tableFile) (*partFile, error) {
	p := &partFile{tableFile: t}
	for i := range t.groups {
		cells, err := cellsOf(t.group(i, nil))
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			p.cells = append(p.cells, partCell{c.cellKey, i, c.rows})
		}
	}
	return p, nil
}

type cellSpan struct {
	cellKey
	rows span
}

// cellsOf are the cells of a row group, in order.
func cellsOf(g *group) ([]cellSpan, error) {
	var cells []cellSpan
	at := 0
	err := g.eachRun(colWebsite, func(website int64, n int) {
		cells = append(cells, cellSpan{cellKey{website: website}, span{at, at + n}})
		at += n
	})
	if err != nil {
		return nil, err
	}
	websites := cells
	cells = nil
	at = 0
	err = g.eachRun(colDay, func(day int64, n int) {
		for n > 0 && len(websites) > 0 { // a run of days can go over several websites
			part := min(n, websites[0].rows.to-at)
			if last := len(cells) - 1; last >= 0 && cells[last].website == websites[0].website && cells[last].day == event.Day(day) {
				cells[last].rows.to += part
			} else {
				key := cellKey{websites[0].website, event.Day(day)}
				cells = append(cells, cellSpan{key, span{at, at + part}})
			}
			at += part
			n -= part
			if at == websites[0].rows.to {
				websites = websites[1:]
			}
		}
	})
	if err == nil && (at != g.rows() || len(websites) > 0) {
		err = fmt.Errorf("%s: %w", g.file.info.Name, errPage)
	}
	return cells, err
}

// find are the places of a cell.
func (p *partFile) find(key cellKey) []partCell {
	from, _ := slices.BinarySearchFunc(p.cells, key, func(c partCell, k cellKey) int { return c.compare(k) })
	to := from
	for to < len(p.cells) && p.cells[to].cellKey == key {
		to++
	}
	return p.cells[from:to]
}

// A partReader reads the cells of a part one after the other. It keeps the row group it is in: small cells share one. If it has a
// memory it is for a cell alone, such as a question asks for, and keeps nothing but that cell.
type partReader struct {
	part   *partFile
	need   fieldSet
	memory *arena // of nobody else while a cell is read
	index  int
	group  *group
	xlate  *translations
}

func newPartReader(p *partFile, need fieldSet, memory *arena) *partReader {
	return &partReader{part: p, need: need, memory: memory, index: -1}
}

// run is the rows of a cell, or nil if the part has none.
func (p *partReader) run(key cellKey) run {
	cells := p.part.find(key)
	if len(cells) == 0 {
		return nil
	}
	return &partRun{p, cells}
}

type partRun struct {
	reader *partReader
	cells  []partCell
}

func (r *partRun) next() (*rows, error) {
	if len(r.cells) == 0 {
		return nil, nil
	}
	c := r.cells[0]
	r.cells = r.cells[1:]
	p := r.reader
	if p.memory != nil {
		return p.alone(c)
	}
	if p.index != c.group {
		p.index, p.group, p.xlate = c.group, p.part.group(c.group, nil), new(translations)
	}
	rows, err := readRows(p.group, c.rows, p.need, p.xlate)
	if c.rows.to == p.part.groups[c.group].rows {
		p.index, p.group, p.xlate = -1, nil, nil // that was the last of its row group
	}
	return rows, err
}

// alone reads a cell, of which a row group may have hundreds, and gives back what else was decoded for it.
func (p *partReader) alone(c partCell) (*rows, error) {
	defer p.memory.reset()
	g := p.part.group(c.group, p.memory)
	g.once = true
	r, err := readRows(g, c.rows, p.need, new(translations))
	if err != nil {
		return nil, err
	}
	for _, s := range []*[]int64{&r.visitor, &r.time, &r.id, &r.value, &r.offset} {
		*s = slices.Clone(*s)
	}
	r.scroll, r.engaged = slices.Clone(r.scroll), slices.Clone(r.engaged)
	for f := range r.fields {
		r.fields[f].codes = slices.Clone(r.fields[f].codes)
	}
	return r, nil
}

// readRows decodes a span of a part's row group.
func readRows(g *group, s span, need fieldSet, xlate *translations) (*rows, error) {
	r := &rows{n: s.len(), xlate: xlate}
	for col, to := range map[int]*[]int64{
		partVisitor: &r.visitor, partTime: &r.time, partID: &r.id, partValue: &r.value,
	} {
		all, err := g.int64s(col)
		if err != nil {
			return nil, err
		}
		*to = all[s.from:s.to]
	}
	for col, to := range map[int]*[]int32{partScroll: &r.scroll, partEngaged: &r.engaged} {
		all, err := g.int32s(col)
		if err != nil {
			return nil, err
		}
		*to = all[s.from:s.to]
	}
	var err error
	if r.offset, err = g.ints(partOffset, s.from, s.to); err != nil {
		return nil, err
	}
	if r.kind, err = readKinds(g, partKind, s); err != nil {
		return nil, err
	}
	for f := range event.NumFields {
		if !need.has(f) {
			continue
		}
		field := &r.fields[f]
		if field.codes, field.values, err = g.strings(partFields+f, s.from, s.to); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readKinds decodes the kinds of events in column col.
func readKinds(g *group, col int, s span) ([]event.Kind, error) {
	codes, names, err := g.strings(col, s.from, s.to)
	if err != nil {
		return nil, err
	}
	byCode := make([]event.Kind, len(names))
	for i, name := range names {
		k := slices.Index(kindNames[:], name)
		if k < int(event.Pageview) {
			return nil, fmt.Errorf("%s: %w", g.file.info.Name, errPage)
		}
		byCode[i] = event.Kind(k)
	}
	kinds := make([]event.Kind, len(codes))
	for i, c := range codes {
		kinds[i] = byCode[c]
	}
	return kinds, nil
}

// mergeRows goes through the rows of runs by visitor, time and arrival, several at a time where they lie together.
func mergeRows(heads []head, yield func(r *rows, from, to int) error) error {
	for len(heads) > 0 {
		least, others := 0, int64(math.MaxInt64)
		for i := 1; i < len(heads); i++ {
			if compareHeads(&heads[i], &heads[least]) < 0 {
				least = i
			}
		}
		for i := range heads {
			if i != least {
				others = min(others, heads[i].visitor())
			}
		}
		h := &heads[least]
		from := h.at
		for h.at++; h.at < h.rows.n && h.visitor() < others; h.at++ {
		}
		if err := yield(h.rows, from, h.at); err != nil {
			return err
		}
		if h.at < h.rows.n {
			continue
		}
		next, err := h.run.next()
		if err != nil {
			return err
		}
		if next == nil {
			heads = slices.Delete(heads, least, least+1)
			continue
		}
		h.rows, h.at = next, 0
	}
	return nil
}

func compareHeads(a, b *head) int {
	if a.visitor() != b.visitor() {
		return cmp.Compare(a.visitor(), b.visitor())
	}
	return cmp.Or(cmp.Compare(a.rows.time[a.at], b.rows.time[b.at]), cmp.Compare(a.order, b.order))
}

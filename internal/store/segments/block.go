package segments

import (
	"footfall/internal/event"
	"footfall/internal/store"
)

// A block is cells of one website, cut into visits: what questions are asked of, one block at a time. Its columns are
// read when a question needs them.
type block struct {
	cells          []cell // spans count from the start of the columns
	visits, events columns
}

// columns are those of a table or of a span of a row group.
type columns interface {
	rows() int
	values(col int) (texts, error)                                 // the dictionary of a text column
	codes(col int) ([]int32, error)                                // of a text column
	rowsOf(col int, byCode []uint8, memory *arena) (bitmap, error) // those of a text column whose code byCode has 1 for, not 0
	// pick is rowsOf for the events of some visits
	pick(col int, byCode []uint8, of *visitRuns, memory *arena) (selection, error)
	int32s(col int) ([]int32, error)
	steps(col int, memory *arena) (bitmap, error) // the rows but the first that are not as the row before, of an int32 column
	int64s(col int) ([]int64, error)              // also of coded columns
}

// tableColumns are a span of a table in memory.
type tableColumns struct {
	*table
	span
}

func (t tableColumns) rows() int                       { return t.len() }
func (t tableColumns) values(col int) (texts, error)   { return textsOf(t.data[col].dict.values), nil }
func (t tableColumns) codes(col int) ([]int32, error)  { return t.data[col].codes[t.from:t.to], nil }
func (t tableColumns) int32s(col int) ([]int32, error) { return t.data[col].i32[t.from:t.to], nil }

func (t tableColumns) rowsOf(col int, byCode []uint8, memory *arena) (bitmap, error) {
	return bitmapOf(t.data[col].codes[t.from:t.to], byCode, memory), nil
}

func (t tableColumns) pick(col int, byCode []uint8, of *visitRuns, memory *arena) (selection, error) {
	return of.pick(t.data[col].codes[t.from:t.to], byCode, memory), nil
}

func (t tableColumns) steps(col int, memory *arena) (bitmap, error) {
	return stepsOf(t.data[col].i32[t.from:t.to], memory), nil
}

func (t tableColumns) int64s(col int) ([]int64, error) {
	d := &t.data[col]
	if t.columns[col].typ == coded {
		return expand(make([]int64, 0, t.len()), d.runs, t.from, t.to), nil
	}
	return d.i64[t.from:t.to], nil
}

// groupColumns are a span of a row group.
type groupColumns struct {
	*group
	span
}

func (g groupColumns) rows() int { return g.len() }

func (g groupColumns) values(col int) (texts, error) {
	c, err := g.dictionary(col)
	if err != nil {
		return texts{}, err
	}
	return c.values, nil
}

func (g groupColumns) codes(col int) ([]int32, error) {
	return g.group.codes(col, g.from, g.to)
}

func (g groupColumns) rowsOf(col int, byCode []uint8, _ *arena) (bitmap, error) {
	return g.group.rowsOf(col, byCode, g.from, g.to)
}

func (g groupColumns) pick(col int, byCode []uint8, of *visitRuns, _ *arena) (selection, error) {
	return g.group.pick(col, byCode, of, g.from, g.to)
}

func (g groupColumns) int32s(col int) ([]int32, error) {
	all, err := g.group.int32s(col)
	if err != nil {
		return nil, err
	}
	return all[g.from:g.to], nil
}

func (g groupColumns) steps(col int, _ *arena) (bitmap, error) {
	return g.group.steps(col, g.from, g.to)
}

func (g groupColumns) int64s(col int) ([]int64, error) {
	if g.file.columns[col].typ == coded {
		return g.ints(col, g.from, g.to)
	}
	all, err := g.group.int64s(col)
	if err != nil {
		return nil, err
	}
	return all[g.from:g.to], nil
}

// newBlock is a block of cells that follow each other in two tables or row groups; their spans are made relative.
func newBlock(cells []cell, columnsOf func(visits, events span) (columns, columns)) *block {
	first, last := cells[0], cells[len(cells)-1]
	b := &block{cells: make([]cell, len(cells))}
	b.visits, b.events = columnsOf(span{first.visits.from, last.visits.to}, span{first.events.from, last.events.to})
	for i, c := range cells {
		c.visits.from -= first.visits.from
		c.visits.to -= first.visits.from
		c.events.from -= first.events.from
		c.events.to -= first.events.from
		b.cells[i] = c
	}
	return b
}

// block is what the cutter holds.
func (c *cutter) block() *block {
	return newBlock(c.cells, func(v, e span) (columns, columns) {
		return tableColumns{c.visits, v}, tableColumns{c.events, e}
	})
}

// fieldColumn is where a dimension of fields lies: the column, and whether it is one of visits.
func fieldColumn(d store.Dimension) (col int, ofVisit bool) {
	if d.Field.OfVisit() {
		return visitFields + int(d.Field) - event.NumEventFields, true
	}
	return eventFields + int(d.Field), false
}

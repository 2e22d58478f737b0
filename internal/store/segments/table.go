package segments

// A table is rows in memory, as columns. It is what a row group of a file is made from, and what questions about open
// cells are asked of.
type table struct {
	columns []column
	n       int
	data    []columnData // for each column, the slice that fits its type
}

type columnData struct {
	codes []int32 // text
	dict  *dictionary
	i32   []int32    // int32s
	i64   []int64    // int64s
	runs  []valueRun // coded
	texts []string   // plain
}

// A valueRun is n times the same value.
type valueRun struct {
	value int64
	n     int
}

// add adds a value to a coded column.
func (d *columnData) add(v int64) {
	if last := len(d.runs) - 1; last >= 0 && d.runs[last].value == v {
		d.runs[last].n++
		return
	}
	d.runs = append(d.runs, valueRun{v, 1})
}

// expand are the values of the rows from ≤ i < to of a coded column.
func expand(dst []int64, runs []valueRun, from, to int) []int64 {
	dst = dst[:0]
	for _, r := range runs {
		for range min(to, r.n) - max(from, 0) {
			dst = append(dst, r.value)
		}
		from, to = from-r.n, to-r.n
		if to <= 0 {
			break
		}
	}
	return dst
}

func newTable(columns []column) *table {
	t := &table{columns: columns, data: make([]columnData, len(columns))}
	for i, c := range columns {
		if c.typ == text {
			t.data[i].dict = newDictionary()
		}
	}
	return t
}

// reset empties the table and keeps its memory.
func (t *table) reset() {
	t.n = 0
	for i := range t.data {
		d := &t.data[i]
		d.codes, d.i32, d.i64, d.runs = d.codes[:0], d.i32[:0], d.i64[:0], d.runs[:0]
		clear(d.texts)
		d.texts = d.texts[:0]
		if d.dict != nil {
			d.dict.reset()
		}
	}
}

// texts is about how many bytes the dictionaries take.
func (t *table) texts() int {
	const each = 64 // of a text beside its bytes
	n := 0
	for i := range t.data {
		if d := t.data[i].dict; d != nil {
			n += d.bytes + each*len(d.values)
		}
	}
	return n
}

// A dictionary gives each different text a code, counted from 0.
type dictionary struct {
	values []string
	index  map[string]int32
	bytes  int
}

func newDictionary() *dictionary { return &dictionary{index: make(map[string]int32)} }

func (d *dictionary) reset() {
	if len(d.values) > 1<<14 {
		d.index = make(map[string]int32) // clearing a large map costs as much as its largest use
	}
	clear(d.index)
	clear(d.values)
	d.values = d.values[:0]
	d.bytes = 0
}

// code finds the code of s, which must stay as it is.
func (d *dictionary) code(s string) int32 {
	if c, ok := d.index[s]; ok {
		return c
	}
	c := int32(len(d.values))
	d.values = append(d.values, s)
	d.index[s] = c
	d.bytes += len(s)
	return c
}

// A translation turns codes of one dictionary into codes of another, looking each text up once.
type translation struct {
	from  []string
	to    *dictionary
	codes []int32 // code + 1; 0 is not looked up yet
	epoch int     // of the dictionary: how often it was emptied
}

func (t *translation) reset(from []string, to *dictionary, epoch int) {
	t.from, t.to, t.epoch = from, to, epoch
	if cap(t.codes) < len(from) {
		t.codes = make([]int32, len(from))
	}
	t.codes = t.codes[:len(from)]
	clear(t.codes)
}

func (t *translation) code(c int32) int32 {
	if k := t.codes[c]; k != 0 {
		return k - 1
	}
	k := t.to.code(t.from[c])
	t.codes[c] = k + 1
	return k
}

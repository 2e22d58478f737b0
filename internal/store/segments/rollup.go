package segments

import (
	"cmp"
	"slices"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A roll-up holds the counts of a month: for each website, each dimension and each value. Counts add up over days, so
// a question about whole months without a filter needs nothing else. The dimension day has each day of the month.

// rollupGroupRows is the size at which a row group ends with its dimension. Questions read one dimension.
const (
	rollupGroupRows = 4 << 10
	maxRollupRows   = 64 << 10
)

// rolledUp tells whether roll-ups hold a dimension.
func rolledUp(d store.Dimension) bool {
	switch d.Source {
	case store.FromNothing, store.FromField, store.FromLanding, store.FromExit, store.FromHourOfDay, store.FromDay,
		store.FromWeek, store.FromMonth:
		return true
	}
	return false
}

// rollupQuery asks for everything that a roll-up holds.
func rollupQuery() *store.Query {
	q := &store.Query{}
	for _, d := range store.Dimensions {
		switch d.Source {
		case store.FromWeek, store.FromMonth: // come from the days
			continue
		}
		if !rolledUp(d) {
			continue
		}
		q.Questions = append(q.Questions, store.Question{Dimension: d, Metrics: []store.Metric{
			store.Visitors, store.Pageviews, store.Events, store.BounceRate, store.VisitDuration, store.EngagedTime,
			store.ScrollDepth,
		}})
	}
	return q
}

// A rollupWriter counts blocks and writes the counts of one website after the other.
type rollupWriter struct {
	file  *fileWriter
	month event.Day
	scan  *scan
	table *table
}

func newRollupWriter(file *fileWriter, month event.Day) *rollupWriter {
	return &rollupWriter{file: file, month: month, scan: newScan(newPlan(rollupQuery()), new(arena)), table: newTable(rollupColumns)}
}

// maxRollupGroups bounds the values in memory, about 200 bytes each. Beyond it they are written and begun anew: then a
// value has several rows, which add up to the same.
const maxRollupGroups = 100_000

// add counts a block of the current website.
func (w *rollupWriter) add(b *block) error {
	w.scan.memory.reset()
	if err := w.scan.run(b, func(int) bool { return true }); err != nil {
		return err
	}
	n := 0
	for _, g := range w.scan.groups {
		n += len(g.values)
	}
	if n > maxRollupGroups {
		return w.endWebsite(b.cells[0].website)
	}
	return nil
}

// endWebsite writes the counts of a website so far.
func (w *rollupWriter) endWebsite(website int64) error {
	for i, q := range w.scan.plan.questions {
		g := w.scan.groups[i]
		order := make([]int, len(g.values))
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { // falling numbers lie closer together than names in order
			return cmp.Or(cmp.Compare(g.counts[b].Visitors, g.counts[a].Visitors), cmp.Compare(g.values[a], g.values[b]))
		})
		for _, k := range order {
			w.addRow(website, q.Dimension.Name, g.values[k], &g.counts[k])
			if w.table.n >= maxRollupRows {
				if err := w.flush(); err != nil {
					return err
				}
			}
		}
		w.scan.groups[i] = newGroups(nil)
		if w.table.n >= rollupGroupRows {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *rollupWriter) addRow(website int64, dimension, value string, c *store.Counts) {
	d := w.table.data
	d[colWebsite].add(website)
	d[colDay].add(int64(w.month))
	addCode(&d[rollupDimension], d[rollupDimension].dict.code(dimension))
	d[rollupValue].texts = append(d[rollupValue].texts, value)
	for i, n := range countFields(c) {
		add64(&d[rollupCounts+i], *n)
	}
	w.table.n++
}

// countFields are the sums in the order of their columns.
func countFields(c *store.Counts) [numCounts]*int64 {
	return [numCounts]*int64{
		&c.Visitors, &c.Visits, &c.Pageviews, &c.Events, &c.Bounces, &c.Duration, &c.Engaged, &c.Scroll, &c.Scrolls,
	}
}

func (w *rollupWriter) flush() error {
	err := w.file.writeGroup(w.table)
	w.table.reset()
	return err
}

// A rollupFile is an open roll-up with its directory.
type rollupFile struct {
	*tableFile
	entries []rollupEntry // by website
}

// A rollupEntry is where the values of a dimension lie.
type rollupEntry struct {
	website   int64
	dimension string
	group     int
	rows      span
}

func openRollup(t *tableFile) (*rollupFile, error) {
	r := &rollupFile{tableFile: t}
	for i := range t.groups {
		g := t.group(i, nil)
		cells, err := cellsOf(g)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			codes, names, err := g.strings(rollupDimension, c.rows.from, c.rows.to)
			if err != nil {
				return nil, err
			}
			for from := 0; from < len(codes); {
				to := from + 1
				for to < len(codes) && codes[to] == codes[from] {
					to++
				}
				r.entries = append(r.entries, rollupEntry{
					c.website, names[codes[from]], i, span{c.rows.from + from, c.rows.from + to},
				})
				from = to
			}
		}
	}
	return r, nil
}

// find are the places of a dimension of a website.
func (r *rollupFile) find(website int64, dimension string) []rollupEntry {
	a, _ := slices.BinarySearchFunc(r.entries, website, func(e rollupEntry, w int64) int { return cmp.Compare(e.website, w) })
	var found []rollupEntry
	for ; a < len(r.entries) && r.entries[a].website == website; a++ {
		if r.entries[a].dimension == dimension {
			found = append(found, r.entries[a])
		}
	}
	return found
}

// A rolledRows is the rows of one rollupEntry, decoded.
type rolledRows struct {
	values texts
	counts [numCounts][]int64 // nil where not needed
}

// A rollupReader answers several questions from a roll-up. It keeps the row groups it was in: a small website has all its
// dimensions in one.
type rollupReader struct {
	file   *rollupFile
	memory *arena
	groups map[int]*group
}

func newRollupReader(f *rollupFile, memory *arena) *rollupReader {
	return &rollupReader{file: f, memory: memory, groups: make(map[int]*group)}
}

func (r *rollupReader) group(i int) *group {
	if r.groups[i] == nil {
		r.groups[i] = r.file.group(i, r.memory)
	}
	return r.groups[i]
}

// rows reads the rows of a dimension of a website.
func (r *rollupReader) rows(website int64, dimension string, need needs) ([]rolledRows, error) {
	var all []rolledRows
	for _, e := range r.file.find(website, dimension) {
		var rows rolledRows
		var err error
		group := r.group(e.group)
		if rows.values, err = group.texts(rollupValue); err != nil {
			return nil, err
		}
		rows.values = rows.values.slice(e.rows.from, e.rows.to)
		for i, needed := range need.columns() {
			if !needed {
				continue
			}
			column, err := group.int64s(rollupCounts + i)
			if err != nil {
				return nil, err
			}
			rows.counts[i] = column[e.rows.from:e.rows.to]
		}
		all = append(all, rows)
	}
	return all, nil
}

// addTo adds the counts of a question about a website to its groups, or nothing if it returns an error. Questions about
// days may leave out those outside from ≤ d < to.
func (r *rollupReader) addTo(g *groups, q *questionPlan, website int64, from, to event.Day) error {
	dimension := q.Dimension.Name
	if overDays(q.Dimension) {
		dimension = dayDimension
	}
	all, err := r.rows(website, dimension, q.need)
	if err != nil {
		return err
	}
	for _, rows := range all {
		leftOut := int32(-1)
		if !q.Dimension.Empty {
			leftOut = rows.values.find("")
		}
		rowOf := func(code int32) int32 {
			if code == leftOut {
				return -1
			}
			return g.rowOf(q, &rows.values, code)
		}
		if overDays(q.Dimension) {
			rowOf = func(code int32) int32 {
				name, ok := nameDay(q.Dimension.Source, rows.values.at(code), from, to)
				if !ok {
					return -1
				}
				return g.searched(q, name)
			}
		}
		rows.addTo(g, rowOf)
	}
	return nil
}

const dayDimension = "day"

// nameDay is what a dimension over days calls the day in a row of a roll-up, and whether it is one of from ≤ d < to.
func nameDay(source store.Source, value string, from, to event.Day) (string, bool) {
	day, err := event.ParseDay(value)
	if err != nil || day < from || day >= to {
		return "", false
	}
	if source == store.FromNothing {
		return "", true
	}
	return dayValue(source, day), true
}

// addTo adds the rows to groups, each to the row that rowOf says, or not at all if that is less than 0.
func (rows *rolledRows) addTo(g *groups, rowOf func(code int32) int32) {
	for code := range int32(rows.values.len()) {
		row := rowOf(code)
		if row < 0 {
			continue
		}
		for i, n := range countFields(&g.counts[row]) {
			if rows.counts[i] != nil {
				*n += rows.counts[i][code]
			}
		}
	}
}

// overDays tells whether a roll-up answers for single days of the month.
func overDays(d store.Dimension) bool {
	switch d.Source {
	case store.FromNothing, store.FromDay, store.FromWeek, store.FromMonth:
		return true
	}
	return false
}

// columns tells which sums are needed, in the order of their columns. Visits are below every average.
func (n *needs) columns() [numCounts]bool {
	return [numCounts]bool{
		n.visitors, true, n.pageviews, n.events, n.bounces, n.duration, n.engaged, n.scroll, n.scroll,
	}
}

package segments

import (
	"fmt"
	"strings"

	"footfall/internal/event"
	"footfall/internal/store"
)

// blockCodes tell the value of a dimension for each visit or event of a block.
type blockCodes struct {
	ofVisit bool
	codes   []int32 // by visit or by event; nil means that all have the code 0
	values  texts   // by code
	leftOut int32   // the code that makes no row, or -1
}

// atEvent is the code of event e, which belongs to visit v.
func (c *blockCodes) atEvent(e, v int32) int32 {
	if c.codes == nil {
		return 0
	}
	if c.ofVisit {
		return c.codes[v]
	}
	return c.codes[e]
}

// A densifier numbers the codes that occur in a block from 0. A small website in a row group with many others uses few
// of the codes there are, and should pay for few.
type densifier struct {
	mark  []int64 // by code: round << 32 | dense code
	round int64
}

func (d *densifier) apply(c *blockCodes, memory *arena) {
	if len(d.mark) < c.values.len() {
		d.mark = make([]int64, c.values.len()*5/4)
		d.round = 0
	}
	d.round++
	var used []int32
	codes := memory.int32s(len(c.codes))
	leftOut := int32(-1)
	for i, code := range c.codes {
		m := d.mark[code]
		if m>>32 != d.round {
			m = d.round<<32 | int64(len(used))
			d.mark[code] = m
			used = append(used, code)
			if code == c.leftOut {
				leftOut = int32(m)
			}
		}
		codes[i] = int32(m)
	}
	c.codes, c.values, c.leftOut = codes, c.values.pick(used), leftOut
}

// codes finds the values of a dimension. What is not selected may have any.
func (s *scan) codes(d store.Dimension, sel *selection) (c blockCodes, err error) {
	c.leftOut = -1
	switch d.Source {
	case store.FromNothing:
		return blockCodes{ofVisit: true, values: textsOf([]string{""}), leftOut: -1}, nil
	case store.FromDay, store.FromWeek, store.FromMonth:
		return s.dayCodes(d.Source), nil
	case store.FromHour, store.FromHourOfDay:
		return s.hourCodes(d.Source)
	case store.FromLanding, store.FromExit:
		return s.edgeCodes(d, sel)
	}
	if d.Field == event.Page { // landing and exit pages share it
		err = s.loadPages()
		c.codes, c.values = s.lazy.pages, s.lazy.pageValues
	} else {
		c, err = s.fieldCodes(d)
	}
	if err != nil {
		return c, err
	}
	if d.Source != store.FromField {
		c = s.propCodes(d, c)
	}
	if !d.Empty {
		c.leftOut = c.values.find("")
	}
	return c, nil
}

func (s *scan) fieldCodes(d store.Dimension) (c blockCodes, err error) {
	col, ofVisit := fieldColumn(d)
	from := s.block.events
	if ofVisit {
		from = s.block.visits
	}
	c = blockCodes{ofVisit: ofVisit, leftOut: -1}
	if c.values, err = from.values(col); err != nil {
		return c, err
	}
	c.codes, err = from.codes(col)
	return c, err
}

// propCodes turns codes of the field Props into codes of the values of one property, or of the names.
func (s *scan) propCodes(d store.Dimension, props blockCodes) blockCodes {
	dict := newDictionary()
	byCode := s.memory.int32s(props.values.len())
	for i := range byCode {
		byCode[i] = dict.code(d.Value(props.values.at(int32(i))))
	}
	codes := s.memory.int32s(len(props.codes))
	for i, c := range props.codes {
		codes[i] = byCode[c]
	}
	return blockCodes{codes: codes, values: textsOf(dict.values), leftOut: -1}
}

// edgeCodes are the pages of the first or last pageview of each visit. They are not stored: reading the pages of all
// events takes about as long as reading two more columns of visits, which would be a tenth of all bytes.
func (s *scan) edgeCodes(d store.Dimension, sel *selection) (blockCodes, error) {
	if err := s.load(toLoad{true, s.loadStarts}, toLoad{true, s.loadKinds}, toLoad{true, s.loadPages}); err != nil {
		return blockCodes{}, err
	}
	l := &s.lazy
	codes := s.memory.int32s(s.block.visits.rows())
	edge := l.firstPage
	if d.Source == store.FromExit {
		edge = l.lastPage
	}
	if sel.all || sel.byEvent { // events that were left out may be at the edge
		for v := range codes {
			codes[v] = edge(l.starts[v], l.starts[v+1])
		}
	} else {
		fill(codes, l.noPage)
		for _, v := range sel.list {
			codes[v] = edge(l.starts[v], l.starts[v+1])
		}
	}
	return blockCodes{ofVisit: true, codes: codes, values: l.pageValues, leftOut: l.noPage}, nil
}

// firstPage is the page of the first pageview among the events from ≤ e < to.
func (l *lazyColumns) firstPage(from, to int32) int32 {
	for e := from; e < to; e++ {
		if l.kinds[e] == l.pageviewKind {
			return l.pages[e]
		}
	}
	return l.noPage
}

// lastPage is likewise the last.
func (l *lazyColumns) lastPage(from, to int32) int32 {
	for e := to - 1; e >= from; e-- {
		if l.kinds[e] == l.pageviewKind {
			return l.pages[e]
		}
	}
	return l.noPage
}

func (s *scan) dayCodes(source store.Source) blockCodes {
	dict := newDictionary()
	codes := s.memory.int32s(s.block.visits.rows())
	for _, c := range s.block.cells {
		fill(codes[c.visits.from:c.visits.to], dict.code(dayValue(source, c.day)))
	}
	return blockCodes{ofVisit: true, codes: codes, values: textsOf(dict.values), leftOut: -1}
}

// dayValue is what a dimension of days calls a day.
func dayValue(source store.Source, d event.Day) string {
	switch source {
	case store.FromWeek:
		return d.Monday().String()
	case store.FromMonth:
		return monthName(d)
	}
	return d.String()
}

func (s *scan) hourCodes(source store.Source) (blockCodes, error) {
	times, err := s.block.events.int64s(eventTime)
	if err != nil {
		return blockCodes{}, err
	}
	offsets, err := s.block.events.int64s(eventOffset)
	if err != nil {
		return blockCodes{}, err
	}
	codes := s.memory.int32s(len(times))
	var values []string
	if source == store.FromHourOfDay {
		for h := range 24 {
			values = append(values, fmt.Sprintf("%02d", h))
		}
	}
	for _, c := range s.block.cells {
		base := int32(0)
		if source == store.FromHour {
			base = int32(len(values))
			for h := range 24 {
				values = append(values, fmt.Sprintf("%sT%02d:00", c.day, h))
			}
		}
		for e := c.events.from; e < c.events.to; e++ {
			codes[e] = base + int32(event.HourOf(times[e], int16(offsets[e])))
		}
	}
	return blockCodes{codes: codes, values: textsOf(values), leftOut: -1}, nil
}

// matchesSearch tells whether value contains search, whatever the case of the letters.
func matchesSearch(search, value string) bool {
	return search == "" || strings.Contains(strings.ToLower(value), strings.ToLower(search))
}

package segments

import (
	"footfall/internal/event"
)

// rows are events of one cell, sorted by visitor and time, as columns: what the cutter takes, wherever it lies.
type rows struct {
	n                        int
	visitor, time, id, value []int64 // id is nil if no event has one
	offset                   []int64
	kind                     []event.Kind
	scroll, engaged          []int32
	fields                   [event.NumFields]fieldRows // those that were asked for
	visit                    []int32                    // of sealed rows: where the fields of their visit stand
	xlate                    *translations              // shared by all rows with the same dictionaries
}

// fieldRows are the texts of a field, by row or, in sealed rows and for a field of visits, by visit.
type fieldRows struct {
	codes  []int32
	values []string
}

// code is the code of field f in a row.
func (r *rows) code(f int, row int32) int32 {
	if r.visit != nil && f >= event.NumEventFields {
		row = r.visit[row]
	}
	return r.fields[f].codes[row]
}

// translations lead from the dictionary of each field into another.
type translations [event.NumFields]translation

// A fieldSet is a set of event fields.
type fieldSet uint32

const allFields = fieldSet(1)<<event.NumFields - 1

func (s fieldSet) has(f int) bool { return s&(1<<f) != 0 }

func (s *fieldSet) add(f event.Field) { *s |= 1 << f }

// A run is a source of rows of one cell, in order. It gives them in pieces; a visitor may lie in two of them.
type run interface {
	// next is the next piece, or nil when there is none. The ones before stay as they are.
	next() (*rows, error)
}

// oneRun is a run of a single piece.
type oneRun struct{ rows *rows }

func (r *oneRun) next() (*rows, error) {
	rows := r.rows
	r.rows = nil
	return rows, nil
}

// The libraries that read our files here take a quarter of all the time that it takes to build the tests, and nothing of these
// tests runs beside anything: make test runs what needs them once, without the race detector.
//go:build !race

package segments_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"footfall/internal/event"
)

// A sheet is a file as another reader sees it: the value of each column in each row, as text.
type sheet struct {
	columns []string
	types   []string
	rows    [][]string
}

func (s *sheet) column(name string) int { return slices.Index(s.columns, name) }

// readWithLibrary reads a file with the generic reader of the library.
func readWithLibrary(t testing.TB, name string, data []byte) *sheet {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s := &sheet{}
	fields := f.Schema().Fields()
	for _, field := range fields {
		s.columns = append(s.columns, field.Name())
		s.types = append(s.types, field.Type().String())
	}
	r := parquet.NewGenericReader[any](f, f.Schema())
	defer r.Close()
	if n := r.NumRows(); n > 0 {
		s.rows = make([][]string, 0, n)
	}
	rows := make([]parquet.Row, 100)
	for {
		n, err := r.ReadRows(rows)
		for _, row := range rows[:n] {
			values := make([]string, len(fields))
			for _, v := range row {
				values[v.Column()] = libraryText(fields[v.Column()], v)
			}
			s.rows = append(s.rows, values)
		}
		if errors.Is(err, io.EOF) {
			return s
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func libraryText(field parquet.Field, v parquet.Value) string {
	logical := field.Type().LogicalType()
	switch {
	case strings.HasPrefix(field.Type().String(), "DATE"):
		return event.Day(v.Int32()).String()
	case logical != nil && strings.HasPrefix(field.Type().String(), "TIMESTAMP"):
		return time.UnixMilli(v.Int64()).UTC().Format(time.RFC3339Nano)
	}
	return v.String()
}

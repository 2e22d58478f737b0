//go:build !race

package segments_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"footfall/internal/event"
)

// readWithArrow reads a file with the Parquet reader of the Arrow library, which shares no code with the one that we write with.
func readWithArrow(t testing.TB, name string, data []byte) *sheet {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer r.Close()
	columns := r.MetaData().Schema
	s := &sheet{rows: make([][]string, r.NumRows())}
	for i := range columns.NumColumns() {
		c := columns.Column(i)
		s.columns = append(s.columns, c.Name())
		s.types = append(s.types, documentedType(c))
		if c.MaxDefinitionLevel() != 0 || c.MaxRepetitionLevel() != 0 {
			t.Errorf("%s: column %s may be missing, or be there twice", name, c.Name())
		}
	}
	row := 0
	for g := range r.NumRowGroups() {
		group := r.RowGroup(g)
		for i := range columns.NumColumns() {
			column, err := group.Column(i)
			must(t, err)
			values, err := arrowValues(column, s.types[i])
			if err != nil {
				t.Fatalf("%s: column %s: %v", name, s.columns[i], err)
			}
			if int64(len(values)) != group.NumRows() {
				t.Fatalf("%s: column %s has %d values in %d rows", name, s.columns[i], len(values), group.NumRows())
			}
			for k, v := range values {
				s.rows[row+k] = append(s.rows[row+k], v)
			}
		}
		row += int(group.NumRows())
	}
	return s
}

// documentedType is what docs/files.md calls the type of a column.
func documentedType(c *schema.Column) string {
	physical, logical := c.PhysicalType(), c.LogicalType().String()
	switch {
	case physical == parquet.Types.ByteArray && logical == "String":
		return "string"
	case physical == parquet.Types.Int32 && logical == "Date":
		return "date"
	case physical == parquet.Types.Int64 && strings.HasPrefix(logical, "Timestamp(isAdjustedToUTC=true, timeUnit=milliseconds,"):
		return "timestamp (ms, UTC)"
	case physical == parquet.Types.Int32 && (logical == "None" || logical == "Int(bitWidth=32, isSigned=true)"):
		return "int32"
	case physical == parquet.Types.Int64 && (logical == "None" || logical == "Int(bitWidth=64, isSigned=true)"):
		return "int64"
	}
	return physical.String() + " " + logical
}

// arrowValues are the values of a column in a row group, as text.
func arrowValues(column file.ColumnChunkReader, typ string) ([]string, error) {
	switch column := column.(type) {
	case *file.ByteArrayColumnChunkReader:
		return inBatches(column, func(v parquet.ByteArray) string { return string(v) })
	case *file.Int32ColumnChunkReader:
		if typ == "date" {
			return inBatches(column, func(v int32) string { return time.Unix(int64(v)*86400, 0).UTC().Format(time.DateOnly) })
		}
		return inBatches(column, func(v int32) string { return fmt.Sprint(v) })
	case *file.Int64ColumnChunkReader:
		if typ == "timestamp (ms, UTC)" {
			return inBatches(column, func(v int64) string { return time.UnixMilli(v).UTC().Format(time.RFC3339Nano) })
		}
		return inBatches(column, func(v int64) string { return fmt.Sprint(v) })
	}
	return nil, fmt.Errorf("has the type %s", typ)
}

func inBatches[T any](column interface {
	HasNext() bool
	Err() error
	ReadBatch(int64, []T, []int16, []int16) (int64, int, error)
}, text func(T) string) (all []string, err error) {
	values := make([]T, 1000)
	for column.HasNext() {
		_, n, err := column.ReadBatch(int64(len(values)), values, nil, nil)
		if err != nil {
			return nil, err
		}
		for _, v := range values[:n] {
			all = append(all, text(v))
		}
	}
	return all, column.Err()
}

func TestEveryFileOpensInOtherReaders(t *testing.T) {
	h := makeHistory(t, 4)
	for _, path := range h.names("") {
		if strings.Contains(path, "MANIFEST") {
			continue
		}
		arrowSheet := readWithArrow(t, path, h.files[path])
		library := readWithLibrary(t, path, h.files[path])
		if !slices.Equal(arrowSheet.columns, library.columns) {
			t.Fatalf("%s: columns %q and %q", path, arrowSheet.columns, library.columns)
		}
		if len(arrowSheet.rows) == 0 || len(arrowSheet.rows) != len(library.rows) {
			t.Fatalf("%s: %d rows and %d", path, len(arrowSheet.rows), len(library.rows))
		}
		for i := range library.rows {
			if !slices.Equal(arrowSheet.rows[i], library.rows[i]) {
				t.Fatalf("%s, row %d:\n%q\n%q", path, i, arrowSheet.rows[i], library.rows[i])
			}
		}
	}
}

// A tally of events by website, day, kind, page, time and more, to compare what was loaded with what others read.
type tallies map[string]int

func (t tallies) add(website, day, kind, page, name, value, at string) {
	t[strings.Join([]string{website, day, kind, page, name, value, at}, " | ")]++
}

func TestOtherReadersFindTheEventsThatWereLoaded(t *testing.T) {
	h := makeHistory(t, 4)
	want := tallies{}
	for _, e := range h.events {
		kind := map[event.Kind]string{event.Pageview: "pageview", event.Custom: "event", event.Engagement: "engagement"}[e.Kind]
		want.add(fmt.Sprint(e.Website), e.Day.String(), kind, e.Fields[event.Page], e.Fields[event.Name], fmt.Sprint(e.Value),
			time.UnixMilli(e.Time).UTC().Format(time.RFC3339Nano))
	}
	got := tallies{}
	for _, path := range h.names("") {
		if strings.Contains(path, "MANIFEST") || strings.Contains(path, "rollups") || strings.Contains(path, ".visits.") {
			continue
		}
		s := readWithArrow(t, path, h.files[path])
		col := func(row []string, name string) string { return row[s.column(name)] }
		for _, row := range s.rows {
			got.add(col(row, "website"), col(row, "day"), col(row, "kind"), col(row, "page"), col(row, "event"), col(row, "value"), col(row, "time"))
		}
	}
	for key, n := range want {
		if got[key] != n {
			t.Errorf("%s: %d in files, %d loaded", key, got[key], n)
		}
	}
	for key, n := range got {
		if want[key] == 0 {
			t.Errorf("%s: %d in files, none loaded", key, n)
		}
	}
}

// Every visit of the sealed files has the events that it says, and their sums are what the engine answers.
func TestOtherReadersCountVisitsAsTheEngineDoes(t *testing.T) {
	h := makeHistory(t, 4)
	type counts struct{ visitors, visits, pageviews, events int }
	files := map[string]counts{}
	for _, path := range h.names("") {
		if !strings.HasSuffix(path, ".visits.parquet") {
			continue
		}
		visits := readWithLibrary(t, path, h.files[path])
		events := readWithLibrary(t, path, h.files[strings.Replace(path, ".visits.", ".events.", 1)])
		type visit struct{ website, day, visit string }
		pageviews, customs := map[visit]int{}, map[visit]int{}
		for _, row := range events.rows {
			v := visit{row[events.column("website")], row[events.column("day")], row[events.column("visit")]}
			switch row[events.column("kind")] {
			case "pageview":
				pageviews[v]++
			case "event":
				customs[v]++
			}
		}
		seen := map[visit]bool{}
		visitors := map[visit]bool{}
		for _, row := range visits.rows {
			v := visit{row[visits.column("website")], row[visits.column("day")], row[visits.column("visit")]}
			who := visit{v.website, v.day, row[visits.column("visitor")]}
			if seen[v] {
				t.Fatalf("%s: visit %v is there twice", path, v)
			}
			seen[v] = true
			if row[visits.column("pageviews")] != fmt.Sprint(pageviews[v]) || row[visits.column("events")] != fmt.Sprint(customs[v]) {
				t.Fatalf("%s: visit %v says %s pageviews and %s events; its events are %d and %d", path, v,
					row[visits.column("pageviews")], row[visits.column("events")], pageviews[v], customs[v])
			}
			c := files[v.website+" "+v.day]
			c.visits++
			c.pageviews += pageviews[v]
			c.events += customs[v]
			if !visitors[who] {
				visitors[who] = true
				c.visitors++
			}
			files[v.website+" "+v.day] = c
		}
	}
	e := h.open(t, h.onto(t, nil))
	checked := 0
	for _, w := range websites {
		for d := historyFrom; d < historyFrom+60; d++ {
			c, sealed := files[fmt.Sprint(w, " ", d)]
			if !sealed || d == historyFrom+3 || d == historyFrom+20 { // these have late parts
				continue
			}
			r, err := e.Run(t.Context(), totals(w, d, d+1))
			must(t, err)
			got := r.Answers[0].Rows[0].Metrics
			if want := []float64{float64(c.visitors), float64(c.visits), float64(c.pageviews), float64(c.events)}; !slices.Equal(got[:4], want) {
				t.Errorf("website %d on %s: the engine answers %v, its files say %v", w, d, got[:4], want)
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d cells were compared", checked)
	}
}

func TestOtherReadersFindTheNumbersOfRollups(t *testing.T) {
	h := makeHistory(t, 4)
	e := h.open(t, h.onto(t, nil))
	for _, path := range h.names("month-2026-02") {
		if !strings.Contains(path, "rollups") {
			continue
		}
		s := readWithArrow(t, path, h.files[path])
		got := map[string]string{}
		for _, row := range s.rows {
			if row[s.column("dimension")] == "page" && row[s.column("website")] == fmt.Sprint(websites[1]) {
				got[row[s.column("value")]] = row[s.column("pageviews")] + " " + row[s.column("visitors")]
			}
		}
		r, err := e.Run(t.Context(), totals(websites[1], event.NewDay(2026, 2, 1), event.NewDay(2026, 3, 1)))
		must(t, err)
		if len(got) != r.Answers[1].Total {
			t.Errorf("%d pages in the roll-up, %d in the answer", len(got), r.Answers[1].Total)
		}
		for _, row := range r.Answers[1].Rows {
			if want := fmt.Sprint(row.Metrics[0], " ", row.Metrics[1]); got[row.Value] != want {
				t.Errorf("%s has %q in the roll-up and %q in the answer", row.Value, got[row.Value], want)
			}
		}
		return
	}
	t.Error("no roll-up of February")
}

// A documented column, as a row of a table in docs/files.md.
type documented struct{ name, typ string }

// documentedColumns are the rows of tables that begin with a name in code, under each heading of docs/files.md.
func documentedColumns(t testing.TB) map[string][]documented {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "files.md"))
	must(t, err)
	columns := map[string][]documented{}
	heading := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			heading = name
		}
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			name, rest, _ := strings.Cut(rest, "`")
			typ, _, _ := strings.Cut(strings.TrimLeft(rest, " |"), "|")
			columns[heading] = append(columns[heading], documented{name, strings.TrimSpace(typ)})
		}
	}
	return columns
}

func TestFilesHaveTheColumnsThatAreDocumented(t *testing.T) {
	columns := documentedColumns(t)
	h := makeHistory(t, 2)
	checked := map[string]bool{}
	for _, path := range h.names("") {
		heading := ""
		switch name := filepath.Base(path); {
		case strings.Contains(path, "rollups"):
			heading = "Roll-ups"
		case strings.HasSuffix(name, ".visits.parquet"):
			heading = "Visits"
		case strings.HasSuffix(name, ".events.parquet"):
			heading = "Events"
		case strings.HasPrefix(name, "part-"), strings.HasPrefix(name, "late-"):
			heading = "Parts"
		default:
			continue
		}
		checked[heading] = true
		s := readWithArrow(t, path, h.files[path])
		var want, types []string
		for _, c := range columns[heading] {
			want, types = append(want, c.name), append(types, c.typ)
		}
		if !slices.Equal(s.columns, want) {
			t.Errorf("%s has the columns\n%q\nand docs/files.md has under %q\n%q", filepath.Base(path), s.columns, heading, want)
		} else if !slices.Equal(s.types, types) {
			t.Errorf("%s has the types\n%q\nand docs/files.md has under %q\n%q", filepath.Base(path), s.types, heading, types)
		}
	}
	if len(checked) != 4 {
		t.Errorf("only these kinds of file were there: %v", checked)
	}
}

package port

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"footfall/internal/event"
)

// A csvReader reads our own CSV. Columns are found by their names; those that are not ours are left out.
type csvReader struct {
	*table
	columns []int // of each cell of a line, -1 for none
}

func newCSVReader(r io.Reader) (*csvReader, error) {
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	c := &csvReader{table: t}
	for _, name := range t.head {
		c.columns = append(c.columns, slices.Index(Columns, strings.ToLower(strings.TrimSpace(disarmed(name)))))
	}
	if !slices.Contains(c.columns, colTime) {
		return nil, HeadError("the first line must name the columns, and one of them must be time")
	}
	return c, nil
}

// Next implements Reader.
func (c *csvReader) Next(e *Entry) error {
	if err := c.next(e); err != nil || e.Bad != "" {
		return err
	}
	var r row
	for i, cell := range c.cells {
		if col := c.columns[i]; col >= 0 {
			if cell = disarmed(cell); col < colFields {
				cell = strings.TrimSpace(cell)
			}
			r[col] = cell
		}
	}
	r.entry(e)
	return nil
}

// A table is CSV with a head.
type table struct {
	lines *lines
	head  []string
	cells []string // of the line that was read last
}

func newTable(r io.Reader) (*table, error) {
	t := &table{lines: newLines(r, true)}
	text, bad, err := t.lines.next()
	if err == io.EOF {
		return nil, HeadError("the file is empty")
	}
	if err != nil {
		return nil, err
	}
	head, ok := cells(nil, string(text))
	if bad != "" || !ok {
		return nil, HeadError("the first line must name the columns, with commas between them")
	}
	t.head = head
	return t, nil
}

// next reads a line that has a cell for each column.
func (t *table) next(e *Entry) error {
	text, bad, err := t.lines.next()
	if err != nil {
		return err
	}
	*e = Entry{Line: t.lines.number, Bad: bad}
	if bad != "" {
		return nil
	}
	var ok bool
	if t.cells, ok = cells(t.cells, string(text)); !ok {
		e.Bad = "has a quote in the wrong place"
	} else if len(t.cells) != len(t.head) {
		e.Bad = fmt.Sprintf("has %d cells, and the first line has %d", len(t.cells), len(t.head))
	}
	return nil
}

// A csvWriter writes our own CSV. The texts of events are strangers' texts, and a spreadsheet runs a cell that begins like a
// formula: see armed.
type csvWriter struct {
	w    *bufio.Writer
	line []byte
	head bool
}

func newCSVWriter(w io.Writer) *csvWriter { return &csvWriter{w: bufio.NewWriterSize(w, 64<<10)} }

// Write implements Writer.
func (c *csvWriter) Write(e *event.Event) error {
	c.writeHead()
	b := append(c.line[:0], '"')
	b = append(b, e.Day.String()...)
	b = append(b, `",`...)
	b = strconv.AppendUint(b, e.Visitor, 10)
	b = append(b, `,"`...)
	b = time.UnixMilli(e.Time).UTC().AppendFormat(b, timeForm)
	b = append(b, `",`...)
	b = strconv.AppendInt(b, int64(e.Offset), 10)
	b = append(b, `,"`...)
	b = append(b, kinds[e.Kind]...)
	b = append(b, '"')
	for _, n := range [...]int64{int64(e.Scroll), int64(e.Engaged), e.Value} {
		b = strconv.AppendInt(append(b, ','), n, 10)
	}
	for _, text := range &e.Fields {
		b = append(b, ',')
		if text != "" {
			b = append(b, '"')
			b = append(b, strings.ReplaceAll(armed(text), `"`, `""`)...)
			b = append(b, '"')
		}
	}
	c.line = append(b, "\r\n"...)
	_, err := c.w.Write(c.line)
	return err
}

func (c *csvWriter) writeHead() {
	if !c.head {
		c.head = true
		c.w.WriteString(strings.Join(Columns, ",") + "\r\n") // an error comes again with what follows
	}
}

// Flush implements Writer. A file without events has a head.
func (c *csvWriter) Flush() error {
	c.writeHead()
	return c.w.Flush()
}

// separators are what a spreadsheet may take for the end of a cell, quoted or not, depending on the country.
const separators = ";\t\r\n"

// armed is a text that no spreadsheet runs: where a cell begins, or may be taken to begin, a ' stands before what may be a
// formula. So that reading can take it away again, one stands before each ' there too.
func armed(s string) string {
	if !suspicious(s) {
		return s
	}
	var b strings.Builder
	for {
		if strings.HasPrefix(s, "'") || isFormula(s) {
			b.WriteByte('\'')
		}
		i := strings.IndexAny(s, separators)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
	}
}

// disarmed is the text that armed wrote.
func disarmed(s string) string {
	if !strings.Contains(s, "'") {
		return s
	}
	var b strings.Builder
	for {
		s = strings.TrimPrefix(s, "'")
		i := strings.IndexAny(s, separators)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
	}
}

// suspicious tells whether armed has to look: most texts are plain.
func suspicious(s string) bool {
	return strings.HasPrefix(s, "'") || isFormula(s) || strings.ContainsAny(s, separators)
}

// isFormula tells whether a spreadsheet may run a text. Some look behind spaces and quotes, and at the wide forms of the signs.
func isFormula(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' || r == '"' })
	return strings.IndexAny(s, "=+-@＝＋－＠") == 0
}

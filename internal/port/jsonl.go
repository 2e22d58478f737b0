package port

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/valyala/fastjson"

	"footfall/internal/event"
)

// A jsonlReader reads our own JSON lines: an object on each, with the names of the columns.
type jsonlReader struct {
	lines  *lines
	parser fastjson.Parser
}

func newJSONLReader(r io.Reader) *jsonlReader { return &jsonlReader{lines: newLines(r, false)} }

// Next implements Reader.
func (j *jsonlReader) Next(e *Entry) error {
	text, bad, err := j.lines.next()
	if err != nil {
		return err
	}
	*e = Entry{Line: j.lines.number, Bad: bad}
	if bad != "" {
		return nil
	}
	v, err := j.parser.ParseBytes(text)
	if err != nil || v.Type() != fastjson.TypeObject {
		e.Bad = "is no JSON object"
		return nil
	}
	var r row
	v.GetObject().Visit(func(name []byte, v *fastjson.Value) {
		if col := slices.Index(Columns, string(name)); col >= 0 {
			r[col] = textOf(v)
		}
	})
	r.entry(e)
	return nil
}

// textOf is a value as a cell would have it.
func textOf(v *fastjson.Value) string {
	switch v.Type() {
	case fastjson.TypeString:
		return string(v.GetStringBytes())
	case fastjson.TypeNumber, fastjson.TypeObject:
		return string(v.MarshalTo(nil))
	}
	return ""
}

// A jsonlWriter writes our own JSON lines. What is empty is left out.
type jsonlWriter struct {
	w    *bufio.Writer
	line []byte
}

func newJSONLWriter(w io.Writer) *jsonlWriter { return &jsonlWriter{w: bufio.NewWriterSize(w, 64<<10)} }

// Write implements Writer.
func (j *jsonlWriter) Write(e *event.Event) error {
	b := append(j.line[:0], `{"day":"`...)
	b = append(b, e.Day.String()...)
	b = append(b, `","visitor":`...)
	b = strconv.AppendUint(b, e.Visitor, 10)
	b = append(b, `,"time":"`...)
	b = time.UnixMilli(e.Time).UTC().AppendFormat(b, timeForm)
	b = append(b, `","offset":`...)
	b = strconv.AppendInt(b, int64(e.Offset), 10)
	b = append(b, `,"kind":"`...)
	b = append(append(b, kinds[e.Kind]...), '"')
	for i, n := range [...]int64{int64(e.Scroll), int64(e.Engaged), e.Value} {
		if n != 0 {
			b = appendName(b, Columns[colScroll+i])
			b = strconv.AppendInt(b, n, 10)
		}
	}
	for f, text := range &e.Fields {
		if text == "" {
			continue
		}
		b = appendName(b, Columns[colFields+f])
		if event.Field(f) == event.Props && event.SplitProps(text) != nil {
			b = append(b, text...)
		} else {
			b = appendText(b, text)
		}
	}
	j.line = append(b, "}\n"...)
	_, err := j.w.Write(j.line)
	return err
}

// Flush implements Writer.
func (j *jsonlWriter) Flush() error { return j.w.Flush() }

func appendName(b []byte, name string) []byte {
	return append(append(append(b, `,"`...), name...), `":`...)
}

func appendText(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always encodes
	}
	return append(b, quoted...)
}

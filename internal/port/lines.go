package port

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxLine is the longest line that is read. The longest that export writes has 24 texts of 4 KiB each, escaped.
const maxLine = 1 << 20

// Why a line cannot be read.
const (
	tooLong    = "is longer than 1 MiB"
	unfinished = "has a quoted cell that does not end"
)

// lines cuts a file into lines of bounded length. In CSV a quoted cell may hold line breaks.
type lines struct {
	r      *bufio.Reader
	quoted bool  // line breaks within quotes end nothing
	number int64 // of the line that was read last, its first if it has several
	read   int64 // line breaks so far
}

func newLines(r io.Reader, quoted bool) *lines {
	l := &lines{r: bufio.NewReaderSize(r, maxLine), quoted: quoted}
	if mark, _ := l.r.Peek(3); string(mark) == "\ufeff" {
		l.r.Discard(3)
	}
	return l
}

// next is the next line that is not empty, without its end. The text is good until the next call. bad says why it cannot be read.
func (l *lines) next() (text []byte, bad string, err error) {
	for {
		text, bad, err = l.one()
		if err != nil || bad != "" || len(bytes.TrimSpace(text)) > 0 {
			return text, bad, err
		}
	}
}

func (l *lines) one() (text []byte, bad string, err error) {
	l.number = l.read + 1
	scan := scanner{quoted: l.quoted, cellStart: true}
	for seen := 0; ; {
		_, err := l.r.Peek(seen + 1)
		all, _ := l.r.Peek(l.r.Buffered())
		if n := scan.end(all[seen:]); n >= 0 {
			return l.take(all[:seen+n+1]), "", nil
		}
		seen = len(all)
		switch {
		case err == nil:
		case errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF) && scan.inQuotes:
			return nil, l.skip(all, errors.Is(err, io.EOF)), nil
		case errors.Is(err, io.EOF) && seen > 0:
			return l.take(all), "", nil
		default:
			return nil, "", err
		}
	}
}

// take takes bytes that are in the buffer as a line.
func (l *lines) take(b []byte) []byte {
	l.r.Discard(len(b)) // does not touch the buffer
	l.read += int64(bytes.Count(b, []byte("\n")))
	return bytes.TrimRight(b, "\r\n")
}

// skip leaves out the first line of what cannot be read, and goes on behind it: a quote too many must not swallow the rest of
// a file.
func (l *lines) skip(all []byte, isLast bool) (bad string) {
	if end := bytes.IndexByte(all, '\n'); end >= 0 {
		l.take(all[:end+1])
		return unfinished
	}
	for {
		_, err := l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil {
			l.read++
		}
		break // another error comes again
	}
	if isLast {
		return unfinished
	}
	return tooLong
}

// A scanner looks for the end of a line.
type scanner struct {
	quoted    bool
	cellStart bool
	inQuotes  bool
}

// end is the index of the line break that ends the line, or -1.
func (s *scanner) end(b []byte) int {
	if !s.quoted {
		return bytes.IndexByte(b, '\n')
	}
	for i, c := range b {
		switch {
		case s.inQuotes:
			s.inQuotes = c != '"' // a doubled one opens them again
		case c == '\n':
			return i
		case c == '"' && s.cellStart:
			s.inQuotes = true
			continue // so that a doubled one does too
		}
		s.cellStart = c == ',' && !s.inQuotes || c == '"'
	}
	return -1
}

// cells are the cells of a line of CSV, cut out of one text. A quote within a cell that is not quoted is one like any other character.
func cells(into []string, line string) (_ []string, ok bool) {
	into = into[:0]
	for {
		if !strings.HasPrefix(line, `"`) {
			cell, rest, more := strings.Cut(line, ",")
			into = append(into, cell)
			if !more {
				return into, true
			}
			line = rest
			continue
		}
		end, doubled := closing(line)
		if end < 0 {
			return into, false
		}
		cell := line[1:end]
		if doubled {
			cell = strings.ReplaceAll(cell, `""`, `"`)
		}
		into = append(into, cell)
		line = line[end+1:]
		if line == "" {
			return into, true
		}
		if line[0] != ',' {
			return into, false
		}
		line = line[1:]
	}
}

// closing is the index of the quote that ends a quoted cell, or -1, and whether there are doubled ones before it.
func closing(line string) (end int, doubled bool) {
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			doubled = true
			i++
			continue
		}
		return i, doubled
	}
	return -1, doubled
}

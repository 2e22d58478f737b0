// Package port reads and writes the files in which events come and go: our own, as CSV and as JSON lines, and those of
// others.
//
// The one thing to know is the Entry: what one line of a file says. Port knows what the bytes mean, and nothing of
// websites, visitors or rules; collect makes events of entries. A line that makes no sense is an Entry too, one that says why,
// so that a file of any size is read to its end, in memory that no line can exceed.
package port

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"

	"footfall/internal/event"
)

// A Format is a kind of file.
type Format string

// The formats. Export writes the first two.
const (
	CSV         Format = "csv"
	JSONL       Format = "jsonl"
	GoatCounter Format = "goatcounter" // CSV, as GoatCounter exports it
	Log         Format = "log"         // access log of a web server, common or combined
)

// Formats are those that can be read.
var Formats = []Format{CSV, JSONL, GoatCounter, Log}

// Written are those that can be written.
var Written = []Format{CSV, JSONL}

// Names are formats for people, with commas.
func Names(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// An Entry is what one line says.
type Entry struct {
	Line    int64       // number of the line, from 1; its first if it goes over several
	Bad     string      // why the line is none of its format; "" if it is one
	Event   event.Event // Kind, Time and what else the file says outright; no Website, no Visitor, no ID
	Placed  bool        // the file says the Day and the Offset too
	Visitor string      // what tells visitors apart in this file, "" if nothing does; may be personal, and is never kept
	Seen    *Seen       // what only collect can judge; nil in our own formats
}

// Seen is what another program saw of a visitor. Nothing of it is kept.
type Seen struct {
	Target    string // path and query of the page
	Host      string // "" is that of the website
	Referrer  string // address of the referring page
	Source    string // name of the source, where that is all there is
	Address   netip.Addr
	UserAgent string
	HasAgent  bool // the file tells user agents: none is one too
	Bot       bool // the program took it for one
	NoPage    bool // the request was for something else than a page, or was not answered with one
}

// A Reader gives the entries of a file, one after the other.
type Reader interface {
	// Next reads an entry. After the last the error is io.EOF; any other error is of reading, and final.
	Next(*Entry) error
}

// NewReader reads a file. It looks at the head where the format has one; an error that is no HeadError is of reading.
func NewReader(f Format, r io.Reader) (Reader, error) {
	switch f {
	case CSV:
		return newCSVReader(r)
	case JSONL:
		return newJSONLReader(r), nil
	case GoatCounter:
		return newGoatCounterReader(r)
	case Log:
		return newLogReader(r), nil
	}
	return nil, fmt.Errorf("no format %q", f)
}

// A HeadError says why a file is not of its format.
type HeadError string

func (e HeadError) Error() string { return string(e) }

// A Writer writes events. Flush writes what is left.
type Writer interface {
	Write(*event.Event) error
	Flush() error
}

// NewWriter writes a file in one of the formats Written.
func NewWriter(f Format, w io.Writer) (Writer, error) {
	switch f {
	case CSV:
		return newCSVWriter(w), nil
	case JSONL:
		return newJSONLWriter(w), nil
	}
	return nil, fmt.Errorf("format %q is not written: use one of %s", f, Names(Written))
}

// ParseFormat finds a format by its name.
func ParseFormat(name string, among []Format) (Format, error) {
	if slices.Contains(among, Format(name)) {
		return Format(name), nil
	}
	return "", fmt.Errorf("must be one of %s", Names(among))
}

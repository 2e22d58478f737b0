package collect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/port"
	"footfall/internal/store"
)

// An ImportKey names an import: a file of a website, read in one way.
type ImportKey struct {
	Website int64
	Format  port.Format
	Digest  string // SHA-256 of the file, in hexadecimal digits
}

// Progress is how far an import has come.
type Progress struct {
	Run     int64     `json:"run"`   // a file of which nothing counts may be read once more
	Lines   int64     `json:"lines"` // that were read, of those that are not empty
	Events  int64     `json:"events"`
	Dropped int64     `json:"dropped"`
	Bad     int64     `json:"bad"`
	Started time.Time `json:"started"`
	Done    bool      `json:"done"`
}

// An ImportBook remembers imports.
type ImportBook interface {
	// Import is how far an import has come; false if there is none.
	Import(ctx context.Context, k ImportKey) (Progress, bool, error)

	// SaveImports notes how far imports have come. What is behind what is known of one changes nothing.
	SaveImports(ctx context.Context, all map[ImportKey]Progress) error
}

// A Report is what became of an import.
type Report struct {
	Progress
	Resumed int64            // lines that an earlier try had read, and that were passed over
	Reasons map[string]int64 // why lines of this try do not count
	Errors  []LineError      // the first of this try
}

// A LineError says why a line cannot be read.
type LineError struct {
	Line    int64  `json:"line"`
	Message string `json:"message"`
}

// maxLineErrors is how many lines are named.
const maxLineErrors = 10

// An Importer takes files of events. They go through the journal as hits do, together with marks of how far the import has come,
// in the same records: so whatever is killed, a file that is sent again goes on with the first line that is not in the
// journal. What is in the journal the Tally tells.
type Importer struct {
	Collector  *Collector
	Store      store.Engine
	Tally      *Tally
	Book       ImportBook
	MaxBacklog int64 // bytes of the journal beyond which an import waits; 0 is 256 MiB

	mu     sync.Mutex
	active map[ImportKey]bool
}

// maxImports is how many imports go on at the same time. Each takes some MB.
const maxImports = 4

// Import reads a file. When it returns without an error, all its events are on disk, each to be counted once. After an error
// some of them may be; the same file may be sent again and goes on where it was.
func (i *Importer) Import(ctx context.Context, k ImportKey, r io.Reader) (Report, error) {
	if err := i.enter(k); err != nil {
		return Report{}, err
	}
	defer i.leave(k)
	i.Collector.once.Do(i.Collector.init)
	website, err := i.website(ctx, k.Website)
	if err != nil {
		return Report{}, err
	}
	before, err := i.earlier(ctx, k)
	if err != nil {
		return Report{}, err
	}
	sum := sha256.New()
	reader, err := port.NewReader(k.Format, io.TeeReader(r, sum))
	if err != nil {
		return Report{}, unreadable(err)
	}
	t := newImporting(i, website, k, before)
	if err := t.read(ctx, reader); err != nil {
		return Report{}, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != k.Digest {
		wrong := fault.Fields{}
		wrong.Add("sha256", "must be that of the file: it was another, or did not arrive whole")
		return Report{}, wrong.As(fault.Invalid)
	}
	t.report.Done = true
	if err := t.flush(ctx); err != nil {
		return Report{}, err
	}
	return t.report, nil
}

// enter makes sure that a file is imported once at a time.
func (i *Importer) enter(k ImportKey) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.active[k]:
		return fault.New(fault.Conflict, "this file is being imported: wait until that has ended")
	case len(i.active) >= maxImports:
		return fault.New(fault.Unavailable, "there are %d imports already: send it again later", maxImports).After(whenFull)
	case i.active == nil:
		i.active = make(map[ImportKey]bool)
	}
	i.active[k] = true
	return nil
}

func (i *Importer) leave(k ImportKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.active, k)
}

// patience is how long an import waits for others: for the directory to learn of a new website, and for the tally to have
// read the journal.
const patience = 20 * time.Second

// until asks now and then whether something is so.
func until(ctx context.Context, trouble string, isSo func() bool) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !isSo() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fault.New(fault.Unavailable, "%s: send the file again", trouble).After(whenFailing)
		case <-tick.C:
		}
	}
	return nil
}

// website finds what must be known of a website.
func (i *Importer) website(ctx context.Context, id int64) (w *Website, err error) {
	err = until(ctx, "the website is not known yet", func() bool {
		w = i.Collector.Websites.byID(id)
		return w != nil
	})
	return w, err
}

func (d *Directory) byID(id int64) *Website {
	if known := d.known.Load(); known != nil {
		for _, w := range *known {
			if w.ID == id {
				return w
			}
		}
	}
	return nil
}

// earlier is how far an earlier try has come. It waits until the tally has read all that is in the journal by now.
func (i *Importer) earlier(ctx context.Context, k ImportKey) (Progress, error) {
	record := k.mark(nil).Append(nil)
	at, err := i.Collector.Journal.Append(ctx, record)
	if err != nil {
		return Progress{}, promise(err)
	}
	if err := until(ctx, "the journal is not read to its end yet", func() bool { return i.Tally.Durable() > at }); err != nil {
		return Progress{}, err
	}
	p, found, err := i.Book.Import(ctx, k)
	switch {
	case err != nil:
		return p, err
	case !found:
		return Progress{Run: 1, Started: i.Collector.Now().UTC().Truncate(time.Millisecond)}, nil
	case p.Done && p.Events > 0:
		return p, fault.New(fault.Conflict, "this file was imported before, on %s: %d events", p.Started.Format(time.DateOnly), p.Events)
	case p.Done: // nothing of it counts, so nothing can count twice
		return Progress{Run: p.Run + 1, Started: i.Collector.Now().UTC().Truncate(time.Millisecond)}, nil
	}
	return p, nil
}

// unreadable is what a caller learns when a file cannot be read.
func unreadable(err error) error {
	var head port.HeadError
	if errors.As(err, &head) {
		return fault.New(fault.Invalid, "%s", head.Error())
	}
	return fault.New(fault.Unreadable, "the file did not arrive whole: send it again, and it goes on where it was").Because(fmt.Errorf("read a file: %w", err))
}

// ParseImportFormat finds a format that can be imported.
func ParseImportFormat(name string) (port.Format, error) { return port.ParseFormat(name, port.Formats) }

// ImportFormats are the formats that can be imported, for people.
func ImportFormats() string { return port.Names(port.Formats) }

// mark is the event that says how far an import has come; nil says nothing.
func (k ImportKey) mark(p *Progress) *event.Event {
	e := &event.Event{Kind: event.Mark, Website: k.Website}
	e.Fields[event.Name] = string(k.Format) + ":" + k.Digest
	e.Fields[event.Props] = p.encode()
	return e
}

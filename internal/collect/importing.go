package collect

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/port"
)

// An importing is an import on its way.
type importing struct {
	*Importer
	key     ImportKey
	website *Website
	secret  *salt
	work    work
	report  Report

	events  []byte   // of the record that is being made
	records [][]byte // that are complete
	size    int      // bytes of these
}

// importBatch is how many bytes are written to the journal at once: they share one fsync.
const importBatch = 512 << 10

func newImporting(i *Importer, w *Website, k ImportKey, p Progress) *importing {
	// Visitors are told apart with a salt of the day on which the import began. It dies as others do, and with it the way from a
	// visitor's number back to an address in a log.
	began := p.Started.Truncate(24 * time.Hour).Unix()
	return &importing{
		Importer: i, key: k, website: w, secret: i.Collector.Salts.of(began), work: work{Collector: i.Collector, website: w, request: new(Request), hit: new(Hit)},
		report: Report{Progress: p, Resumed: p.Lines, Reasons: make(map[string]int64)},
	}
}

// read reads a file to its end, but leaves what fits into one batch for flush.
func (t *importing) read(ctx context.Context, r port.Reader) error {
	var e port.Entry
	for line := int64(0); ; line++ {
		err := r.Next(&e)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return errors.Join(unreadable(err), t.keep(ctx))
		}
		if line < t.report.Resumed {
			continue
		}
		t.take(&e)
		if len(t.events) >= maxRecord {
			t.endRecord()
		}
		if t.size >= importBatch {
			if err := t.flush(ctx); err != nil {
				return err
			}
		}
	}
}

// keep writes what was read before a file broke off: the next try need not read it again.
func (t *importing) keep(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	return t.flush(ctx)
}

// take makes an event of an entry, or counts why not.
func (t *importing) take(e *port.Entry) {
	t.report.Lines++
	drop, bad := t.judge(e)
	switch {
	case bad != "":
		t.report.Bad++
		if len(t.report.Errors) < maxLineErrors {
			t.report.Errors = append(t.report.Errors, LineError{e.Line, bad})
		}
	case drop != "":
		t.report.Dropped++
		t.report.Reasons[string(drop)]++
	default:
		t.report.Events++
		t.events = t.work.event.Append(t.events)
	}
}

// endRecord completes a record: the mark, and the events that it says are there.
func (t *importing) endRecord() {
	record := t.key.mark(&t.report.Progress).Append(make([]byte, 0, len(t.events)+512))
	record = append(record, t.events...)
	t.events = t.events[:0]
	t.records = append(t.records, record)
	t.size += len(record)
}

// flush writes all that was taken to the journal, when that has room.
func (t *importing) flush(ctx context.Context) error {
	t.endRecord()
	if err := t.wait(ctx); err != nil {
		return err
	}
	_, err := t.Collector.Journal.Append(ctx, t.records...)
	if err != nil {
		return promise(err)
	}
	clear(t.records)
	t.records, t.size = t.records[:0], 0
	return nil
}

const (
	defaultBacklog = 256 << 20
	lookAgain      = 50 * time.Millisecond
	flushAfter     = 20 // looks, at a journal that does not shrink
)

// wait leaves the journal room for hits. An import can be read faster than the store takes it, and must not fill the journal. What
// the store has in memory keeps the journal from shrinking: after a while it is asked to write that.
func (t *importing) wait(ctx context.Context) error {
	most := t.MaxBacklog
	if most <= 0 {
		most = defaultBacklog
	}
	for looks := 1; ; looks++ {
		held := t.Collector.Journal.Stats()
		if held.Bytes < most {
			return nil
		}
		if looks%flushAfter == 0 {
			if err := t.Store.Flush(ctx); err != nil && ctx.Err() == nil {
				return promise(errors.Join(journal.ErrFull, err))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// identify tells visitors apart, within one import and one day. An entry that says nothing of its visitor has one of its own.
func (t *importing) identify(e *port.Entry, day event.Day) uint64 {
	b := append(t.work.scratch[:0], t.secret.secret[:]...)
	b = append(b, "import\x00"...)
	b = binary.BigEndian.AppendUint64(b, uint64(t.key.Website))
	b = append(b, t.key.Digest...)
	b = binary.BigEndian.AppendUint64(b, uint64(day))
	if e.Visitor != "" {
		b = append(append(b, 1), e.Visitor...)
	} else {
		b = binary.BigEndian.AppendUint64(append(b, 0), uint64(e.Line))
	}
	sum := sha256.Sum256(b)
	clear(b)
	t.work.scratch = b
	return binary.BigEndian.Uint64(sum[:])
}

// lineID is the id of the event of a line: the same whenever the file is read.
func (t *importing) lineID(line int64) uint64 {
	b := append(t.work.scratch[:0], t.key.Format...)
	b = append(b, t.key.Digest...)
	b = binary.BigEndian.AppendUint64(b, uint64(line))
	sum := sha256.Sum256(b)
	t.work.scratch = b
	return binary.BigEndian.Uint64(sum[:]) | 1
}

func (p *Progress) encode() string {
	if p == nil {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return string(b)
}

// addMark notes how far an import has come. A mark that cannot be read, or says nothing, is none.
func (b *tallyBatch) addMark(record string) {
	var e event.Event
	if _, err := e.Decode(record); err != nil {
		return
	}
	format, digest, _ := strings.Cut(e.Fields[event.Name], ":")
	k := ImportKey{e.Website, port.Format(format), digest}
	var p Progress
	if json.Unmarshal([]byte(e.Fields[event.Props]), &p) != nil {
		return
	}
	if b.marks == nil {
		b.marks = make(map[ImportKey]Progress)
	}
	if last := b.marks[k]; p.Run > last.Run || p.Run == last.Run && p.Lines >= last.Lines {
		b.marks[k] = p
	}
}

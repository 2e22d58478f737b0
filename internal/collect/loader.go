package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store"
)

// How the loader goes about it.
const (
	batchRecords = 4096
	batchBytes   = 1 << 20
	firstPause   = 100 * time.Millisecond // before trying again; each further one is twice as long,
	longestPause = 10 * time.Second       // up to this
	dropEvery    = 5 * time.Second
	gather       = 20 * time.Millisecond // in which records come together for the next batch
)

// A Loader moves events from the journal into the store. The store remembers with the events up to which record it has
// them, and the journal keeps a record until the store does not need it any more. So a crash at any moment neither loses
// nor doubles an event.
//
// A record of the journal holds one or more events, each as event.Append writes it. Those that were dropped, and
// the marks of imports, are left to the Tally.
type Loader struct {
	Journal *journal.Journal // opened with Options.Next: the position of Store
	Store   store.Engine
	Tally   *Tally       // what else needs the journal; nil is nothing
	Log     *slog.Logger // nil is silence

	unreadable atomic.Uint64
}

// Unreadable tells how many records of the journal were no events, and were left out.
func (l *Loader) Unreadable() uint64 { return l.unreadable.Load() }

// Run moves events until ctx is done. While the store does not take them they stay in the journal. It returns an error
// only if it cannot go on: journal or store were closed, or do not belong to each other.
func (l *Loader) Run(ctx context.Context) error {
	log := l.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	from := l.Store.Position()
	held := l.Journal.Stats()
	if held.Next < from { // the store would take new records for old ones
		return fmt.Errorf("journal goes on with record %d, but the store is at %d", held.Next, from)
	}
	if from > 0 && held.First > from {
		log.Warn("journal does not reach back to the store", "store_position", from, "journal_first", held.First)
	}
	r := l.Journal.Reader(from)
	defer r.Close()
	var b batch
	var dropped time.Time
	for {
		err := insist(ctx, log, "journal cannot be read", func() error { return b.read(ctx, r) })
		if err == nil && b.to > b.from {
			l.decode(&b, log)
			err = insist(ctx, log, "store does not take events", func() error { return l.store(ctx, &b) })
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if time.Since(dropped) >= dropEvery {
			dropped = time.Now()
			if err := l.Journal.Drop(l.consumed()); err != nil {
				log.Warn("journal does not shrink", "error", err)
			}
		}
		if len(b.ends) < batchRecords && len(b.data) < batchBytes {
			pause(ctx, gather) // one batch for each fsync would wake the loader a thousand times a second
		}
	}
}

// pause waits, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// consumed is the record up to which nobody needs the journal any more.
func (l *Loader) consumed() uint64 {
	if l.Tally == nil {
		return l.Store.Durable()
	}
	return min(l.Store.Durable(), l.Tally.Durable())
}

// insist does something until it succeeds, with pauses. It gives up when ctx is done or there is nobody to ask any more.
func insist(ctx context.Context, log *slog.Logger, trouble string, do func() error) error {
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		err := do()
		if err == nil {
			if wait > firstPause {
				log.Info("it goes on", "trouble", trouble)
			}
			return nil
		}
		if ctx.Err() != nil || errors.Is(err, store.ErrClosed) || errors.Is(err, journal.ErrClosed) {
			return err
		}
		log.Error(trouble, "error", err, "retry_after", wait)
		if pause(ctx, wait); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (l *Loader) store(ctx context.Context, b *batch) error {
	err := l.Store.Append(ctx, store.Batch{From: b.from, To: b.to, Events: b.events})
	if err != nil {
		return fmt.Errorf("append %d events: %w", len(b.events), err)
	}
	return nil
}

// decode turns the records of a batch into events. A record that is none is counted and must not stop the others.
func (l *Loader) decode(b *batch, log *slog.Logger) {
	clear(b.events) // its texts would keep earlier batches in memory
	b.events = b.events[:0]
	text := string(b.data) // the texts of all events point into this one
	start := 0
	for _, end := range b.ends {
		good := len(b.events)
		if event.IsDropped(b.data[start:end]) {
			start = end
			continue
		}
		for rest := text[start:end]; rest != ""; {
			var err error
			b.events = append(b.events, event.Event{})
			if rest, err = b.events[len(b.events)-1].Decode(rest); err != nil {
				b.events = b.events[:good]
				if l.unreadable.Add(1) == 1 {
					log.Error("journal holds a record that is no event", "batch_from", b.from, "batch_to", b.to, "error", err)
				}
				break
			}
			if last := len(b.events) - 1; b.events[last].Kind >= event.Dropped { // neither these nor marks
				b.events = b.events[:last]
			}
		}
		start = end
	}
}

// A batch is a run of journal records, and the events in them.
type batch struct {
	from, to uint64
	data     []byte // of all records
	ends     []int  // of each, in data
	events   []event.Event
}

// read waits for a record and takes what else is there, up to the size of a batch. If there is nothing for a while the
// batch is empty.
func (b *batch) read(ctx context.Context, r *journal.Reader) error {
	b.from, b.to = 0, 0
	b.data, b.ends = b.data[:0], b.ends[:0]
	seq, data, err := r.TryNext()
	if err == io.EOF {
		wait, cancel := context.WithTimeout(ctx, dropEvery)
		defer cancel()
		if seq, data, err = r.Next(wait); errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return nil
		}
	}
	if err != nil {
		return err
	}
	b.from = seq
	for err == nil {
		b.to = seq + 1
		b.data = append(b.data, data...)
		b.ends = append(b.ends, len(b.data))
		if len(b.ends) >= batchRecords || len(b.data) >= batchBytes {
			break
		}
		seq, data, err = r.TryNext() // an error other than io.EOF comes again with the next batch
	}
	return nil
}

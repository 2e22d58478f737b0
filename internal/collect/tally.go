package collect

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"footfall/internal/event"
	"footfall/internal/journal"
)

// A Count is how often hits were dropped for one reason on one day of a website; 0 is those of no website that is known.
type Count struct {
	Website int64
	Day     event.Day
	Drop    Drop
	Hits    int64
}

// A Ledger keeps the counts, and with them up to which record of the journal they go.
type Ledger interface {
	// Position is the first record that is not counted yet; 0 if nothing ever was.
	Position(ctx context.Context) (uint64, error)

	// Add adds counts that go up to, and not including, a record. If they were added before, nothing happens: so it may be
	// tried again when nobody knows whether it succeeded, with the same counts.
	Add(ctx context.Context, to uint64, counts []Count) error
}

const (
	tallyEvery = time.Second
	tallyMost  = 20_000 // counts that are added at once: each is a row
	lastTally  = 2 * time.Second
)

// A Tally counts the drops that are in the journal. It has a reader of its own, beside the Loader's: while the database is
// away drops wait in the journal, and events go on into the store.
type Tally struct {
	Journal *journal.Journal
	Ledger  Ledger
	Imports ImportBook   // nil if nothing is ever imported
	Log     *slog.Logger // nil is silence

	durable atomic.Uint64
	batch   tallyBatch // of Run
}

// A tallyBatch is counts that go up to a record. Once it is complete it stays as it is until it was added.
type tallyBatch struct {
	counts   []Count
	marks    map[ImportKey]Progress // the last of each import
	to       uint64                 // 0 is nothing
	complete bool
}

// Durable is the record of the journal up to which the tally needs none any more.
func (t *Tally) Durable() uint64 { return t.durable.Load() }

// Run counts drops until ctx is done. It returns an error only if the journal was closed.
func (t *Tally) Run(ctx context.Context) error {
	log := t.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	var from uint64
	err := insist(ctx, log, "counts of drops cannot be read", func() (err error) {
		from, err = t.Ledger.Position(ctx)
		return err
	})
	if err != nil {
		return notDone(ctx, err)
	}
	r := t.Journal.Reader(from)
	defer r.Close()
	tick := time.NewTicker(tallyEvery)
	defer tick.Stop()
	for {
		err := t.catchUp(ctx, r, log)
		if ctx.Err() != nil {
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTally)
			defer cancel()
			return notDone(last, t.catchUp(last, r, log))
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// notDone is an error that did not come from ctx being done.
func notDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// catchUp counts all that is in the journal by now.
func (t *Tally) catchUp(ctx context.Context, r *journal.Reader, log *slog.Logger) error {
	for {
		b := &t.batch
		if !b.complete {
			if err := insist(ctx, log, "journal cannot be read", func() error { return b.read(r) }); err != nil {
				return err
			}
		}
		if b.to == 0 {
			return nil
		}
		b.complete = true
		if len(b.marks) > 0 && t.Imports != nil { // before the counts: these move the position on
			err := insist(ctx, log, "imports cannot be noted", func() error { return t.Imports.SaveImports(ctx, b.marks) })
			if err != nil {
				return err
			}
		}
		if len(b.counts) > 0 {
			if err := insist(ctx, log, "drops cannot be counted", func() error { return t.add(ctx) }); err != nil {
				return err
			}
		}
		t.durable.Store(b.to)
		*b = tallyBatch{}
	}
}

func (t *Tally) add(ctx context.Context) error {
	if err := t.Ledger.Add(ctx, t.batch.to, t.batch.counts); err != nil {
		return fmt.Errorf("add %d counts of drops: %w", len(t.batch.counts), err)
	}
	return nil
}

// read reads on until there is no further record, or there are enough counts.
func (b *tallyBatch) read(r *journal.Reader) (err error) {
	sums := make(map[Count]int64)
	for _, c := range b.counts {
		sums[Count{Website: c.Website, Day: c.Day, Drop: c.Drop}] = c.Hits
	}
	for len(sums) < tallyMost {
		var seq uint64
		var data []byte
		if seq, data, err = r.TryNext(); err != nil {
			break
		}
		b.to = seq + 1
		if event.IsDropped(data) {
			addDrops(sums, string(data))
		}
		if event.IsMark(data) {
			b.addMark(string(data))
		}
	}
	b.counts = b.counts[:0]
	for key, hits := range sums {
		key.Hits = hits
		b.counts = append(b.counts, key)
	}
	slices.SortFunc(b.counts, func(a, b Count) int { // several nodes take the rows of a database in one order
		return cmp.Or(cmp.Compare(a.Website, b.Website), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Drop, b.Drop))
	})
	if err == io.EOF {
		return nil
	}
	return err
}

// addDrops adds the drops of a record. One that cannot be read ends it: the loader tells of those.
func addDrops(sums map[Count]int64, record string) {
	for rest := record; rest != ""; {
		var e event.Event
		var err error
		if rest, err = e.Decode(rest); err != nil {
			return
		}
		if e.Kind == event.Dropped {
			sums[Count{Website: e.Website, Day: e.Day, Drop: Drop(e.Fields[event.Name])}]++
		}
	}
}

package segments_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
	"footfall/internal/store/storetest"
)

// A recording is the life of an engine with every operation on its disk. At each mark something was true, and stays
// true whatever is lost after it.
type recording struct {
	fs      *disktest.Recorder
	journal []store.Batch
	marks   []mark
	deleted int64
}

type mark struct {
	ops     int // recorded operations at that time
	now     time.Time
	batches int // appended
	durable uint64
	asked   bool // deletion was asked for
	gone    bool // deletion was acknowledged
}

const doomed = 5 // the website that is deleted

var crashOptions = segments.Options{MemoryEvents: 60, MaxValues: 50}

// record lets an engine live for two and a half months: batches, flushes, sealing, compaction, late events, merges of
// parts, a deletion and a recount.
func record(t testing.TB, seed uint64) *recording {
	t.Helper()
	c := &recording{fs: disktest.NewRecorder(), deleted: doomed}
	clock := clockAt(time.Date(2026, 1, 29, 3, 0, 0, 0, time.UTC))
	o := crashOptions
	o.FS, o.Now = c.fs, clock.now
	e := openEngine(t, historyDir, o)
	random := newTraffic(seed)
	var now mark
	note := func() {
		now.ops, now.now, now.batches, now.durable = c.fs.Ops(), clock.now(), len(c.journal), e.Durable()
		c.marks = append(c.marks, now)
	}
	load := func(events []event.Event) {
		from := uint64(0)
		if n := len(c.journal); n > 0 {
			from = c.journal[n-1].To
		}
		b := store.Batch{From: from, To: from + uint64(len(events)) + 1, Events: events}
		c.journal = append(c.journal, b)
		note() // the crash may come during the append: the journal has the batch already
		must(t, e.Append(t.Context(), cloneBatch(b)))
		note()
	}
	note()
	begin := event.DayOf(clock.now())
	for d := begin; d < begin+36; d++ {
		clock.set(d.UTC().Add(20 * time.Hour))
		must(t, e.Settle(t.Context())) // what is due is done before events come: then all agree on who is late
		note()
		for _, w := range []int64{1, 2, doomed} {
			if random.IntN(3) > 0 {
				load(random.day(w, d, 1+random.IntN(4)))
			}
			if random.IntN(3) == 0 {
				must(t, e.Flush(t.Context()))
				note()
			}
		}
		if d > begin+8 && random.IntN(3) == 0 {
			load(random.day(1, begin+event.Day(random.IntN(5)), 2)) // late, of visitors of their own
		}
		switch d {
		case begin + 15:
			for range 9 { // a full tier
				load(random.day(2, d, 1))
				must(t, e.Flush(t.Context()))
				note()
			}
		case begin + 24:
			now.asked = true
			note()
			must(t, e.Delete(t.Context(), doomed))
			now.gone = true
			note()
		case begin + 30:
			must(t, e.Recount(t.Context(), 1, begin, d))
			note()
		}
	}
	must(t, e.Settle(t.Context()))
	note()
	must(t, e.Close())
	return c
}

// at is what was true when the operation came, and the last thing that was tried.
func (c *recording) at(ops int) (before, after mark) {
	before = c.marks[0]
	for _, m := range c.marks {
		if m.ops > ops {
			return before, m
		}
		before = m
	}
	return before, before
}

// answers are the oracle's, for each number of batches, with and without the website that was deleted.
type answers struct {
	c    *recording
	kept map[string][]store.Result
}

func crashQueries() []store.Query {
	var all []store.Query
	for _, w := range []int64{1, 2, doomed} {
		q := panels(w, event.NewDay(2026, 1, 1), event.NewDay(2026, 4, 1))[0]
		q.Questions = slices.Concat(q.Questions[:2], q.Questions[10:11]) // totals, pages, days
		all = append(all, q)
	}
	return append(all, totals(1, event.NewDay(2026, 2, 1), event.NewDay(2026, 3, 1)))
}

func (a *answers) want(t testing.TB, batches int, gone bool) []store.Result {
	key := fmt.Sprint(batches, gone)
	if a.kept[key] == nil {
		// All late events have visitors of their own, so the oracle need not know that they are late.
		oracle := newEarlyOracle()
		for _, b := range a.c.journal[:batches] {
			must(t, oracle.Append(t.Context(), b))
		}
		if gone {
			must(t, oracle.Delete(t.Context(), a.c.deleted))
		}
		for _, q := range crashQueries() {
			r, err := oracle.Run(t.Context(), q)
			must(t, err)
			a.kept[key] = append(a.kept[key], r)
		}
	}
	return a.kept[key]
}

// R2.
func TestPowerLossLosesNothingAndDoublesNothing(t *testing.T) {
	images := figure(2000, 150, 30_000)
	var c *recording
	var a *answers
	for seed := range images {
		if seed%10_000 == 0 {
			c = record(t, uint64(seed/10_000+1))
			a = &answers{c: c, kept: map[string][]store.Result{}}
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		ops := rng.IntN(c.fs.Ops() + 1)
		if err := c.crash(t, a, ops, rng); err != nil {
			t.Errorf("seed %d, power lost after operation %d of %d: %v", seed, ops, c.fs.Ops(), err)
			if t.Failed() && seed > 100 {
				return
			}
		}
	}
}

// crash opens an engine on an image and compares its answers.
func (c *recording) crash(t testing.TB, a *answers, ops int, rng *rand.Rand) error {
	before, after := c.at(ops)
	image := c.fs.CrashImage(ops, rng)
	again := rng.IntN(8) == 0
	for {
		clock := clockAt(before.now)
		e, err := openImage(image, clock)
		if err != nil {
			return err
		}
		position := e.Position()
		if position < before.durable {
			return fmt.Errorf("position is %d, and %d was durable", position, before.durable)
		}
		batches := before.batches
		if position > c.end(batches) {
			batches = after.batches
		}
		if position > c.end(batches) {
			return fmt.Errorf("position is %d, and the journal ends at %d", position, c.end(batches))
		}
		if err := tryReplay(t, e, c.journal[:batches]); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		if err := compareCrash(t, a, e, before, after, batches); err != nil {
			return err
		}
		if again { // the recovery is cut off by a second loss of power
			if err := e.Flush(t.Context()); err != nil {
				return fmt.Errorf("flush: %w", err)
			}
			before.durable = 0
			image = image.CrashImage(rng.IntN(image.Ops()+1), rng)
			again = false
			e.Close()
			continue
		}
		if rng.IntN(8) == 0 { // and it goes on from here
			clock.set(before.now.AddDate(0, 2, 0))
			if err := e.Flush(t.Context()); err != nil {
				return fmt.Errorf("flush: %w", err)
			}
			if err := e.Settle(t.Context()); err != nil {
				return fmt.Errorf("settle: %w", err)
			}
			if err := compareCrash(t, a, e, before, after, batches); err != nil {
				return fmt.Errorf("later: %w", err)
			}
		}
		return e.Close()
	}
}

func openImage(image *disktest.Recorder, clock *fakeClock) (*segments.Engine, error) {
	o := crashOptions
	o.FS, o.Now, o.Workers = image, clock.now, 1
	return segments.Open(historyDir, o)
}

// end is the journal position after so many batches.
func (c *recording) end(batches int) uint64 {
	if batches == 0 {
		return 0
	}
	return c.journal[batches-1].To
}

func compareCrash(t testing.TB, a *answers, e *segments.Engine, before, after mark, batches int) error {
	if s := e.Status(); len(s.Damaged) > 0 || s.Err != nil {
		return fmt.Errorf("damaged are %q, error is %v", s.Damaged, s.Err)
	}
	for i, q := range crashQueries() {
		got, err := e.Run(t.Context(), q)
		if err != nil {
			return err
		}
		if got.Partial {
			return fmt.Errorf("an answer is partial, damaged are %q", e.Status().Damaged)
		}
		want := a.want(t, batches, before.gone)[i]
		if same(want, got) {
			continue
		}
		if after.asked && !before.gone && q.Website == doomed && same(a.want(t, batches, true)[i], got) {
			continue // the deletion was under way
		}
		return fmt.Errorf("website %d from %s to %s (-want +got):\n%s", q.Website, q.From, q.To, differ(want, got))
	}
	return nil
}

// newEarlyOracle is an oracle that takes no event for late.
func newEarlyOracle() *storetest.Oracle {
	return storetest.NewOracle(func() time.Time { return time.Time{} })
}

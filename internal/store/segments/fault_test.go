package segments_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

var (
	faultyOps  = []disktest.Op{disktest.Create, disktest.Write, disktest.Sync, disktest.Rename, disktest.Remove, disktest.SyncDir}
	faultyErrs = []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS}
)

// A trial is an engine on a disk that fails once in a while, and what it promised so far.
type trial struct {
	t        *testing.T
	rec      *disktest.Recorder
	fs       *disktest.Faulty
	clock    *fakeClock
	engine   *segments.Engine
	journal  []store.Batch
	promised uint64 // that a Flush without an error made durable
	deleted  bool   // acknowledged
}

func newTrial(t *testing.T) *trial {
	c := &trial{t: t, rec: disktest.NewRecorder(), clock: clockAt(event.NewDay(2026, 1, 30).UTC())}
	c.fs = disktest.NewFaulty(c.rec)
	c.engine = openEngine(t, historyDir, c.options())
	return c
}

func (c *trial) options() segments.Options {
	return segments.Options{FS: c.fs, Now: c.clock.now, MemoryEvents: 40, Workers: 1}
}

// load puts events into the journal and appends the journal, as a loader does: what is refused comes again.
func (c *trial) load(events []event.Event) {
	from := uint64(0)
	if n := len(c.journal); n > 0 {
		from = c.journal[n-1].To
	}
	c.journal = append(c.journal, store.Batch{From: from, To: from + uint64(len(events)) + 1, Events: events})
	tryReplay(c.t, c.engine, c.journal)
}

func (c *trial) end() uint64 { return c.journal[len(c.journal)-1].To }

// flush checks what Flush says against the disk: all that it calls durable survives the worst loss of power.
func (c *trial) flush() {
	c.t.Helper()
	position := c.engine.Position()
	err := c.engine.Flush(c.t.Context())
	if err == nil {
		c.promised = position
		if d := c.engine.Durable(); d < position {
			c.t.Errorf("flush succeeds and durable is %d of %d", d, position)
		}
		if err := c.engine.Status().Err; err != nil {
			c.t.Errorf("flush succeeds and the status says %v", err)
		}
	} else if c.engine.Durable() < position && c.engine.Status().Err == nil {
		c.t.Errorf("flush fails with %v and the status says nothing", err)
	}
	c.checkDurable()
}

// checkDurable opens the store as it would be after a loss of power now.
func (c *trial) checkDurable() {
	c.t.Helper()
	durable := c.engine.Durable()
	if durable < c.promised {
		c.t.Errorf("durable is %d after %d were promised", durable, c.promised)
	}
	for seed := range uint64(2) {
		image := c.rec.CrashImage(c.rec.Ops(), rand.New(rand.NewPCG(seed, durable)))
		e, err := segments.Open(historyDir, segments.Options{FS: image, Now: c.clock.now, Workers: 1})
		if err != nil {
			c.t.Fatalf("open after a loss of power: %v", err)
		}
		if p := e.Position(); p < durable || p > c.end() {
			c.t.Errorf("position is %d after a loss of power, durable was %d, the journal ends at %d", p, durable, c.end())
		}
		replay(c.t, e, c.journal)
		c.compare(e)
		e.Close()
	}
}

// compare compares an engine that has the whole journal with the oracle.
func (c *trial) compare(e *segments.Engine) {
	c.t.Helper()
	oracle := newEarlyOracle()
	for _, b := range c.journal {
		must(c.t, oracle.Append(c.t.Context(), b))
	}
	for _, w := range []int64{1, 2} {
		sameAnswers(c.t, e, oracle, totals(w, event.NewDay(2026, 1, 1), event.NewDay(2026, 6, 1)))
	}
	if c.deleted {
		must(c.t, oracle.Delete(c.t.Context(), doomed))
		sameAnswers(c.t, e, oracle, totals(doomed, event.NewDay(2026, 1, 1), event.NewDay(2026, 6, 1)))
	}
}

// live lets the engine live through two months in few steps, whatever fails.
func (c *trial) live(random *traffic) {
	c.t.Helper()
	ctx := c.t.Context()
	day := event.DayOf(c.clock.now())
	for i := range event.Day(4) {
		d := day + 9*i
		c.clock.set(d.UTC().Add(21 * time.Hour))
		c.engine.Settle(ctx)
		for _, w := range []int64{1, 2, doomed} {
			c.load(random.day(w, d, 3))
		}
		c.flush()
		c.load(random.day(1, d, 2))
		if i == 2 && c.engine.Delete(ctx, doomed) == nil {
			c.deleted = true
		}
		c.flush()
	}
	c.clock.set((day + 70).UTC())
	c.engine.Settle(ctx)
	c.flush()
}

// R6.
func TestFaultyDiskIsNeverCalledDurable(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for i := range figure(60, 24, 800) {
		op, fault := faultyOps[i%len(faultyOps)], faultyErrs[i/len(faultyOps)%len(faultyErrs)]
		n, forever, short := 1+random.IntN(60), random.IntN(4) == 0, random.IntN(50)
		name := fmt.Sprintf("%d: %v at %v %d", i, fault, op, n)
		if forever {
			name += " and from then on"
		}
		t.Run(name, func(t *testing.T) {
			c := newTrial(t)
			c.fs.Fail(disktest.Fault{Op: op, N: n, Err: fault, Forever: forever, Short: short})
			c.live(newTraffic(uint64(i)))
			c.fs.Heal()
			c.recovers()
		})
	}
}

// recovers checks that all is well once the disk is.
func (c *trial) recovers() {
	c.t.Helper()
	ctx := c.t.Context()
	replay(c.t, c.engine, c.journal) // what was refused comes again
	must(c.t, c.engine.Flush(ctx))
	if err := c.engine.Status().Err; err != nil {
		c.t.Errorf("the disk is well and the status says %v", err)
	}
	must(c.t, c.engine.Settle(ctx))
	if !c.deleted {
		must(c.t, c.engine.Delete(ctx, doomed))
		c.deleted = true
	}
	c.flush()
	c.compare(c.engine)
	if s := c.engine.Status(); len(s.Damaged) > 0 {
		c.t.Errorf("damaged are %q", s.Damaged)
	}
	must(c.t, c.engine.Close())
	c.engine = openEngine(c.t, historyDir, c.options())
	c.compare(c.engine)
}

// The reason of a failed flush is told, and goes away by itself when the next one works.
func TestStatusSaysWhyEventsAreNotDurable(t *testing.T) {
	for _, op := range faultyOps {
		if op == disktest.Remove {
			continue // nothing that a flush needs
		}
		c := newTrial(t)
		c.load(newTraffic(1).day(1, event.DayOf(c.clock.now()), 5))
		c.fs.Fail(disktest.Fault{Op: op, Err: syscall.EIO, Forever: true})
		if err := c.engine.Flush(t.Context()); !errors.Is(err, syscall.EIO) {
			t.Errorf("%v fails and flush says %v", op, err)
		}
		if s := c.engine.Status(); !errors.Is(s.Err, syscall.EIO) || c.engine.Durable() != 0 {
			t.Errorf("%v fails and the status says %v, durable is %d", op, s.Err, c.engine.Durable())
		}
		c.compare(c.engine) // what is in memory is answered
		c.fs.Heal()
		must(t, c.engine.Flush(t.Context()))
		if s := c.engine.Status(); s.Err != nil || c.engine.Durable() != c.end() {
			t.Errorf("%v works again and the status says %v, durable is %d of %d", op, s.Err, c.engine.Durable(), c.end())
		}
	}
}

// While nothing can be flushed, memory is bounded: the door is told to wait.
func TestMemoryIsBoundedWhileTheDiskFails(t *testing.T) {
	c := newTrial(t)
	random := newTraffic(1)
	day := event.DayOf(c.clock.now())
	c.fs.Fail(disktest.Fault{Op: disktest.Create, Err: syscall.ENOSPC, Forever: true})
	var refused error
	for i := range 100 {
		events := random.day(1, day, 8)[:8]
		b := store.Batch{From: uint64(i), To: uint64(i + 1), Events: events}
		if refused = c.engine.Append(t.Context(), b); refused != nil {
			break
		}
		if err := c.engine.Flush(t.Context()); err == nil {
			t.Fatal("flush succeeds on a full disk")
		}
	}
	if refused == nil {
		t.Errorf("%d events are in memory, which should hold about 40 and as many that wait", c.engine.Status().Events)
	}
}

// A flush that is tried again and again on a full disk must not fill it further.
func TestFailedFlushesLeaveNothingBehind(t *testing.T) {
	for name, fault := range map[string]disktest.Fault{
		"no room for the second part":  {Op: disktest.Create, N: 2, Err: syscall.ENOSPC, Forever: true},
		"no room for the manifest":     {Op: disktest.Create, Path: "MANIFEST", Err: syscall.ENOSPC, Forever: true},
		"the manifest is not written":  {Op: disktest.Write, Path: "MANIFEST", Err: syscall.ENOSPC, Forever: true},
		"the folder cannot be synced":  {Op: disktest.SyncDir, Err: syscall.EIO, Forever: true},
		"the second part has no name":  {Op: disktest.Rename, Path: "part-", N: 2, Err: syscall.EIO, Forever: true},
		"the second part is not saved": {Op: disktest.Sync, Path: "part-", N: 2, Err: syscall.EIO, Forever: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrial(t)
			random := newTraffic(1)
			day := event.DayOf(c.clock.now())
			c.load(append(random.day(1, day, 3), random.day(1, day+1, 3)...))
			before := len(c.rec.Files())
			for range 10 {
				c.fs.Heal()
				c.fs.Fail(fault)
				if err := c.engine.Flush(t.Context()); err == nil {
					t.Fatal("flush succeeds")
				}
			}
			if files := c.rec.Files(); len(files) > before+2 {
				t.Errorf("10 failed flushes left %d files behind, the last one %s", len(files)-before, files[len(files)-1])
			}
			c.fs.Heal()
			must(t, c.engine.Flush(t.Context()))
			c.compare(c.engine)
		})
	}
}

// A disk that cannot be written to, or from which nothing can be removed, still shows its statistics.
func TestOpensOnADiskThatRefusesToChange(t *testing.T) {
	h := makeHistory(t, 2)
	for name, fault := range map[string]disktest.Fault{
		"create": {Op: disktest.Create}, "write": {Op: disktest.Write}, "sync": {Op: disktest.Sync},
		"rename": {Op: disktest.Rename}, "remove": {Op: disktest.Remove}, "sync of a folder": {Op: disktest.SyncDir},
		"remove of what a crash left": {Op: disktest.Remove, Path: ".parquet"}, "list": {Op: disktest.ReadDir},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := h.onto(t, nil)
			must(t, fsys.WriteFile(historyDir+"/events/part-2026-03-01-99999.parquet.tmp", []byte("left by a crash")))
			must(t, fsys.WriteFile(historyDir+"/events/MANIFEST.tmp", []byte("left by a crash")))
			faulty := disktest.NewFaulty(fsys)
			fault.Err, fault.Forever = syscall.EROFS, true
			faulty.Fail(fault)
			e, err := segments.Open(historyDir, segments.Options{FS: faulty, Now: h.clock.now})
			if err != nil {
				t.Fatalf("open: %v", err)
			}
			defer e.Close()
			sameAnswers(t, e, h.oracle, wholePeriod()[:2]...)
			faulty.Heal()
			must(t, e.Append(t.Context(), store.Batch{From: e.Position(), To: e.Position() + 1}))
			must(t, e.Flush(t.Context()))
			if err := e.Status().Err; err != nil {
				t.Errorf("the disk is well and the status says %v", err)
			}
		})
	}
}

// An error while reading is not damage: it may pass. The question fails or leaves the file out, the next one is right,
// and no file handle is lost.
func TestReadErrorsPass(t *testing.T) {
	h := makeHistory(t, 2)
	fsys := disktest.NewFaulty(h.onto(t, nil))
	e, err := segments.Open(historyDir, segments.Options{FS: fsys, Now: h.clock.now, Workers: 1})
	must(t, err)
	defer e.Close()
	for n := 1; n < 60; n += 3 {
		for _, op := range []disktest.Op{disktest.Open, disktest.Read} {
			fsys.Fail(disktest.Fault{Op: op, N: n, Err: syscall.EIO})
			for _, q := range wholePeriod()[:2] {
				got, err := e.Run(t.Context(), q)
				want, _ := h.oracle.Run(t.Context(), q)
				if err == nil && !got.Partial && !same(want, got) {
					t.Errorf("%v %d fails and an answer is wrong (-want +got):\n%s", op, n, differ(want, got))
				}
			}
			fsys.Heal()
		}
	}
	sameAnswers(t, e, h.oracle, wholePeriod()...)
	if s := e.Status(); len(s.Damaged) > 0 {
		t.Errorf("damaged are %q", s.Damaged)
	}
}

// A manifest that cannot be read has a copy.
func TestManifestThatCannotBeReadHasACopy(t *testing.T) {
	h := makeHistory(t, 2)
	for _, op := range []disktest.Op{disktest.Open, disktest.Read} {
		fsys := disktest.NewFaulty(h.onto(t, nil))
		fsys.Fail(disktest.Fault{Op: op, Path: "MANIFEST", Err: syscall.EIO}) // the first of the two
		e, err := segments.Open(historyDir, segments.Options{FS: fsys, Now: h.clock.now})
		if err != nil {
			t.Errorf("%v of the manifest fails: %v", op, err)
			continue
		}
		sameAnswers(t, e, h.oracle, wholePeriod()[:2]...)
		must(t, e.Close())
	}
}

// A sector that the disk cannot read any more is like damage to who asks: the rest is served, and the answer says so.
func TestSectorThatCannotBeReadIsServedAround(t *testing.T) {
	h := makeHistory(t, 2)
	for _, name := range []string{"day-2026-03-04", "part-2026-03-11", "month-2026-01"} {
		fsys := disktest.NewFaulty(h.onto(t, nil))
		e, err := segments.Open(historyDir, segments.Options{FS: fsys, Now: h.clock.now, Workers: 1, NoRollups: true})
		must(t, err)
		fsys.Fail(disktest.Fault{Op: disktest.Read, Path: name, Err: syscall.EIO, Forever: true})
		got, err := e.Run(t.Context(), totals(websites[0], historyFrom, historyTo))
		if err != nil || !got.Partial {
			t.Errorf("%s cannot be read: the question about all days says %v, partial is %v", name, err, got.Partial)
		}
		sameAnswers(t, e, h.oracle, totals(websites[0], event.NewDay(2026, 2, 2), event.NewDay(2026, 2, 9)))
		must(t, e.Close())
	}
}

// A file that cannot be read again and again is opened once at a time.
func TestReadErrorsLoseNoFileHandles(t *testing.T) {
	h := makeHistory(t, 2)
	fsys := disktest.NewFaulty(h.onto(t, nil))
	counting := &countingFS{FS: fsys}
	e, err := segments.Open(historyDir, segments.Options{FS: counting, Now: h.clock.now, Workers: 1})
	must(t, err)
	for _, path := range []string{".events.parquet", "part-"} {
		fsys.Fail(disktest.Fault{Op: disktest.Read, Path: path, Err: syscall.EIO, Forever: true})
	}
	ask := func() { e.Run(t.Context(), wholePeriod()[0]) }
	ask()
	before := counting.held.Load()
	for range 20 {
		ask()
	}
	if held := counting.held.Load(); held > before {
		t.Errorf("%d files are open after the first question and %d after 20 more", before, held)
	}
	must(t, e.Close())
	if held := counting.held.Load(); held != 0 {
		t.Errorf("%d files are open after closing", held)
	}
}

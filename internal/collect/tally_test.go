package collect_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/journal"
)

// fakeLedger is a database that only counts drops. As a real one it may fail before or behind the commit.
type fakeLedger struct {
	mu       sync.Mutex
	position uint64
	counts   map[string]int64
	down     error // nothing is taken
	cut      error // it is taken, and the answer is lost
	hangs    bool
	adds     int
}

func (l *fakeLedger) Position(context.Context) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.position, l.down
}

func (l *fakeLedger) Add(ctx context.Context, to uint64, counts []collect.Count) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hangs {
		l.mu.Unlock()
		<-ctx.Done()
		l.mu.Lock()
		return ctx.Err()
	}
	if l.down != nil {
		return l.down
	}
	if to > l.position {
		l.adds++
		l.position = to
		if l.counts == nil {
			l.counts = make(map[string]int64)
		}
		for _, c := range counts {
			l.counts[fmt.Sprintf("%d %s %s", c.Website, c.Day, c.Drop)] += c.Hits
		}
	}
	return l.cut
}

func (l *fakeLedger) set(do func()) { l.mu.Lock(); defer l.mu.Unlock(); do() }

func (l *fakeLedger) String() string { l.mu.Lock(); defer l.mu.Unlock(); return fmt.Sprint(l.counts) }

func dropped(website int64, reason string) []byte {
	e := event.Event{Kind: event.Dropped, Website: website, Day: 20000, Time: 20000 * 86400000}
	e.Fields[event.Name] = reason
	return e.Append(nil)
}

// run runs something; stop ends it and tells what it returned.
func run(t *testing.T, do func(context.Context) error) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- do(ctx) }()
	return func() error { cancel(); return <-done }
}

func TestTallyCountsDropsAndLeavesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		l, s := &fakeLedger{}, &fakeStore{}
		add(t, j, dropped(7, "bot"), pageview("/a"), append(dropped(7, "bot"), dropped(0, "unknown_website")...))
		stop := run(t, (&collect.Tally{Journal: j, Ledger: l}).Run)
		load := start(t, &collect.Loader{Journal: j, Store: s})
		time.Sleep(2 * time.Second)
		add(t, j, dropped(7, "spam"), pageview("/b"))
		time.Sleep(2 * time.Second)
		if err := errors.Join(stop(), load()); err != nil {
			t.Error(err)
		}
		if got := l.String(); got != "map[0 2024-10-04 unknown_website:1 7 2024-10-04 bot:2 7 2024-10-04 spam:1]" {
			t.Errorf("counted %s", got)
		}
		if got := s.pages(); got != "/a /b" || s.Position() != 6 {
			t.Errorf("stored %s up to %d", got, s.Position())
		}
	})
}

// A store must never see what was dropped, also if it is hidden behind an event.
func TestLoaderNeverStoresDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		s := &fakeStore{}
		add(t, j, append(append(pageview("/a"), dropped(7, "bot")...), pageview("/b")...))
		l := &collect.Loader{Journal: j, Store: s}
		stop := start(t, l)
		synctest.Wait()
		if err := stop(); err != nil || s.pages() != "/a /b" || l.Unreadable() != 0 {
			t.Errorf("stored %s, %v", s.pages(), err)
		}
	})
}

// R7: while the database is away events go on into the store, and drops wait.
func TestDropsWaitForTheDatabaseAndEventsDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{SegmentBytes: 150})
		l, s := &fakeLedger{down: errors.New("database is away")}, &fakeStore{}
		tally := &collect.Tally{Journal: j, Ledger: l}
		stop := run(t, tally.Run)
		load := start(t, &collect.Loader{Journal: j, Store: s, Tally: tally})
		for i := range 20 {
			add(t, j, pageview(fmt.Sprint("/", i)), dropped(7, "bot"))
		}
		s.set(func() { s.durable = 41 })
		time.Sleep(time.Hour)
		if len(s.batches) == 0 || s.Position() != 41 {
			t.Errorf("the store is at %d", s.Position())
		}
		if held := j.Stats(); held.First != 1 {
			t.Errorf("the journal begins at %d although drops are not counted", held.First)
		}
		l.set(func() { l.down = nil })
		time.Sleep(time.Minute)
		if got := l.String(); got != "map[7 2024-10-04 bot:20]" {
			t.Errorf("counted %s", got)
		}
		if held := j.Stats(); held.First != 41 {
			t.Errorf("the journal begins at %d although nobody needs it", held.First)
		}
		if err := errors.Join(stop(), load()); err != nil {
			t.Error(err)
		}
	})
}

func TestDropsAreCountedOnceWhenAnswersAreLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		l := &fakeLedger{cut: errors.New("connection reset")}
		stop := run(t, (&collect.Tally{Journal: j, Ledger: l}).Run)
		for range 30 {
			add(t, j, dropped(7, "bot"))
			time.Sleep(time.Second)
		}
		l.set(func() { l.cut = nil })
		time.Sleep(time.Minute)
		if err := stop(); err != nil || l.String() != "map[7 2024-10-04 bot:30]" {
			t.Errorf("counted %s, %v", l.String(), err)
		}
	})
}

// Told to stop while the database hangs, it gives up what it holds: the journal has it, and the next start counts it.
func TestATallyThatIsStoppedLosesAndDoublesNothing(t *testing.T) {
	for _, trouble := range []string{"none", "down", "hangs", "cut"} {
		t.Run(trouble, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := openJournal(t, disktest.NewRecorder(), journal.Options{})
				l := &fakeLedger{hangs: trouble == "hangs"}
				for i := range 10 {
					stop := run(t, (&collect.Tally{Journal: j, Ledger: l}).Run)
					add(t, j, dropped(7, "bot"))
					time.Sleep(time.Duration(i) * 300 * time.Millisecond)
					l.set(func() {
						switch trouble {
						case "down":
							l.down = errors.New("away")
						case "cut":
							l.cut = errors.New("reset")
						}
					})
					add(t, j, dropped(7, "bot"))
					before := time.Now()
					if err := stop(); err != nil {
						t.Error(err)
					}
					if took := time.Since(before); took > 3*time.Second {
						t.Errorf("stopped after %v", took)
					}
					l.set(func() { l.down, l.cut = nil, nil })
				}
				l.set(func() { l.hangs = false })
				stop := run(t, (&collect.Tally{Journal: j, Ledger: l}).Run)
				time.Sleep(2 * time.Second)
				if err := stop(); err != nil || l.String() != "map[7 2024-10-04 bot:20]" {
					t.Errorf("counted %s, %v", l.String(), err)
				}
			})
		})
	}
}

func TestTallyGoesOnAfterReadErrors(t *testing.T) {
	for n := range 6 {
		synctest.Test(t, func(t *testing.T) {
			fsys := disktest.NewFaulty(disktest.NewRecorder())
			j := openJournal(t, fsys, journal.Options{SegmentBytes: 150})
			for range 9 {
				add(t, j, dropped(7, "bot"))
			}
			fsys.Fail(disktest.Fault{Op: disktest.Read, N: n, Err: syscall.EIO})
			fsys.Fail(disktest.Fault{Op: disktest.Open, N: n, Err: syscall.EMFILE})
			l := &fakeLedger{}
			stop := run(t, (&collect.Tally{Journal: j, Ledger: l}).Run)
			time.Sleep(3 * time.Second)
			if err := stop(); err != nil || l.String() != "map[7 2024-10-04 bot:9]" {
				t.Errorf("read error %d: counted %s, %v", n, l.String(), err)
			}
		})
	}
}

func TestTallyEndsWhenTheJournalIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		add(t, j, dropped(7, "bot"))
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if err := (&collect.Tally{Journal: j, Ledger: &fakeLedger{}}).Run(t.Context()); !errors.Is(err, journal.ErrClosed) {
			t.Errorf("%v", err)
		}
	})
}

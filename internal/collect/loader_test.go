package collect_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect"
	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store"
)

// fakeStore is an engine that only takes events. Durable is what a test makes it.
type fakeStore struct {
	store.Engine
	mu       sync.Mutex
	position uint64
	durable  uint64
	down     error
	hangs    bool
	batches  []store.Batch
	tries    []store.Batch
}

func (s *fakeStore) Append(ctx context.Context, b store.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.Events = slices.Clone(b.Events)
	s.tries = append(s.tries, b)
	if s.hangs {
		s.mu.Unlock()
		<-ctx.Done()
		s.mu.Lock()
		return ctx.Err()
	}
	if s.down != nil {
		return s.down
	}
	s.batches = append(s.batches, b)
	s.position = b.To
	return nil
}

func (s *fakeStore) Position() uint64 { s.mu.Lock(); defer s.mu.Unlock(); return s.position }
func (s *fakeStore) Durable() uint64  { s.mu.Lock(); defer s.mu.Unlock(); return s.durable }

func (s *fakeStore) set(do func()) { s.mu.Lock(); defer s.mu.Unlock(); do() }

// pages are the pages of all events, in the order in which they came.
func (s *fakeStore) pages() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pages []string
	for _, b := range s.batches {
		for i := range b.Events {
			pages = append(pages, b.Events[i].Fields[event.Page])
		}
	}
	return strings.Join(pages, " ")
}

func pageview(page string) []byte {
	e := event.Event{Kind: event.Pageview, Website: 7, Visitor: 1, Day: 20000, Time: 20000 * 86400000}
	e.Fields[event.Page] = page
	return e.Append(nil)
}

func openJournal(t *testing.T, fsys disk.FS, o journal.Options) *journal.Journal {
	t.Helper()
	o.FS = fsys
	j, err := journal.Open("/journal", o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func add(t *testing.T, j *journal.Journal, records ...[]byte) {
	t.Helper()
	if _, err := j.Append(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
}

// start runs a loader; stop ends it and tells what it returned.
func start(t *testing.T, l *collect.Loader) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	return func() error { cancel(); return <-done }
}

func TestLoaderMovesEventsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		s := &fakeStore{}
		add(t, j, pageview("/a"), pageview("/b"))
		stop := start(t, &collect.Loader{Journal: j, Store: s})
		synctest.Wait()
		if got := s.pages(); got != "/a /b" {
			t.Errorf("stored %s", got)
		}
		add(t, j, append(pageview("/c"), pageview("/d")...)) // two events in one record
		add(t, j, pageview("/e"))
		synctest.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		if got := s.pages(); got != "/a /b /c /d /e" {
			t.Errorf("stored %s", got)
		}
		next := uint64(1)
		for _, b := range s.batches {
			if b.From != next || b.To <= b.From {
				t.Errorf("batch %d to %d after %d", b.From, b.To, next)
			}
			next = b.To
		}
		if next != 5 {
			t.Errorf("batches end at %d", next)
		}
	})
}

func TestLoaderStartsWhereTheStoreIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		add(t, j, pageview("/a"), pageview("/b"), pageview("/c"))
		s := &fakeStore{position: 3}
		stop := start(t, &collect.Loader{Journal: j, Store: s})
		synctest.Wait()
		if err := stop(); err != nil || s.pages() != "/c" {
			t.Errorf("stored %s, %v", s.pages(), err)
		}
	})
}

func TestLoaderKeepsEventsWhileStoreIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		s := &fakeStore{down: errors.New("no route to store")}
		add(t, j, pageview("/a"))
		stop := start(t, &collect.Loader{Journal: j, Store: s, Log: slog.New(slog.NewTextHandler(&log, nil))})
		time.Sleep(2500 * time.Millisecond) // no real time passes
		if got := s.pages(); got != "" {
			t.Errorf("stored %s while the store was down", got)
		}
		add(t, j, pageview("/b"))
		time.Sleep(time.Hour)
		s.set(func() { s.down = nil })
		time.Sleep(11 * time.Second)
		if got := s.pages(); got != "/a /b" {
			t.Errorf("stored %s after the store came back", got)
		}
		for _, b := range s.tries[:len(s.tries)-1] { // what was sent may have arrived: it has to be the same again
			if b.From != 1 || b.To != 2 || len(b.Events) != 1 {
				t.Errorf("tried a batch from %d to %d", b.From, b.To)
			}
		}
		if n := len(s.tries); n < 100 || n > 400 {
			t.Errorf("%d tries within an hour", n)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "no route to store") {
			t.Errorf("log does not say why: %s", log.String())
		}
	})
}

func TestLoaderLeavesOutWhatIsNoEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		s := &fakeStore{}
		add(t, j, []byte("secret rubbish"))
		l := &collect.Loader{Journal: j, Store: s, Log: slog.New(slog.NewTextHandler(&log, nil))}
		stop := start(t, l)
		synctest.Wait()
		if s.Position() != 2 {
			t.Errorf("store is at %d behind a record that is no event", s.Position())
		}
		add(t, j, pageview("/a"), append(pageview("/half"), "secret"...), pageview("/b"), nil)
		synctest.Wait()
		if err := stop(); err != nil || s.pages() != "/a /b" || s.Position() != 6 {
			t.Errorf("stored %s up to %d, %v", s.pages(), s.Position(), err)
		}
		if l.Unreadable() != 2 {
			t.Errorf("%d records counted", l.Unreadable())
		}
		if n := strings.Count(log.String(), "no event"); n != 1 || strings.Contains(log.String(), "secret") {
			t.Errorf("log: %s", log.String())
		}
	})
}

func TestLoaderStopsAtOnce(t *testing.T) {
	cases := map[string]*fakeStore{
		"idle":          {},
		"store is away": {down: errors.New("away")},
		"store hangs":   {hangs: true},
	}
	for name, s := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := openJournal(t, disktest.NewRecorder(), journal.Options{})
				if name != "idle" {
					add(t, j, pageview("/a"))
				}
				stop := start(t, &collect.Loader{Journal: j, Store: s})
				time.Sleep(time.Minute)
				before := time.Now()
				if err := stop(); err != nil {
					t.Error(err)
				}
				if took := time.Since(before); took > 0 {
					t.Errorf("stopped after %v", took)
				}
			})
		})
	}
}

func TestLoaderDropsWhatTheStoreKeepsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{SegmentBytes: 150})
		s := &fakeStore{}
		stop := start(t, &collect.Loader{Journal: j, Store: s})
		for i := range 20 {
			add(t, j, pageview(fmt.Sprint("/", i)))
		}
		time.Sleep(time.Minute)
		if first := j.Stats().First; first != 1 {
			t.Errorf("journal begins at %d although the store may still need 1", first)
		}
		s.set(func() { s.durable = 11 })
		time.Sleep(time.Minute)
		if first := j.Stats().First; first < 9 || first > 11 {
			t.Errorf("journal begins at %d, needed is 11", first)
		}
		s.set(func() { s.durable = 21 })
		time.Sleep(time.Hour)
		if held := j.Stats(); held.First != 21 || held.Segments != 1 {
			t.Errorf("nothing is needed any more: %+v", held)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestLoaderBatchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		small := slices.Repeat([][]byte{pageview("/")}, 10_000)
		large := slices.Repeat([][]byte{slices.Concat(slices.Repeat([][]byte{pageview(strings.Repeat("x", 4000))}, 50)...)}, 20)
		add(t, j, small...)
		add(t, j, large...)
		s := &fakeStore{}
		stop := start(t, &collect.Loader{Journal: j, Store: s})
		synctest.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		events := 0
		for _, b := range s.batches {
			events += len(b.Events)
			size := 0
			for i := range b.Events {
				size += len(b.Events[i].Fields[event.Page])
			}
			if b.To-b.From > 4096 || size > 2<<20 {
				t.Errorf("a batch of %d records with %d bytes", b.To-b.From, size)
			}
		}
		if events != 10_000+20*50 || len(s.batches) > 12 {
			t.Errorf("%d events in %d batches", events, len(s.batches))
		}
	})
}

func TestLoaderRefusesAJournalThatIsBehindTheStore(t *testing.T) {
	fsys := disktest.NewRecorder()
	s := &fakeStore{position: 100}
	j := openJournal(t, fsys, journal.Options{})
	if err := (&collect.Loader{Journal: j, Store: s}).Run(t.Context()); err == nil {
		t.Error("the store would take new events for old ones")
	}
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, fsys, journal.Options{Next: s.Position()})
		stop := start(t, &collect.Loader{Journal: j, Store: s})
		add(t, j, pageview("/a"))
		synctest.Wait()
		if err := stop(); err != nil || s.pages() != "/a" {
			t.Errorf("stored %q, %v", s.pages(), err)
		}
	})
}

func TestLoaderEndsWhenJournalOrStoreIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := openJournal(t, disktest.NewRecorder(), journal.Options{})
		add(t, j, pageview("/a"))
		if err := (&collect.Loader{Journal: j, Store: &fakeStore{down: store.ErrClosed}}).Run(t.Context()); !errors.Is(err, store.ErrClosed) {
			t.Errorf("store closed: %v", err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if err := (&collect.Loader{Journal: j, Store: &fakeStore{}}).Run(t.Context()); !errors.Is(err, journal.ErrClosed) {
			t.Errorf("journal closed: %v", err)
		}
	})
}

func TestLoaderGoesOnAfterReadErrors(t *testing.T) {
	for n := range 6 {
		synctest.Test(t, func(t *testing.T) {
			fsys := disktest.NewFaulty(disktest.NewRecorder())
			j := openJournal(t, fsys, journal.Options{SegmentBytes: 150})
			for i := range 9 {
				add(t, j, pageview(fmt.Sprint(i)))
			}
			fsys.Fail(disktest.Fault{Op: disktest.Read, N: n, Err: syscall.EIO})
			fsys.Fail(disktest.Fault{Op: disktest.Open, N: n, Err: syscall.EMFILE})
			s := &fakeStore{}
			stop := start(t, &collect.Loader{Journal: j, Store: s})
			time.Sleep(time.Second)
			if err := stop(); err != nil || s.pages() != "0 1 2 3 4 5 6 7 8" {
				t.Errorf("read error %d: stored %s, %v", n, s.pages(), err)
			}
		})
	}
}

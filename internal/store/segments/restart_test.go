package segments_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// A countingFS counts what is opened and read.
type countingFS struct {
	disk.FS
	opened, read, held atomic.Int64 // files opened for reading, bytes read, files open now

	mu    sync.Mutex
	paths []string
}

func (c *countingFS) Open(path string) (disk.File, error) {
	f, err := c.FS.Open(path)
	if err != nil {
		return nil, err
	}
	c.opened.Add(1)
	c.held.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paths = append(c.paths, path)
	return &countingFile{File: f, fs: c}, nil
}

type countingFile struct {
	disk.File
	fs *countingFS
}

func (f *countingFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(b, off)
	f.fs.read.Add(int64(n))
	return n, err
}

func (f *countingFile) Close() error {
	f.fs.held.Add(-1)
	return f.File.Close()
}

func TestOpenReadsTheManifestAndNothingElse(t *testing.T) {
	fsys := disktest.NewRecorder()
	clock := clockAt(event.NewDay(2026, 3, 10).UTC().Add(20 * time.Hour))
	e := openEngine(t, historyDir, segments.Options{FS: fsys, Now: clock.now})
	random := newTraffic(1)
	parts := figure(150, 40, 400)
	var events []event.Event
	for i := range parts { // of days before: a part of its own for each flush and day
		events = random.day(1, event.NewDay(2026, 3, 9)+event.Day(i%2), 2)
		must(t, e.Append(t.Context(), store.Batch{From: uint64(i), To: uint64(i + 1), Events: events}))
		must(t, e.Flush(t.Context()))
	}
	files := e.Status().Files
	if files < parts {
		t.Fatalf("%d files of %d flushes", files, parts)
	}
	must(t, e.Close())

	counting := &countingFS{FS: fsys}
	begin := time.Now()
	e = openEngine(t, historyDir, segments.Options{FS: counting, Now: clock.now})
	took := time.Since(begin)
	if n := counting.opened.Load(); n > 2 {
		t.Errorf("open reads %d files: %q", n, counting.paths)
	}
	if limit := int64(files) * 1000; counting.read.Load() > limit {
		t.Errorf("open reads %d bytes, more than %d", counting.read.Load(), limit)
	}
	if took > 5*time.Second {
		t.Errorf("open takes %v", took)
	}
	if counting.held.Load() != 0 {
		t.Errorf("%d files are open after opening", counting.held.Load())
	}
	q := totals(1, event.NewDay(2026, 2, 1), event.NewDay(2026, 3, 1))
	if _, err := e.Run(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, opened in %v", files, took)
}

// A question opens the files that hold its days, and reads the columns that it needs.
func TestQuestionReadsItsDaysOnly(t *testing.T) {
	h := makeHistory(t, 3)
	counting := &countingFS{FS: h.onto(t, nil)}
	e := openEngine(t, historyDir, segments.Options{FS: counting, Now: h.clock.now})
	counting.opened.Store(0)
	sameAnswers(t, e, h.oracle, totals(websites[1], event.NewDay(2026, 3, 4), event.NewDay(2026, 3, 5)))
	// The pair of the day; parts are opened too, for any may hold late events.
	parts := len(h.names("part-")) + len(h.names("late-"))
	if n := int(counting.opened.Load()); n > 2+parts {
		t.Errorf("a question about one day opens %d files: %q", n, counting.paths)
	}
}

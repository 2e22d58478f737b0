package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/backup"
	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// A house is journal, loader and store, all small, so that what happens seldom happens often.
type house struct {
	store   *segments.Engine
	journal *journal.Journal
	stop    func()
}

func open(t *testing.T, dir string) *house {
	t.Helper()
	s, err := segments.Open(dir, segments.Options{MemoryEvents: 200})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(filepath.Join(dir, "journal"), journal.Options{SegmentBytes: 16 << 10, Next: s.Position()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	loader := &collect.Loader{Journal: j, Store: s}
	drop := func(ctx context.Context) error { // the loader does it every few seconds
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if err := j.Drop(s.Durable()); err != nil {
				return err
			}
		}
		return nil
	}
	for _, run := range []func(context.Context) error{loader.Run, s.Maintain, drop} {
		jobs.Go(func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	return &house{s, j, func() {
		cancel()
		jobs.Wait()
		if err := errors.Join(j.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	}}
}

const writers = 4

// day is one that is never sealed in a test.
var day = event.DayOf(time.Now())

// take appends event number n of a writer, which has a website of its own.
func (h *house) take(ctx context.Context, writer, n int64) error {
	e := event.Event{Website: writer, Visitor: uint64(n), Day: day, Time: int64(day) * 86400000, Kind: event.Custom, Value: n}
	e.Fields[event.Name], e.Fields[event.Unit] = "Count", "n"
	_, err := h.journal.Append(ctx, e.Append(nil))
	return err
}

// counted is how many events of a writer the store has, and the sum of their numbers.
func (h *house) counted(t *testing.T, writer int64) (events, sum int64) {
	t.Helper()
	r, err := h.store.Run(t.Context(), store.Query{
		Website: writer, From: day, To: day + 1,
		Questions: []store.Question{{Metrics: []store.Metric{store.Events, store.Revenue}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Answers[0].Rows[0]
	for _, a := range row.Revenue {
		sum += a.Sum
	}
	return int64(row.Metrics[0]), sum
}

// catchUp waits until the store has what the journal has.
func (h *house) catchUp(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); h.store.Position() < h.journal.Stats().Next; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the store is at %d of %d", h.store.Position(), h.journal.Stats().Next)
		}
	}
}

// R13: a backup that is taken under load is an exact prefix of what was acknowledged.
func TestBackupUnderLoadIsAnExactPrefix(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	var acknowledged [writers]atomic.Int64
	var running sync.WaitGroup
	for w := range int64(writers) {
		running.Go(func() {
			for n := int64(1); ctx.Err() == nil; n++ {
				if err := h.take(context.WithoutCancel(ctx), w+1, n); err != nil {
					t.Error(err)
					return
				}
				acknowledged[w].Store(n)
			}
		})
	}
	copies := 3
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		copies = 50
	}
	var before [][writers]int64
	var archives []*bytes.Buffer
	for range copies {
		for start := acknowledged[0].Load(); acknowledged[0].Load() < start+300; { // parts come and go meanwhile
			time.Sleep(time.Millisecond)
		}
		var b [writers]int64
		for w := range b {
			b[w] = acknowledged[w].Load()
		}
		before = append(before, b)
		archives = append(archives, backUp(t, dir))
	}
	stop()
	running.Wait()
	h.stop()
	for i, a := range archives {
		restored := filepath.Join(t.TempDir(), "data")
		if _, err := backup.Restore(t.Context(), a, restored, nothing); err != nil {
			t.Fatal(err)
		}
		r := open(t, restored)
		r.catchUp(t)
		for w := range writers {
			events, sum := r.counted(t, int64(w+1))
			if sum != events*(events+1)/2 {
				t.Errorf("copy %d, writer %d: %d events with the sum %d are not the first %[3]d", i, w, events, sum)
			}
			if events < before[i][w] || events > acknowledged[w].Load()+1 {
				t.Errorf("copy %d, writer %d: %d events, %d were acknowledged before it", i, w, events, before[i][w])
			}
		}
		if err := r.take(t.Context(), 99, 1); err != nil {
			t.Errorf("copy %d does not go on: %v", i, err)
		}
		r.catchUp(t)
		if n, _ := r.counted(t, 99); n != 1 {
			t.Errorf("copy %d: %d new events were counted, want 1", i, n)
		}
		r.stop()
	}
}

func nothing(string) error { return nil }

func backUp(t *testing.T, dir string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if _, err := backup.Write(t.Context(), &b, source(dir, t.TempDir()), nil); err != nil {
		t.Fatal(err)
	}
	return &b
}

// source is a data directory with made-up accounts.
func source(dir, temp string) backup.Source {
	return backup.Source{Dir: dir, Temp: temp, Now: time.Now(), Program: "test", Accounts: func(_ context.Context, path string) error {
		return os.WriteFile(path, []byte("accounts"), 0o600)
	}}
}

// small is a copy of a directory with some events, and the names of its files.
func small(t *testing.T) (archive []byte, names []string) {
	t.Helper()
	dir := t.TempDir()
	h := open(t, dir)
	for n := range int64(10) {
		if err := h.take(t.Context(), 1, n+1); err != nil {
			t.Fatal(err)
		}
	}
	h.catchUp(t)
	if err := h.store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.stop()
	for _, name := range []string{"salts", "LOCK"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("not for a copy"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := backUp(t, dir).Bytes()
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return b, names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
}

func TestBackupHoldsWhatIsNeededAndNoSalts(t *testing.T) {
	archive, names := small(t)
	if names[0] != "footfall-backup.json" || names[len(names)-1] != "SHA256SUMS" {
		t.Errorf("begins with %s, ends with %s", names[0], names[len(names)-1])
	}
	all := strings.Join(names, " ")
	for _, want := range []string{"footfall.db", "events/MANIFEST", "events/part-", "journal/"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
	if bytes.Contains(archive, []byte("not for a copy")) || strings.Contains(all, "salts") {
		t.Errorf("what is not for a copy is in it: %s", all)
	}
}

func TestBackupLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	defer h.stop()
	before := entries(t, dir)
	backUp(t, dir)
	if after := entries(t, dir); after != before {
		t.Errorf("the data directory has %s, had %s", after, before)
	}
}

func TestEmptyDirectoryCanBeBackedUp(t *testing.T) {
	restored := filepath.Join(t.TempDir(), "data")
	if _, err := backup.Restore(t.Context(), backUp(t, t.TempDir()), restored, nothing); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, restored); got != "footfall.db" {
		t.Errorf("restored %s", got)
	}
}

func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestDamagedBackupIsRefusedAndLeavesNothing(t *testing.T) {
	good, names := small(t)
	tests := map[string][]byte{
		"nothing":                      nil,
		"something else":               []byte("hello"),
		"the end is missing":           good[:len(good)-1024-512-512],
		"half of it is missing":        good[:len(good)/2],
		"a changed byte in a file":     change(good, "accounts", "Accounts"),
		"a changed sum":                change(good, names[1]+"\n", "x"+names[1][1:]+"\n"),
		"a file from another version":  change(good, `"version": 1`, `"version": 9`),
		"a path that leads out":        packed(t, "footfall-backup.json", `{"version":1}`, "../evil", "x"),
		"a path from the root":         packed(t, "footfall-backup.json", `{"version":1}`, "/tmp/evil", "x"),
		"a file that belongs nowhere":  packed(t, "footfall-backup.json", `{"version":1}`, "salts", "x"),
		"a file twice":                 packed(t, "footfall-backup.json", `{"version":1}`, "footfall.db", "x", "footfall.db", "y"),
		"no head":                      packed(t, "footfall.db", "x"),
		"a head that cannot be read":   packed(t, "footfall-backup.json", `{`),
		"files that the list does not": packed(t, "footfall-backup.json", `{"version":1}`, "footfall.db", "x", "SHA256SUMS", ""),
	}
	for name, archive := range tests {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			_, err := backup.Restore(t.Context(), bytes.NewReader(archive), filepath.Join(parent, "data"), nothing)
			if err == nil {
				t.Error("it was restored")
			}
			if got := entries(t, parent); got != "" {
				t.Errorf("it left %s", got)
			}
		})
	}
}

func change(b []byte, from, to string) []byte {
	return bytes.Replace(bytes.Clone(b), []byte(from), []byte(to), 1)
}

// packed is an archive of names and contents.
func packed(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &tar.Header{Name: pairs[i], Size: int64(len(pairs[i+1])), Mode: 0o600, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRestoreKeepsItsHandsOffAFullDirectory(t *testing.T) {
	archive, _ := small(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), bytes.NewReader(archive), dir, nothing); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("error %v", err)
	}
	if got := entries(t, dir); got != "mine" {
		t.Errorf("the directory has %s", got)
	}
}

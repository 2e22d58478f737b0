package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

const dir = "/data/journal"

// open opens the journal in dir; the test ends if it does not open.
func open(t testing.TB, fsys disk.FS, o journal.Options) *journal.Journal {
	t.Helper()
	o.FS = fsys
	j, err := journal.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func appendText(t testing.TB, j *journal.Journal, texts ...string) uint64 {
	t.Helper()
	var records [][]byte
	for _, text := range texts {
		records = append(records, []byte(text))
	}
	first, err := j.Append(t.Context(), records...)
	if err != nil {
		t.Fatal(err)
	}
	return first
}

type record struct {
	seq  uint64
	text string
}

// readAll is all that is there from a number on.
func readAll(t testing.TB, j *journal.Journal, from uint64) []record {
	t.Helper()
	r := j.Reader(from)
	defer r.Close()
	var all []record
	for {
		seq, data, err := r.TryNext()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, record{seq, string(data)})
	}
}

func texts(records []record) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "%d:%s ", r.seq, r.text)
	}
	return strings.TrimSpace(b.String())
}

func wantTexts(t testing.TB, j *journal.Journal, from uint64, want string) {
	t.Helper()
	if got := texts(readAll(t, j, from)); got != want {
		t.Errorf("read from %d: %q, want %q", from, got, want)
	}
}

func TestRecordsAreNumberedFromOneAndReadInOrder(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{})
	if first := appendText(t, j, "a"); first != 1 {
		t.Errorf("first record has number %d", first)
	}
	if first := appendText(t, j, "b", "", "d"); first != 2 {
		t.Errorf("second append begins with number %d", first)
	}
	wantTexts(t, j, 0, "1:a 2:b 3: 4:d")
	wantTexts(t, j, 3, "3: 4:d")
	wantTexts(t, j, 9, "")
}

func TestRecordsAreThereAfterReopening(t *testing.T) {
	fsys := disktest.NewRecorder()
	want := ""
	for i := range 5 {
		j := open(t, fsys, journal.Options{})
		appendText(t, j, fmt.Sprint("x", i), "y")
		want += fmt.Sprintf("%d:x%d %d:y ", 2*i+1, i, 2*i+2)
		wantTexts(t, j, 0, strings.TrimSpace(want))
		if i%2 == 0 { // a killed process closes nothing
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if r := open(t, fsys, journal.Options{}).Repair(); r != (journal.Repair{Segments: 5, Records: 10}) {
		t.Errorf("repair of a journal without damage: %+v", r)
	}
}

func TestJournalOnTheSystemsDisk(t *testing.T) {
	dir := t.TempDir() + "/a/journal"
	for i := range 3 {
		j, err := journal.Open(dir, journal.Options{SegmentBytes: 300})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			appendText(t, j, "hello")
		}
		if n := len(readAll(t, j, 0)); n != 20*(i+1) {
			t.Errorf("round %d: %d records", i, n)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNumbersAreNeverUsedAgainAfterEverythingWasDropped(t *testing.T) {
	fsys := disktest.NewRecorder()
	next := uint64(1)
	for range 6 {
		j := open(t, fsys, journal.Options{SegmentBytes: 120})
		for range 10 {
			if first := appendText(t, j, "0123456789"); first != next {
				t.Fatalf("record %d got number %d", next, first)
			}
			next++
		}
		if err := j.Drop(next); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, j, 0, "")
		if s := j.Stats(); s.Segments != 1 || s.Bytes > 100 || s.First != next || s.Next != next {
			t.Errorf("after dropping everything: %+v", s)
		}
	}
}

func TestDropKeepsWhatIsStillNeeded(t *testing.T) {
	fsys := disktest.NewRecorder()
	j := open(t, fsys, journal.Options{SegmentBytes: 44 + 3*(16+4)}) // three records a file
	for i := range 10 {
		appendText(t, j, fmt.Sprintf("%04d", i+1))
	}
	for _, before := range []uint64{0, 1, 3, 4, 5, 6, 7, 10, 11, 1000} {
		if err := j.Drop(before); err != nil {
			t.Fatal(err)
		}
		all := readAll(t, j, before)
		if before <= 10 && (len(all) != 11-int(max(before, 1)) || all[0].seq != max(before, 1)) {
			t.Errorf("after dropping before %d: %v", before, all)
		}
	}
	if first := appendText(t, j, "end"); first != 11 {
		t.Errorf("after dropping all, number %d", first)
	}
}

func TestDropReplacesTheLastFileWhenItIsOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, disktest.NewRecorder(), journal.Options{})
		appendText(t, j, "some text that is gone soon")
		full := j.Stats().Bytes
		if err := j.Drop(2); err != nil || j.Stats().Bytes != full {
			t.Errorf("a young and small file was replaced: %+v, %v", j.Stats(), err)
		}
		time.Sleep(11 * time.Minute)
		if err := j.Drop(1); err != nil || j.Stats().Bytes != full {
			t.Errorf("a file was replaced that is still needed: %+v, %v", j.Stats(), err)
		}
		if err := j.Drop(2); err != nil || j.Stats().Bytes >= full {
			t.Errorf("an old file that nobody needs is still there: %+v, %v", j.Stats(), err)
		}
		if first := appendText(t, j, "b"); first != 2 {
			t.Errorf("went on with number %d", first)
		}
	})
}

func TestOptionsNextIsTheLeastNumber(t *testing.T) {
	fsys := disktest.NewRecorder()
	appendText(t, open(t, fsys, journal.Options{}), "a")
	j := open(t, fsys, journal.Options{Next: 100})
	if s := j.Stats(); s.Next != 100 {
		t.Errorf("next is %d", s.Next)
	}
	appendText(t, j, "b")
	j = open(t, fsys, journal.Options{Next: 50})
	appendText(t, j, "c")
	wantTexts(t, j, 0, "1:a 100:b 101:c")
	if r := open(t, fsys, journal.Options{}).Repair(); r.Lost != 0 {
		t.Errorf("numbers that were left out count as lost: %+v", r)
	}
}

func TestReaderWaitsForRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, disktest.NewRecorder(), journal.Options{SegmentBytes: 120})
		got := make(chan record)
		go func() {
			r := j.Reader(1)
			defer r.Close()
			for {
				seq, data, err := r.Next(t.Context())
				if err != nil {
					close(got)
					return
				}
				got <- record{seq, string(data)}
			}
		}()
		for i := range 20 {
			synctest.Wait()
			select {
			case r := <-got:
				t.Fatalf("delivered %v before it was appended", r)
			default:
			}
			want := record{uint64(i + 1), fmt.Sprint("record ", i)}
			appendText(t, j, want.text)
			if r := <-got; r != want {
				t.Fatalf("delivered %v, want %v", r, want)
			}
		}
		j.Close()
		if r, ok := <-got; ok {
			t.Errorf("delivered %v after closing", r)
		}
	})
}

func TestReaderStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, disktest.NewRecorder(), journal.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := j.Reader(1)
		if _, _, err := r.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("reader without records: %v", err)
		}
		appendText(t, j, "a")
		if seq, data, err := r.Next(t.Context()); seq != 1 || string(data) != "a" || err != nil {
			t.Errorf("then it read %d %q, %v", seq, data, err)
		}
	})
}

func TestReaderGoesOnBehindWhatWasDropped(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{SegmentBytes: 44 + 2*(16+1)})
	appendText(t, j, "a")
	appendText(t, j, "b")
	r := j.Reader(1)
	if seq, _, err := r.TryNext(); seq != 1 || err != nil {
		t.Fatal(seq, err)
	}
	for _, text := range []string{"c", "d", "e", "f", "g"} {
		appendText(t, j, text)
	}
	if err := j.Drop(7); err != nil {
		t.Fatal(err)
	}
	seq, _, err := r.TryNext()
	for ; err == nil && seq < 7; seq, _, err = r.TryNext() {
	}
	if seq != 7 || err != nil {
		t.Errorf("after dropping six of seven records: %d, %v", seq, err)
	}
	wantTexts(t, j, 1, "7:g")
}

func TestAppendRefusesWhenFull(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{MaxBytes: 1000})
	var err error
	n := 0
	for ; err == nil; n++ {
		_, err = j.Append(t.Context(), []byte("0123456789"))
	}
	if !errors.Is(err, journal.ErrFull) || n < 20 {
		t.Fatalf("append %d: %v", n, err)
	}
	if len(readAll(t, j, 0)) != n-1 {
		t.Errorf("%d records acknowledged, %d read", n-1, len(readAll(t, j, 0)))
	}
	if err := j.Drop(j.Stats().Next); err != nil {
		t.Fatal(err)
	}
	if first := appendText(t, j, "again"); first != uint64(n) {
		t.Errorf("went on with number %d, want %d", first, n)
	}
}

func TestAppendRefusesRecordsThatAreTooLarge(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{MaxRecordBytes: 10})
	if _, err := j.Append(t.Context(), []byte("ok"), make([]byte, 11)); err == nil {
		t.Error("a record over the limit was taken")
	}
	wantTexts(t, j, 0, "")
	appendText(t, j, "0123456789")
}

func TestLargeRecordsAndLargeAppends(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{MaxRecordBytes: 16 << 20})
	large := strings.Repeat("large ", 1<<20)
	appendText(t, j, large)
	appendText(t, j, large, large)
	all := readAll(t, j, 0)
	if len(all) != 3 || all[0].text != large || all[2].text != large {
		t.Errorf("read %d records", len(all))
	}
}

func TestClosedJournalSaysSo(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{})
	appendText(t, j, "a")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), []byte("b")); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append: %v", err)
	}
	if err := j.Close(); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("close: %v", err)
	}
	if _, _, err := j.Reader(2).Next(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("read: %v", err)
	}
}

func TestAppendWithAContextThatIsDone(t *testing.T) {
	j := open(t, disktest.NewRecorder(), journal.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.Append(ctx, []byte("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	wantTexts(t, j, 0, "")
}

// slowSync is a file system on which a sync takes a second.
type slowSync struct {
	disk.FS
	syncs atomic.Int32
}

type slowFile struct {
	disk.File
	fs *slowSync
}

func (s *slowSync) Create(path string) (disk.File, error) {
	f, err := s.FS.Create(path)
	return slowFile{f, s}, err
}

func (f slowFile) Sync() error {
	f.fs.syncs.Add(1)
	time.Sleep(time.Second)
	return f.File.Sync()
}

func TestAppendsThatWaitShareOneSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fsys := &slowSync{FS: disktest.NewRecorder()}
		j := open(t, fsys, journal.Options{})
		start := time.Now()
		var wg sync.WaitGroup
		one := func() {
			if _, err := j.Append(t.Context(), []byte("text")); err != nil {
				t.Error(err)
			}
		}
		wg.Go(one)
		synctest.Wait()
		for range 50 {
			wg.Go(one)
		}
		wg.Wait()
		if n, took := fsys.syncs.Load(), time.Since(start); n != 2 || took != 2*time.Second {
			t.Errorf("51 appends took %d syncs and %v", n, took)
		}
		if n := len(readAll(t, j, 0)); n != 51 {
			t.Errorf("%d records", n)
		}
	})
}

// A reader sees nothing of a write before it is synced; who gives up waiting leaves the others alone.
func TestNothingIsReadBeforeItIsOnDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, &slowSync{FS: disktest.NewRecorder()}, journal.Options{})
		for i := range 5 {
			for _, patience := range []time.Duration{time.Hour, time.Millisecond} {
				go func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					if _, err := j.Append(ctx, []byte("a")); err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Error(err)
					}
				}()
			}
			time.Sleep(500 * time.Millisecond)
			before := len(readAll(t, j, 0))
			time.Sleep(2 * time.Second)
			if before != 2*i || len(readAll(t, j, 0)) != 2*i+2 {
				t.Errorf("round %d: %d records before the sync, %d after", i, before, len(readAll(t, j, 0)))
			}
		}
	})
}

// TestManyAppendersAndReaders has all of it at once: appenders share commits, readers follow, files are dropped behind.
func TestManyAppendersAndReaders(t *testing.T) {
	const appenders, each = 16, 150
	j := open(t, disktest.NewRecorder(), journal.Options{SegmentBytes: 4000})
	var mu sync.Mutex
	acked := map[uint64]string{}
	var wg sync.WaitGroup
	for a := range appenders {
		wg.Go(func() {
			for i := range each {
				texts := []string{fmt.Sprintf("%d/%d", a, i), "+"}[:1+i%2]
				var records [][]byte
				for _, text := range texts {
					records = append(records, []byte(text))
				}
				first, err := j.Append(t.Context(), records...)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for k, text := range texts {
					acked[first+uint64(k)] = text
				}
				mu.Unlock()
			}
		})
	}
	const total = appenders * each * 3 / 2
	read := make([][]record, 3)
	for i := range read {
		wg.Go(func() {
			r := j.Reader(0)
			defer r.Close()
			for len(read[i]) < total {
				seq, data, err := r.Next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				read[i] = append(read[i], record{seq, string(data)})
			}
		})
	}
	wg.Wait()
	for i, records := range read {
		for k, r := range records {
			if r.seq != uint64(k+1) || acked[r.seq] != r.text {
				t.Fatalf("reader %d: record %d is %v, acknowledged was %q", i, k+1, r, acked[uint64(k+1)])
			}
		}
	}
	if err := j.Drop(total + 1); err != nil {
		t.Error(err)
	}
}

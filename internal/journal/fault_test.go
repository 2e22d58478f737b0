package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

// TestDiskErrorsAcknowledgeNothing lets operations fail under a journal that is being written: what is acknowledged is
// read, once, now and after reopening; what is not is never read while the journal is open; and it goes on by itself.
func TestDiskErrorsAcknowledgeNothing(t *testing.T) {
	ops := []disktest.Op{
		disktest.Write, disktest.Sync, disktest.Create, disktest.SyncDir, disktest.Truncate, disktest.Remove, disktest.Rename,
	}
	errs := []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS}
	for i := range times(400, 8000) {
		rng := rand.New(rand.NewPCG(uint64(i), 6))
		var faults []disktest.Fault
		for range 1 + rng.IntN(3) {
			faults = append(faults, disktest.Fault{
				Op: ops[rng.IntN(len(ops))], N: 1 + rng.IntN(20), Forever: rng.IntN(3) == 0, Err: errs[rng.IntN(len(errs))], Short: rng.IntN(200),
			})
		}
		if !t.Run(fmt.Sprint(i), func(t *testing.T) { checkFaults(t, faults, 1+rng.IntN(4)) }) {
			t.Fatalf("%+v", faults)
		}
	}
}

func checkFaults(t *testing.T, faults []disktest.Fault, appenders int) {
	fsys := disktest.NewFaulty(disktest.NewRecorder())
	j := open(t, fsys, journal.Options{SegmentBytes: 500})
	for _, f := range faults {
		fsys.Fail(f)
	}
	a := &acknowledged{t: t, j: j, texts: map[uint64]string{}}
	var wg sync.WaitGroup
	for n := range appenders {
		wg.Go(func() {
			for i := range 15 {
				a.append(fmt.Sprintf("%d/%d before", n, i))
			}
		})
	}
	wg.Wait()
	a.checkReads(j, true)
	_ = j.Drop(a.middle()) // may fail, must not hurt
	a.checkReads(j, true)

	fsys.Heal()
	if n := a.append("healed"); n == 0 {
		t.Error("no append after the disk healed")
	}
	if s := j.Stats(); s.Err != nil {
		t.Errorf("after the disk healed: %+v", s)
	}
	a.checkReads(j, true)
	again := open(t, fsys, journal.Options{Next: a.drop})
	if again.Repair().Lost > 0 {
		t.Errorf("repair: %+v", again.Repair())
	}
	a.checkReads(again, false)
	a.j = again
	a.append("opened again")
	a.checkReads(again, false)
}

// acknowledged appends to a journal and keeps what it promised.
type acknowledged struct {
	t     *testing.T
	mu    sync.Mutex
	j     *journal.Journal
	texts map[uint64]string
	drop  uint64
}

// append is 0 if the record was not taken.
func (a *acknowledged) append(text string) uint64 {
	seq, err := a.j.Append(a.t.Context(), []byte(text))
	if err != nil {
		if !errors.Is(err, journal.ErrDisk) {
			a.t.Errorf("append: %v", err)
		}
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if old, ok := a.texts[seq]; ok {
		a.t.Errorf("number %d stands for %q and %q", seq, old, text)
	}
	a.texts[seq] = text
	return seq
}

// middle is a number to drop before.
func (a *acknowledged) middle() uint64 {
	a.drop = a.j.Stats().Next / 2
	return a.drop
}

// checkReads compares what is read with what was acknowledged. While the journal is open there is nothing else.
func (a *acknowledged) checkReads(j *journal.Journal, exactly bool) {
	a.t.Helper()
	seen := map[uint64]bool{}
	for _, r := range readAll(a.t, j, 0) {
		want, ok := a.texts[r.seq]
		if seen[r.seq] || ok && want != r.text || !ok && exactly {
			a.t.Errorf("read %d %q, acknowledged was %q", r.seq, r.text, want)
		}
		seen[r.seq] = true
	}
	for seq, text := range a.texts {
		if !seen[seq] && seq >= a.drop {
			a.t.Errorf("%d %q was acknowledged and is not read", seq, text)
		}
	}
}

func TestFailedWriteIsAnErrorForAllWhoWaited(t *testing.T) {
	for _, op := range []disktest.Op{disktest.Create, disktest.Write, disktest.Sync, disktest.SyncDir} {
		t.Run(op.String(), func(t *testing.T) {
			rec := disktest.NewRecorder()
			fsys := disktest.NewFaulty(rec)
			j := open(t, fsys, journal.Options{})
			fsys.Fail(disktest.Fault{Op: op, Forever: true, Err: syscall.EIO})
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					if _, err := j.Append(t.Context(), []byte("a")); !errors.Is(err, journal.ErrDisk) || !errors.Is(err, syscall.EIO) {
						t.Errorf("append: %v", err)
					}
				})
			}
			wg.Wait()
			if s := j.Stats(); !errors.Is(s.Err, syscall.EIO) || s.Bytes != 0 {
				t.Errorf("%+v", s)
			}
			if files := rec.Files(); len(files) > 0 {
				t.Errorf("failed writes left %v", files)
			}
			if _, err := j.Append(t.Context()); !errors.Is(err, syscall.EIO) {
				t.Errorf("asked how the disk is: %v", err)
			}
			fsys.Heal()
			if _, err := j.Append(t.Context()); err != nil || j.Stats().Err != nil {
				t.Errorf("asked again: %v, %+v", err, j.Stats())
			}
			wantTexts(t, j, 0, "")
			seq := appendText(t, j, "b")
			wantTexts(t, j, 0, fmt.Sprintf("%d:b", seq))
		})
	}
}

func TestFailedSegmentIsNeverTouchedAgain(t *testing.T) {
	rec := disktest.NewRecorder()
	fsys := disktest.NewFaulty(rec)
	j := open(t, fsys, journal.Options{})
	appendText(t, j, "a")
	failed := rec.Files()[0]
	before, _ := rec.ReadFile(failed)
	fsys.Fail(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO})
	if _, err := j.Append(t.Context(), []byte("lost")); err == nil {
		t.Fatal("acknowledged although the sync failed")
	}
	fsys.Fail(disktest.Fault{Op: disktest.Sync, Path: failed, Forever: true, Err: errors.New("synced a failed segment")})
	fsys.Fail(disktest.Fault{Op: disktest.Write, Path: failed, Forever: true, Err: errors.New("wrote to a failed segment")})
	seq := appendText(t, j, "b")
	if seq <= 2 {
		t.Errorf("number %d may be on disk for another record", seq)
	}
	wantTexts(t, j, 0, fmt.Sprintf("1:a %d:b", seq))
	if after, _ := rec.ReadFile(failed); !bytes.Equal(after, before) {
		t.Errorf("of the failed write %d bytes are left", len(after)-len(before))
	}
}

// TestFailedTailIsVoidAfterReopening: the cut failed too, so that the record is still there, whole, and must not be read.
func TestFailedTailIsVoidAfterReopening(t *testing.T) {
	fsys := disktest.NewFaulty(disktest.NewRecorder())
	j := open(t, fsys, journal.Options{})
	appendText(t, j, "a")
	fsys.Fail(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO})
	fsys.Fail(disktest.Fault{Op: disktest.Truncate, Err: syscall.EIO})
	if _, err := j.Append(t.Context(), []byte("void")); err == nil {
		t.Fatal("acknowledged although the sync failed")
	}
	wantTexts(t, j, 0, "1:a")
	appendText(t, j, "b")
	wantTexts(t, j, 0, "1:a 3:b")
	j = open(t, fsys, journal.Options{})
	wantTexts(t, j, 0, "1:a 3:b")
	if r := j.Repair(); r.Lost != 0 || r.Records != 2 {
		t.Errorf("%+v", r)
	}
}

// TestFailedTailStaysVoid: what makes it void must not be dropped before it.
func TestFailedTailStaysVoid(t *testing.T) {
	fsys := disktest.NewFaulty(disktest.NewRecorder())
	j := open(t, fsys, journal.Options{})
	fail := func() {
		fsys.Fail(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO})
		fsys.Fail(disktest.Fault{Op: disktest.Truncate, Err: syscall.EIO})
		if _, err := j.Append(t.Context(), []byte("void")); err == nil {
			t.Fatal("acknowledged although the sync failed")
		}
		fsys.Heal()
	}
	appendText(t, j, "a")
	fail()
	if _, err := j.Append(t.Context()); err != nil { // begins a segment
		t.Fatal(err)
	}
	fail() // ends it, without a record that counts
	appendText(t, j, "b")
	if err := j.Drop(1); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, j, 0, "1:a 4:b")
	wantTexts(t, open(t, fsys, journal.Options{}), 0, "1:a 4:b")
}

func TestReadErrorsLoseNothing(t *testing.T) {
	fsys := disktest.NewFaulty(disktest.NewRecorder())
	j := open(t, fsys, journal.Options{SegmentBytes: 120})
	for range 9 {
		appendText(t, j, "text")
	}
	for n := range 8 {
		fsys.Fail(disktest.Fault{Op: disktest.Read, N: n, Err: syscall.EIO})
		r := j.Reader(0)
		var seqs []uint64
		failures := 0
		for len(seqs) < 9 {
			seq, _, err := r.TryNext()
			if err != nil {
				if failures++; failures > 1 || !errors.Is(err, syscall.EIO) {
					t.Fatal(err)
				}
				continue
			}
			seqs = append(seqs, seq)
		}
		for i, seq := range seqs {
			if seq != uint64(i+1) {
				t.Errorf("read %v", seqs)
				break
			}
		}
		r.Close()
		fsys.Heal()
	}
}

func TestOpenGivesUpWhatCannotBeRead(t *testing.T) {
	rec := disktest.NewRecorder()
	j := open(t, rec, journal.Options{SegmentBytes: 1 << 20})
	for range 9 {
		appendText(t, j, string(make([]byte, 2000)))
	}
	bad := &badSector{FS: rec, from: 8192, to: 8292}
	j = open(t, bad, journal.Options{})
	if r := j.Repair(); r.Lost == 0 || r.Lost > 4 || r.Records+r.Lost != 9 {
		t.Errorf("%+v", r)
	}
	if n := len(readAll(t, j, 0)); n != int(j.Repair().Records) {
		t.Errorf("%d records read, %+v", n, j.Repair())
	}
}

// badSector is a file system on which a place in every file cannot be read.
type badSector struct {
	disk.FS
	from, to int64
}

type badFile struct {
	disk.File
	fs *badSector
}

func (b *badSector) Open(path string) (disk.File, error) {
	f, err := b.FS.Open(path)
	return &badFile{f, b}, err
}

func (f *badFile) ReadAt(b []byte, off int64) (int, error) {
	end := off + int64(len(b))
	if off >= f.fs.to || end <= f.fs.from {
		return f.File.ReadAt(b, off)
	}
	if off >= f.fs.from {
		return 0, syscall.EIO
	}
	n, err := f.File.ReadAt(b[:f.fs.from-off], off)
	if err == nil {
		err = syscall.EIO
	}
	return n, err
}

func TestOpenSaysWhyItCannot(t *testing.T) {
	for _, op := range []disktest.Op{disktest.MkdirAll, disktest.ReadDir, disktest.Open} {
		fsys := disktest.NewFaulty(disktest.NewRecorder())
		appendText(t, open(t, fsys, journal.Options{}), "a")
		fsys.Fail(disktest.Fault{Op: op, Err: syscall.EACCES})
		if _, err := journal.Open(dir, journal.Options{FS: fsys}); !errors.Is(err, syscall.EACCES) {
			t.Errorf("%v that fails: %v", op, err)
		}
	}
	for _, op := range []disktest.Op{disktest.Sync, disktest.SyncDir} { // these do not stop it
		fsys := disktest.NewFaulty(disktest.NewRecorder())
		appendText(t, open(t, fsys, journal.Options{}), "a")
		fsys.Fail(disktest.Fault{Op: op, Err: syscall.EIO, Forever: true})
		wantTexts(t, open(t, fsys, journal.Options{}), 0, "1:a")
	}
}

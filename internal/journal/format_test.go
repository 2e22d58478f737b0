package journal_test

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

var update = flag.Bool("update", false, "write the journal of this version anew")

// fixture is a journal as version 1 wrote it: two segments, with a write that failed between them.
const fixture = "testdata/v1"

func TestJournalOfVersion1Opens(t *testing.T) {
	if *update {
		writeFixture(t)
	}
	fsys := disktest.NewRecorder()
	names, err := filepath.Glob(fixture + "/*.seg")
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := fsys.WriteFile(path.Join(dir, filepath.Base(name)), data); err != nil {
			t.Fatal(err)
		}
	}
	j := open(t, fsys, journal.Options{})
	wantTexts(t, j, 0, "1:one 2:two 3: 5:four")
	if r := j.Repair(); r != (journal.Repair{Segments: 2, Records: 4}) {
		t.Errorf("repair %+v", r)
	}
	if first := appendText(t, j, "five"); first != 6 {
		t.Errorf("went on with number %d", first)
	}
}

func writeFixture(t *testing.T) {
	rec := disktest.NewRecorder()
	fsys := disktest.NewFaulty(rec)
	j := open(t, fsys, journal.Options{})
	appendText(t, j, "one")
	appendText(t, j, "two", "")
	fsys.Fail(disktest.Fault{Op: disktest.Sync, Err: os.ErrInvalid})
	fsys.Fail(disktest.Fault{Op: disktest.Truncate, Err: os.ErrInvalid})
	if _, err := j.Append(t.Context(), []byte("void")); err == nil {
		t.Fatal("acknowledged although the sync failed")
	}
	appendText(t, j, "four")
	if err := os.RemoveAll(fixture); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(fixture, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range rec.Files() {
		data, _ := rec.ReadFile(name)
		if err := os.WriteFile(filepath.Join(fixture, path.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzOpen opens any bytes as a segment between two others that are whole.
func FuzzOpen(f *testing.F) {
	rec := disktest.NewRecorder()
	j := open(f, rec, journal.Options{SegmentBytes: 150})
	for range 12 {
		appendText(f, j, "0123456789")
	}
	files := rec.Files()
	first, _ := rec.ReadFile(files[0])
	middle, _ := rec.ReadFile(files[1])
	last, _ := rec.ReadFile(files[2])
	f.Add(middle)
	f.Add([]byte{})
	f.Add(first)
	f.Add(last)
	f.Add(middle[:70])
	f.Add(append(bytes.Clone(middle), middle[44:]...))
	f.Add(append(bytes.Clone(middle), make([]byte, 5000)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := disktest.NewRecorder()
		for i, data := range [][]byte{first, data, last} {
			if err := fsys.WriteFile(files[i], data); err != nil {
				t.Fatal(err)
			}
		}
		j, err := journal.Open(dir, journal.Options{FS: fsys})
		if err != nil {
			if !strings.Contains(err.Error(), "journal has format version") {
				t.Fatalf("damage kept the journal from opening: %v", err)
			}
			t.Skip("a newer version")
		}
		all := readAll(t, j, 0)
		var before uint64
		whole := 0
		for _, r := range all {
			if r.seq <= before {
				t.Fatalf("%d came after %d", r.seq, before)
			}
			before = r.seq
			if r.text == "0123456789" {
				whole++
			}
		}
		if whole < 6 {
			t.Fatalf("damage in one segment hurt another: %s", texts(all))
		}
		next := appendText(t, j, "next")
		again := open(t, fsys, journal.Options{})
		if got, want := texts(readAll(t, again, 0)), texts(append(all, record{next, "next"})); got != want || next <= before {
			t.Fatalf("read %q, then %q", want, got)
		}
	})
}

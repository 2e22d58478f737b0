package journal_test

import (
	"hash/crc32"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

func crc(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func quarantined(fsys *disktest.Recorder) (names []string, size int) {
	for _, p := range fsys.Files() {
		if strings.Contains(p, "/quarantine/") {
			data, _ := fsys.ReadFile(p)
			names = append(names, path.Base(p))
			size += len(data)
		}
	}
	return names, size
}

func TestQuarantineIsBounded(t *testing.T) {
	fsys := disktest.NewRecorder()
	large := make([]byte, 20<<20)
	large[0] = 1
	for _, name := range []string{"a.seg", "b.seg", "c.seg", "d.seg", "e.seg"} {
		if err := fsys.WriteFile(path.Join(dir, name), large); err != nil {
			t.Fatal(err)
		}
	}
	open(t, fsys, journal.Options{})
	if names, size := quarantined(fsys); size > 64<<20 || len(names) != 3 {
		t.Errorf("%v with %d bytes", names, size)
	}
}

func TestQuarantineIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fsys := disktest.NewRecorder()
		if err := fsys.WriteFile(path.Join(dir, "a.seg"), []byte("what was that")); err != nil {
			t.Fatal(err)
		}
		j := open(t, fsys, journal.Options{})
		for hour := range 24 {
			if err := j.Drop(0); err != nil {
				t.Fatal(err)
			}
			if names, _ := quarantined(fsys); len(names) != 1 && hour < 20 {
				t.Errorf("after %d hours there is %v", hour, names)
			}
			time.Sleep(time.Hour)
		}
		if names, _ := quarantined(fsys); len(names) > 0 {
			t.Errorf("after a day there is still %v", names)
		}
	})
}

func TestReaderPutsAsideWhatWasDamagedSinceOpen(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		appendText(t, j, "text")
	}
	flip(t, dir, 44+2*20+18)
	wantTexts(t, j, 0, "1:text 2:text 4:text 5:text")
	if s := j.Stats(); s.Lost != 1 || s.Damaged != 20 {
		t.Errorf("%+v", s)
	}
	appendText(t, j, "text")
	wantTexts(t, j, 5, "5:text 6:text")
}

// flip damages a byte of the only segment in a directory, behind the back of whoever has it open.
func flip(t *testing.T, dir string, at int64) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	f, err := os.OpenFile(names[0], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 4
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

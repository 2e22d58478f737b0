package journal_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"testing"

	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

// times is how often a test tries: more when there is time.
func times(quick, long int) int {
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		return long
	}
	return quick
}

// A damagedFile is a segment with what was done to it. Places are those of the file as it was.
type damagedFile struct {
	name     string
	original []byte
	data     []byte
	gone     [][2]int // bytes that are not there any more, or not next to each other
	renamed  bool
}

func (f *damagedFile) hurt(from, to int) { f.gone = append(f.gone, [2]int{from, to}) }

func (f *damagedFile) hurtHeader() bool {
	return slices.ContainsFunc(f.gone, func(g [2]int) bool { return g[0] < segmentHeader })
}

const (
	segmentHeader = 44
	recordHeader  = 16
)

// survivors are the records that must be read: those that nothing was done to.
func (f *damagedFile) survivors() []record {
	if f.hurtHeader() && f.renamed {
		return nil // header and name both say which records are true; one of them has to be there
	}
	var all []record
	for at := segmentHeader; at < len(f.original); {
		length := int(binary.LittleEndian.Uint32(f.original[at+4:]) &^ (1 << 31))
		end := at + recordHeader + length
		if !slices.ContainsFunc(f.gone, func(g [2]int) bool { return g[0] < end && g[1] > at }) {
			seq := binary.LittleEndian.Uint64(f.original[at+8:])
			all = append(all, record{seq, string(f.original[at+recordHeader : end])})
		}
		at = end
	}
	return all
}

// damages are the ways to hurt a journal.
var damages = map[string]func(rng *rand.Rand, files map[string]*damagedFile){
	"a file is cut short": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		n := rng.IntN(len(f.data) + 1)
		f.hurt(n, len(f.original))
		f.data = f.data[:n]
	},
	"bits are flipped": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		for range 1 + rng.IntN(4) {
			if n := len(f.data); n > 0 {
				at := rng.IntN(n)
				f.data[at] ^= 1 << rng.IntN(8)
				f.hurt(at, at+1)
			}
		}
	},
	"a header is hurt": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		at := rng.IntN(segmentHeader)
		f.data[at] ^= 1 << rng.IntN(8)
		f.hurt(at, at+1)
	},
	"the end is zeros": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		from := rng.IntN(len(f.data))
		clear(f.data[from:])
		f.hurt(from, len(f.original))
	},
	"the end is noise": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		from := rng.IntN(len(f.data))
		noise(rng, f.data[from:])
		f.hurt(from, len(f.original))
	},
	"the middle is noise": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		from := rng.IntN(len(f.data))
		to := from + rng.IntN(len(f.data)-from) + 1
		noise(rng, f.data[from:to])
		f.hurt(from, to)
	},
	"bytes are missing in the middle": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		from := segmentHeader + rng.IntN(len(f.data)-segmentHeader)
		to := from + rng.IntN(len(f.data)-from) + 1
		f.data = slices.Delete(f.data, from, to)
		f.hurt(from, to)
	},
	"bytes are put into the middle": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		at := segmentHeader + rng.IntN(len(f.data)-segmentHeader)
		more := make([]byte, 1+rng.IntN(200))
		if rng.IntN(2) == 0 {
			noise(rng, more)
		}
		f.data = slices.Insert(f.data, at, more...)
		f.hurt(at, at)
	},
	"zeros or noise follow the end": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		more := make([]byte, 1+rng.IntN(5000))
		if rng.IntN(2) == 0 {
			noise(rng, more)
		}
		f.data = append(f.data, more...)
	},
	"a part of the file follows the end": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		from := rng.IntN(len(f.data))
		f.data = append(f.data, f.data[from:]...)
	},
	"a file is missing": func(rng *rand.Rand, files map[string]*damagedFile) {
		delete(files, pick(rng, files).name)
	},
	"a file is empty": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := pick(rng, files)
		f.hurt(0, len(f.original))
		f.data = nil
	},
	"a file is doubled": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := *pick(rng, files)
		f.name = []string{
			"copy.seg", "0.seg", strings.Replace(f.name, "-", "-0", 1), "9" + f.name[1:], f.name[:21] + "01234567.seg",
		}[rng.IntN(5)]
		f.data = slices.Clone(f.data)
		if rng.IntN(2) == 0 {
			f.data = f.data[:segmentHeader+rng.IntN(len(f.data)-segmentHeader)]
		}
		f.original = nil // all its records are another file's
		files[f.name] = &f
	},
	"two files are swapped": func(rng *rand.Rand, files map[string]*damagedFile) {
		a, b := pick(rng, files), pick(rng, files)
		a.name, b.name = b.name, a.name
		a.renamed, b.renamed = a != b, a != b
		files[a.name], files[b.name] = a, b
	},
	"a foreign file is there": func(rng *rand.Rand, files map[string]*damagedFile) {
		f := &damagedFile{name: []string{"x.seg", ".seg", "00000000000000000007-0000000x.seg", "notes.txt", "99999999999999999999-00000000.seg"}[rng.IntN(5)]}
		f.data = make([]byte, rng.IntN(300))
		noise(rng, f.data)
		files[f.name] = f
	},
}

func pick(rng *rand.Rand, files map[string]*damagedFile) *damagedFile {
	names := slices.Sorted(maps.Keys(files))
	return files[names[rng.IntN(len(names))]]
}

func noise(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

// scene makes a journal of several segments, with one that failed on the way. It returns its files and its records, those
// that are void too.
func scene(t *testing.T) (files map[string][]byte, known map[uint64]string, void map[uint64]bool) {
	rec := disktest.NewRecorder()
	fsys := disktest.NewFaulty(rec)
	known, void = map[uint64]string{}, map[uint64]bool{}
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 3 {
		j := open(t, fsys, journal.Options{SegmentBytes: 700})
		for i := range 12 {
			text := fmt.Sprintf("round %d record %d %s", round, i, strings.Repeat("x", rng.IntN(120)))
			if round == 1 && i == 7 {
				fsys.Fail(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO})
				fsys.Fail(disktest.Fault{Op: disktest.Truncate, Err: syscall.EIO})
				seq := j.Stats().Next
				if _, err := j.Append(t.Context(), []byte(text)); err == nil {
					t.Fatal("append was acknowledged although the sync failed")
				}
				known[seq], void[seq] = text, true
				continue
			}
			known[appendText(t, j, text)] = text
		}
	}
	files = map[string][]byte{}
	for _, name := range rec.Files() {
		files[path.Base(name)], _ = rec.ReadFile(name)
	}
	return files, known, void
}

func TestDamagedJournalOpensAndKeepsWhatIsIntact(t *testing.T) {
	files, known, void := scene(t)
	kinds := slices.Sorted(maps.Keys(damages))
	for i := range times(2000, 80000) {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		damaged := map[string]*damagedFile{}
		for name, data := range files {
			damaged[name] = &damagedFile{name: name, original: data, data: slices.Clone(data)}
		}
		kind := kinds[i%len(kinds)]
		damages[kind](rng, damaged)
		if !checkDamaged(t, damaged, known, void, rng) {
			t.Fatalf("try %d: %s", i, kind)
		}
	}
}

// checkDamaged opens a damaged journal and tells whether it is as it should be.
func checkDamaged(t *testing.T, files map[string]*damagedFile, known map[uint64]string, void map[uint64]bool, rng *rand.Rand) bool {
	fsys := disktest.NewRecorder()
	must := map[uint64]string{}
	for _, f := range files {
		if err := fsys.WriteFile(path.Join(dir, f.name), f.data); err != nil {
			t.Fatal(err)
		}
		for _, r := range f.survivors() {
			must[r.seq] = r.text
		}
	}
	o := journal.Options{Next: uint64(rng.IntN(len(known) + 2))}
	j := open(t, fsys, o)
	all := readAll(t, j, 0)
	var last uint64
	for _, r := range all {
		if r.seq <= last || known[r.seq] != r.text {
			t.Errorf("after %d came %d %q; it was %q", last, r.seq, r.text, known[r.seq])
		}
		last = r.seq
		delete(must, r.seq)
	}
	for seq, text := range must {
		if !void[seq] {
			t.Errorf("record %d %q was intact and is not read", seq, text)
		}
	}
	if r := j.Repair(); r.Records != uint64(len(all)) {
		t.Errorf("%d records were read, %+v", len(all), r)
	}
	if s := j.Stats(); s.Lost != j.Repair().Lost || s.Damaged != j.Repair().Damaged+j.Repair().Torn {
		t.Errorf("reading found other damage than opening: %+v, %+v", s, j.Repair())
	}
	first := appendText(t, j, "new")
	if first <= last || first < o.Next {
		t.Errorf("went on with number %d after %d, with %d as the least", first, last, o.Next)
	}
	again := open(t, fsys, o)
	if got, want := texts(readAll(t, again, 0)), texts(append(all, record{first, "new"})); got != want {
		t.Errorf("opened again: %q, before: %q", got, want)
	}
	return !t.Failed()
}

func TestRepairCountsWhatIsLost(t *testing.T) {
	cases := map[string]struct {
		damage func(names []string, files map[string][]byte) // names in order, three records each of 20 bytes
		next   uint64                                        // that the reader stands at
		read   string
		want   journal.Repair
		aside  int64 // bytes in quarantine
	}{
		"nothing": {
			func(names []string, files map[string][]byte) {}, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 9}, 0,
		},
		"a flipped bit in the middle": {
			func(names []string, files map[string][]byte) { files[names[0]][44+20+17] ^= 1 }, 0,
			"1 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 8, Lost: 1, Damaged: 20}, 20,
		},
		"a flipped bit before the reader": {
			func(names []string, files map[string][]byte) { files[names[0]][44+20+17] ^= 1 }, 3,
			"1 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 8, Damaged: 20}, 20,
		},
		"a missing file": {
			func(names []string, files map[string][]byte) { delete(files, names[1]) }, 0,
			"1 2 3 7 8 9", journal.Repair{Segments: 2, Records: 6, Lost: 3}, 0,
		},
		"a file cut short in the middle": {
			func(names []string, files map[string][]byte) { files[names[1]] = files[names[1]][:44+20+7] }, 0,
			"1 2 3 4 7 8 9", journal.Repair{Segments: 3, Records: 7, Lost: 2, Damaged: 7}, 7,
		},
		"a torn end": {
			func(names []string, files map[string][]byte) { files[names[2]] = files[names[2]][:44+20+7] }, 0,
			"1 2 3 4 5 6 7", journal.Repair{Segments: 3, Records: 7, Torn: 7}, 7,
		},
		"zeros at the end": {
			func(names []string, files map[string][]byte) {
				files[names[2]] = append(files[names[2]], make([]byte, 99)...)
			}, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 9, Torn: 99}, 0,
		},
		"the last record twice": {
			func(names []string, files map[string][]byte) {
				files[names[2]] = append(files[names[2]], files[names[2]][44+40:]...)
			}, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 9, Torn: 20}, 20,
		},
		"a header that is gone": {
			func(names []string, files map[string][]byte) { clear(files[names[1]][:44]) }, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 9, Damaged: 44}, 0,
		},
		"a doubled file, one of the two with a flipped bit": {
			func(names []string, files map[string][]byte) {
				files["0.seg"] = slices.Clone(files[names[1]])
				files["0.seg"][44+20+17] ^= 1
			}, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 4, Records: 9, Damaged: 20}, 20,
		},
		"a file of something else": {
			func(names []string, files map[string][]byte) { files["notes.seg"] = []byte("hello") }, 0,
			"1 2 3 4 5 6 7 8 9", journal.Repair{Segments: 3, Records: 9, Foreign: 1}, 5,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rec := disktest.NewRecorder()
			j := open(t, rec, journal.Options{SegmentBytes: 44 + 3*20})
			for range 9 {
				appendText(t, j, "text")
			}
			files := map[string][]byte{}
			var names []string
			for _, p := range rec.Files() {
				names = append(names, path.Base(p))
				files[path.Base(p)], _ = rec.ReadFile(p)
			}
			c.damage(names, files)
			fsys := disktest.NewRecorder()
			for name, data := range files {
				if err := fsys.WriteFile(path.Join(dir, name), data); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // it does not change by itself
				j = open(t, fsys, journal.Options{Next: c.next})
				var numbers []string
				for _, r := range readAll(t, j, 0) {
					numbers = append(numbers, fmt.Sprint(r.seq))
				}
				if got := strings.Join(numbers, " "); got != c.read {
					t.Errorf("read %s, want %s", got, c.read)
				}
				if c.want.Foreign > 0 && j.Repair().Foreign == 0 {
					c.want.Foreign = 0 // taken away the first time
				}
				if got := j.Repair(); got != c.want {
					t.Errorf("repair %+v, want %+v", got, c.want)
				}
				if next := j.Stats().Next; next < 10 {
					t.Errorf("the next record is %d, a number that was used", next)
				}
			}
			var aside int64
			for _, p := range fsys.Files() {
				if strings.Contains(p, "quarantine") {
					data, _ := fsys.ReadFile(p)
					aside += int64(len(data))
				}
			}
			if aside != c.aside {
				t.Errorf("%d bytes in quarantine, want %d: %v", aside, c.aside, fsys.Files())
			}
		})
	}
}

// TestTornWriteIsNoLoss: of a write of three records the middle one did not reach the disk, so nobody was told that they
// were taken. That is no loss, on no later day. It is one if another write was synced behind it.
func TestTornWriteIsNoLoss(t *testing.T) {
	for name, lost := range map[string]uint64{"the last write": 0, "a write before the last": 1} {
		t.Run(name, func(t *testing.T) {
			rec := disktest.NewRecorder()
			j := open(t, rec, journal.Options{})
			appendText(t, j, "one")
			appendText(t, j, "two", "three", "four")
			if lost > 0 {
				appendText(t, j, "five")
			}
			file := rec.Files()[0]
			data, _ := rec.ReadFile(file)
			clear(data[segmentHeader+2*recordHeader+6:][:recordHeader+5])
			fsys := disktest.NewRecorder()
			if err := fsys.WriteFile(file, data); err != nil {
				t.Fatal(err)
			}
			for range 4 {
				j = open(t, fsys, journal.Options{})
				if r := j.Repair(); r.Lost != lost || r.Records+r.Lost < 3 {
					t.Errorf("%+v", r)
				}
				appendText(t, j, "more")
			}
		})
	}
}

func TestNewerVersionIsRefusedWithASentence(t *testing.T) {
	rec := disktest.NewRecorder()
	appendText(t, open(t, rec, journal.Options{}), "a")
	name := rec.Files()[0]
	data, _ := rec.ReadFile(name)
	binary.LittleEndian.PutUint32(data[8:], 2)
	binary.LittleEndian.PutUint32(data[40:], crc(data[:40]))
	fsys := disktest.NewRecorder()
	if err := fsys.WriteFile(name, data); err != nil {
		t.Fatal(err)
	}
	_, err := journal.Open(dir, journal.Options{FS: fsys})
	if err == nil || !strings.Contains(err.Error(), "format version 2; this program reads version 1") {
		t.Errorf("a journal of version 2: %v", err)
	}
}

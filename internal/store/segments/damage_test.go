package segments_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// A damage is what happens to a file, or to two.
type damage struct {
	name string
	do   func(r *rand.Rand, h *history, path string) map[string][]byte
}

var damages = []damage{
	{"a flipped bit", func(r *rand.Rand, h *history, path string) map[string][]byte {
		b := slices.Clone(h.files[path])
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return map[string][]byte{path: b}
	}},
	{"a short file", func(r *rand.Rand, h *history, path string) map[string][]byte {
		b := h.files[path]
		return map[string][]byte{path: append([]byte{}, b[:r.IntN(len(b))]...)}
	}},
	{"a missing file", func(_ *rand.Rand, _ *history, path string) map[string][]byte {
		return map[string][]byte{path: nil}
	}},
	{"a zeroed range", func(r *rand.Rand, h *history, path string) map[string][]byte {
		b := slices.Clone(h.files[path])
		from := r.IntN(len(b))
		clear(b[from:min(from+1+r.IntN(600), len(b))])
		if bytes.Equal(b, h.files[path]) {
			b[from] ^= 0xff
		}
		return map[string][]byte{path: b}
	}},
	{"contents of another file", func(r *rand.Rand, h *history, path string) map[string][]byte {
		others := h.names("")
		other := others[r.IntN(len(others))]
		for bytes.Equal(h.files[other], h.files[path]) {
			other = others[r.IntN(len(others))]
		}
		return map[string][]byte{path: h.files[other], other: h.files[path]}
	}},
}

// daysOf are the days that a file of a history holds events of, by its name.
func daysOf(t testing.TB, path string) (from, to event.Day) {
	t.Helper()
	kind, rest, _ := strings.Cut(filepath.Base(path), "-")
	if kind == "month" || kind == "late" {
		d, err := event.ParseDay(rest[:len("2006-01")] + "-01")
		must(t, err)
		return d, d.NextMonth()
	}
	d, err := event.ParseDay(rest[:len("2006-01-02")])
	must(t, err)
	return d, d + 1
}

// A cellAnswer is what the oracle says about one website on one day.
type cellAnswer struct {
	query store.Query
	want  store.Result
}

func cellAnswers(t testing.TB, h *history) []cellAnswer {
	t.Helper()
	var all []cellAnswer
	for _, w := range websites {
		for d := historyFrom; d < historyTo; d++ {
			q := totals(w, d, d+1)
			want, err := h.oracle.Run(t.Context(), q)
			must(t, err)
			all = append(all, cellAnswer{q, want})
		}
	}
	return all
}

// checkCells asks about every cell. Outside the days that are damaged answers are exact; inside they are, or are
// partial. It returns how many were not exact.
func checkCells(t testing.TB, e *segments.Engine, cells []cellAnswer, damaged func(event.Day) bool) (left int) {
	t.Helper()
	for _, c := range cells {
		got, err := e.Run(t.Context(), c.query)
		if err != nil {
			t.Fatalf("website %d on %s: %v", c.query.Website, c.query.From, err)
		}
		switch {
		case same(c.want, got):
		case !damaged(c.query.From):
			t.Fatalf("website %d on %s, which is not damaged (-want +got):\n%s", c.query.Website, c.query.From, differ(c.want, got))
		case !got.Partial:
			t.Fatalf("website %d on %s lacks something and does not say so (-want +got):\n%s", c.query.Website, c.query.From, differ(c.want, got))
		default:
			left++
		}
	}
	return left
}

// R4.
func TestDamagedHistoryIsNamedAndTheRestServed(t *testing.T) {
	h := makeHistory(t, 3)
	cells := cellAnswers(t, h)
	paths := h.names("")
	months := wholePeriod()[:2]
	for seed := range figure(50, 25, 1000) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		path, kind := paths[r.IntN(len(paths))], damages[seed%len(damages)]
		changed := kind.do(r, h, path)
		ok := t.Run(fmt.Sprintf("seed %d: %s in %s", seed, kind.name, filepath.Base(path)), func(t *testing.T) {
			fsys := h.onto(t, changed)
			e := h.open(t, fsys)
			isDamaged := func(d event.Day) bool {
				for path := range changed {
					if !strings.Contains(path, "MANIFEST") && !strings.Contains(path, "rollups") {
						if from, to := daysOf(t, path); from <= d && d < to {
							return true
						}
					}
				}
				return false
			}
			checkCells(t, e, cells, isDamaged)
			rollupsOnly := true
			for path := range changed {
				rollupsOnly = rollupsOnly && (strings.Contains(path, "rollups") || strings.Contains(path, "MANIFEST"))
			}
			if rollupsOnly {
				sameAnswers(t, e, h.oracle, months...)
			}
			found, err := e.Verify(t.Context(), nil)
			must(t, err)
			for path := range changed {
				name := filepath.Base(path)
				if strings.HasPrefix(name, "MANIFEST") { // made whole again on start
					continue
				}
				if !slices.Contains(found, name) || !slices.Contains(e.Status().Damaged, name) {
					t.Errorf("verify finds %q, status has %q; neither may miss %s", found, e.Status().Damaged, name)
				}
			}
			if err := e.Settle(t.Context()); err != nil {
				t.Errorf("settle: %v", err)
			}
			for _, name := range e.Status().Damaged {
				for path := range changed {
					if strings.Contains(path, "rollups") && filepath.Base(path) == name {
						t.Errorf("roll-up %s is still damaged after settling", name)
					}
				}
			}
			if rollupsOnly {
				sameAnswers(t, e, h.oracle, months...)
			}
			must(t, e.Close())
			again := h.open(t, fsys)
			if rollupsOnly {
				checkCells(t, again, cells, isDamaged)
			}
			must(t, again.Close())
		})
		if !ok && seed > 200 {
			t.Fatal("and so on")
		}
	}
}

// A file is good as it was written or not at all: one flipped bit anywhere is found, no answer is wrong without saying
// so, and nothing panics.
func TestEveryFlippedBitIsFound(t *testing.T) {
	h := makeSmallHistory(t)
	var cells []cellAnswer
	for _, q := range panels(websites[0], historyFrom, historyFrom+40) {
		want, err := h.oracle.Run(t.Context(), q)
		must(t, err)
		cells = append(cells, cellAnswer{q, want})
	}
	step := figure(11, 61, 1)
	for _, path := range h.names("") {
		if strings.Contains(path, "MANIFEST") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			missed := 0
			for at := 0; at < len(h.files[path]); at += step {
				b := slices.Clone(h.files[path])
				b[at] ^= 1 << (at / step % 2 * (at / step % 8)) // half of them the lowest bit: the sign of a number
				checkFlip(t, h, path, b, at, cells, &missed)
			}
			if missed > 0 {
				t.Errorf("verify misses %d of %d flipped bits", missed, (len(h.files[path])+step-1)/step)
			}
		})
	}
}

// makeSmallHistory has one visit in each kind of file but late parts.
func makeSmallHistory(t testing.TB) *history {
	t.Helper()
	fsys := disktest.NewRecorder()
	r := newRig(t, historyDir, historyFrom.UTC().Add(8*time.Hour), segments.Options{FS: fsys})
	random := newTraffic(3)
	for _, d := range []event.Day{historyFrom, historyFrom + 33, historyFrom + 38} {
		r.clock.set(d.UTC().Add(23 * time.Hour))
		r.settle()
		r.load(random.day(websites[0], d, 2))
		r.flush()
	}
	r.settle()
	must(t, r.engine.Close())
	h := &history{files: map[string][]byte{}, journal: r.journal, oracle: r.oracle, clock: r.clock}
	for _, path := range fsys.Files() {
		data, err := fsys.ReadFile(path)
		must(t, err)
		h.files[path] = data
	}
	return h
}

func checkFlip(t *testing.T, h *history, path string, b []byte, at int, cells []cellAnswer, missed *int) {
	t.Helper()
	fsys := h.onto(t, map[string][]byte{path: b})
	e, err := segments.Open(historyDir, segments.Options{FS: fsys, Now: h.clock.now, Workers: 1})
	must(t, err)
	defer e.Close()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("byte %d of %d flipped: panic: %v", at, len(b), p)
		}
	}()
	for _, c := range cells {
		got, err := e.Run(t.Context(), c.query)
		if err != nil {
			t.Errorf("byte %d of %d flipped: %v", at, len(b), err)
			return
		}
		if !same(c.want, got) && !got.Partial {
			t.Errorf("byte %d of %d flipped: the answer is wrong and does not say so", at, len(b))
			return
		}
	}
	found, err := e.Verify(t.Context(), nil)
	if err != nil {
		t.Errorf("byte %d of %d flipped: verify: %v", at, len(b), err)
	}
	if !slices.Contains(found, filepath.Base(path)) {
		if *missed++; *missed <= 3 {
			t.Errorf("byte %d of %d flipped: verify finds %q", at, len(b), found)
		}
	}
}

func TestOneDamagedManifestIsMendedFromTheOther(t *testing.T) {
	h := makeHistory(t, 2)
	for _, name := range []string{"MANIFEST", "MANIFEST.copy"} {
		path := filepath.Join(historyDir, "events", name)
		for _, content := range [][]byte{nil, {}, h.files[path][:100], bytes.Repeat([]byte{0}, len(h.files[path]))} {
			fsys := h.onto(t, map[string][]byte{path: content})
			e := h.open(t, fsys)
			sameAnswers(t, e, h.oracle, wholePeriod()[:2]...)
			must(t, e.Close())
			for _, name := range []string{"MANIFEST", "MANIFEST.copy"} {
				b, err := fsys.ReadFile(filepath.Join(historyDir, "events", name))
				must(t, err)
				if !bytes.Equal(b, h.files[path]) {
					t.Errorf("%s is not as it was", name)
				}
			}
		}
	}
}

// lostManifests are the ways in which both manifests can be gone.
func lostManifests(h *history) map[string]map[string][]byte {
	first, second := filepath.Join(historyDir, "events", "MANIFEST"), filepath.Join(historyDir, "events", "MANIFEST.copy")
	flipped := slices.Clone(h.files[first])
	flipped[len(flipped)/2] ^= 4
	return map[string]map[string][]byte{
		"both damaged":             {first: flipped, second: {}},
		"one damaged, one missing": {first: nil, second: flipped},
		"both missing":             {first: nil, second: nil},
	}
}

func TestWithoutAManifestFilesAreMovedAsideAndNotRemoved(t *testing.T) {
	h := makeHistory(t, 2)
	for name, changed := range lostManifests(h) {
		t.Run(name, func(t *testing.T) {
			fsys := h.onto(t, changed)
			e := h.open(t, fsys)
			if e.Position() != 0 || len(e.Status().Damaged) == 0 {
				t.Errorf("position is %d, damaged are %q", e.Position(), e.Status().Damaged)
			}
			held := map[string]bool{}
			for _, path := range fsys.Files() {
				data, err := fsys.ReadFile(path)
				must(t, err)
				held[string(data)] = strings.Contains(path, "quarantine")
			}
			for path, data := range h.files {
				if !strings.Contains(path, "MANIFEST") && !held[string(data)] {
					t.Fatalf("%s is not in the quarantine", filepath.Base(path))
				}
			}
			replay(t, e, h.journal)
			must(t, e.Flush(t.Context()))
			sameAnswers(t, e, h.oracle, totals(websites[0], event.NewDay(2026, 3, 10), historyTo))
		})
	}
}

func TestASecondLossOfTheManifestsKeepsTheFirstQuarantine(t *testing.T) {
	files := map[string][]byte{}
	var parts [][]byte
	for i := range 3 {
		h := &history{files: files, clock: clockAt(historyFrom.UTC())}
		fsys := h.onto(t, map[string][]byte{
			filepath.Join(historyDir, "events", "MANIFEST"): {1}, filepath.Join(historyDir, "events", "MANIFEST.copy"): {1},
		})
		e := h.open(t, fsys)
		must(t, e.Append(t.Context(), store.Batch{From: 0, To: 1, Events: newTraffic(uint64(i)).day(1, historyFrom, 3)}))
		must(t, e.Flush(t.Context()))
		must(t, e.Close())
		files = map[string][]byte{}
		for _, path := range fsys.Files() {
			data, err := fsys.ReadFile(path)
			must(t, err)
			files[path] = data
			if strings.HasPrefix(filepath.Base(path), "part-") && !strings.Contains(path, "quarantine") {
				parts = append(parts, data)
			}
		}
	}
	if len(parts) != 3 {
		t.Fatalf("%d parts were written", len(parts))
	}
	for i, part := range parts {
		kept := false
		for _, data := range files {
			kept = kept || bytes.Equal(data, part)
		}
		if !kept {
			t.Errorf("the part of round %d is nowhere any more", i)
		}
	}
}

// What was lost stays lost when a damaged file is worked into another; the answer must go on saying so.
func TestAnswersStayPartialAfterADamagedFileWasWorkedIn(t *testing.T) {
	h := makeHistory(t, 3)
	cells := cellAnswers(t, h)
	for _, prefix := range []string{"late-2026-01", "part-2026-03-10", "day-2026-03-02"} {
		t.Run(prefix, func(t *testing.T) {
			path := h.names(prefix)[0]
			b := slices.Clone(h.files[path])
			clear(b[len(b)/4 : len(b)/2])
			fsys := h.onto(t, map[string][]byte{path: b})
			e := h.open(t, fsys)
			from, to := daysOf(t, path)
			isDamaged := func(d event.Day) bool { return from <= d && d < to }
			if checkCells(t, e, cells, isDamaged) == 0 {
				t.Fatal("the damage shows in no answer")
			}
			old := h.clock.now()
			defer h.clock.set(old)
			h.clock.set(event.NewDay(2026, 4, 20).UTC())
			if err := e.Settle(t.Context()); err != nil {
				t.Errorf("settle: %v", err)
			}
			checkCells(t, e, cells, isDamaged)
			if !slices.Contains(e.Status().Damaged, filepath.Base(path)) {
				t.Errorf("status has %q", e.Status().Damaged)
			}
			must(t, e.Close())
			checkCells(t, h.open(t, fsys), cells, isDamaged)
		})
	}
}

func TestDamagedPartHoldsUpNoHousekeeping(t *testing.T) {
	h := makeHistory(t, 3)
	cells := cellAnswers(t, h)
	// Eight small parts of one day are merged; one of them does not decode.
	fsys := h.onto(t, nil)
	e := h.open(t, fsys)
	random := newTraffic(9)
	position := h.journal[len(h.journal)-1].To
	day := historyTo - 1
	for range 12 {
		must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: random.day(77, day, 3)}))
		position++
		must(t, e.Flush(t.Context()))
	}
	must(t, e.Close())
	next := &history{files: map[string][]byte{}}
	for _, path := range fsys.Files() {
		next.files[path], _ = fsys.ReadFile(path)
	}
	parts := next.names("part-" + day.String())
	victim := parts[len(parts)/2]
	b := slices.Clone(next.files[victim])
	clear(b[len(b)/3 : len(b)/2])
	fsys = next.onto(t, map[string][]byte{victim: b})
	e = h.open(t, fsys)
	if err := e.Settle(t.Context()); err != nil {
		t.Errorf("settle: %v", err)
	}
	must(t, e.Settle(t.Context()))
	from, to := daysOf(t, victim)
	checkCells(t, e, cells, func(d event.Day) bool { return from <= d && d < to })
	// What is whole is not treated as damaged: it must not end in the quarantine.
	old := h.clock.now()
	defer h.clock.set(old)
	h.clock.set(event.NewDay(2026, 4, 20).UTC())
	must(t, e.Settle(t.Context()))
	must(t, e.Close())
	for _, path := range fsys.Files() {
		if strings.Contains(path, "quarantine") && filepath.Base(path) != filepath.Base(victim) {
			t.Errorf("%s is whole and in the quarantine", filepath.Base(path))
		}
	}
}

package journal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"footfall/internal/disk/disktest"
	"footfall/internal/journal"
)

// A history is what happened to a journal, each thing with the number of operations on the disk that were done by then.
type history struct {
	t         *testing.T
	rng       *rand.Rand
	rec       *disktest.Recorder
	fsys      *disktest.Faulty
	j         *journal.Journal
	o         journal.Options
	attempted map[string]bool
	promised  map[uint64]promise // acknowledged, or delivered to a reader
	drops     []promise
}

type promise struct {
	seq  uint64
	text string
	ops  int
}

// live makes a journal and does all sorts of things to it.
func live(t *testing.T, seed uint64, faults bool) *history {
	h := &history{
		t: t, rng: rand.New(rand.NewPCG(seed, 2)), rec: disktest.NewRecorder(),
		o: journal.Options{SegmentBytes: 3000}, attempted: map[string]bool{}, promised: map[uint64]promise{},
	}
	h.fsys = disktest.NewFaulty(h.rec)
	h.j = open(t, h.fsys, h.o)
	for range 40 {
		switch n := h.rng.IntN(10); {
		case n == 0:
			h.reopen()
		case n == 1:
			h.drop()
		case n == 2 && faults:
			h.fail()
		case n == 3 && faults:
			h.kill()
		default:
			h.append()
		}
	}
	h.fsys.Heal()
	return h
}

func (h *history) append() {
	var records [][]byte
	var texts []string
	for range 1 + h.rng.IntN(3) {
		text := fmt.Sprintf("%d %s", len(h.attempted), strings.Repeat("x", h.rng.IntN(900)))
		h.attempted[text] = true
		records = append(records, []byte(text))
		texts = append(texts, text)
	}
	first, err := h.j.Append(h.t.Context(), records...)
	if err != nil {
		return
	}
	for i, text := range texts {
		h.promise(first+uint64(i), text)
	}
}

func (h *history) promise(seq uint64, text string) {
	old, ok := h.promised[seq]
	if ok && old.text != text {
		h.t.Fatalf("number %d stands for %.20q and %.20q", seq, old.text, text)
	}
	if !ok {
		h.promised[seq] = promise{seq, text, h.rec.Ops()}
	}
}

// reopen is a process that was killed and starts again: what it finds it delivers, so that it has to stay.
func (h *history) reopen() {
	h.fsys.Heal()
	h.j = open(h.t, h.fsys, h.o)
	for _, r := range readAll(h.t, h.j, 0) {
		h.promise(r.seq, r.text)
	}
}

// kill is a process that was killed while it wrote, before one of its syncs.
func (h *history) kill() {
	op := []disktest.Op{disktest.Sync, disktest.SyncDir}[h.rng.IntN(2)]
	for _, op := range []disktest.Op{op, disktest.Truncate, disktest.Remove} {
		h.fsys.Fail(disktest.Fault{Op: op, Forever: true, Err: syscall.EIO})
	}
	h.append()
	h.reopen()
}

func (h *history) drop() {
	before := 1 + h.rng.Uint64N(h.j.Stats().Next)
	h.drops = append(h.drops, promise{seq: before, ops: h.rec.Ops()})
	_ = h.j.Drop(before)
}

func (h *history) fail() {
	op := []disktest.Op{disktest.Create, disktest.Write, disktest.Sync, disktest.SyncDir, disktest.Truncate, disktest.Remove}[h.rng.IntN(6)]
	h.fsys.Fail(disktest.Fault{Op: op, N: 1 + h.rng.IntN(3), Err: syscall.EIO, Short: h.rng.IntN(1000)})
}

// dropped is the number before which records need not be there any more after some operations.
func (h *history) dropped(ops int) (before uint64) {
	for _, d := range h.drops {
		if d.ops <= ops {
			before = max(before, d.seq)
		}
	}
	return before
}

// check opens what a crash left and compares it with what was promised by then.
func (h *history) check(t *testing.T, image *disktest.Recorder, ops int, more map[uint64]string) *journal.Journal {
	t.Helper()
	before := h.dropped(ops)
	o := h.o
	if h.rng.IntN(2) == 0 {
		o.Next = before
	}
	j := open(t, image, o)
	if r := j.Repair(); r.Lost > 0 && o.Next == before {
		t.Errorf("repair counts what nobody lost: %+v", r)
	}
	seen, seenTexts := map[uint64]bool{}, map[string]bool{}
	for _, r := range readAll(t, j, 0) {
		if p, ok := h.promised[r.seq]; ok && p.ops <= ops && p.text != r.text || !h.attempted[r.text] && more[r.seq] != r.text {
			t.Errorf("record %d is %.20q", r.seq, r.text)
		}
		if seen[r.seq] || seenTexts[r.text] {
			t.Errorf("record %d %.20q is read twice", r.seq, r.text)
		}
		seen[r.seq], seenTexts[r.text] = true, true
	}
	for _, p := range h.promised {
		if p.ops > ops {
			continue
		}
		if p.seq >= before && !seen[p.seq] {
			t.Errorf("record %d %.20q is lost", p.seq, p.text)
		}
		if next := j.Stats().Next; next <= p.seq {
			t.Errorf("the next record is %d, a number that %.20q has", next, p.text)
		}
	}
	for seq, text := range more {
		if !seen[seq] {
			t.Errorf("record %d %q, appended after the crash, is lost", seq, text)
		}
	}
	return j
}

// TestPowerLossLosesNothing looks at what a disk may hold when the power goes, goes on from there, and has the power go
// once more on the way.
func TestPowerLossLosesNothing(t *testing.T) {
	const imagesEach = 40
	for seed := range times(2000, 30000) / imagesEach {
		h := live(t, uint64(seed), seed%2 == 1)
		for i := range imagesEach {
			ops := h.rng.IntN(h.rec.Ops() + 1)
			image := h.rec.CrashImage(ops, h.rng)
			j := h.check(t, image, ops, nil)
			more := map[uint64]string{}
			done := image.Ops()
			if i%2 == 0 {
				more[appendText(t, j, "after the crash")] = "after the crash"
				done = image.Ops()
			}
			again := image.CrashImage(done, h.rng)
			h.check(t, again, ops, more)
			if t.Failed() {
				t.Fatalf("seed %d, image %d, after %d of %d operations; files %v", seed, i, ops, h.rec.Ops(), image.Files())
			}
		}
	}
}

// TestPowerLossDuringRecovery has the power go at every operation of Open itself.
func TestPowerLossDuringRecovery(t *testing.T) {
	h := live(t, math.MaxUint64, true)
	for i := range times(40, 400) {
		ops := h.rng.IntN(h.rec.Ops() + 1)
		image := h.rec.CrashImage(ops, h.rng)
		h.check(t, image, ops, nil)
		for at := range image.Ops() + 1 {
			h.check(t, image.CrashImage(at, h.rng), ops, nil)
		}
		if t.Failed() {
			t.Fatalf("image %d, after %d of %d operations", i, ops, h.rec.Ops())
		}
	}
}

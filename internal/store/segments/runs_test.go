package segments

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomVisits are events that begin visits, of one event up to several words of them, the first events of all visits and the end,
// and visits that are kept.
func randomVisits(r *rand.Rand, events int) (begins bitmap, starts []int32, kept bitmap) {
	begins = newBitmap(events, nil)
	often := 1 + r.IntN(100)
	for e := range events {
		if e == 0 || r.IntN(often) == 0 {
			begins.set(e)
			starts = append(starts, int32(e))
		}
	}
	begins.count(nil)
	kept = newBitmap(len(starts), nil)
	rare := 1 + r.IntN(20)
	for v := range starts {
		if r.IntN(rare) == 0 {
			kept.set(v)
		}
	}
	return begins, append(starts, int32(events)), kept
}

func TestRunsOfVisitsBeginAndEndWhereTheVisitsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 5000 {
		begins, starts, kept := randomVisits(r, 1+r.IntN(700))
		got, want := begins.runs(&kept, nil), visitRuns{}
		for _, v := range kept.list(nil) {
			want.visits, want.from, want.to = append(want.visits, v), append(want.from, starts[v]), append(want.to, starts[v+1])
		}
		if !slices.Equal(got.visits, want.visits) || !slices.Equal(got.from, want.from) || !slices.Equal(got.to, want.to) {
			t.Fatalf("of visits that begin at %d:\n got %v\nwant %v", starts, got, want)
		}
	}
}

func TestNthBitOfAWordIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	words := []uint64{1<<64 - 1, 1, 1 << 63, 1<<63 | 1, 0xff, 0xff << 56}
	for range 1000 {
		words = append(words, r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64(), r.Uint64()|r.Uint64()|r.Uint64())
	}
	for _, w := range words {
		n := uint64(0)
		for place := range uint(64) {
			if w>>place&1 == 0 {
				continue
			}
			if got := nthBit(w, byteSums(w), n); got != place {
				t.Fatalf("bit %d of %#x is at %d, not %d", n, w, got, place)
			}
			n++
		}
	}
}

// Whether found in packed bits or in codes that are written out, the events of some visits with a code are the same.
func TestEventsOfFewVisitsArePickedInEveryRange(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for width := uint(minFindWidth); width <= maxPickWidth; width++ {
		for range 200 {
			codes := make([]int32, 1+r.IntN(600))
			code := int32(r.IntN(1 << width))
			for i := range codes {
				codes[i] = [...]int32{code, code ^ 1<<r.IntN(int(width)), int32(r.IntN(1 << width))}[r.IntN(3)]
			}
			page := padded(appendPacked(nil, codes, width))
			from := r.IntN(len(codes))
			to := from + 1 + r.IntN(len(codes)-from)
			begins, starts, kept := randomVisits(r, to-from)
			runs := begins.runs(&kept, nil)
			packed, ok := packedWhole(page, width, to)
			if !ok {
				t.Fatalf("%d codes of %d bits are not in one part", len(codes), width)
			}
			byCode := make([]uint8, 1<<width)
			byCode[code] = 1
			f := newCodeFinder(code, width, 4)
			inBits, inCodes := f.pick(packed, from, &runs, nil), runs.pick(codes[from:to], byCode, nil)
			var list, visits []int32
			for _, v := range kept.list(nil) {
				for e := starts[v]; e < starts[v+1]; e++ {
					if codes[from+int(e)] == code {
						list, visits = append(list, e), append(visits, v)
					}
				}
			}
			for how, got := range map[string]selection{"in bits": inBits, "in codes": inCodes} {
				if !got.byEvent || !slices.Equal(got.list, list) || !slices.Equal(got.visits, visits) {
					t.Fatalf("width %d, code %d from row %d to %d %s:\n got %v of %v\nwant %v of %v",
						width, code, from, to, how, got.list, got.visits, list, visits)
				}
			}
		}
	}
}

func TestPageInPartsOrCutIsNotTakenWhole(t *testing.T) {
	codes := make([]int32, 200)
	for i := range codes {
		codes[i] = int32(i % 16)
	}
	whole := appendCodes(nil, codes, 4)
	if _, ok := packedWhole(padded(whole), 4, len(codes)); !ok {
		t.Error("a page in one part is not taken whole")
	}
	for name, page := range map[string][]byte{
		"nothing":           nil,
		"a cut page":        whole[:len(whole)-1],
		"a run":             appendCodes(nil, make([]int32, 200), 4),
		"packed, then runs": appendCodes(nil, append(slices.Clone(codes[:100]), make([]int32, 100)...), 4),
		"too many groups":   {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	} {
		if _, ok := packedWhole(padded(page), 4, len(codes)); ok {
			t.Errorf("%s is taken whole", name)
		}
	}
	if _, ok := packedWhole(slices.Clip(whole), 4, len(codes)); ok {
		t.Error("a page with nothing after it is taken whole")
	}
}

package segments

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRowsOfACodeAreFoundInEveryRange(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for width := uint(minFindWidth); width <= maxFindWidth; width++ {
		for range 60 {
			codes := randomCodes(r, width, 1+r.IntN(600))
			page := padded(appendCodes(nil, codes, width))
			for range 12 {
				from := r.IntN(len(codes))
				to := from + 1 + r.IntN(len(codes)-from)
				code := codes[r.IntN(len(codes))]
				if r.IntN(4) == 0 {
					code ^= 1 << r.IntN(int(width)) // a near miss, perhaps of none
				}
				got, want := newBitmap(to-from, nil), newBitmap(to-from, nil)
				if err := findCode(&got, page, width, len(codes), from, code); err != nil {
					t.Fatalf("width %d, rows %d to %d of %d: %v", width, from, to, len(codes), err)
				}
				for i, c := range codes[from:to] {
					if c == code {
						want.set(i)
					}
				}
				if !slices.Equal(got.words, want.words) {
					t.Fatalf("width %d, code %d in rows %d to %d of %d:\n got %x\nwant %x", width, code, from, to, len(codes), got.words, want.words)
				}
			}
		}
	}
}

func TestRowsOfACodeInACutPageAreNotMadeUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		width := uint(minFindWidth + r.IntN(maxFindWidth-minFindWidth+1))
		codes := randomCodes(r, width, 1+r.IntN(200))
		page := appendCodes(nil, codes, width)
		cut := padded(page[:r.IntN(len(page))])
		found := newBitmap(len(codes), nil)
		if err := findCode(&found, cut, width, len(codes), 0, codes[0]); !errors.Is(err, errPage) {
			t.Fatalf("%d of %d bytes are searched as %d rows: %v", len(cut), len(page), len(codes), err)
		}
	}
}

package segments

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBitmapKnowsWhichRowsWereSet(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		rows := 1 + r.IntN(400)
		b, set := newBitmap(rows, nil), make([]bool, rows)
		for range r.IntN(4) {
			from := r.IntN(rows)
			to := from + r.IntN(rows-from+1)
			b.setRange(from, to)
			for i := from; i < to; i++ {
				set[i] = true
			}
			at, mask := r.IntN(rows+10)-10, r.Uint64()
			if over := at + 64 - rows; over > 0 {
				mask = mask << over >> over
			}
			b.or(at, mask)
			for i := range 64 {
				if mask>>i&1 == 1 && at+i >= 0 {
					set[at+i] = true
				}
			}
			row := r.IntN(rows)
			b.set(row)
			set[row] = true
		}
		b.count(nil)
		var list, ranks []int32
		for i, is := range set {
			if b.rank(int32(i)) != int32(len(list)) {
				t.Fatalf("%d of %d rows are set before row %d, not %d", len(list), rows, i, b.rank(int32(i)))
			}
			if is != (b.bit(int32(i)) == 1) {
				t.Fatalf("row %d of %d is set: %t", i, rows, is)
			}
			if is {
				list = append(list, int32(i))
			}
			ranks = append(ranks, int32(len(list))-1)
		}
		if got := b.list(nil); !slices.Equal(got, list) || b.total() != len(list) || b.any() != (len(list) > 0) {
			t.Fatalf("of %d rows, %d are set, not %d", rows, got, list)
		}
		if b.rank(int32(rows)) != int32(len(list)) || !slices.Equal(b.ranks(nil), ranks) {
			t.Fatalf("the ranks of %d in %d rows are %d", list, rows, b.ranks(nil))
		}
	}
}

func TestBitmapOfCodesHasTheRowsThatAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 500 {
		codes := randomCodes(r, 3, r.IntN(300))
		byCode := make([]uint8, 8)
		for i := range byCode {
			byCode[i] = uint8(r.IntN(2))
		}
		var want []int32
		for i, c := range codes {
			if byCode[c] == 1 {
				want = append(want, int32(i))
			}
		}
		b := bitmapOf(codes, byCode, nil)
		if got := b.list(nil); !slices.Equal(got, want) {
			t.Fatalf("%v keep of %d the rows %d, not %d", byCode, codes, got, want)
		}
	}
}

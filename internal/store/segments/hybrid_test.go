package segments

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/rle"
)

// padded is a page as decodeCodes wants it: followed by room that may hold anything.
func padded(page []byte) []byte {
	b := append(slices.Clone(page), make([]byte, pagePadding)...)
	for i := len(page); i < len(b); i++ {
		b[i] = 0xa5
	}
	return b[:len(page)]
}

// randomCodes are codes below 1<<width: long runs, short runs and none, as chance decides.
func randomCodes(r *rand.Rand, width uint, n int) []int32 {
	var most int32 = 1<<31 - 1
	if width < 31 {
		most = 1<<width - 1
	}
	code := func() int32 {
		switch r.IntN(4) {
		case 0:
			return most
		case 1:
			return 0
		}
		return int32(r.Int64N(int64(most) + 1))
	}
	codes := make([]int32, 0, n)
	for len(codes) < n {
		length, c := 1, code()
		switch r.IntN(5) {
		case 0:
			length = 1 + r.IntN(40)
		case 1:
			length = 1 + r.IntN(300)
		case 2:
			length = []int{7, 8, 9, 15, 16, 17, 23, 24}[r.IntN(8)]
		}
		for range min(length, n-len(codes)) {
			codes = append(codes, c)
		}
	}
	return codes
}

func TestCodesComeBackFromEveryRange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var reused []int32
	for width := uint(1); width <= 32; width++ {
		for range 60 {
			codes := randomCodes(r, width, r.IntN(600))
			page := padded(appendCodes(nil, codes, width))
			for range 12 {
				from := r.IntN(len(codes) + 1)
				to := from + r.IntN(len(codes)-from+1)
				got, err := decodeCodes(reused, page, width, len(codes), from, to)
				if err != nil {
					t.Fatalf("width %d, rows %d to %d of %d: %v", width, from, to, len(codes), err)
				}
				if !slices.Equal(got, codes[from:to]) {
					t.Fatalf("width %d, rows %d to %d of %d:\n got %v\nwant %v", width, from, to, len(codes), got, codes[from:to])
				}
				reused = got
			}
		}
	}
}

func TestOtherDecodersReadOurCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for width := uint(1); width <= 32; width++ {
		for range 60 {
			codes := randomCodes(r, width, 1+r.IntN(600))
			page := appendCodes([]byte{byte(width)}, codes, width)
			got, err := new(rle.DictionaryEncoding).DecodeInt32(nil, page)
			if err != nil {
				t.Fatalf("width %d: %v", width, err)
			}
			// The last group of 8 is filled up; a reader stops at the number of rows.
			if len(got) < len(codes) || len(got) >= len(codes)+8 || !slices.Equal(got[:len(codes)], codes) {
				t.Fatalf("width %d: the library reads\n%v\nfrom\n%v", width, got, codes)
			}
		}
	}
}

func TestWeReadTheCodesOfOtherEncoders(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for width := uint(1); width <= 31; width++ {
		for range 60 {
			codes := randomCodes(r, width, 1+r.IntN(600))
			codes[0] = 1<<width - 1 // the library chooses the width by the greatest code
			page, err := new(rle.DictionaryEncoding).EncodeInt32(nil, codes)
			if err != nil {
				t.Fatal(err)
			}
			from := r.IntN(len(codes))
			got, err := decodeCodes(nil, padded(page[1:]), uint(page[0]), len(codes), from, len(codes))
			if err != nil || !slices.Equal(got, codes[from:]) {
				t.Fatalf("width %d from row %d: %v\n got %v\nwant %v", width, from, err, got, codes[from:])
			}
		}
	}
}

func TestCodesOfACutPageAreNotMadeUp(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		width := uint(1 + r.IntN(32))
		codes := randomCodes(r, width, 1+r.IntN(200))
		page := appendCodes(nil, codes, width)
		cut := padded(page[:r.IntN(len(page))])
		if _, err := decodeCodes(nil, cut, width, len(codes), 0, len(codes)); !errors.Is(err, errPage) {
			t.Fatalf("%d of %d bytes decode to %d rows: %v", len(cut), len(page), len(codes), err)
		}
	}
}

func FuzzDecodeCodes(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, width := range []uint{1, 3, 8, 13, 32} {
		codes := randomCodes(r, width, 100)
		f.Add(appendCodes(nil, codes, width), uint8(width), uint16(100), uint16(10), uint16(90))
	}
	f.Add([]byte{}, uint8(0), uint16(1), uint16(0), uint16(1))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1}, uint8(1), uint16(9), uint16(0), uint16(9))
	f.Add([]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1, 1, 1, 1}, uint8(32), uint16(9), uint16(0), uint16(9))
	f.Add([]byte{3, 0, 3, 0, 3, 0}, uint8(0), uint16(20), uint16(3), uint16(20))
	f.Fuzz(func(t *testing.T, page []byte, width8 uint8, rows16, from16, to16 uint16) {
		width, rows := uint(width8%33), int(rows16)
		from := min(int(from16), rows)
		to := min(max(int(to16), from), rows)
		codes, err := decodeCodes(nil, padded(page), width, rows, from, to)
		if err != nil {
			return
		}
		if len(codes) != to-from {
			t.Fatalf("%d codes for the rows %d to %d", len(codes), from, to)
		}
		all, err := decodeCodes(nil, padded(page), width, rows, 0, to)
		if err != nil || !slices.Equal(all[from:], codes) {
			t.Fatalf("rows %d to %d are %v alone and %v among all: %v", from, to, codes, all[min(from, len(all)):], err)
		}
		if width >= minFindWidth && width <= maxFindWidth && len(codes) > 0 && codes[0]>>width == 0 {
			found, want := newBitmap(to-from, nil), newBitmap(to-from, nil)
			for i, c := range codes {
				if c == codes[0] {
					want.set(i)
				}
			}
			if err := findCode(&found, padded(page), width, rows, from, codes[0]); err != nil || !slices.Equal(found.words, want.words) {
				t.Fatalf("code %d is found at %x in %d: %v", codes[0], found.words, codes, err)
			}
			if packed, ok := packedWhole(padded(page), width, to); ok && to <= rows && width <= maxPickWidth {
				finder, all := newCodeFinder(codes[0], width, 4), visitRuns{[]int32{0}, []int32{0}, []int32{int32(to - from)}}
				if got := finder.pick(packed, from, &all, nil); !slices.Equal(got.list, want.list(nil)) {
					t.Fatalf("code %d is picked at %d in %d", codes[0], got.list, codes)
				}
			}
		}
		for _, c := range codes {
			if width < 32 && uint32(c)>>width != 0 && width%8 == 0 {
				t.Fatalf("code %d is wider than %d bits", c, width)
			}
		}
	})
}

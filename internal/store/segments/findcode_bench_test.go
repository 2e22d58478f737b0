package segments

import (
	"math/rand/v2"
	"testing"
)

// A row group of a large website: five thousand pages, of which one has an eighth of the events.
func codesPage() (page []byte, width uint, rows int) {
	r := rand.New(rand.NewPCG(1, 5))
	codes := make([]int32, maxMonthGroupEvents)
	for i := range codes {
		if r.IntN(8) > 0 {
			codes[i] = int32(r.IntN(5000))
		}
	}
	return padded(appendCodes(nil, codes, 13)), 13, len(codes)
}

func BenchmarkRowsOfOneCode(b *testing.B) {
	page, width, rows := codesPage()
	found := newBitmap(rows, nil)
	for b.Loop() {
		if err := findCode(&found, page, width, rows, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

// The way round: write the codes out, and look each up.
func BenchmarkRowsOfCodes(b *testing.B) {
	page, width, rows := codesPage()
	byCode := make([]uint8, 5000)
	byCode[0] = 1
	var codes []int32
	memory := new(arena)
	for b.Loop() {
		var err error
		if codes, err = decodeCodes(codes, page, width, rows, 0, rows); err != nil {
			b.Fatal(err)
		}
		bitmapOf(codes, byCode, memory)
		memory.reset()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

package segments

import (
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

// A row group of a large website: three events a visit.
func visitPage(b *testing.B) (page []byte, rows int) {
	r := rand.New(rand.NewPCG(1, 4))
	numbers := make([]int32, maxMonthGroupEvents)
	for i := range numbers[1:] {
		numbers[i+1] = numbers[i]
		if r.IntN(3) == 0 {
			numbers[i+1]++
		}
	}
	page, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, numbers)
	if err != nil {
		b.Fatal(err)
	}
	return page, len(numbers)
}

func BenchmarkStepsOfVisits(b *testing.B) {
	page, rows := visitPage(b)
	steps := newBitmap(rows, nil)
	for b.Loop() {
		if err := deltaSteps(&steps, page, rows, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

// The way round: work the numbers out, and look where they change.
func BenchmarkNumbersOfVisits(b *testing.B) {
	page, rows := visitPage(b)
	numbers := make([]int32, rows+deltaBlock)
	for b.Loop() {
		decoded, err := new(delta.BinaryPackedEncoding).DecodeInt32(numbers, page)
		if err != nil {
			b.Fatal(err)
		}
		stepsOf(decoded, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

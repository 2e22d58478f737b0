package report_test

import (
	"bytes"
	"sync"
	"testing"

	"footfall/internal/report"
)

// The memory that charts are drawn in is used again.
func TestChartHasNothingOfTheOnesBefore(t *testing.T) {
	high := []report.Day{{Is: 9, Was: 3}, {Is: 1, Was: 9}, {Is: 5, Was: 5}}
	low := []report.Day{{Is: 1}, {}, {Is: 8, Was: 2}}
	draw := func(days []report.Day, compared bool) []byte {
		picture, err := report.Chart(days, compared)
		must(t, err)
		return picture
	}
	first, second := draw(low, false), draw(high, true)
	if bytes.Equal(first, second) {
		t.Fatal("the charts are the same whatever they show")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				if !bytes.Equal(draw(high, true), second) || !bytes.Equal(draw(low, false), first) {
					t.Error("a chart depends on what was drawn before")
				}
			}
		})
	}
	all.Wait()
}

func TestChartMakesLittleGarbage(t *testing.T) {
	days := []report.Day{{Is: 9, Was: 3}, {Is: 1, Was: 9}, {Is: 5, Was: 5}}
	got := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			_, err := report.Chart(days, true)
			must(b, err)
		}
	}).AllocedBytesPerOp()
	if got > 750_000 { // 1.5 MB, if nothing were used again; the race detector throws some of it away
		t.Errorf("a chart makes %d bytes of garbage", got)
	}
}

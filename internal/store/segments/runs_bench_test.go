package segments

import (
	"math/rand/v2"
	"testing"
)

// A row group of a large website: seven events in two visits, one visit in twelve is kept, and one event in eight is on the page.
func visitsAndPage(oneIn int) (s *scan, kept bitmap, page []byte, width uint, rows int) {
	page, width, rows = codesPage()
	r := rand.New(rand.NewPCG(1, 6))
	begins := newBitmap(rows, nil)
	begins.set(0)
	for e := range rows {
		if r.IntN(7) < 2 {
			begins.set(e)
		}
	}
	begins.count(nil)
	kept = newBitmap(begins.total(), nil)
	for v := range kept.rows {
		if r.IntN(oneIn) == 0 {
			kept.set(v)
		}
	}
	return &scan{memory: new(arena), lazy: lazyColumns{begins: begins}}, kept, page, width, rows
}

func BenchmarkEventsOfFewVisits(b *testing.B) {
	s, kept, page, width, rows := visitsAndPage(12)
	for b.Loop() {
		s.memory.reset()
		packed, ok := packedWhole(page, width, rows)
		if !ok {
			b.Fatal("the page is in parts")
		}
		runs := s.lazy.begins.runs(&kept, s.memory)
		f := newCodeFinder(0, width, 4)
		f.pick(packed, 0, &runs, s.memory)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

// The way round: find the page in all events, and keep those whose visits are kept.
func BenchmarkEventsThenVisits(b *testing.B) {
	s, kept, page, width, rows := visitsAndPage(12)
	for b.Loop() {
		s.memory.reset()
		found := newBitmap(rows, s.memory)
		if err := findCode(&found, page, width, rows, 0, 0); err != nil {
			b.Fatal(err)
		}
		if _, err := s.collect(&kept, &found); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/event")
}

//go:build !race

package segments_test

import (
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// The race detector would take half a minute for it, and has only one goroutine to look at.
func TestVisitorOfManyEventsHasTheAnswersOfTheOracle(t *testing.T) {
	day := event.NewDay(2026, 3, 1)
	r := newRig(t, t.TempDir(), day.UTC().Add(23*time.Hour), segments.Options{MemoryEvents: 20_000})
	random := newTraffic(3)
	for range 2 * store.MaxVisitor / 1000 {
		var batch []event.Event
		for len(batch) < 1200 {
			batch = append(batch, random.visit(1, day, 4711)...)
			batch = append(batch, random.visit(1, day, random.visitor())...)
			batch = append(batch, batch[random.IntN(len(batch))]) // once more
		}
		r.load(batch)
	}
	sameAnswers(t, r.engine, r.oracle, totals(1, day, day+1))
	r.flush()
	r.settle()
	sameAnswers(t, r.engine, r.oracle, totals(1, day, day+1))
	r.clock.set(day.UTC().AddDate(0, 0, 10))
	r.settle()
	sameAnswers(t, r.engine, r.oracle, totals(1, day, day+1))
}

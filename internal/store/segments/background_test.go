package segments

import (
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/store"
)

func TestQuestionsThatNobodyWaitsForLeaveCoresToOthers(t *testing.T) {
	e := &Engine{workers: 4}
	if got := e.coresFor(t.Context()); got != 4 {
		t.Errorf("a question that somebody waits for gets %d cores", got)
	}
	if got := e.coresFor(store.InBackground(t.Context())); got != 1 {
		t.Errorf("one that nobody waits for gets %d", got)
	}
}

// The first of three pieces begins at once, and each of the others after a breath.
func TestQuestionsThatNobodyWaitsForBreatheBetweenPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &running{engine: &Engine{workers: 1, arenas: make(chan *arena, 1)}, plan: newPlan(&store.Query{})}
		long := piece{do: func(*scan) error { time.Sleep(store.Stretch); return nil }} // no real time passes
		pieces := []piece{long, long, long}
		took := func(work func() ([]*groups, error)) time.Duration {
			began := time.Now()
			if _, err := work(); err != nil {
				t.Fatal(err)
			}
			return time.Since(began)
		}
		if got := took(func() ([]*groups, error) { return r.work(t.Context(), pieces, nil) }); got != 3*store.Stretch {
			t.Errorf("a question that somebody waits for took %v", got)
		}
		if got := took(func() ([]*groups, error) { return r.work(store.InBackground(t.Context()), pieces, nil) }); got != 3*store.Stretch+2*store.Breath {
			t.Errorf("one that nobody waits for took %v", got)
		}
	})
}

package segments

import (
	"testing"

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

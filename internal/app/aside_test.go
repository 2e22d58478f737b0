package app

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"footfall/internal/store"
)

// percent is how much garbage there may be.
func percent() int {
	p := debug.SetGCPercent(-1)
	debug.SetGCPercent(p)
	return p
}

func TestAJobAsideIsOneThatNobodyWaitsFor(t *testing.T) {
	before, failed := percent(), errors.New("failed")
	err := aside(func(ctx context.Context) error {
		if !store.NobodyWaits(ctx) {
			t.Error("its questions are as urgent as those of people")
		}
		if got := percent(); got != before*lenientFactor {
			t.Errorf("memory is cleaned up at %d %%, and at %d %% without it", got, before)
		}
		return failed
	})(t.Context())
	if err != failed {
		t.Errorf("its error is %v", err)
	}
	if got := percent(); got != before {
		t.Errorf("after it memory is cleaned up at %d %%, not at %d %%", got, before)
	}
}

// Whichever job ends first, the last one brings back what was before them.
func TestJobsAsideOfEachOther(t *testing.T) {
	before := percent()
	var l lenient
	first, second := l.begin(), l.begin()
	first()
	if got := percent(); got != before*lenientFactor {
		t.Errorf("while one goes on memory is cleaned up at %d %%, not at %d %%", got, before*lenientFactor)
	}
	second()
	if got := percent(); got != before {
		t.Errorf("after both memory is cleaned up at %d %%, not at %d %%", got, before)
	}
}

func TestAnOperatorWhoWantsNoCleaningUpIsHeard(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var l lenient
	end := l.begin()
	if got := percent(); got != -1 {
		t.Errorf("memory is cleaned up at %d %%", got)
	}
	end()
	if got := percent(); got != -1 {
		t.Errorf("after it memory is cleaned up at %d %%", got)
	}
}

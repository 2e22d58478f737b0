package store_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/store"
)

func TestWorkThatNobodyWaitsForBreathes(t *testing.T) {
	cases := map[string]struct {
		background bool
		steps      []time.Duration // of work, with a chance to breathe after each
		breaths    int
	}{
		"somebody waits":              {false, []time.Duration{store.Stretch, store.Stretch}, 0},
		"one long step":               {true, []time.Duration{20 * store.Stretch}, 1},
		"each step is a stretch":      {true, []time.Duration{store.Stretch, store.Stretch, store.Stretch}, 3},
		"two steps make a stretch":    {true, []time.Duration{store.Stretch / 2, store.Stretch / 2, store.Stretch / 2, store.Stretch / 2}, 2},
		"less than a stretch of work": {true, []time.Duration{store.Stretch / 2, store.Stretch / 4}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.background {
					ctx = store.InBackground(ctx)
				}
				paused := time.Duration(0)
				for _, step := range c.steps {
					time.Sleep(step) // no real time passes
					began := time.Now()
					store.Breathe(ctx)
					paused += time.Since(began)
				}
				if want := time.Duration(c.breaths) * store.Breath; paused != want {
					t.Errorf("it paused for %v, not %v", paused, want)
				}
			})
		})
	}
}

// A report is work in the background, and so are all of them together: the pause after one counts the end of the one before.
func TestWorkWithinWorkStaysInStep(t *testing.T) {
	ctx := store.InBackground(t.Context())
	if store.InBackground(ctx) != ctx {
		t.Error("work within work has a pace of its own")
	}
}

func TestWorkThatEndsDoesNotBreathe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(store.InBackground(t.Context()))
		cancel()
		time.Sleep(store.Stretch)
		began := time.Now()
		store.Breathe(ctx)
		if paused := time.Since(began); paused != 0 {
			t.Errorf("it paused for %v after its end", paused)
		}
	})
}

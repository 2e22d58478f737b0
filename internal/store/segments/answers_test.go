package segments_test

import (
	"testing"
	"time"

	"footfall/internal/disk"
	"footfall/internal/event"
	"footfall/internal/store/segments"
)

// An open day of which nothing is in memory is read once, until something comes for it.
func TestOpenDayIsReadAgainOnlyWhenItChanged(t *testing.T) {
	day := event.NewDay(2026, 3, 9)
	counting := &countingFS{FS: disk.OS{}}
	r := newRig(t, t.TempDir(), day.UTC().Add(30*time.Hour), segments.Options{FS: counting})
	random := newTraffic(5)
	queries := panels(1, day-1, day+2)
	ask := func() (read int64) {
		t.Helper()
		before := counting.read.Load()
		sameAnswers(t, r.engine, r.oracle, queries...)
		return counting.read.Load() - before
	}

	came := random.day(1, day, 200)
	r.load(came[:len(came)/2])
	r.load(random.day(2, day, 50))
	r.flush()
	if ask() == 0 {
		t.Error("a day that was never asked about is not read")
	}
	if n := ask(); n > 0 {
		t.Errorf("a day that did not change is read again: %d bytes", n)
	}
	r.load(random.day(2, day, 50)) // of another website
	if n := ask(); n > 0 {
		t.Errorf("a day of which another website has news is read again: %d bytes", n)
	}
	r.load(came[len(came)/2:]) // visitors go on
	if ask() == 0 {
		t.Error("a day that has news in memory is not read")
	}
	r.flush()
	if ask() == 0 {
		t.Error("a day with another part is not read")
	}
	if n := ask(); n > 0 {
		t.Errorf("a day that did not change is read again: %d bytes", n)
	}
	r.clock.set(day.UTC().Add(5 * 24 * time.Hour))
	r.settle()
	ask()
	r.load(random.day(1, day, 3)) // late
	ask()
	r.flush()
	ask()
	ask()
}

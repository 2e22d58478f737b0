package segments

import (
	"context"
	"errors"
	"slices"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Maintain implements store.Engine. It flushes full memories as they come, and looks for other work now and then.
func (e *Engine) Maintain(ctx context.Context) error {
	done := make(chan struct{})
	go func() { // sealing and compaction take long, and must not hold up flushing
		defer close(done)
		e.keepHouse(ctx)
	}()
	defer func() { <-done }()
	for {
		if err := e.flushMemories(ctx); err != nil && ctx.Err() == nil {
			e.log.Error("events stay in the journal", "error", err)
			if errors.Is(err, store.ErrClosed) {
				return err
			}
		}
		if !wait(ctx, e.wake, flushRetry) {
			return nil
		}
	}
}

const (
	flushRetry    = 5 * time.Second
	houseInterval = time.Minute
	maxMemoryAge  = time.Hour // events do not stay in memory alone for longer: the journal wants to forget them
)

func (e *Engine) keepHouse(ctx context.Context) {
	for {
		worked, err := e.work(ctx, e.now().Unix())
		if errors.Is(err, store.ErrClosed) || ctx.Err() != nil {
			return
		}
		if err != nil {
			e.log.Error("housekeeping stopped; it is tried again", "error", err)
		}
		interval := houseInterval
		if worked && err == nil {
			interval = 0
		}
		if !wait(ctx, e.houseWake, interval) {
			return
		}
	}
}

// wait waits for a signal or a time. It tells whether ctx still goes on.
func wait(ctx context.Context, signal <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-signal:
	case <-timer.C:
	}
	return ctx.Err() == nil
}

func (e *Engine) wakeUp() {
	for _, c := range []chan struct{}{e.wake, e.houseWake} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Settle does all housekeeping that is due by the clock, also what could wait, before it returns.
func (e *Engine) Settle(ctx context.Context) error {
	for {
		worked, err := e.work(ctx, 1<<62)
		if err != nil || !worked {
			return err
		}
	}
}

// work does one step of housekeeping, the most urgent. Late parts written before lateBefore (Unix seconds, less
// lateWait) are worked into their months. It tells whether there was something to do.
func (e *Engine) work(ctx context.Context, lateBefore int64) (bool, error) {
	e.housekeeping.Lock()
	defer e.housekeeping.Unlock()
	v, err := e.acquire()
	if err != nil {
		return false, err
	}
	defer v.release()
	if len(v.manifest.Purge) > 0 {
		return true, e.purge(ctx)
	}
	if to := min(sealedTo(e.now()), v.lastOpenDay()+1); to > v.manifest.SealedTo {
		return true, e.seal(ctx, to)
	}
	if v.active().isOld() {
		if err := e.rotate(nil); err != nil {
			return false, err
		}
		return true, e.flushMemories(ctx)
	}
	if tier := v.fullTier(); tier != nil {
		return true, e.mergeTier(ctx, tier)
	}
	if month, ok := v.monthToCompact(lateBefore - int64(lateWait.Seconds())); ok {
		return true, e.compact(ctx, v, month)
	}
	if i := v.rollupToRebuild(); i >= 0 {
		return true, e.rebuildRollup(ctx, v.sealed[i])
	}
	return false, nil
}

// lastOpenDay is the last day that has events to seal. Days after it are not sealed before they have any: else a clock that was
// a year ahead for a minute would make all events of a year late.
func (v *view) lastOpenDay() event.Day {
	last := event.Day(-1)
	for _, p := range v.manifest.Parts {
		if !p.Late {
			last = max(last, p.Period)
		}
	}
	for _, m := range v.memories {
		m.mu.RLock()
		for key := range m.cells {
			if key.day >= m.lateBefore {
				last = max(last, key.day)
			}
		}
		m.mu.RUnlock()
	}
	return last
}

// lateWait is how long late parts wait for more of their kind: working them in rewrites the month.
const lateWait = time.Hour

// isOld tells whether a memory has had its events for too long.
func (m *memory) isOld() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.n > 0 && time.Since(m.began) > maxMemoryAge
}

// A tier is parts of about the same size, with about the same number of rows, that follow each other. When there are
// enough of them they are merged, so that even a huge open day has few parts.
const tierParts = 8

func (v *view) fullTier() []*file {
	type kind struct {
		period event.Day
		late   bool
		tier   int
	}
	run := make(map[kind][]*file)
	last := make(map[[2]int64]int) // tier of the last part of a period
	for _, f := range v.parts {
		if f.isDamaged() {
			continue
		}
		period := [2]int64{int64(f.part.Period), int64(lateness(f.part.Late))}
		tier := 0
		for n := f.part.Events; n >= tierParts*(64<<10); n /= tierParts {
			tier++
		}
		k := kind{f.part.Period, f.part.Late, tier}
		if t, ok := last[period]; ok && t != tier {
			delete(run, k) // not neighbours: their order of arrival would be lost
		}
		last[period] = tier
		run[k] = append(run[k], f)
		if len(run[k]) == tierParts {
			return run[k]
		}
	}
	return nil
}

// monthToCompact finds a month that is sealed as a whole and lies in more than one file, or has late parts that were
// written before a time.
func (v *view) monthToCompact(before int64) (event.Day, bool) {
	var months []event.Day
	for i := range v.manifest.Sealed {
		if s := &v.manifest.Sealed[i]; !s.wholeMonth() {
			months = append(months, s.From.Month())
		}
	}
	for _, p := range v.manifest.Parts {
		if p.Late && p.Written < before {
			months = append(months, p.Period)
		}
	}
	slices.Sort(months)
	for _, m := range months {
		if m.NextMonth() <= v.manifest.SealedTo {
			return m, true
		}
	}
	return 0, false
}

// rollupToRebuild finds a month whose roll-up is missing or damaged, or returns -1.
func (v *view) rollupToRebuild() int {
	for i, f := range v.sealed {
		if !f.sealed.wholeMonth() || f.isDamaged() {
			continue
		}
		if r := v.rollups[i]; r == nil || r.isDamaged() {
			return i
		}
	}
	return -1
}

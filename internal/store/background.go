package store

import (
	"context"
	"sync"
	"time"
)

// Work that nobody waits for, such as a thousand reports, gives way to hits and to people: an engine answers its questions with
// one core, and it breathes.
const (
	// Stretch is how long it goes on before it pauses: a hit that finds all cores busy waits no longer than that for one of them,
	// instead of for the scheduler's next tick, which comes every few milliseconds.
	Stretch = time.Millisecond

	// Breath is how long it pauses: work goes on for half of the time.
	Breath = time.Millisecond
)

type background struct{}

// A pace is when work in the background began, or paused last.
type pace struct {
	mu    sync.Mutex
	since time.Time
}

// InBackground is for work that nobody waits for, and for its questions. What is so already stays in step.
func InBackground(ctx context.Context) context.Context {
	if NobodyWaits(ctx) {
		return ctx
	}
	return context.WithValue(ctx, background{}, &pace{since: time.Now()})
}

// NobodyWaits tells whether a question is one of those.
func NobodyWaits(ctx context.Context) bool { return ctx.Value(background{}) != nil }

// Breathe pauses work that nobody waits for, if it has gone on for long enough, and does nothing to other work. It is called where
// work can be interrupted: the finer its steps are, the less of it is felt elsewhere.
func Breathe(ctx context.Context) {
	p, ok := ctx.Value(background{}).(*pace)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.since) < Stretch {
		return
	}
	pause := time.NewTimer(Breath)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
	p.since = time.Now()
}

package app

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"

	"footfall/internal/store"
)

// aside makes a job one that nobody waits for, and that hits are not to feel. It breathes; it has a thread of its own, so that hits
// wait less behind it; and memory is cleaned up less often while it runs, as each time takes both cores for
// some milliseconds. The memory limit holds as ever.
func aside(do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer lenience.begin()()
		return do(store.InBackground(ctx))
	}
}

// lenience is on while a job runs aside, however many do.
var lenience lenient

type lenient struct {
	mu     sync.Mutex
	jobs   int
	strict int // the percentage of garbage without jobs; the operator may have set it
}

// lenientFactor is how many times more garbage there may be.
const lenientFactor = 4

func (l *lenient) begin() (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.jobs++; l.jobs == 1 {
		l.strict = debug.SetGCPercent(-1)
		debug.SetGCPercent(max(-1, l.strict*lenientFactor))
	}
	return l.end
}

func (l *lenient) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.jobs--; l.jobs == 0 {
		debug.SetGCPercent(l.strict)
	}
}

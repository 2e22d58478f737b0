package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A script is one case: a rule in words, and the statements that show it. It begins with an empty engine.
type script struct {
	file  string
	line  int
	rule  string
	steps []step
}

// A step is a statement and where it stands.
type step struct {
	line      int
	statement statement
}

// A statement is one of the types below.
type statement interface {
	play(m *machine) error
	print(p *printer)
}

type (
	// zone says what zone a website is in; the parser has applied it to the events that follow.
	zone struct {
		website int64
		name    string
	}

	// load appends a batch. The clock is moved forward to its latest event first.
	load struct{ events []event.Event }

	// again appends the batch of the last load once more.
	again struct{}

	// ask runs a query. There is one expectation for each question.
	ask struct {
		query store.Query
		want  []expectation
	}

	// live asks for what happens now, where now is at.
	live struct {
		website int64
		window  time.Duration
		at      time.Time
		want    store.Live
	}

	// clock moves the clock forward and settles.
	clock struct{ at time.Time }

	settle struct{} // does the housekeeping that is due
	flush  struct{}
	reopen struct{} // flushes, closes and opens the engine
	replay struct{} // closes and opens the engine, and takes from the journal what was not durable

	remove struct{ website int64 }

	recount struct {
		website  int64
		from, to event.Day
	}
)

// An expectation is what the answer to a question should be. Its total is -1 if the script does not say.
type expectation struct {
	rows  []store.Row
	total int
}

// name is what the test of a script is called: its file and the beginning of its rule.
func (c *script) name() string {
	rule, _, _ := strings.Cut(c.rule, ".")
	return strings.TrimSuffix(c.file, ".txt") + "/" + strings.NewReplacer("/", "|", `"`, "'").Replace(rule)
}

func (c *script) where(s step) string { return fmt.Sprintf("%s:%d", c.file, s.line) }

// controlled tells whether the script says itself when the clock moves and what becomes of the data.
func (c *script) controlled() bool {
	return slices.ContainsFunc(c.steps, func(s step) bool {
		switch s.statement.(type) {
		case clock, settle, flush, reopen, replay:
			return true
		}
		return false
	})
}

// asksLive tells whether the script asks for what happens now.
func (c *script) asksLive() bool {
	return slices.ContainsFunc(c.steps, func(s step) bool {
		_, ok := s.statement.(live)
		return ok
	})
}

// loads are the numbers of the steps that load.
func (c *script) loads() []int {
	var at []int
	for i, s := range c.steps {
		if _, ok := s.statement.(load); ok {
			at = append(at, i)
		}
	}
	return at
}

// begin is the time of the earliest event, where the clock starts.
func (c *script) begin() time.Time {
	var all []event.Event
	for _, i := range c.loads() {
		all = append(all, c.steps[i].statement.(load).events...)
	}
	if len(all) == 0 {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return earliest(all)
}

func earliest(events []event.Event) time.Time {
	e := slices.MinFunc(events, byTime)
	return time.UnixMilli(e.Time).UTC()
}

func latest(events []event.Event) time.Time {
	e := slices.MaxFunc(events, byTime)
	return time.UnixMilli(e.Time).UTC()
}

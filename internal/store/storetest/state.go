package storetest

import (
	"math/rand/v2"
	"testing"
	"time"

	"footfall/internal/event"
)

// A state is where an engine has the data when a script asks.
type state struct {
	name      string
	afterLoad func(*machine) error
	afterStep func(*machine) error
	age       []time.Duration // after the last load, the clock is moved this far past it and settled, once for each
	mixed     bool            // loads are cut in two, with anything in between
}

const day = 24 * time.Hour

// The states of scripts that leave it to the runner. A day is sealed for certain after 5 days, its month complete and
// compacted after 45.
var states = []state{
	{name: "in memory"},
	{name: "in parts", afterLoad: (*machine).flush},
	{name: "replayed", afterLoad: (*machine).replay},
	{name: "sealed", age: []time.Duration{5 * day}},
	{name: "compacted", age: []time.Duration{45 * day}},
	{name: "sealed, then compacted and opened again", age: []time.Duration{5 * day, 45 * day}, afterStep: (*machine).reopen},
	{name: "mixed", mixed: true},
	{name: "mixed, then sealed", mixed: true, age: []time.Duration{5 * day}},
}

// The states of scripts that say themselves what happens when.
var controlledStates = []state{
	{name: "as written"},
	{name: "reopened after every statement", afterStep: (*machine).reopen},
	{name: "replayed after every statement", afterStep: (*machine).replay},
}

// states are those in which the answers to the script are the same. Who is there now is only asked of young data.
func (c *script) states() []state {
	if c.controlled() {
		return controlledStates
	}
	var fit []state
	for _, s := range states {
		if len(s.age) == 0 || !c.asksLive() {
			fit = append(fit, s)
		}
	}
	return fit
}

// play plays the script in a state.
func (c *script) play(t *testing.T, subject Subject, in state) {
	t.Helper()
	m := newMachine(t, subject, c.begin())
	random := rand.New(rand.NewPCG(1, uint64(c.line)))
	loads := c.loads()
	for i, s := range c.steps {
		if err := in.play(m, c, i, random); err != nil {
			t.Fatalf("%s: %v", c.where(s), err)
		}
		if len(loads) > 0 && i == loads[len(loads)-1] {
			if err := in.grow(m); err != nil {
				t.Fatalf("%s: after the last load: %v", c.where(s), err)
			}
		}
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

// play plays one step of the script.
func (in state) play(m *machine, c *script, i int, random *rand.Rand) (err error) {
	_, isLoad := c.steps[i].statement.(load)
	if isLoad && in.mixed {
		err = in.playMixed(m, c, i, random)
	} else {
		err = c.steps[i].statement.play(m)
	}
	if err == nil && isLoad && in.afterLoad != nil {
		err = in.afterLoad(m)
	}
	if err == nil && in.afterStep != nil {
		err = in.afterStep(m)
	}
	return err
}

// grow lets the data become old.
func (in state) grow(m *machine) error {
	from := m.clock.now()
	for _, age := range in.age {
		m.forward(from.Add(age))
		if err := m.settle(); err != nil {
			return err
		}
		if in.afterStep == nil {
			continue
		}
		if err := in.afterStep(m); err != nil {
			return err
		}
	}
	return nil
}

// playMixed loads in two halves with something happening to the data after each, and lets the days before the load be
// sealed if nothing for them can come any more.
func (in state) playMixed(m *machine, c *script, i int, random *rand.Rand) error {
	var rest []event.Event
	for _, l := range c.loads() {
		if l >= i {
			rest = append(rest, c.steps[l].statement.(load).events...)
		}
	}
	if from := earliest(rest); from.Sub(m.clock.now()) > 5*day {
		m.forward(from)
		if err := m.settle(); err != nil {
			return err
		}
	}
	events := c.steps[i].statement.(load).events
	m.forward(latest(events))
	cut := random.IntN(len(events) + 1)
	for _, half := range [][]event.Event{events[:cut], events[cut:]} {
		if len(half) == 0 {
			continue
		}
		if err := m.load(half); err != nil {
			return err
		}
		if err := m.disturb(random); err != nil {
			return err
		}
	}
	return nil
}

// disturb lets something happen that no answer may show.
func (m *machine) disturb(random *rand.Rand) error {
	switch random.IntN(4) {
	case 0:
		return m.flush()
	case 1:
		return m.reopen()
	case 2:
		return m.replay()
	}
	return nil
}

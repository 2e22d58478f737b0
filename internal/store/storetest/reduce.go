package storetest

import (
	"slices"
	"testing"

	"footfall/internal/event"
)

// maxTries bounds the work on a script that fails.
const maxTries = 300

// reduce makes a script that differs at a step smaller, as long as it still differs at its end.
func (c *script) reduce(t *testing.T, subject Subject, found *difference) *script {
	small := c.until(found)
	tries := 0
	try := func(steps []step) bool {
		if tries++; tries > maxTries {
			return false
		}
		next := script{file: c.file, rule: c.rule, steps: steps}
		d := next.difference(t, subject)
		if d == nil || d.want == nil || d.step != len(steps)-1 {
			return false
		}
		small = next.until(d)
		return true
	}
	if !try(small.steps) {
		return small // it needs the questions in between
	}
	for less := true; less && tries <= maxTries; {
		less = dropSteps(small.steps, try)
		less = dropEvents(small.steps, try) || less
	}
	dropFields(small.steps, try)
	return small
}

// until is the script up to a difference, without the questions before it and with what the oracle says at it.
func (c *script) until(d *difference) *script {
	small := script{file: c.file, rule: c.rule}
	for i, s := range c.steps[:d.step+1] {
		switch s.statement.(type) {
		case ask, live:
			if i < d.step {
				continue
			}
		}
		if i == d.step && d.want != nil {
			s.statement = d.want
		}
		small.steps = append(small.steps, s)
	}
	return &small
}

// dropSteps leaves out runs of steps, long ones first; the last one stays, and so do zones, which events were made
// with. It tells whether it could.
func dropSteps(steps []step, try func([]step) bool) bool {
	less := false
	for n := len(steps) / 2; n > 0; n /= 2 {
		for at := 0; at+n < len(steps); {
			fewer := slices.Delete(slices.Clone(steps), at, at+n)
			if !slices.ContainsFunc(steps[at:at+n], isZone) && try(fewer) {
				steps, less = fewer, true
			} else {
				at += n
			}
		}
	}
	return less
}

func isZone(s step) bool {
	_, ok := s.statement.(zone)
	return ok
}

// dropEvents leaves out runs of events of each load. It tells whether it could.
func dropEvents(steps []step, try func([]step) bool) bool {
	less := false
	steps = slices.Clone(steps)
	for i := range steps {
		l, ok := steps[i].statement.(load)
		if !ok {
			continue
		}
		for n := (len(l.events) + 1) / 2; n > 0; n /= 2 {
			for at := 0; at+n <= len(l.events) && len(l.events) > n; {
				fewer := slices.Clone(steps)
				fewer[i].statement = load{slices.Delete(slices.Clone(l.events), at, at+n)}
				if try(fewer) {
					steps, l, less = fewer, fewer[i].statement.(load), true
				} else {
					at += n
				}
			}
		}
	}
	return less
}

// dropFields empties one field of all events after the other.
func dropFields(steps []step, try func([]step) bool) {
	for f := range event.NumFields {
		simpler := slices.Clone(steps)
		for i := range simpler {
			l, ok := simpler[i].statement.(load)
			if !ok {
				continue
			}
			events := slices.Clone(l.events)
			for j := range events {
				events[j].Fields[f] = ""
			}
			simpler[i].statement = load{events}
		}
		if try(simpler) {
			steps = simpler
		}
	}
}

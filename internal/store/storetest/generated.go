package storetest

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// How many questions Generated asks: usually, and if FOOTFALL_TEST_LONG is set. Each world is asked worldQuestions.
const (
	quickQuestions = 300
	longQuestions  = 20_000
	worldQuestions = 100
)

// Generated makes events and questions at random and compares the subject's answers with the oracle's. A failure
// tells the seed, which FOOTFALL_TEST_SEED repeats, and a script that shows the difference.
func Generated(t *testing.T, subject Subject) {
	questions := quickQuestions
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		questions = longQuestions
	}
	first, last := uint64(1), uint64(questions/worldQuestions)
	if text := os.Getenv("FOOTFALL_TEST_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("FOOTFALL_TEST_SEED: %v", err)
		}
		first, last = seed, seed
	}
	for seed := first; seed <= last; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			compareWithOracle(t, subject, seed)
		})
	}
}

func compareWithOracle(t *testing.T, subject Subject, seed uint64) {
	c := newWorld(seed).schedule(worldQuestions)
	found := c.difference(t, subject)
	if found == nil {
		return
	}
	small := c.reduce(t, subject, found)
	t.Errorf("FOOTFALL_TEST_SEED=%d: step %d: %v", seed, found.step+1, found.err)
	t.Errorf("this script shows it; what it expects is what the oracle says:\n%s", small)
}

// A difference is where an engine and the oracle part.
type difference struct {
	step int
	err  error
	want statement // the statement with what the oracle says; nil if it asks for nothing
}

// difference plays the script on the subject and on the oracle, up to the first step on which they differ.
func (c *script) difference(t *testing.T, subject Subject) *difference {
	engine := newMachine(t, subject, c.begin())
	oracle := newMachine(t, OracleSubject(), c.begin())
	defer engine.release()
	for i, s := range c.steps {
		want, err := fill(s.statement, oracle)
		if err != nil {
			return &difference{i, fmt.Errorf("oracle: %w", err), nil}
		}
		if err := want.play(engine); err != nil {
			return &difference{i, err, want}
		}
	}
	if err := engine.close(); err != nil {
		return &difference{len(c.steps) - 1, err, nil}
	}
	return nil
}

// fill plays a statement on the oracle, and sets what it expects to what the oracle says.
func fill(s statement, oracle *machine) (statement, error) {
	switch s := s.(type) {
	case ask:
		got, err := s.run(oracle)
		s.want = nil
		for _, a := range got.Answers {
			s.want = append(s.want, expectation{a.Rows, a.Total})
		}
		return s, err
	case live:
		var err error
		s.want, err = s.run(oracle)
		return s, err
	}
	return s, s.play(oracle)
}

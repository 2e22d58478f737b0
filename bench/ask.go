package main

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"footfall/internal/store"
	"footfall/internal/store/segments"
)

const (
	warmUps      = 2
	timePerProbe = 10 * time.Second // rounds are cut to about that, but leastRounds stay
	leastRounds  = 3
)

// ask puts the probes to the store that load left behind. Its memory of answers is off: DuckDB has none either.
func ask(ctx context.Context, s settings, out *output) error {
	now := func() time.Time { return settledAt }
	if err := askEngine(ctx, s, out, segments.Options{Now: now, AnswerBytes: -1, NoRollups: true}); err != nil {
		return fmt.Errorf("without roll-ups: %w", err)
	}
	if err := askEngine(ctx, s, out, segments.Options{Now: now, AnswerBytes: -1}); err != nil {
		return err
	}
	return out.memory("peak memory, questions", memoryGoal)
}

func askEngine(ctx context.Context, s settings, out *output, o segments.Options) error {
	began := time.Now()
	e, err := segments.Open(s.dataDir(), o)
	if err != nil {
		return err
	}
	defer e.Close()
	if !o.NoRollups {
		if err := out.figures(figure{Name: "open the settled store", Value: time.Since(began).Seconds() * 1000, Unit: "ms"}); err != nil {
			return err
		}
	}
	return askAll(ctx, s, out, "footfall", func(p probe) bool { return p.raw == o.NoRollups },
		func(q store.Query) (func(context.Context) (store.Result, error), error) {
			return func(ctx context.Context) (store.Result, error) { return e.Run(ctx, q) }, nil
		})
}

// askAll times the probes that are wanted on the three websites. What prepare does is not in the times.
func askAll(ctx context.Context, s settings, out *output, engine string, want func(probe) bool,
	prepare func(store.Query) (run func(context.Context) (store.Result, error), err error)) error {
	questions := regexp.MustCompile(s.questions) // parse has seen that it is one
	out.progress.begin("ask "+engine, len(probes)*len(websites))
	for i, p := range probes {
		if !want(p) || !questions.MatchString(p.name) {
			continue
		}
		for j, w := range websites {
			run, err := prepare(p.query(w.id))
			if err != nil {
				return fmt.Errorf("%s of the %s website: %w", p.name, w.name, err)
			}
			t, err := measure(ctx, s.rounds, run)
			if err != nil {
				return fmt.Errorf("%s of the %s website: %w", p.name, w.name, err)
			}
			t.Engine, t.Probe, t.Website = engine, p.name, w.id
			if err := out.timing(t); err != nil {
				return err
			}
			out.progress.set(i*len(websites) + j + 1)
		}
	}
	return nil
}

// measure runs something several times.
func measure(ctx context.Context, rounds int, run func(context.Context) (store.Result, error)) (timing, error) {
	var t timing
	until := time.Now().Add(timePerProbe)
	for i := range warmUps + rounds {
		if i >= warmUps+leastRounds && time.Now().After(until) {
			break
		}
		began := time.Now()
		result, err := run(ctx)
		took := time.Since(began)
		if err != nil {
			return t, err
		}
		if i >= warmUps {
			t.Times = append(t.Times, took)
		}
		t.Result = result
	}
	return t, nil
}

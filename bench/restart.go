package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"footfall/bench/traffic"
	"footfall/internal/store"
)

const restartGoal = 5 // seconds

// openDay is the day that fill fills. It is not over when the process ends.
var openDay = yearTo

// fill takes in many events of one day and then ends as if it was killed.
func fill(ctx context.Context, s settings, out *output) error {
	r, err := openRoad(s.openDayDir(), openDay.UTC())
	if err != nil {
		return err
	}
	if r.engine.Position() > 1 {
		return errors.Join(fmt.Errorf("%s has data already", s.openDayDir()), r.close())
	}
	resetPeak()
	r.start(ctx)
	out.progress.begin("fill the open day", s.restartEvents)
	stream := traffic.New(traffic.Options{Seed: s.seed, Events: s.restartEvents, From: openDay, Days: 1})
	if err := r.feed(ctx, stream, s.restartEvents, s.batch, s.restartEvents, out.progress); err != nil {
		return err
	}
	if err := r.arrive(ctx, out.progress); err != nil {
		return err
	}
	if err := out.memory("peak memory, filling one day", memoryGoal); err != nil {
		return err
	}
	out.progress.end()
	os.Exit(0)
	return nil
}

// restart measures how long it takes until all that fill loaded can be asked about again.
func restart(ctx context.Context, s settings, out *output) error {
	resetPeak()
	began := time.Now()
	r, err := openRoad(s.openDayDir(), (openDay + 1).UTC().Add(-time.Minute))
	if err != nil {
		return err
	}
	defer r.close()
	opened := time.Since(began)
	again := int(r.journal.Stats().Next) - 1 - r.loaded()
	out.progress.begin("restart", again)
	r.start(ctx)
	if err := r.arrive(ctx, out.progress); err != nil {
		return errors.Join(err, r.finish())
	}
	arrived := time.Since(began)
	if _, err := r.engine.Run(ctx, panels(openDay, openDay+1, store.Filter{})(traffic.Biggest)); err != nil {
		return errors.Join(err, r.finish())
	}
	answered := time.Since(began)
	if err := errors.Join(r.finish(), r.check(s.restartEvents)); err != nil {
		return err
	}
	name := fmt.Sprintf("restart: ready with %s events in the open day", count(s.restartEvents))
	return errors.Join(out.figures(
		figure{Name: "restart: files opened", Value: opened.Seconds(), Unit: "s"},
		figure{Name: "restart: events taken from the journal again", Value: float64(again)},
		figure{Name: name, Value: arrived.Seconds(), Unit: "s", Goal: restartGoal, Most: true},
		figure{Name: "restart: first answer, 10 panels of that day", Value: (answered - arrived).Seconds(), Unit: "s"},
	), out.memory("peak memory, restart", memoryGoal))
}

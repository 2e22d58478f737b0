package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/store"
)

const (
	loadGoal   = 150_000   // events a second
	memoryGoal = 256       // MB
	sizeGoal   = 15        // bytes per event
	backlog    = 2_000_000 // events that wait in the journal when the loader begins
	askEvery   = 250 * time.Millisecond
)

// settledAt is a time at which all days are sealed and all months can be compacted.
var settledAt = (yearTo + 5).UTC()

// load takes the year in: first a backlog that waits in the journal, with the loader alone at work; then the rest as live
// traffic, with all at work. Someone looks at a dashboard all the while. Then housekeeping does what is left to do.
func load(ctx context.Context, s settings, out *output) error {
	r, err := openRoad(s.dataDir(), yearFrom.UTC())
	if err != nil {
		return err
	}
	if r.engine.Position() > 1 {
		return errors.Join(fmt.Errorf("%s has data already", s.dataDir()), r.close())
	}
	if err := errors.Join(loadInto(ctx, r, s, out), r.close()); err != nil {
		return err
	}
	return sizes(s, out)
}

func loadInto(ctx context.Context, r *road, s settings, out *output) error {
	resetPeak()
	stream := traffic.New(s.traffic())
	waiting := min(backlog, s.events/2)
	out.progress.begin("fill the journal", waiting)
	if err := r.feed(ctx, stream, waiting, s.batch, s.events/365, out.progress); err != nil {
		return fmt.Errorf("fill the journal: %w", err)
	}

	began, cpu := time.Now(), cpuTime()
	r.start(ctx)
	looking, stopLooking := context.WithCancel(ctx)
	defer stopLooking()
	var looked timing
	var reader errgroup.Group
	reader.Go(func() (err error) {
		looked, err = r.look(looking)
		return err
	})
	out.progress.begin("load the backlog", waiting)
	if err := r.arrive(ctx, out.progress); err != nil {
		stopLooking()
		return errors.Join(fmt.Errorf("load the backlog: %w", err), reader.Wait(), r.finish())
	}
	loaded := time.Since(began)

	out.progress.begin("load live", s.events)
	live := time.Now()
	err := r.feed(ctx, stream, s.events-waiting, s.batch, s.events/365, out.progress)
	if err == nil {
		err = r.arrive(ctx, out.progress)
	}
	lived := time.Since(live)
	cpu = cpuTime() - cpu
	stopLooking()
	if err := errors.Join(err, reader.Wait(), r.finish()); err != nil {
		return fmt.Errorf("load live: %w", err)
	}
	peak := peakMemory()

	resetPeak()
	out.progress.begin("settle", 0)
	settle := time.Now()
	r.now.Store(settledAt.UnixMilli())
	if err := errors.Join(r.engine.Flush(ctx), r.engine.Settle(ctx), r.check(s.events)); err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	settled := time.Since(settle)

	return out.figures(
		figure{Name: "load: journal to queryable, with readers", Value: float64(waiting) / loaded.Seconds(), Unit: "events/s", Goal: loadGoal},
		figure{
			Name:  fmt.Sprintf("load: end to end, %d writers, with readers", writers),
			Value: float64(s.events-waiting) / lived.Seconds(), Unit: "events/s",
		},
		figure{Name: "load: CPU time for a million events", Value: cpu.Seconds() / float64(s.events) * 1e6, Unit: "s"},
		figure{Name: "load: 10 panels of 30 days meanwhile, median", Value: looked.median().Seconds() * 1000, Unit: "ms"},
		figure{Name: "load: 10 panels of 30 days meanwhile, p95", Value: looked.quantile(0.95).Seconds() * 1000, Unit: "ms"},
		figure{Name: "settle: housekeeping left after loading", Value: settled.Seconds(), Unit: "s"},
		figure{Name: "peak memory, loading", Value: float64(peak) / (1 << 20), Unit: "MB", Goal: memoryGoal, Most: true},
		figure{Name: "peak memory, settling", Value: float64(peakMemory()) / (1 << 20), Unit: "MB", Goal: memoryGoal, Most: true},
	)
}

// look asks for the dashboard of the last 30 days now and then until ctx is done.
func (r *road) look(ctx context.Context) (t timing, err error) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return t, nil
		}
		today := event.DayOf(r.time())
		began := time.Now()
		_, err := r.engine.Run(ctx, panels(today-29, today+1, store.Filter{})(traffic.Biggest))
		if ctx.Err() != nil {
			return t, nil
		}
		if err != nil {
			return t, fmt.Errorf("look at the dashboard: %w", err)
		}
		t.Times = append(t.Times, time.Since(began))
	}
}

// sizes tells what the settled store takes on disk.
func sizes(s settings, out *output) error {
	total := 0.0
	for _, name := range []string{"events", "rollups"} {
		size, err := sizeOf(filepath.Join(s.dataDir(), name))
		if err != nil {
			return err
		}
		perEvent := float64(size) / float64(s.events)
		total += perEvent
		if err := out.figures(figure{Name: "size: " + name + "/", Value: perEvent, Unit: "bytes/event"}); err != nil {
			return err
		}
	}
	return out.figures(figure{Name: "size: together", Value: total, Unit: "bytes/event", Goal: sizeGoal, Most: true})
}

func sizeOf(dir string) (int64, error) {
	var size int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		return nil
	})
	return size, err
}

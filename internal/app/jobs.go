package app

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// A job is something that runs by itself, until ctx is done. An error from it ends the service.
type job struct {
	name string
	run  func(ctx context.Context) error
}

// jobs are all that runs by itself.
func (h *house) jobs(log *slog.Logger) []job {
	return slices.Concat([]job{
		{"load events from the journal into the store", h.loader.Run},
		{"count the hits that were dropped", h.tally.Run},
		{"keep the store in order", h.engine.Maintain},
		{"know the websites", h.collector.Websites.Run},
		{"read places again when they change", func(ctx context.Context) error { return h.collector.Places.Run(ctx, log) }},
		{"read networks of data centres again when they change", func(ctx context.Context) error { return h.collector.Networks.Run(ctx, log) }},
		{"let salts die, make those of tomorrow", every(time.Minute, log, h.collector.TendSalts)},
		{"note when keys were used, end old sessions", every(time.Minute, log, h.accounts.Tidy)},
		{"remove the events of deleted websites", every(time.Minute, log, h.purge)},
		{"remove copies that killed commands left behind", every(time.Hour, log, func(context.Context) error { return clearCopies(h.dir) })},
	}, h.mailJobs(log), h.alertJobs(log))
}

// start runs all jobs. The group's Wait returns when all have ended; the first error ends the others.
func start(ctx context.Context, jobs []job) (*errgroup.Group, context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	for _, j := range jobs {
		g.Go(func() error {
			if err := j.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", j.name, err)
			}
			return nil
		})
	}
	return g, ctx
}

// every is a job that does something now and then. An error is logged; the next time may be better.
func every(interval time.Duration, log *slog.Logger, do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				log.Error("job did not succeed; it is tried again", "error", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
	}
}

// purge removes the events of websites that were deleted. One counts as purged when no file holds an event of it, so that
// a crash on the way only makes it happen again.
func (h *house) purge(ctx context.Context) error {
	deleted, err := h.accounts.DeletedWebsites(ctx)
	if err != nil || len(deleted) == 0 {
		return err
	}
	for _, w := range deleted {
		if err := h.engine.Delete(ctx, w.ID); err != nil {
			return fmt.Errorf("delete website %d: %w", w.ID, err)
		}
	}
	if err := h.engine.Flush(ctx); err != nil {
		return fmt.Errorf("flush after %d deletions: %w", len(deleted), err)
	}
	for _, w := range deleted {
		if err := h.accounts.MarkPurged(ctx, w.ID); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"footfall/bench/traffic"
	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// A road is the way that events take from the door into the store: journal, loader and engine in one data directory. Its
// clock shows the time of the newest event that came through, so that a year of housekeeping happens within minutes.
type road struct {
	journal *journal.Journal
	engine  *segments.Engine
	log     *slog.Logger
	now     atomic.Int64 // Unix milliseconds

	stop context.CancelFunc
	runs *errgroup.Group // loader and housekeeping
}

func openRoad(dir string, now time.Time) (*road, error) {
	r := &road{log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	r.now.Store(now.UnixMilli())
	e, err := segments.Open(dir, segments.Options{Now: r.time, Log: r.log})
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(dir, "journal"), journal.Options{Next: e.Position(), Log: r.log})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	r.engine, r.journal = e, j
	return r, nil
}

func (r *road) close() error { return errors.Join(r.engine.Close(), r.journal.Close()) }

func (r *road) time() time.Time { return time.UnixMilli(r.now.Load()).UTC() }

// start lets loader and housekeeping run until finish.
func (r *road) start(ctx context.Context) {
	ctx, r.stop = context.WithCancel(ctx)
	r.runs, ctx = errgroup.WithContext(ctx)
	loader := &collect.Loader{Journal: r.journal, Store: timed{r.engine, r}, Log: r.log}
	r.runs.Go(func() error { return loader.Run(ctx) })
	r.runs.Go(func() error { return r.engine.Maintain(ctx) })
}

// finish stops what start began.
func (r *road) finish() error {
	r.stop()
	if err := r.runs.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// timed is the engine, with the clock set by what it is given.
type timed struct {
	*segments.Engine
	road *road
}

func (t timed) Append(ctx context.Context, b store.Batch) error {
	now := t.road.now.Load()
	for i := range b.Events {
		now = max(now, b.Events[i].Time)
	}
	t.road.now.Store(now)
	return t.Engine.Append(ctx, b)
}

// loaded is how many events came through: records are numbered from 1, and each is an event.
func (r *road) loaded() int { return max(int(r.engine.Position())-1, 0) }

// arrive waits until questions see all that is in the journal now.
func (r *road) arrive(ctx context.Context, p *progress) error {
	end := r.journal.Stats().Next
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for r.engine.Position() < end {
		select {
		case <-look.C:
			p.set(r.loaded())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// A batch is events on their way to the journal, each a record.
type batch struct {
	bytes   []byte
	records [][]byte
}

// feed appends n events of a stream to the journal, as many writers do at the same time. It waits while the journal is
// full, as trackers do that are asked to come again.
//
// Writers overtake each other. Where a day has few events it would be by days, and events would be late that are not; so
// no more than a quarter of a day is on the way at once.
func (r *road) feed(ctx context.Context, s *traffic.Stream, n, batchEvents, dayEvents int, p *progress) error {
	underWay := min(2*writers, max(1, dayEvents/4/batchEvents))
	ready := make(chan *batch, underWay)
	free := make(chan *batch, underWay)
	for range underWay {
		free <- &batch{}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(ready)
		for n > 0 {
			select {
			case b := <-free:
				b.fill(s, min(batchEvents, n))
				n -= len(b.records)
				ready <- b // has room for all that are not free
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range writers {
		g.Go(func() error {
			for b := range ready {
				if err := r.append(ctx, b.records); err != nil {
					return err
				}
				p.set(int(r.journal.Stats().Next) - 1)
				free <- b
			}
			return nil
		})
	}
	return g.Wait()
}

// fill takes n events of a stream, which has them.
func (b *batch) fill(s *traffic.Stream, n int) {
	b.bytes, b.records = b.bytes[:0], b.records[:0]
	var e event.Event
	var ends []int
	for len(ends) < n && s.Next(&e) {
		b.bytes = e.Append(b.bytes)
		ends = append(ends, len(b.bytes))
	}
	from := 0
	for _, to := range ends {
		b.records = append(b.records, b.bytes[from:to])
		from = to
	}
}

func (r *road) append(ctx context.Context, records [][]byte) error {
	for {
		_, err := r.journal.Append(ctx, records...)
		if !errors.Is(err, journal.ErrFull) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// check tells whether the engine holds what it was given.
func (r *road) check(events int) error {
	s := r.engine.Status()
	if s.Events != int64(events) || len(s.Damaged) > 0 || s.Err != nil {
		return fmt.Errorf("the store holds %d events of %d; damaged files: %q; error: %w", s.Events, events, s.Damaged, s.Err)
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/journal"
)

const (
	writers     = 64 // goroutines that append to the journal
	appendsFor  = 3 * time.Second
	appendsGoal = 30_000
)

// appendDurably measures the journal alone: many goroutines, each appending one event at a time and waiting for the disk.
func appendDurably(ctx context.Context, s settings, out *output) error {
	j, err := journal.Open(s.journalDir(), journal.Options{MaxBytes: 64 << 30})
	if err != nil {
		return err
	}
	defer os.RemoveAll(s.journalDir())
	defer j.Close()
	records := encoded(s.seed, 4096)
	out.progress.begin("journal: durable appends", 0)
	var appended atomic.Int64
	began := time.Now()
	g, ctx := errgroup.WithContext(ctx)
	for i := range writers {
		g.Go(func() error {
			for n := i; time.Since(began) < appendsFor; n += writers {
				if _, err := j.Append(ctx, records[n%len(records)]); err != nil {
					return err
				}
				out.progress.set(int(appended.Add(1)))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	rate := float64(appended.Load()) / time.Since(began).Seconds()
	name := fmt.Sprintf("journal: durable appends of one event, %d goroutines", writers)
	return out.figures(figure{Name: name, Value: rate, Unit: "/s", Goal: appendsGoal})
}

// encoded are some events as they lie in the journal.
func encoded(seed uint64, n int) [][]byte {
	s := traffic.New(traffic.Options{Seed: seed, Events: n, From: yearFrom})
	var records [][]byte
	var e event.Event
	for s.Next(&e) {
		records = append(records, e.Append(nil))
	}
	return records
}

package collect_test

import (
	"context"
	"slices"
	"testing"

	"footfall/internal/collect"
	"footfall/internal/journal"
	"footfall/internal/store"
)

// BenchmarkLoader is how fast events come out of the journal, without a store.
func BenchmarkLoader(b *testing.B) {
	j, err := journal.Open(b.TempDir(), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	const events = 500_000
	records := slices.Repeat([][]byte{pageview("/some/page/of/a/website?with=a&query=string")}, 10_000)
	for range events / len(records) {
		if _, err := j.Append(b.Context(), records...); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		s := &counter{end: events + 1, done: cancel}
		if err := (&collect.Loader{Journal: j, Store: s}).Run(ctx); err != nil || s.events != events {
			b.Fatal(s.events, err)
		}
	}
	b.ReportMetric(float64(events*b.N)/b.Elapsed().Seconds(), "events/s")
}

type counter struct {
	store.Engine
	events int
	end    uint64
	done   func()
}

func (c *counter) Position() uint64 { return 0 }

func (c *counter) Durable() uint64 { return 0 }

func (c *counter) Append(_ context.Context, b store.Batch) error {
	c.events += len(b.Events)
	if b.To == c.end {
		c.done()
	}
	return nil
}

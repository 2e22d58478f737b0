package httpapi_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/collect/place"
	"footfall/internal/journal"
)

// A road is what carries hits to the store of a service. Nothing moves on it by itself: arrive does.
type road struct {
	s         *service
	journal   *journal.Journal
	collector *collect.Collector
	tally     *collect.Tally
	loader    *collect.Loader
}

func newRoad(t *testing.T, s *service) *road {
	t.Helper()
	j, err := journal.Open(filepath.Join(s.dir, "journal"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	r := &road{s: s, journal: j}
	places, err := place.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	salts := collect.OpenSalts(filepath.Join(s.dir, "salts"), collect.SaltOptions{Now: s.clock.time})
	t.Cleanup(func() { salts.Close() })
	r.collector = &collect.Collector{Journal: j, Websites: &collect.Directory{Register: r}, Salts: salts, Places: places, Now: s.clock.time}
	r.tally = &collect.Tally{Journal: j, Ledger: r}
	r.loader = &collect.Loader{Journal: j, Store: s.engine}
	if err := r.collector.Websites.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// arrive returns when all hits are where they belong.
func (r *road) arrive() {
	r.s.t.Helper()
	ctx, stop := context.WithCancel(r.s.t.Context())
	done := make(chan error, 2)
	go func() { done <- r.loader.Run(ctx) }()
	go func() { done <- r.tally.Run(ctx) }()
	next := r.journal.Stats().Next
	for end := time.Now().Add(20 * time.Second); r.s.engine.Position() < next || r.tally.Durable() < next; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.s.t.Fatal("hits do not arrive")
		}
	}
	stop()
	if err := errors.Join(<-done, <-done); err != nil {
		r.s.t.Fatal(err)
	}
}

// Changes implements collect.Register.
func (r *road) Changes() uint64 { return r.s.db.Changes() }

// WebsitesVersion implements collect.Register.
func (r *road) WebsitesVersion(ctx context.Context) (int64, error) {
	return r.s.db.WebsitesVersion(ctx)
}

// Websites implements collect.Register.
func (r *road) Websites(ctx context.Context) ([]*collect.Website, error) {
	list, err := r.s.db.AllWebsites(ctx)
	var all []*collect.Website
	for _, w := range list {
		zone, err := time.LoadLocation(w.Timezone)
		if err != nil {
			return nil, err
		}
		all = append(all, &collect.Website{ID: w.ID, Domain: w.Domain, Zone: zone, ExcludeBots: w.ExcludeBots,
			RespectSignals: w.RespectSignals, ExcludedIPs: w.ExcludedIPs(), ExcludedParams: w.ExcludedParams()})
	}
	return all, err
}

// Position implements collect.Ledger.
func (r *road) Position(ctx context.Context) (uint64, error) {
	return r.s.db.DropPosition(ctx, "test")
}

// Add implements collect.Ledger.
func (r *road) Add(ctx context.Context, to uint64, counts []collect.Count) error {
	var list []accounts.DropCount
	for _, c := range counts {
		list = append(list, accounts.DropCount{Website: c.Website, Day: c.Day.String(), Reason: string(c.Drop), Hits: c.Hits})
	}
	return r.s.db.AddDrops(ctx, "test", to, list)
}

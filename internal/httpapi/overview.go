package httpapi

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/stats"
)

// overviewRecord is a website at a glance.
type overviewRecord struct {
	ID        int64   `json:"id"`
	Today     int64   `json:"today"`
	Yesterday int64   `json:"yesterday"`
	Visitors  int64   `json:"visitors"`
	Previous  int64   `json:"previous"`
	Series    []int64 `json:"series"`
}

const (
	maxOverviewWebsites = 100
	defaultOverviewDays = 30

	// overviewsAtOnce keeps a large question from having all processors. Each website is a question of its own.
	overviewsAtOnce = 4
)

type overviewParams struct {
	IDs  []int64 `json:"ids"`
	Days *int    `json:"days"`
}

func (p *overviewParams) check() (days int, err error) {
	var f fault.Fields
	if len(p.IDs) == 0 || len(p.IDs) > maxOverviewWebsites {
		f.Add("ids", "must be a list of 1 to %d ids of websites", maxOverviewWebsites)
	}
	days = defaultOverviewDays
	if p.Days != nil {
		days = *p.Days
	}
	if days < 1 || days > stats.MaxOverviewDays {
		f.Add("days", "must be a whole number from 1 to %d", stats.MaxOverviewDays)
	}
	return days, f.Err()
}

// overview answers for many websites at once. Those that the caller may not see are left out, as are those that are gone:
// a list may have changed since it was asked for.
func (s *Server) overview(w http.ResponseWriter, r *http.Request) error {
	var p overviewParams
	if err := readJSON(w, r, &p); err != nil {
		return err
	}
	days, err := p.check()
	if err != nil {
		return err
	}
	websites, err := s.knownWebsites(r, p.IDs)
	if err != nil {
		return err
	}
	records := make([]overviewRecord, len(websites))
	group, ctx := errgroup.WithContext(r.Context())
	group.SetLimit(overviewsAtOnce)
	for i, website := range websites {
		group.Go(func() (err error) {
			records[i], err = s.recordOfOverview(ctx, website, days)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return writeData(w, http.StatusOK, records)
}

// knownWebsites are those of the ids that the caller may see, each once.
func (s *Server) knownWebsites(r *http.Request, ids []int64) ([]accounts.Website, error) {
	var websites []accounts.Website
	seen := make(map[int64]bool)
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		website, err := s.accounts.Website(r.Context(), caller(r), id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		websites = append(websites, website)
	}
	return websites, nil
}

func (s *Server) recordOfOverview(ctx context.Context, website accounts.Website, days int) (overviewRecord, error) {
	scope, err := s.scope(website)
	if err != nil {
		return overviewRecord{}, err
	}
	o, err := stats.NewOverview(ctx, s.store, scope, days)
	return overviewRecord{website.ID, o.Today, o.Yesterday, o.Visitors, o.Previous, o.Series}, err
}

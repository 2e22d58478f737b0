package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/stats"
)

// query answers several questions about a website that have one period and filter.
func (s *Server) query(w http.ResponseWriter, r *http.Request) error {
	p := stats.Params{File: wantsCSV(r)}
	if err := readJSON(w, r, &p); err != nil {
		return err
	}
	website, scope, err := s.queried(r, p)
	if err != nil {
		return err
	}
	asked, err := stats.Parse(scope, p)
	if err != nil {
		return err
	}
	answer, err := asked.Run(r.Context(), s.store)
	if err != nil {
		return err
	}
	if p.File {
		return writeCSV(w, website.Domain, answer.Answers[0].Dimension, answer.Period, answer.AppendCSV(nil))
	}
	return writeData(w, http.StatusOK, answer)
}

// queried is the website that a query is about. If none is named there is none, which Parse tells, but not to nobody.
func (s *Server) queried(r *http.Request, p stats.Params) (website accounts.Website, scope stats.Scope, err error) {
	if p.Website <= 0 && onlooker(r).Caller != nil {
		return website, stats.Scope{Now: s.now()}, nil
	}
	if website, err = s.accounts.VisibleWebsite(r.Context(), onlooker(r), p.Website); err != nil {
		return website, scope, err
	}
	if scope, err = s.scope(website); err != nil {
		return website, scope, err
	}
	if p.Period.Name == stats.All {
		scope.First, err = stats.FirstDay(r.Context(), s.store, scope)
	}
	return website, scope, err
}

// scope is what questions about a website are asked of.
func (s *Server) scope(website accounts.Website) (stats.Scope, error) {
	zone, err := s.zone(website.Timezone)
	return stats.Scope{Website: website.ID, Zone: zone, Now: s.now()}, err
}

// zone is a time zone by its name. The names in the database are those of zones, so what is remembered is bounded.
func (s *Server) zone(name string) (*time.Location, error) {
	if zone, ok := s.zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("load the time zone of a website: %w", err)
	}
	s.zones.Store(name, zone)
	return zone, nil
}

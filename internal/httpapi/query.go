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
	var p stats.Params
	if err := readJSON(w, r, &p); err != nil {
		return err
	}
	scope := stats.Scope{Now: s.now()}
	if p.Website > 0 { // if not, Parse tells that too
		website, err := s.accounts.Website(r.Context(), caller(r), p.Website)
		if err != nil {
			return err
		}
		if scope, err = s.scope(website); err != nil {
			return err
		}
	}
	asked, err := stats.Parse(scope, p)
	if err != nil {
		return err
	}
	answer, err := asked.Run(r.Context(), s.store)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, answer)
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

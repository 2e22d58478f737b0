package httpapi

import (
	"context"
	"net/http"
	"time"

	"footfall/internal/stats"
)

// LiveWindow is what counts as now.
const LiveWindow = 5 * time.Minute

// Live is what happens on a website now.
type Live struct {
	Visitors  int           `json:"visitors"`
	Seconds   int           `json:"seconds"`   // how long now is
	Pages     []LivePage    `json:"pages"`     // most visitors first
	Countries []LiveCountry `json:"countries"` // likewise
}

// A LivePage is a page with the number of visitors on it.
type LivePage struct {
	Value    string `json:"value"`
	Visitors int    `json:"visitors"`
}

// A LiveCountry is a country with the number of visitors in it.
type LiveCountry struct {
	Value    string `json:"value"`
	Code     string `json:"code,omitempty"` // the Server finds it
	Visitors int    `json:"visitors"`
}

// A Watcher tells who was on a website within LiveWindow.
type Watcher func(ctx context.Context, website int64) (Live, error)

// How many are shown. A website can have a page for each visitor; the world has fewer countries.
const (
	maxLivePages     = 100
	maxLiveCountries = 300
)

func (s *Server) showRealtime(w http.ResponseWriter, r *http.Request) error {
	website, err := s.visibleWebsite(r)
	if err != nil {
		return err
	}
	live, err := s.live(r.Context(), website.ID)
	if err != nil {
		return err
	}
	live.Seconds = int(LiveWindow.Seconds())
	live.Pages = append([]LivePage{}, live.Pages[:min(maxLivePages, len(live.Pages))]...)
	live.Countries = append([]LiveCountry{}, live.Countries[:min(maxLiveCountries, len(live.Countries))]...)
	country, _ := stats.DimensionNamed("country")
	for i := range live.Countries {
		live.Countries[i].Code = country.Code(live.Countries[i].Value)
	}
	return writeData(w, http.StatusOK, live)
}

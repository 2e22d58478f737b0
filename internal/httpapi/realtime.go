package httpapi

import (
	"context"
	"net/http"
	"time"
)

// LiveWindow is what counts as now.
const LiveWindow = 5 * time.Minute

// Live is what happens on a website now.
type Live struct {
	Visitors int        `json:"visitors"`
	Seconds  int        `json:"seconds"` // how long now is
	Pages    []LivePage `json:"pages"`   // most visitors first
}

// A LivePage is a page with the number of visitors on it.
type LivePage struct {
	Value    string `json:"value"`
	Visitors int    `json:"visitors"`
}

// A Watcher tells who was on a website within LiveWindow.
type Watcher func(ctx context.Context, website int64) (Live, error)

// maxLivePages is how many pages are shown; a website can have one for each visitor.
const maxLivePages = 100

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
	return writeData(w, http.StatusOK, live)
}

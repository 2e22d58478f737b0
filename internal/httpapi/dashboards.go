package httpapi

import (
	"net/http"
	"strconv"

	"footfall/internal/accounts"
)

// dashboardRecord is a website as those see it who look at its statistics.
type dashboardRecord struct {
	ID       int64           `json:"id"`
	Domain   string          `json:"domain"`
	Timezone string          `json:"timezone"`
	Privacy  int64           `json:"privacy"`
	Access   accounts.Access `json:"access"`
	PlacesBy *creditRecord   `json:"places_by"`
}

// creditRecord is who must be named and linked to, by a licence, where their data is shown.
type creditRecord struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

func (s *Server) recordOfDashboard(w accounts.Website) dashboardRecord {
	return dashboardRecord{
		ID: w.ID, Domain: w.Domain, Timezone: w.Timezone, Privacy: int64(w.Privacy), Access: w.Access, PlacesBy: s.placesBy(),
	}
}

// placesBy is whom the places are from, nil if nobody has to be named. Another file may take the place of the one in use.
func (s *Server) placesBy() *creditRecord {
	text, url := s.collector.Places.Attribution()
	if text == "" {
		return nil
	}
	return &creditRecord{text, url}
}

func (s *Server) showDashboard(w http.ResponseWriter, r *http.Request) error {
	website, err := s.accounts.Dashboard(r.Context(), onlooker(r), r.PathValue("domain"))
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, s.recordOfDashboard(website))
}

// openDashboard opens a website for a browser that sends its password. Guesses are counted before they are compared.
func (s *Server) openDashboard(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	password := f.textOr("password")
	if err := f.err(); err != nil {
		return err
	}
	website, err := s.accounts.OpenableWebsite(r.Context(), r.PathValue("domain"))
	if err != nil {
		return err
	}
	if website.Privacy == accounts.Protected {
		if err := s.limitDashboard(w, website.ID); err != nil {
			return err
		}
		token, err := s.accounts.OpenDashboard(r.Context(), website.ID, password)
		if err != nil {
			return err
		}
		s.setShare(w, r, website.ID, token)
	}
	return writeData(w, http.StatusOK, s.recordOfDashboard(website))
}

// limitDashboard counts a guess at the password of a website, whoever makes it.
func (s *Server) limitDashboard(w http.ResponseWriter, website int64) error {
	return s.limiters.subject.take(w.Header(), "dashboard/"+strconv.FormatInt(website, 10), s.now())
}

// closeDashboard takes away what openDashboard gave. Who had nothing learns nothing.
func (s *Server) closeDashboard(w http.ResponseWriter, r *http.Request) error {
	o := accounts.Onlooker{Pass: func(website int64) string { return shareToken(r, website) }}
	closed, err := s.accounts.CloseDashboard(r.Context(), o, r.PathValue("domain"))
	if err != nil {
		return err
	}
	if closed != 0 {
		s.setShare(w, r, closed, "")
	}
	return writeData(w, http.StatusOK, struct {
		Closed bool `json:"closed"`
	}{true})
}

package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// websiteRecord is a website as the interface shows it.
type websiteRecord struct {
	ID             int64  `json:"id"`
	Domain         string `json:"domain"`
	Privacy        int64  `json:"privacy"`
	Email          int    `json:"email"`
	ExcludeBots    int    `json:"exclude_bots"`
	ExcludeParams  string `json:"exclude_params"`
	ExcludeIPs     string `json:"exclude_ips"`
	Timezone       string `json:"timezone"`
	RespectSignals int    `json:"respect_signals"`
	CreatedAt      stamp  `json:"created_at"`
	UpdatedAt      stamp  `json:"updated_at"`
}

// websiteRecords are a page of the list.
type websiteRecords []websiteRecord

func recordOfWebsite(w accounts.Website) websiteRecord {
	return websiteRecord{
		ID: w.ID, Domain: w.Domain, Privacy: int64(w.Privacy), Email: bit(w.Email), ExcludeBots: bit(w.ExcludeBots),
		ExcludeParams: w.ExcludeParams, ExcludeIPs: w.ExcludeIPs, Timezone: w.Timezone, RespectSignals: bit(w.RespectSignals),
		CreatedAt: stamp(w.CreatedAt), UpdatedAt: stamp(w.UpdatedAt),
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// websiteInput is what a body sends of a website.
func websiteInput(f *fields) accounts.WebsiteInput {
	return accounts.WebsiteInput{
		Domain: f.text("domain"), Privacy: f.text("privacy"), Password: f.text("password"), Email: f.text("email"),
		ExcludeBots: f.text("exclude_bots"), ExcludeParams: f.text("exclude_params"), ExcludeIPs: f.text("exclude_ips"),
		Timezone: f.text("timezone"), RespectSignals: f.text("respect_signals"),
	}
}

func (s *Server) listWebsites(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuery(r)
	if err != nil {
		return err
	}
	p := accounts.ListParams{
		Search: q.textOr("search"), SearchBy: q.textOr("search_by"), SortBy: q.textOr("sort_by"), Sort: q.textOr("sort"),
		PerPage: q.textOr("per_page"), Page: q.textOr("page"),
	}
	if err := q.err(); err != nil {
		return err
	}
	list, err := s.accounts.Websites(r.Context(), caller(r), p)
	if err != nil {
		return err
	}
	records := make(websiteRecords, len(list.Websites))
	for i, website := range list.Websites {
		records[i] = recordOfWebsite(website)
	}
	return s.writeList(w, r, records, slice{page: list.Page, perPage: list.PerPage, total: list.Total, shown: len(records)})
}

func (s *Server) showWebsite(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	website, err := s.accounts.Website(r.Context(), caller(r), id)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfWebsite(website))
}

func (s *Server) createWebsite(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := websiteInput(f)
	if err := f.err(); err != nil {
		return err
	}
	if in.Password != nil {
		if err := s.limitHashing(w, caller(r)); err != nil {
			return err
		}
	}
	website, err := s.accounts.CreateWebsite(r.Context(), caller(r), in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/websites/%d", s.origin(r), website.ID))
	return writeData(w, http.StatusCreated, recordOfWebsite(website))
}

func (s *Server) updateWebsite(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := websiteInput(f)
	if err := f.err(); err != nil {
		return err
	}
	if in.Password != nil {
		if err := s.limitHashing(w, caller(r)); err != nil {
			return err
		}
	}
	website, err := s.accounts.UpdateWebsite(r.Context(), caller(r), id, in)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfWebsite(website))
}

func (s *Server) deleteWebsite(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	if err := s.accounts.DeleteWebsite(r.Context(), caller(r), id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

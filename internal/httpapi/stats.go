package httpapi

import (
	"net/http"

	"footfall/internal/stats"
)

// showStatistic answers one of the statistics that have a name.
func (s *Server) showStatistic(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuery(r)
	if err != nil {
		return err
	}
	p := stats.StatisticParams{
		Name: q.textOr("name"), From: q.textOr("from"), To: q.textOr("to"), Search: q.textOr("search"), SearchBy: q.textOr("search_by"),
		SortBy: q.textOr("sort_by"), Sort: q.textOr("sort"), PerPage: q.textOr("per_page"), Page: q.textOr("page"), Filters: q.textOr("filters"),
		File: wantsCSV(r),
	}
	website, err := s.visibleWebsite(r)
	if err != nil {
		return err
	}
	if err := q.err(); err != nil {
		return err
	}
	asked, err := stats.ParseStatistic(stats.Scope{Website: website.ID, Now: s.now()}, p)
	if err != nil {
		return err
	}
	found, err := asked.Run(r.Context(), s.store)
	if err != nil {
		return err
	}
	if p.File {
		return writeCSV(w, website.Domain, p.Name, asked.Period(), found.AppendCSV(nil))
	}
	return s.writeList(w, r, found.Records, slice{page: found.Page, perPage: found.PerPage, total: found.Total, shown: len(found.Records)})
}

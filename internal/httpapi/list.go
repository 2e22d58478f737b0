package httpapi

import (
	"net/http"
	"strconv"
)

// A slice is which part of a list an answer shows.
type slice struct {
	page, perPage int // from 1
	total         int // on all pages
	shown         int // on this one
}

func (p slice) last() int { return max(1, (p.total+p.perPage-1)/p.perPage) }

// links lead to other pages of a list, with the other parameters as they were sent.
type links struct {
	First string  `json:"first"`
	Last  string  `json:"last"`
	Prev  *string `json:"prev"`
	Next  *string `json:"next"`
}

// meta tells where in a list its data is. From and To count from 1; an empty page has none.
type meta struct {
	CurrentPage int    `json:"current_page"`
	From        *int   `json:"from"`
	LastPage    int    `json:"last_page"`
	Path        string `json:"path"`
	PerPage     int    `json:"per_page"`
	To          *int   `json:"to"`
	Total       int    `json:"total"`
}

// list is the body of every answer that has pages.
type list struct {
	Data  any   `json:"data"`
	Links links `json:"links"`
	Meta  meta  `json:"meta"`
}

// writeList answers with a page of a list. The data is an array, empty rather than nil.
func (s *Server) writeList(w http.ResponseWriter, r *http.Request, data any, p slice) error {
	path := s.origin(r) + r.URL.EscapedPath()
	query := r.URL.Query()
	link := func(page int) string {
		query.Set("page", strconv.Itoa(page))
		return path + "?" + query.Encode()
	}
	body := list{
		Data:  data,
		Links: links{First: link(1), Last: link(p.last())},
		Meta:  meta{CurrentPage: p.page, LastPage: p.last(), Path: path, PerPage: p.perPage, Total: p.total},
	}
	if p.page > 1 {
		body.Links.Prev = new(link(min(p.page-1, p.last())))
	}
	if p.page < p.last() {
		body.Links.Next = new(link(p.page + 1))
	}
	if p.shown > 0 {
		before := (p.page - 1) * p.perPage
		body.Meta.From, body.Meta.To = new(before+1), new(before+p.shown)
	}
	return writeJSON(w, http.StatusOK, body)
}

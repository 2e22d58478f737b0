package httpapi

import (
	"net/http"
	"time"

	"footfall/internal/fault"
)

// healthz tells that the process answers.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) error {
	return writeData(w, http.StatusOK, struct {
		Status string `json:"status"`
	}{"alive"})
}

// readyz tells whether the service can keep its promises now.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	var f fault.Fields
	if s.ready != nil {
		for _, part := range s.ready(r.Context()) {
			f.Add(part, "cannot do its work: the log says why")
		}
	}
	if f.Err() != nil {
		return f.As(fault.Unavailable).After(5 * time.Second)
	}
	return writeData(w, http.StatusOK, struct {
		Status string `json:"status"`
	}{"ready"})
}

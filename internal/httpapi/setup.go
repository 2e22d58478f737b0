package httpapi

import (
	"net/http"
)

// showSetup tells whether the first account is still to be made, and what the installation is called: what a page needs
// before anyone is signed in.
func (s *Server) showSetup(w http.ResponseWriter, r *http.Request) error {
	needed, err := s.accounts.NeedsSetup(r.Context())
	if err != nil {
		return err
	}
	settings, err := s.accounts.Installation(r.Context())
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, struct {
		Needed bool   `json:"needed"`
		Name   string `json:"name"`
	}{needed, settings.Name})
}

// setup makes the first account with the token of the link that the service printed, and signs it in.
func (s *Server) setup(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	token, in := f.textOr("token"), accountInput(f)
	if err := f.err(); err != nil {
		return err
	}
	in.Role = nil
	a, err := s.accounts.Setup(r.Context(), token, in)
	if err != nil {
		return err
	}
	_, session, err := s.accounts.StartSession(r.Context(), a, "")
	if err != nil {
		return err
	}
	return s.answerSignedIn(w, r, session)
}

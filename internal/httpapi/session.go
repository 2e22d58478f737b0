package httpapi

import (
	"net/http"

	"footfall/internal/accounts"
)

// sessionRecord is a session as the interface shows it.
type sessionRecord struct {
	ID        int64  `json:"id"`
	Label     string `json:"label"`
	Current   bool   `json:"current"`
	CreatedAt stamp  `json:"created_at"`
	SeenAt    stamp  `json:"seen_at"`
	ExpiresAt stamp  `json:"expires_at"`
}

// signIn begins a session. The token goes into a cookie that scripts do not see.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	email, password, code, label := f.textOr("email"), f.textOr("password"), f.textOr("code"), f.textOr("label")
	if err := f.err(); err != nil {
		return err
	}
	if err := s.limitGuess(w, email); err != nil {
		return err
	}
	_, token, err := s.accounts.SignInWithCode(r.Context(), email, password, code, label)
	if err != nil {
		return err
	}
	return s.answerSignedIn(w, r, token)
}

// answerSignedIn hands out a session, and shows the account that it is of.
func (s *Server) answerSignedIn(w http.ResponseWriter, r *http.Request, token string) error {
	c, err := s.accounts.CallerBySession(r.Context(), token)
	if err != nil {
		return err
	}
	a, err := s.accounts.Account(r.Context(), c)
	if err != nil {
		return err
	}
	s.setSession(w, r, token)
	w.Header().Set("Location", s.origin(r)+"/api/v1/me")
	return writeData(w, http.StatusCreated, recordOfAccount(a))
}

// signOut ends the session of the cookie. Who is not signed in stays so.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	if token := sessionToken(r); token != "" {
		if err := s.accounts.SignOut(r.Context(), token); err != nil {
			return err
		}
	}
	s.setSession(w, r, "")
	return writeData(w, http.StatusOK, struct {
		SignedOut bool `json:"signed_out"`
	}{true})
}

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) error {
	sessions, err := s.accounts.Sessions(r.Context(), caller(r))
	if err != nil {
		return err
	}
	records := make([]sessionRecord, len(sessions))
	for i, session := range sessions {
		records[i] = recordOfSession(session, caller(r))
	}
	return writeData(w, http.StatusOK, records)
}

func recordOfSession(s accounts.Session, c accounts.Caller) sessionRecord {
	return sessionRecord{
		ID: s.ID, Label: s.Label, Current: s.ID == c.Session(), CreatedAt: stamp(s.CreatedAt), SeenAt: stamp(s.SeenAt),
		ExpiresAt: stamp(s.ExpiresAt),
	}
}

func (s *Server) endSession(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "session")
	if err != nil {
		return err
	}
	if err := s.accounts.EndSession(r.Context(), caller(r), id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

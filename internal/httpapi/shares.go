package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// shareRecord is an account that a website is shared with. Its id is that of the account.
type shareRecord struct {
	ID        int64           `json:"id"`
	Email     string          `json:"email"`
	Name      string          `json:"name"`
	Access    accounts.Access `json:"access"`
	CreatedAt stamp           `json:"created_at"`
}

func recordOfShare(s accounts.Share) shareRecord {
	return shareRecord{ID: s.Account, Email: s.Email, Name: s.Name, Access: s.Access, CreatedAt: stamp(s.CreatedAt)}
}

func (s *Server) listShares(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	shares, err := s.accounts.Shares(r.Context(), caller(r), id)
	if err != nil {
		return err
	}
	records := make([]shareRecord, len(shares))
	for i, share := range shares {
		records[i] = recordOfShare(share)
	}
	return writeData(w, http.StatusOK, records)
}

func (s *Server) shareWebsite(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := accounts.ShareInput{Email: f.textOr("email"), Access: f.textOr("access")}
	if err := f.err(); err != nil {
		return err
	}
	share, err := s.accounts.ShareWebsite(r.Context(), caller(r), id, in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/websites/%d/shares/%d", s.origin(r), id, share.Account))
	return writeData(w, http.StatusCreated, recordOfShare(share))
}

func (s *Server) unshareWebsite(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	account, err := pathID(r, "account", "account")
	if err != nil {
		return err
	}
	if err := s.accounts.UnshareWebsite(r.Context(), caller(r), id, account); err != nil {
		return err
	}
	return writeDeleted(w, account)
}

package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// keyRecord is a key as the interface shows it. The key itself is in it once, when it was made.
type keyRecord struct {
	ID        int64          `json:"id"`
	Name      string         `json:"name"`
	Prefix    string         `json:"prefix"`
	Scope     accounts.Scope `json:"scope"`
	CreatedAt stamp          `json:"created_at"`
	UsedAt    stamp          `json:"used_at"`
	ExpiresAt stamp          `json:"expires_at"`
	RevokedAt stamp          `json:"revoked_at"`
	Key       string         `json:"key,omitempty"`
}

func recordOfKey(k accounts.Key) keyRecord {
	return keyRecord{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scope: k.Scope, CreatedAt: stamp(k.CreatedAt), UsedAt: stamp(k.UsedAt),
		ExpiresAt: stamp(k.ExpiresAt), RevokedAt: stamp(k.RevokedAt),
	}
}

func (s *Server) listKeys(w http.ResponseWriter, r *http.Request) error {
	keys, err := s.accounts.Keys(r.Context(), caller(r))
	if err != nil {
		return err
	}
	records := make([]keyRecord, len(keys))
	for i, k := range keys {
		records[i] = recordOfKey(k)
	}
	return writeData(w, http.StatusOK, records)
}

func (s *Server) createKey(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := accounts.KeyInput{Name: f.textOr("name"), Scope: f.textOr("scope"), ExpiresAt: f.textOr("expires_at")}
	if err := f.err(); err != nil {
		return err
	}
	k, secret, err := s.accounts.CreateKey(r.Context(), caller(r), in)
	if err != nil {
		return err
	}
	record := recordOfKey(k)
	record.Key = secret
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/keys/%d", s.origin(r), k.ID))
	return writeData(w, http.StatusCreated, record)
}

// revokeKey ends a key. It stays on the list, with the time.
func (s *Server) revokeKey(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "key")
	if err != nil {
		return err
	}
	if _, err := s.accounts.RevokeKey(r.Context(), caller(r), id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

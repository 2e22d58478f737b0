package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// accountRecord is an account as the interface shows it.
type accountRecord struct {
	ID        int64         `json:"id"`
	Email     string        `json:"email"`
	Name      string        `json:"name"`
	Role      accounts.Role `json:"role"`
	Locale    string        `json:"locale"`
	Timezone  string        `json:"timezone"`
	TOTP      bool          `json:"totp"`
	CreatedAt stamp         `json:"created_at"`
	UpdatedAt stamp         `json:"updated_at"`
}

func recordOfAccount(a accounts.Account) accountRecord {
	return accountRecord{
		ID: a.ID, Email: a.Email, Name: a.Name, Role: a.Role, Locale: a.Locale, Timezone: a.Timezone,
		TOTP: a.TOTP, CreatedAt: stamp(a.CreatedAt), UpdatedAt: stamp(a.UpdatedAt),
	}
}

func accountInput(f *fields) accounts.AccountInput {
	return accounts.AccountInput{
		Email: f.text("email"), Name: f.text("name"), Password: f.text("password"), Role: f.text("role"),
		Locale: f.text("locale"), Timezone: f.text("timezone"),
	}
}

func readAccount(w http.ResponseWriter, r *http.Request) (accounts.AccountInput, error) {
	f, err := readFields(w, r)
	if err != nil {
		return accounts.AccountInput{}, err
	}
	return accountInput(f), f.err()
}

func (s *Server) showMe(w http.ResponseWriter, r *http.Request) error {
	a, err := s.accounts.Account(r.Context(), caller(r))
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfAccount(a))
}

func (s *Server) updateMe(w http.ResponseWriter, r *http.Request) error {
	in, err := readAccount(w, r)
	if err != nil {
		return err
	}
	return s.writeUpdated(w, r, caller(r).Account(), in)
}

func (s *Server) writeUpdated(w http.ResponseWriter, r *http.Request, id int64, in accounts.AccountInput) error {
	a, err := s.accounts.UpdateAccount(r.Context(), caller(r), id, in)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfAccount(a))
}

// changePassword ends all sessions of the account, and begins a new one for the browser that asked.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	present, next := f.textOr("password"), f.textOr("new_password")
	if err := f.err(); err != nil {
		return err
	}
	c := caller(r)
	if err := s.limitHashing(w, c); err != nil {
		return err
	}
	if err := s.accounts.ChangePassword(r.Context(), c, present, next); err != nil {
		return err
	}
	a, err := s.accounts.Account(r.Context(), c)
	if err != nil {
		return err
	}
	if c.Session() != 0 {
		_, token, err := s.accounts.StartSession(r.Context(), a, "")
		if err != nil {
			return err
		}
		s.setSession(w, r, token)
	}
	return writeData(w, http.StatusOK, recordOfAccount(a))
}

func (s *Server) listAccounts(w http.ResponseWriter, r *http.Request) error {
	all, err := s.accounts.Accounts(r.Context(), caller(r))
	if err != nil {
		return err
	}
	records := make([]accountRecord, len(all))
	for i, a := range all {
		records[i] = recordOfAccount(a)
	}
	return writeData(w, http.StatusOK, records)
}

func (s *Server) addAccount(w http.ResponseWriter, r *http.Request) error {
	in, err := readAccount(w, r)
	if err != nil {
		return err
	}
	a, err := s.accounts.AddAccount(r.Context(), caller(r), in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/accounts/%d", s.origin(r), a.ID))
	return writeData(w, http.StatusCreated, recordOfAccount(a))
}

func (s *Server) updateAccount(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "account")
	if err != nil {
		return err
	}
	in, err := readAccount(w, r)
	if err != nil {
		return err
	}
	return s.writeUpdated(w, r, id, in)
}

func (s *Server) deleteAccount(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "account")
	if err != nil {
		return err
	}
	if err := s.accounts.DeleteAccount(r.Context(), caller(r), id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

// setPassword gives an account a new password, without knowing the present one. Its sessions end.
func (s *Server) setPassword(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "account")
	if err != nil {
		return err
	}
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	password := f.textOr("password")
	if err := f.err(); err != nil {
		return err
	}
	if err := s.accounts.SetPassword(r.Context(), caller(r), id, password); err != nil {
		return err
	}
	return writeData(w, http.StatusOK, struct {
		ID              int64 `json:"id"`
		PasswordChanged bool  `json:"password_changed"`
	}{id, true})
}

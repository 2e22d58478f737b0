package httpapi

import (
	"net/http"
)

// beginTOTP makes the secret of a second factor, which counts once it is confirmed.
func (s *Server) beginTOTP(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	password := f.textOr("password")
	if err := f.err(); err != nil {
		return err
	}
	if err := s.limitHashing(w, caller(r)); err != nil {
		return err
	}
	secret, url, err := s.accounts.BeginTOTP(r.Context(), caller(r), password)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, struct {
		Secret string `json:"secret"`
		URL    string `json:"url"`
	}{secret, url})
}

// confirmTOTP turns the second factor on, and hands out the recovery codes this once.
func (s *Server) confirmTOTP(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	code := f.textOr("code")
	if err := f.err(); err != nil {
		return err
	}
	codes, err := s.accounts.ConfirmTOTP(r.Context(), caller(r), code)
	if err != nil {
		return err
	}
	return writeRecoveryCodes(w, codes)
}

func writeRecoveryCodes(w http.ResponseWriter, codes []string) error {
	return writeData(w, http.StatusOK, struct {
		RecoveryCodes []string `json:"recovery_codes"`
	}{codes})
}

// renewRecoveryCodes hands out other recovery codes, this once.
func (s *Server) renewRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	password, code, err := s.readProof(w, r)
	if err != nil {
		return err
	}
	codes, err := s.accounts.RenewRecoveryCodes(r.Context(), caller(r), password, code)
	if err != nil {
		return err
	}
	return writeRecoveryCodes(w, codes)
}

func (s *Server) endTOTP(w http.ResponseWriter, r *http.Request) error {
	password, code, err := s.readProof(w, r)
	if err != nil {
		return err
	}
	if err := s.accounts.EndTOTP(r.Context(), caller(r), password, code); err != nil {
		return err
	}
	return writeData(w, http.StatusOK, struct {
		TOTP bool `json:"totp"`
	}{false})
}

// readProof reads what an account shows to change its second factor, and counts it as a guess.
func (s *Server) readProof(w http.ResponseWriter, r *http.Request) (password, code string, err error) {
	f, err := readFields(w, r)
	if err != nil {
		return "", "", err
	}
	password, code = f.textOr("password"), f.textOr("code")
	if err := f.err(); err != nil {
		return "", "", err
	}
	return password, code, s.limitHashing(w, caller(r))
}

// disableTOTP ends the second factor of somebody who lost it, and all sessions of theirs.
func (s *Server) disableTOTP(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id", "account")
	if err != nil {
		return err
	}
	if err := s.accounts.DisableTOTP(r.Context(), caller(r), id); err != nil {
		return err
	}
	return writeData(w, http.StatusOK, struct {
		ID   int64 `json:"id"`
		TOTP bool  `json:"totp"`
	}{id, false})
}

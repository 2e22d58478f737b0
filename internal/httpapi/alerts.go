package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// alertRecord is an alert as the interface shows it.
type alertRecord struct {
	ID          int64                `json:"id"`
	Kind        accounts.AlertKind   `json:"kind"`
	Sensitivity accounts.Sensitivity `json:"sensitivity"`
	Threshold   int64                `json:"threshold"`
	Hours       int64                `json:"hours"`
	Email       int                  `json:"email"`
	Account     *int64               `json:"account_id"`
	Webhook     *int64               `json:"webhook_id"`
	FiredAt     stamp                `json:"fired_at"`
	CreatedAt   stamp                `json:"created_at"`
	UpdatedAt   stamp                `json:"updated_at"`
}

func recordOfAlert(a accounts.Alert) alertRecord {
	return alertRecord{
		ID: a.ID, Kind: a.Kind, Sensitivity: a.Sensitivity, Threshold: a.Threshold, Hours: a.Hours, Email: bit(a.Email), Account: idOrNull(a.Account),
		Webhook: idOrNull(a.Webhook), FiredAt: stamp(a.FiredAt), CreatedAt: stamp(a.CreatedAt), UpdatedAt: stamp(a.UpdatedAt),
	}
}

// idOrNull is an id, of which 0 is none.
func idOrNull(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

func (s *Server) listAlerts(w http.ResponseWriter, r *http.Request) error {
	website, err := websiteID(r)
	if err != nil {
		return err
	}
	list, err := s.accounts.Alerts(r.Context(), caller(r), website)
	if err != nil {
		return err
	}
	records := make([]alertRecord, len(list))
	for i, a := range list {
		records[i] = recordOfAlert(a)
	}
	return writeData(w, http.StatusOK, records)
}

func readAlert(w http.ResponseWriter, r *http.Request) (accounts.AlertInput, error) {
	f, err := readFields(w, r)
	if err != nil {
		return accounts.AlertInput{}, err
	}
	return accounts.AlertInput{
		Kind: f.text("kind"), Sensitivity: f.text("sensitivity"), Threshold: f.text("threshold"), Hours: f.text("hours"), Email: f.text("email"),
		Webhook: f.text("webhook_id"),
	}, f.err()
}

func (s *Server) addAlert(w http.ResponseWriter, r *http.Request) error {
	website, err := websiteID(r)
	if err != nil {
		return err
	}
	in, err := readAlert(w, r)
	if err != nil {
		return err
	}
	a, err := s.accounts.AddAlert(r.Context(), caller(r), website, in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/websites/%d/alerts/%d", s.origin(r), website, a.ID))
	return writeData(w, http.StatusCreated, recordOfAlert(a))
}

// pathOfWebsite is the website in the path, and what of it is named there.
func pathOfWebsite(r *http.Request, thing string) (website, id int64, err error) {
	if website, err = websiteID(r); err != nil {
		return 0, 0, err
	}
	id, err = pathID(r, thing, thing)
	return website, id, err
}

func (s *Server) updateAlert(w http.ResponseWriter, r *http.Request) error {
	website, id, err := pathOfWebsite(r, "alert")
	if err != nil {
		return err
	}
	in, err := readAlert(w, r)
	if err != nil {
		return err
	}
	a, err := s.accounts.UpdateAlert(r.Context(), caller(r), website, id, in)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfAlert(a))
}

func (s *Server) deleteAlert(w http.ResponseWriter, r *http.Request) error {
	website, id, err := pathOfWebsite(r, "alert")
	if err != nil {
		return err
	}
	if err := s.accounts.DeleteAlert(r.Context(), caller(r), website, id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

package httpapi

import (
	"net/http"

	"footfall/internal/accounts"
)

// webhookRecord is a webhook as the interface shows it. Its secret is in it once, when it was made.
type webhookRecord struct {
	ID        int64  `json:"id"`
	URL       string `json:"url"`
	CreatedAt stamp  `json:"created_at"`
	Secret    string `json:"secret,omitempty"`
}

func recordOfWebhook(h accounts.Webhook) webhookRecord {
	return webhookRecord{ID: h.ID, URL: h.URL, CreatedAt: stamp(h.CreatedAt)}
}

func (s *Server) listWebhooks(w http.ResponseWriter, r *http.Request) error {
	website, err := websiteID(r)
	if err != nil {
		return err
	}
	list, err := s.accounts.Webhooks(r.Context(), caller(r), website)
	if err != nil {
		return err
	}
	records := make([]webhookRecord, len(list))
	for i, h := range list {
		records[i] = recordOfWebhook(h)
	}
	return writeData(w, http.StatusOK, records)
}

func (s *Server) addWebhook(w http.ResponseWriter, r *http.Request) error {
	website, err := websiteID(r)
	if err != nil {
		return err
	}
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	url := f.textOr("url")
	if err := f.err(); err != nil {
		return err
	}
	h, secret, err := s.accounts.AddWebhook(r.Context(), caller(r), website, url)
	if err != nil {
		return err
	}
	record := recordOfWebhook(h)
	record.Secret = secret
	return writeData(w, http.StatusCreated, record)
}

func (s *Server) deleteWebhook(w http.ResponseWriter, r *http.Request) error {
	website, id, err := pathOfWebsite(r, "webhook")
	if err != nil {
		return err
	}
	if err := s.accounts.DeleteWebhook(r.Context(), caller(r), website, id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}

// testWebhook has a message sent soon. The log of deliveries tells how that went.
func (s *Server) testWebhook(w http.ResponseWriter, r *http.Request) error {
	website, id, err := pathOfWebsite(r, "webhook")
	if err != nil {
		return err
	}
	if err := s.limitPing(w, caller(r)); err != nil {
		return err
	}
	d, err := s.accounts.PingWebhook(r.Context(), caller(r), website, id)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusAccepted, struct {
		Delivery string `json:"delivery"`
	}{d.MessageID})
}

// attemptRecord is one to deliver something to a webhook.
type attemptRecord struct {
	ID       int64  `json:"id"`
	Delivery string `json:"delivery"`
	Kind     string `json:"kind"`
	Attempt  int    `json:"attempt"`
	Status   *int64 `json:"status"`
	Error    string `json:"error"`
	Duration int64  `json:"duration_ms"`
	At       stamp  `json:"created_at"`
}

func (s *Server) listAttempts(w http.ResponseWriter, r *http.Request) error {
	website, id, err := pathOfWebsite(r, "webhook")
	if err != nil {
		return err
	}
	list, err := s.accounts.Attempts(r.Context(), caller(r), website, id)
	if err != nil {
		return err
	}
	records := make([]attemptRecord, len(list))
	for i, a := range list {
		records[i] = attemptRecord{
			ID: a.ID, Delivery: a.MessageID, Kind: a.Kind, Attempt: a.Attempt, Status: idOrNull(int64(a.Status)), Error: a.Error,
			Duration: a.Duration.Milliseconds(), At: stamp(a.At),
		}
	}
	return writeData(w, http.StatusOK, records)
}

package httpapi

import (
	"net/http"
	"time"

	"footfall/internal/accounts"
)

// Facts are what an administrator learns of the installation, besides its settings.
type Facts struct {
	Version      string
	Bytes        int64 // of history on disk
	JournalBytes int64
	Events       int64
	NoMail       string // why no email is sent, in a sentence; "" if it is
}

// installationRecord is the installation as the interface shows it.
type installationRecord struct {
	Name               string       `json:"name"`
	DefaultTimezone    string       `json:"default_timezone"`
	Version            string       `json:"version"`
	UptimeSeconds      int64        `json:"uptime_seconds"`
	Data               dataRecord   `json:"data"`
	Health             healthRecord `json:"health"`
	Mail               mailRecord   `json:"mail"`
	Accounts           int64        `json:"accounts"`
	Websites           int64        `json:"websites"`
	UnknownWebsiteHits int64        `json:"unknown_website_hits"`
}

type dataRecord struct {
	Bytes        int64 `json:"bytes"`
	JournalBytes int64 `json:"journal_bytes"`
	Events       int64 `json:"events"`
}

type healthRecord struct {
	Ready   bool     `json:"ready"`
	Reasons []string `json:"reasons"`
}

type mailRecord struct {
	Configured bool   `json:"configured"`
	Why        string `json:"why"`
}

func (s *Server) showInstallation(w http.ResponseWriter, r *http.Request) error {
	record, err := s.recordOfInstallation(r)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, record)
}

func (s *Server) updateInstallation(w http.ResponseWriter, r *http.Request) error {
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := accounts.InstallationInput{Name: f.text("name"), Timezone: f.text("default_timezone")}
	if err := f.err(); err != nil {
		return err
	}
	if _, err := s.accounts.UpdateInstallation(r.Context(), caller(r), in); err != nil {
		return err
	}
	return s.showInstallation(w, r)
}

// recordOfInstallation puts together what is known. That the caller may know it, the count of accounts asks first.
func (s *Server) recordOfInstallation(r *http.Request) (record installationRecord, err error) {
	record.Accounts, record.Websites, err = s.accounts.Count(r.Context(), caller(r))
	if err != nil {
		return record, err
	}
	settings, err := s.accounts.Installation(r.Context())
	if err != nil {
		return record, err
	}
	record.Name, record.DefaultTimezone = settings.Name, settings.Timezone
	if record.UnknownWebsiteHits, err = s.unknownWebsiteHits(r); err != nil {
		return record, err
	}
	facts := s.factsNow()
	record.Version = facts.Version
	record.UptimeSeconds = int64(s.now().Sub(s.began).Seconds())
	record.Data = dataRecord{facts.Bytes, facts.JournalBytes, facts.Events}
	record.Mail = mailOf(facts)
	record.Health = healthRecord{Reasons: []string{}}
	if s.ready != nil {
		record.Health.Reasons = append(record.Health.Reasons, s.ready(r.Context())...)
	}
	record.Health.Ready = len(record.Health.Reasons) == 0
	return record, nil
}

func (s *Server) factsNow() Facts {
	if s.facts == nil {
		return Facts{NoMail: "Nothing is known of it."}
	}
	return s.facts()
}

// mailOf is whether emails are sent, and why not.
func mailOf(f Facts) mailRecord { return mailRecord{f.NoMail == "", f.NoMail} }

// unknownWebsiteHits are the hits of the last 30 days for no website that is known.
func (s *Server) unknownWebsiteHits(r *http.Request) (hits int64, err error) {
	now := s.now().UTC()
	drops, err := s.accounts.UnknownDrops(r.Context(), caller(r), now.AddDate(0, 0, -29).Format(time.DateOnly), now.Format(time.DateOnly))
	for _, d := range drops {
		hits += d.Hits
	}
	return hits, err
}

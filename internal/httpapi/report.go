package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/report"
)

// reportPolicy lets a report look as it does in a mailbox: with styles in it and its picture, and nothing else.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// showReport shows the last report on a website as it would be sent.
func (s *Server) showReport(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuery(r)
	if err != nil {
		return err
	}
	website, err := s.visibleWebsite(r)
	if err != nil {
		return err
	}
	span := report.Week
	if period := q.textOr("period"); period != "" {
		span = report.Span(period)
	}
	if span != report.Week && span != report.Month {
		q.wrong.Add("period", "must be week or month")
	}
	if err := q.err(); err != nil {
		return err
	}
	locale, err := s.locale(r)
	if err != nil {
		return err
	}
	made, err := report.Last(r.Context(), s.store, website, span, s.now())
	if err != nil {
		return err
	}
	letter, err := made.Write(r.Context(), report.Envelope{Base: s.origin(r), Locale: locale})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Security-Policy", reportPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	writeHTML(w, http.StatusOK, []byte(letter.HTML))
	return nil
}

// locale is the language of who looks: that of the account or, if it has none, of the browser.
func (s *Server) locale(r *http.Request) (string, error) {
	if c := onlooker(r).Caller; c != nil {
		a, err := s.accounts.Account(r.Context(), *c)
		if err != nil || a.Locale != "" {
			return a.Locale, err
		}
	}
	return browserLocale(r), nil
}

// browserLocale is the first language that a browser asks for.
func browserLocale(r *http.Request) string {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.ToLower(strings.TrimSpace(first))
}

func writeHTML(w http.ResponseWriter, status int, page []byte) {
	h := w.Header()
	h.Set("Content-Type", pageTypes[".html"])
	h.Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(status)
	w.Write(page) // if it fails there is nobody to tell
}

// subscriptionRecord is what an account gets of a website.
type subscriptionRecord struct {
	Website int64 `json:"website_id"`
	Reports int   `json:"reports"`
	Email   int   `json:"email"`

	Mail mailRecord `json:"mail"`
}

func (s *Server) recordOfSubscription(sub accounts.Subscription) subscriptionRecord {
	return subscriptionRecord{sub.Website, bit(sub.Reports), bit(sub.Email), mailOf(s.factsNow())}
}

func (s *Server) showSubscription(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	sub, err := s.accounts.Subscription(r.Context(), caller(r), id)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, s.recordOfSubscription(sub))
}

func (s *Server) updateSubscription(w http.ResponseWriter, r *http.Request) error {
	id, err := websiteID(r)
	if err != nil {
		return err
	}
	f, err := readFields(w, r)
	if err != nil {
		return err
	}
	in := accounts.SubscriptionInput{Reports: f.text("reports")}
	if err := f.err(); err != nil {
		return err
	}
	sub, err := s.accounts.Subscribe(r.Context(), caller(r), id, in)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, s.recordOfSubscription(sub))
}

// errNoLink is the end of a link that was not signed here, or leads to what is gone.
var errNoLink = errors.New("no such link")

// leaver is whose link it is.
func (s *Server) leaver(r *http.Request) (accounts.Recipient, error) {
	website, account, ok := s.signer.Read(r.PathValue("token"))
	if !ok {
		return accounts.Recipient{}, errNoLink
	}
	to, err := s.accounts.Recipient(r.Context(), website, account)
	if fault.Is(err, fault.NotFound) {
		return accounts.Recipient{}, errNoLink
	}
	return to, err
}

// askToLeave asks whether reports are to end. Programs that follow links change nothing.
func (s *Server) askToLeave(w http.ResponseWriter, r *http.Request) error {
	to, err := s.leaver(r)
	if err != nil {
		return writeLeave(w, r, to, report.Lost, err)
	}
	return writeLeave(w, r, to, report.Asked, nil)
}

// leave ends the reports on a website for an account: a click on the page above, or on the button that mailboxes show.
func (s *Server) leave(w http.ResponseWriter, r *http.Request) error {
	to, err := s.leaver(r)
	if err != nil {
		return writeLeave(w, r, to, report.Lost, err)
	}
	if err := s.accounts.Unsubscribe(r.Context(), to.Website.ID, to.Account.ID); err != nil {
		return err
	}
	return writeLeave(w, r, to, report.Left, nil)
}

// writeLeave shows how far somebody is who leaves.
func writeLeave(w http.ResponseWriter, r *http.Request, to accounts.Recipient, how report.Leaving, err error) error {
	status := http.StatusOK
	switch {
	case errors.Is(err, errNoLink):
		status = http.StatusNotFound
	case err != nil:
		return err
	}
	locale := to.Account.Locale
	if locale == "" {
		locale = browserLocale(r)
	}
	page, err := report.LeavePage(locale, to.Website.Domain, how)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", pagePolicy+"'none'")
	writeHTML(w, status, page)
	return nil
}

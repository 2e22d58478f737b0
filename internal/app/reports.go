package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/mail"
	"footfall/internal/outbox"
	"footfall/internal/report"
)

// mailEvery is how late an email may be.
const mailEvery = 15 * time.Second

// noMail says why no email is sent, in a sentence; "" if it is.
func (c *config) noMail() string {
	switch {
	case c.mail.Host == "":
		return "No mail server is set: see --mail-host."
	case c.mail.From == "":
		return "No sender is set: see --mail-from."
	case c.baseURL == nil:
		return "Emails hold links to this service, and what it is reached at is not set: see --base-url."
	}
	return ""
}

// openReports opens what plans and sends reports. Without mail settings that is nothing.
func (h *house) openReports(ctx context.Context, c *config, node string, log *slog.Logger) error {
	key, err := h.accounts.SigningKey(ctx, report.KeyName)
	if err != nil {
		return err
	}
	h.signer = report.NewSigner(key)
	if h.noMail = c.noMail(); h.noMail != "" {
		return nil
	}
	h.planner = &report.Planner{Accounts: h.accounts, Signer: h.signer, Domain: c.mail.Domain()}
	clerk := &report.Clerk{Accounts: h.accounts, Store: h.engine, Signer: h.signer, From: c.mail.From, Base: c.baseURL.String()}
	h.postman = &outbox.Postman{Box: h.box(report.Kind, report.Patience, node, log), Mail: c.mail, Write: clerk.Write}
	return nil
}

// box is the outbox for those who send deliveries of a kind.
func (h *house) box(kind string, patience time.Duration, node string, log *slog.Logger) outbox.Box {
	return outbox.Box{Accounts: h.accounts, Kind: kind, Node: node, Patience: patience, Log: log}
}

// mailJobs are those of a service that sends email.
func (h *house) mailJobs(log *slog.Logger) []job {
	if h.postman == nil {
		return nil
	}
	return []job{{"plan reports and send them", every(mailEvery, log, aside(func(ctx context.Context) error {
		return errors.Join(h.planner.Plan(ctx), h.postman.Send(ctx))
	}))}}
}

// testMail sends an email, and tells how that went.
func testMail(ctx context.Context, c *config, t *terminal) error {
	if c.mail.Host == "" || c.mail.From == "" {
		return errors.New("set --mail-host and --mail-from first")
	}
	to, err := mail.ParseAddress(c.args[0])
	if err != nil {
		return err
	}
	s, err := mail.Dial(ctx, c.mail)
	if err != nil {
		return err
	}
	defer s.Close()
	text := "This is a test of Footfall's mail settings.\nYou can read it, so they are right.\n"
	if c.baseURL != nil {
		text += "\n" + c.baseURL.String() + "\n"
	}
	m := &mail.Message{
		From: c.mail.From, To: to.Address, Subject: "Footfall can send email", ID: strings.ToLower(rand.Text()) + "@" + c.mail.Domain(), Date: time.Now(),
		Header: []mail.Field{{Name: "Auto-Submitted", Value: "auto-generated"}}, Text: text,
	}
	if err := s.Send(ctx, m, nil); err != nil {
		return err
	}
	if c.baseURL == nil {
		fmt.Fprintln(t.out, "Reports are not sent yet:", c.noMail())
	}
	_, err = fmt.Fprintf(t.out, "%s took an email for %s\n", c.mail.Host, to.Address)
	return err
}

// previewReport writes a report as it would be sent.
func previewReport(ctx context.Context, c *config, t *terminal) error {
	span := report.Week
	switch c.options["period"] {
	case "", "week":
	case "month":
		span = report.Month
	default:
		return fmt.Errorf("--period must be week or month, not %q", c.options["period"])
	}
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		w, err := namedWebsite(ctx, db, c.args[0])
		if err != nil {
			return err
		}
		copied, err := openCopy(ctx, c, t.log)
		if err != nil {
			return err
		}
		defer copied.Close()
		r, err := report.Last(ctx, copied.engine, w, span, time.Now())
		if err != nil {
			return err
		}
		letter, err := r.Write(ctx, report.Envelope{Base: c.base(), Locale: c.options["locale"]})
		if err != nil {
			return err
		}
		if out := c.options["out"]; out != "" && out != "-" {
			return os.WriteFile(out, []byte(letter.HTML), 0o644)
		}
		_, err = fmt.Fprintln(t.out, letter.HTML)
		return err
	})
}

// base is what people reach the service at, as far as the settings say.
func (c *config) base() string {
	if c.baseURL != nil {
		return c.baseURL.String()
	}
	return "http://" + c.listen
}

// namedWebsite finds a website by its domain or its id.
func namedWebsite(ctx context.Context, db *accounts.DB, name string) (accounts.Website, error) {
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		return db.WebsiteByDomain(ctx, name)
	}
	all, err := db.AllWebsites(ctx)
	if err != nil {
		return accounts.Website{}, err
	}
	for _, w := range all {
		if w.ID == id {
			return w, nil
		}
	}
	return accounts.Website{}, accounts.NoWebsite(name)
}

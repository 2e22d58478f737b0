package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/alert"
	"footfall/internal/outbox"
	"footfall/internal/webhook"
)

const (
	watchEvery   = 2 * time.Minute
	courierEvery = 5 * time.Second
	alertEvery   = 15 * time.Second
)

// openAlerts opens what looks at websites, and what tells of them. Without mail settings no email does.
func (h *house) openAlerts(ctx context.Context, c *config, node string, log *slog.Logger) error {
	h.watch = &alert.Watch{Accounts: h.accounts, Store: h.engine, Began: time.Now(), Behind: h.behind(), Log: log}
	h.courier = &outbox.Courier{Box: h.box(accounts.WebhookKind, alert.Patience, node, log), Sender: &webhook.Sender{AllowPrivate: c.webhookPrivate}}
	if h.noMail == "" {
		h.watch.Mail = c.mail.Domain()
		clerk := &alert.Clerk{Accounts: h.accounts, From: c.mail.From, Base: c.baseURL.String()}
		h.alerter = &outbox.Postman{Box: h.box(alert.Kind, alert.Patience, node, log), Mail: c.mail, Write: clerk.Write}
	}
	return h.accounts.ReclaimDeliveries(ctx, node)
}

// behind tells, from one call to the next, whether the store lacks what was accepted before the last one.
func (h *house) behind() func() bool {
	accepted := h.journal.Stats().Next
	return func() bool {
		behind := h.engine.Position() < accepted
		accepted = h.journal.Stats().Next
		return behind
	}
}

// alertJobs are those that look at websites and tell of them.
func (h *house) alertJobs(log *slog.Logger) []job {
	jobs := []job{
		{"look whether websites are as usual", every(watchEvery, log, aside(h.watch.Check))},
		{"tell webhooks", every(courierEvery, log, h.courier.Send)},
	}
	if h.alerter != nil {
		jobs = append(jobs, job{"send alerts", every(alertEvery, log, h.alerter.Send)})
	}
	return jobs
}

func (c *config) setWebhookPrivate(value string) error {
	if value != "no" && value != "yes" {
		return fmt.Errorf("must be yes or no, not %q", value)
	}
	c.webhookPrivate = value == "yes"
	return nil
}

package accounts

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"footfall/internal/fault"
)

// An AlertInput is what was sent of an alert, as it was sent; nil is not sent.
type AlertInput struct {
	Kind        *string
	Sensitivity *string // default normal
	Threshold   *string // default 20
	Hours       *string // default 3
	Email       *string // default 0
	Webhook     *string // default none, which is written as nothing or 0
}

const (
	defaultThreshold, maxThreshold = 20, 1_000_000
	defaultHours, maxHours         = 3, 72
)

// create checks what was sent of a new alert and puts it into a.
func (in AlertInput) create(ctx context.Context, tx *sql.Tx, a *Alert) error {
	a.Sensitivity, a.Threshold, a.Hours = Normal, defaultThreshold, defaultHours
	if in.Kind == nil {
		in.Kind = new("")
	}
	return in.update(ctx, tx, a)
}

// update checks what was sent of an alert and puts it into a.
func (in AlertInput) update(ctx context.Context, tx *sql.Tx, a *Alert) error {
	var f fault.Fields
	if in.Kind != nil {
		a.Kind = choice(&f, "kind", *in.Kind, Above, Below, Silent)
	}
	if in.Sensitivity != nil {
		a.Sensitivity = choice(&f, "sensitivity", *in.Sensitivity, Low, Normal, High)
	}
	if in.Threshold != nil {
		a.Threshold = whole(&f, "threshold", *in.Threshold, maxThreshold)
	}
	if in.Hours != nil {
		a.Hours = whole(&f, "hours", *in.Hours, maxHours)
	}
	if in.Email != nil {
		a.Email = choice(&f, "email", *in.Email, "0", "1") == "1"
	}
	if in.Webhook != nil {
		if err := in.applyWebhook(ctx, tx, &f, a); err != nil {
			return err
		}
	}
	return f.Err()
}

// applyWebhook finds the webhook that was named among those of the website.
func (in AlertInput) applyWebhook(ctx context.Context, tx *sql.Tx, f *fault.Fields, a *Alert) error {
	if a.Webhook = 0; *in.Webhook == "" || *in.Webhook == "0" {
		return nil
	}
	id, err := strconv.ParseInt(*in.Webhook, 10, 64)
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT id FROM webhooks WHERE id = $1 AND website_id = $2`, id, a.Website).Scan(&a.Webhook)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	if err != nil {
		f.Add("webhook_id", "must be that of a webhook of this website, or 0 for none")
	}
	return nil
}

// whole is a number from 1 to the greatest. It notes what is wrong with one that is none.
func whole(f *fault.Fields, field, s string, greatest int64) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > greatest {
		f.Add(field, "must be a whole number from 1 to %d", greatest)
	}
	return n
}

package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/mail"
	"footfall/internal/outbox"
)

// A Clerk writes the emails about alerts that are in the outbox.
type Clerk struct {
	Accounts *accounts.DB
	From     string // the sender
	Base     string // what people reach the service at
}

// Write writes the message of a delivery, unless nobody wants it any more.
func (c *Clerk) Write(ctx context.Context, d accounts.Delivery) (*mail.Message, error) {
	var f Finding
	if err := json.Unmarshal([]byte(d.Payload), &f); err != nil {
		return nil, fmt.Errorf("read delivery %d: %w", d.ID, err)
	}
	a, err := c.Accounts.WatchedAlert(ctx, f.Alert)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, outbox.Unwanted("the alert is gone")
	case err != nil:
		return nil, err
	case !a.Email || a.Account != d.Account:
		return nil, outbox.Unwanted("nobody wants the email any more")
	}
	to, err := outbox.Recipient(ctx, c.Accounts, d)
	if err != nil {
		return nil, err
	}
	if zone, err := time.LoadLocation(a.Timezone); err == nil {
		f.From, f.To = f.From.In(zone), f.To.In(zone)
	}
	l, err := write(f, to.Website, to.Account.Locale, c.Base)
	if err != nil {
		return nil, err
	}
	return &mail.Message{
		From: c.From, To: to.Account.Email, Subject: l.subject, ID: d.MessageID, Date: d.CreatedAt, Text: l.text, HTML: l.html,
		Header: []mail.Field{{Name: "Auto-Submitted", Value: "auto-generated"}},
	}, nil
}

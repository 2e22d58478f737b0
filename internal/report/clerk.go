package report

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/mail"
	"footfall/internal/outbox"
	"footfall/internal/stats"
	"footfall/internal/store"
)

// A Clerk writes the reports that are in the outbox.
type Clerk struct {
	Accounts *accounts.DB
	Store    stats.Querier
	Signer   *Signer
	From     string // the sender
	Base     string // what people reach the service at
}

// Patience is how long it is tried to send a report: a mail server may be away over a long weekend, and after that the next
// report is nearer than the last.
const Patience = 5 * 24 * time.Hour

// Write writes the message of a delivery, unless nobody wants it any more.
func (c *Clerk) Write(ctx context.Context, d accounts.Delivery) (*mail.Message, error) {
	to, err := outbox.Recipient(ctx, c.Accounts, d)
	if err != nil {
		return nil, err
	}
	if !to.Reports {
		return nil, outbox.Unwanted("the account wants no reports any more")
	}
	var t ticket
	if err := json.Unmarshal([]byte(d.Payload), &t); err != nil {
		return nil, fmt.Errorf("read delivery %d: %w", d.ID, err)
	}
	period, err := t.period()
	if err != nil {
		return nil, err
	}
	ctx = store.InBackground(ctx)
	r, err := build(ctx, c.Store, to.Website, t.Span, period)
	if err != nil {
		return nil, err
	}
	store.Breathe(ctx)
	link := c.Base + UnsubscribePath + c.Signer.Token(d.Website, d.Account)
	chart := "chart." + d.MessageID
	letter, err := r.Write(ctx, Envelope{Base: c.Base, Locale: to.Account.Locale, Unsubscribe: link, ChartID: chart})
	if err != nil {
		return nil, err
	}
	return &mail.Message{
		From: c.From, To: to.Account.Email, Subject: letter.Subject, ID: d.MessageID, Date: d.CreatedAt, Text: letter.Text, HTML: letter.HTML,
		Header: []mail.Field{
			{Name: "List-Unsubscribe", Value: "<" + link + ">"}, {Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click"},
			{Name: "Auto-Submitted", Value: "auto-generated"},
		},
		Images: []mail.Image{{ID: chart, Type: "image/png", Name: "visitors.png", Content: letter.Chart}},
	}, nil
}

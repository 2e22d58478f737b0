package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/mail"
	"footfall/internal/stats"
)

// A Postman sends the reports in the outbox. What he has in his hands, no other node has.
//
// A report goes out once. The one moment in which nobody can tell is between the end of the message and the server's reply:
// whoever is killed then sends it again, with the same Message-ID, by which mailboxes know it.
type Postman struct {
	Accounts *accounts.DB
	Store    stats.Querier
	Signer   *Signer
	Mail     mail.Settings
	Base     string // what people reach the service at
	Node     string // by which the outbox knows him
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now

	session  *mail.Session       // open while there is something to send
	unmarked []accounts.Delivery // that the server has, and the outbox does not know it yet
}

const (
	// patience is how long a report is tried: a mail server may be away over a long weekend, and after that the next report
	// is nearer than the last.
	patience = 5 * 24 * time.Hour

	firstPause, longestPause = time.Minute, time.Hour

	markTime = 10 * time.Second
)

// pause is the time until the next attempt.
func pause(attempts int) time.Duration {
	return min(longestPause, firstPause<<min(attempts-1, 20))
}

// Reclaim takes up what this node had in its hands when it ended last.
func (p *Postman) Reclaim(ctx context.Context) error {
	return p.Accounts.ReclaimDeliveries(ctx, p.Node)
}

// Send sends all that is due. If the server cannot be reached it returns, and the next call tries the next report.
func (p *Postman) Send(ctx context.Context) error {
	defer p.hangUp()
	for ctx.Err() == nil {
		if err := p.mark(ctx); err != nil {
			return err
		}
		d, ok, err := p.Accounts.TakeDelivery(ctx, Kind, p.Node)
		if err != nil || !ok {
			return err
		}
		if err := p.deliver(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (p *Postman) hangUp() {
	if p.session != nil {
		p.session.Close()
		p.session = nil
	}
}

// mark tells the outbox what the server has. It goes on when the service is about to stop.
func (p *Postman) mark(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	defer cancel()
	for len(p.unmarked) > 0 {
		err := p.Accounts.EndDelivery(ctx, p.unmarked[0], accounts.Sent, "")
		if err != nil && !fault.Is(err, fault.Conflict) { // then another node has taken it meanwhile
			return err
		}
		p.unmarked = p.unmarked[1:]
	}
	return nil
}

// deliver sends one report, and puts it back if that did not work. Its error is one that the next report would have too.
func (p *Postman) deliver(ctx context.Context, d accounts.Delivery) error {
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	if now().Sub(d.CreatedAt) > patience {
		return p.Accounts.EndDelivery(ctx, d, accounts.Failed, "it could not be sent for too long: "+d.LastError)
	}
	m, why, err := p.compose(ctx, d)
	switch {
	case why != "":
		return p.Accounts.EndDelivery(ctx, d, accounts.Dropped, why)
	case err != nil:
		return errors.Join(err, p.putBack(ctx, d, now(), err))
	}
	if err := p.call(ctx); err != nil {
		return errors.Join(err, p.putBack(ctx, d, now(), err))
	}
	err = p.session.Send(ctx, m, func() error { return p.Accounts.HandOver(context.WithoutCancel(ctx), d) })
	var refused *mail.Refusal
	switch {
	case err == nil:
		p.unmarked = append(p.unmarked, d)
		return p.mark(ctx)
	case errors.As(err, &refused):
		p.Log.Warn("the mail server refuses a report", "delivery", d.ID, "error", err)
		return p.Accounts.EndDelivery(ctx, d, accounts.Failed, err.Error())
	case mail.IsReply(err):
		p.Log.Warn("the mail server does not take a report now", "delivery", d.ID, "error", err)
		return p.putBack(ctx, d, now(), err)
	case fault.Is(err, fault.Conflict):
		p.hangUp()
		p.Log.Warn("another node has taken over a report", "delivery", d.ID)
		return nil
	}
	p.hangUp()
	return errors.Join(fmt.Errorf("send report %d: %w", d.ID, err), p.putBack(ctx, d, now(), err))
}

// call connects to the server, if that has not been done.
func (p *Postman) call(ctx context.Context) (err error) {
	if p.session != nil {
		return nil
	}
	session, err := mail.Dial(ctx, p.Mail)
	if err != nil {
		return err
	}
	p.session = session
	return nil
}

func (p *Postman) putBack(ctx context.Context, d accounts.Delivery, now time.Time, why error) error {
	at := now.Add(pause(d.Attempts))
	if ctx.Err() != nil { // not its fault: the service is about to stop
		at = now
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	defer cancel()
	return p.Accounts.PutBack(ctx, d, at, why.Error())
}

// compose writes the message. If nobody wants it any more, why says so.
func (p *Postman) compose(ctx context.Context, d accounts.Delivery) (m *mail.Message, why string, err error) {
	to, err := p.Accounts.Recipient(ctx, d.Website, d.Account)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, "the account does not see the website any more", nil
	case err != nil:
		return nil, "", err
	case !to.Reports:
		return nil, "the account wants no reports any more", nil
	}
	if _, err := mail.ParseAddress(to.Account.Email); err != nil {
		return nil, err.Error(), nil
	}
	var t ticket
	if err := json.Unmarshal([]byte(d.Payload), &t); err != nil {
		return nil, "", fmt.Errorf("read delivery %d: %w", d.ID, err)
	}
	period, err := t.period()
	if err != nil {
		return nil, "", err
	}
	r, err := build(ctx, p.Store, to.Website, t.Span, period)
	if err != nil {
		return nil, "", err
	}
	link := p.Base + UnsubscribePath + p.Signer.Token(d.Website, d.Account)
	chart := "chart." + d.MessageID
	letter, err := r.Write(Envelope{Base: p.Base, Locale: to.Account.Locale, Unsubscribe: link, ChartID: chart})
	if err != nil {
		return nil, "", err
	}
	return &mail.Message{
		From: p.Mail.From, To: to.Account.Email, Subject: letter.Subject, ID: d.MessageID, Date: d.CreatedAt, Text: letter.Text, HTML: letter.HTML,
		Header: []mail.Field{
			{Name: "List-Unsubscribe", Value: "<" + link + ">"}, {Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click"},
			{Name: "Auto-Submitted", Value: "auto-generated"},
		},
		Images: []mail.Image{{ID: chart, Type: "image/png", Name: "visitors.png", Content: letter.Chart}},
	}, "", nil
}

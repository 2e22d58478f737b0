package alert

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
)

// A Postman sends the emails about alerts that are in the outbox. What he has in his hands, no other node has.
type Postman struct {
	Accounts *accounts.DB
	Mail     mail.Settings
	Base     string // what people reach the service at
	Node     string // by which the outbox knows him
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now

	session *mail.Session // open while there is something to send
}

const (
	firstPause, longestPause = time.Minute, time.Hour

	markTime = 10 * time.Second // to tell the outbox, also when the service is about to stop
)

// pause is the time until the next attempt.
func pause(attempts int) time.Duration {
	return min(longestPause, firstPause<<min(max(attempts, 1)-1, 20))
}

// Send sends all that is due. If the server cannot be reached it returns, and the next call tries the next email.
func (p *Postman) Send(ctx context.Context) error {
	defer p.hangUp()
	for ctx.Err() == nil {
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

// deliver sends one email, and puts it back if that did not work. Its error is one that the next email would have too.
func (p *Postman) deliver(ctx context.Context, d accounts.Delivery) error {
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	out := outbox{p.Accounts, d, now()}
	if now().Sub(d.CreatedAt) > patience {
		return out.end(ctx, accounts.Failed, "it could not be sent for too long: "+d.LastError)
	}
	m, why, err := p.compose(ctx, d)
	switch {
	case why != "":
		return out.end(ctx, accounts.Dropped, why)
	case err != nil:
		return errors.Join(err, out.putBack(ctx, err.Error()))
	}
	err = p.send(ctx, m, d)
	var refused *mail.Refusal
	switch {
	case err == nil:
		return out.end(ctx, accounts.Sent, "")
	case errors.As(err, &refused):
		p.Log.Warn("the mail server refuses an alert", "delivery", d.ID, "error", err)
		return out.end(ctx, accounts.Failed, err.Error())
	case fault.Is(err, fault.Conflict):
		p.hangUp()
		return nil // another node has taken it meanwhile
	}
	p.hangUp()
	return errors.Join(fmt.Errorf("send alert %d: %w", d.ID, err), out.putBack(ctx, err.Error()))
}

// send hands a message to the server.
func (p *Postman) send(ctx context.Context, m *mail.Message, d accounts.Delivery) (err error) {
	if p.session == nil {
		if p.session, err = mail.Dial(ctx, p.Mail); err != nil {
			p.session = nil
			return err
		}
	}
	return p.session.Send(ctx, m, func() error { return p.Accounts.HandOver(context.WithoutCancel(ctx), d) })
}

// compose writes the message. If nobody wants it any more, why says so.
func (p *Postman) compose(ctx context.Context, d accounts.Delivery) (m *mail.Message, why string, err error) {
	var f Finding
	if err := json.Unmarshal([]byte(d.Payload), &f); err != nil {
		return nil, "", fmt.Errorf("read delivery %d: %w", d.ID, err)
	}
	a, err := p.Accounts.WatchedAlert(ctx, f.Alert)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, "the alert is gone", nil
	case err != nil:
		return nil, "", err
	case !a.Email || a.Account != d.Account:
		return nil, "nobody wants the email any more", nil
	}
	to, err := p.Accounts.Recipient(ctx, d.Website, d.Account)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, "the account does not see the website any more", nil
	case err != nil:
		return nil, "", err
	}
	if _, err := mail.ParseAddress(to.Account.Email); err != nil {
		return nil, err.Error(), nil
	}
	if zone, err := time.LoadLocation(a.Timezone); err == nil {
		f.From, f.To = f.From.In(zone), f.To.In(zone)
	}
	l, err := write(f, to.Website, to.Account.Locale, p.Base)
	if err != nil {
		return nil, "", err
	}
	return &mail.Message{
		From: p.Mail.From, To: to.Account.Email, Subject: l.subject, ID: d.MessageID, Date: d.CreatedAt, Text: l.text, HTML: l.html,
		Header: []mail.Field{{Name: "Auto-Submitted", Value: "auto-generated"}},
	}, "", nil
}

// An outbox is where a delivery goes back to.
type outbox struct {
	accounts *accounts.DB
	d        accounts.Delivery
	now      time.Time
}

// putBack returns what was not sent.
func (o outbox) putBack(ctx context.Context, why string) error {
	at := o.now.Add(pause(o.d.Attempts))
	if ctx.Err() != nil { // not its fault: the service is about to stop
		at = o.now
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	defer cancel()
	return o.settled(o.accounts.PutBack(ctx, o.d, at, why))
}

// end notes what became of it.
func (o outbox) end(ctx context.Context, as accounts.DeliveryState, why string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	defer cancel()
	return o.settled(o.accounts.EndDelivery(ctx, o.d, as, why))
}

// settled lets go of what another node has taken meanwhile.
func (o outbox) settled(err error) error {
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

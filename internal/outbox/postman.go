package outbox

import (
	"context"
	"errors"
	"fmt"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/mail"
)

// A Postman sends the emails of one kind.
//
// An email goes out once. The one moment in which nobody can tell is between the end of the message and the server's reply:
// whoever is killed then sends it again, with the same Message-ID, by which mailboxes know it.
type Postman struct {
	Box
	Mail  mail.Settings
	Write func(context.Context, accounts.Delivery) (*mail.Message, error) // of a delivery; Unwanted if nobody wants it any more

	session *mail.Session // open while there is something to send
}

// Unwanted says why nobody wants a delivery any more.
type Unwanted string

func (u Unwanted) Error() string { return string(u) }

// Send sends all that is due. If the server cannot be reached it returns, and the next call tries the next email.
func (p *Postman) Send(ctx context.Context) error {
	defer p.hangUp()
	return p.each(ctx, p.deliver)
}

func (p *Postman) hangUp() {
	if p.session != nil {
		p.session.Close()
		p.session = nil
	}
}

// deliver sends one email, and puts it back if that did not work.
func (p *Postman) deliver(ctx context.Context, d accounts.Delivery) error {
	m, err := p.Write(ctx, d)
	var unwanted Unwanted
	switch {
	case errors.As(err, &unwanted):
		return p.end(ctx, d, accounts.Dropped, unwanted.Error())
	case err != nil:
		return p.later(ctx, d, "an email cannot be written now", err)
	}
	if err := p.call(ctx); err != nil {
		return errors.Join(err, p.putBack(ctx, d, err.Error()))
	}
	err = p.session.Send(ctx, m, func() error { return p.handOver(ctx, d) })
	var refused *mail.Refusal
	switch {
	case err == nil:
		return p.sent(ctx, d)
	case errors.As(err, &refused):
		p.Log.Warn("the mail server refuses an email", "kind", d.Kind, "delivery", d.ID, "error", err)
		return p.end(ctx, d, accounts.Failed, err.Error())
	case mail.IsReply(err):
		return p.later(ctx, d, "the mail server does not take an email now", err)
	}
	p.hangUp()
	if fault.Is(err, fault.Conflict) {
		p.Log.Warn("another node has taken over an email", "kind", d.Kind, "delivery", d.ID)
		return nil
	}
	return errors.Join(fmt.Errorf("send %s %d: %w", d.Kind, d.ID, err), p.putBack(ctx, d, err.Error()))
}

// later puts an email back for a reason that the next one need not have.
func (p *Postman) later(ctx context.Context, d accounts.Delivery, what string, why error) error {
	if ctx.Err() == nil {
		p.Log.Warn(what, "kind", d.Kind, "delivery", d.ID, "error", why)
	}
	return p.putBack(ctx, d, why.Error())
}

// call connects to the server, if that has not been done.
func (p *Postman) call(ctx context.Context) error {
	if p.session != nil {
		return nil
	}
	session, err := mail.Dial(ctx, p.Mail)
	if err == nil {
		p.session = session
	}
	return err
}

// Recipient is whom an email is for, with the website that it is about. It is Unwanted if they see the website no more, or have no
// address that a mail server takes.
func Recipient(ctx context.Context, db *accounts.DB, d accounts.Delivery) (accounts.Recipient, error) {
	to, err := db.Recipient(ctx, d.Website, d.Account)
	if fault.Is(err, fault.NotFound) {
		return to, Unwanted("the account does not see the website any more")
	}
	if err != nil {
		return to, err
	}
	if _, err := mail.ParseAddress(to.Account.Email); err != nil {
		return to, Unwanted(err.Error())
	}
	return to, nil
}

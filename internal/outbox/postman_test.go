package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/mail"
	"footfall/internal/mail/mailtest"
	"footfall/internal/outbox"
)

// letters puts emails into the outbox, each to the address that it is named after.
func (r *rig) letters(to ...string) {
	r.t.Helper()
	for i, address := range to {
		d := accounts.Delivery{Kind: "letter", Name: fmt.Sprint(i, address), Payload: address, MessageID: fmt.Sprintf("%d@example.com", i)}
		must(r.t, r.DB.AddDelivery(r.t.Context(), d))
	}
}

// postman writes to nobody whose name is gone, and cannot write to those who are odd.
func (r *rig) postman(s *mailtest.Server) *outbox.Postman {
	return &outbox.Postman{
		Box:  r.box("letter"),
		Mail: mail.Settings{Host: s.Host, Port: s.Port, Security: mail.None, From: "stats@example.com", Timeout: 10 * time.Second},
		Write: func(_ context.Context, d accounts.Delivery) (*mail.Message, error) {
			switch {
			case strings.HasPrefix(d.Payload, "gone"):
				return nil, outbox.Unwanted("they are gone")
			case strings.HasPrefix(d.Payload, "odd"):
				return nil, errors.New("it cannot be written")
			}
			return &mail.Message{From: "stats@example.com", To: d.Payload, Subject: "A letter", ID: d.MessageID, Date: d.CreatedAt, Text: "Hello\n"}, nil
		},
	}
}

// became is what became of the letters, in their order.
func (r *rig) became() (all []accounts.DeliveryState) {
	r.t.Helper()
	list, err := r.DB.Deliveries(r.t.Context(), "letter", 100)
	must(r.t, err)
	for _, d := range slices.Backward(list) {
		all = append(all, d.State)
	}
	return all
}

// Whatever is wrong with one email, the others go out at once and over the same connection.
func TestNoEmailHoldsUpAnother(t *testing.T) {
	server := mailtest.Start(t, mailtest.Options{Recipient: func(to string) error {
		switch to {
		case "later@example.com":
			return mailtest.Later
		case "never@example.com":
			return mailtest.Never
		}
		return nil
	}})
	r := newRig(t)
	r.letters("odd@example.com", "anna@example.com", "later@example.com", "never@example.com", "gone@example.com", "ben@example.com")
	must(t, r.postman(server).Send(t.Context()))
	want := []accounts.DeliveryState{accounts.Waiting, accounts.Sent, accounts.Waiting, accounts.Failed, accounts.Dropped, accounts.Sent}
	if got := r.became(); !slices.Equal(got, want) || len(server.Mails()) != 2 || server.Connections() != 1 {
		t.Errorf("they became %v, over %d connections", got, server.Connections())
	}
}

// A server that has had enough says goodbye. What it did not take goes out with the next connection.
func TestEmailsGoOnAfterGoodbye(t *testing.T) {
	asked := 0
	server := mailtest.Start(t, mailtest.Options{Recipient: func(string) error {
		if asked++; asked == 2 {
			return mailtest.Goodbye
		}
		return nil
	}})
	r := newRig(t)
	r.letters("anna@example.com", "ben@example.com", "carl@example.com")
	postman := r.postman(server)
	if err := postman.Send(t.Context()); err == nil {
		t.Error("that the server does not go on is no error")
	}
	must(t, postman.Send(t.Context()))
	r.Pass(time.Minute)
	must(t, postman.Send(t.Context()))
	if got := r.became(); slices.ContainsFunc(got, func(s accounts.DeliveryState) bool { return s != accounts.Sent }) || len(server.Mails()) != 3 {
		t.Errorf("they became %v", got)
	}
}

// Patience ends also while nothing is sent: in a service that is down, or without mail settings.
func TestEmailOfLongAgoIsNotSent(t *testing.T) {
	server := mailtest.Start(t, mailtest.Options{})
	r := newRig(t)
	r.letters("anna@example.com")
	r.Pass(24*time.Hour + time.Second)
	must(t, r.postman(server).Send(t.Context()))
	if got := r.became(); got[0] != accounts.Failed || len(server.Mails()) != 0 {
		t.Errorf("it became %v", got)
	}
}

// A service that stops puts back what it could not send, for the next one to send at once.
func TestEmailIsPutBackWhenTheServiceStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	server := mailtest.Start(t, mailtest.Options{Recipient: func(string) error {
		stop()
		return mailtest.Later
	}})
	r := newRig(t)
	r.letters("anna@example.com", "ben@example.com")
	must(t, r.postman(server).Send(ctx))
	must(t, r.postman(mailtest.Start(t, mailtest.Options{})).Send(t.Context()))
	if got := r.became(); !slices.Equal(got, []accounts.DeliveryState{accounts.Sent, accounts.Sent}) {
		t.Errorf("they became %v", got)
	}
}

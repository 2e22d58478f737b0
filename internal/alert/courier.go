package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/webhook"
)

// A Courier takes what is in the outbox to webhooks. A message may arrive twice, if he is killed on the way; it has the same id
// then.
type Courier struct {
	Accounts *accounts.DB
	Sender   *webhook.Sender
	Node     string // by which the outbox knows him
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now
}

// atOnce is how many messages are on the way, so that one that nobody answers does not keep the others waiting.
const atOnce = 8

// Send sends all that is due.
func (c *Courier) Send(ctx context.Context) error {
	var g errgroup.Group
	for range atOnce {
		g.Go(func() error { return c.work(ctx) })
	}
	return g.Wait()
}

func (c *Courier) work(ctx context.Context) error {
	for ctx.Err() == nil {
		d, ok, err := c.Accounts.TakeDelivery(ctx, accounts.WebhookKind, c.Node)
		if err != nil || !ok {
			return err
		}
		if err := c.deliver(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// deliver takes one message to its webhook, and puts it back if it did not take it.
func (c *Courier) deliver(ctx context.Context, d accounts.Delivery) error {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	out := outbox{c.Accounts, d, now()}
	var p accounts.Posting
	if err := json.Unmarshal([]byte(d.Payload), &p); err != nil {
		return out.end(ctx, accounts.Failed, "it cannot be read")
	}
	url, secret, err := c.Accounts.WebhookTarget(ctx, p.Webhook)
	if fault.Is(err, fault.NotFound) {
		return out.end(ctx, accounts.Dropped, "the webhook is gone")
	}
	if err != nil {
		return err
	}
	body, err := message(d, p)
	if err != nil {
		return out.end(ctx, accounts.Failed, "it cannot be read")
	}
	if err := c.Accounts.HandOver(ctx, d); err != nil {
		return out.settled(err)
	}
	result := c.Sender.Send(ctx, webhook.Message{URL: url, Secret: secret, ID: d.MessageID, Kind: p.Kind, Body: body})
	if ctx.Err() != nil && result.Error != "" {
		return out.putBack(ctx, result.Error)
	}
	out.now = now()
	return c.conclude(ctx, out, p, result)
}

// conclude notes how an attempt went.
func (c *Courier) conclude(ctx context.Context, out outbox, p accounts.Posting, r webhook.Result) error {
	d := out.d
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTime)
	defer cancel()
	err := c.Accounts.LogAttempt(ctx, p.Webhook, accounts.Attempt{
		MessageID: d.MessageID, Kind: p.Kind, Attempt: d.Attempts, Status: r.Status, Error: r.Error, Duration: r.Duration,
	})
	if err != nil { // the message comes first
		c.Log.Error("an attempt is not in the log", "delivery", d.ID, "error", err)
	}
	switch {
	case r.Error == "":
		return out.end(ctx, accounts.Sent, "")
	case out.now.Add(pause(d.Attempts)).Sub(d.CreatedAt) > patience:
		c.Log.Warn("a webhook is given up", "webhook", p.Webhook, "delivery", d.ID, "reason", r.Error)
		return out.end(ctx, accounts.Failed, r.Error)
	}
	return out.putBack(ctx, r.Error)
}

// message is the body of a message: what is told, with its id, its kind and its time.
func message(d accounts.Delivery, p accounts.Posting) ([]byte, error) {
	all := make(map[string]json.RawMessage)
	if err := json.Unmarshal(p.Body, &all); err != nil {
		return nil, fmt.Errorf("read delivery %d: %w", d.ID, err)
	}
	for name, text := range map[string]string{"id": d.MessageID, "kind": p.Kind, "created_at": d.CreatedAt.UTC().Format(time.RFC3339)} {
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		all[name] = quoted
	}
	return json.Marshal(all)
}

package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"footfall/internal/accounts"
	"footfall/internal/fault"
	"footfall/internal/webhook"
)

// A Courier takes messages to webhooks. One may arrive twice, if he is killed on the way; it has the same id then.
type Courier struct {
	Box    // of the kind accounts.WebhookKind
	Sender *webhook.Sender
}

// atOnce is how many messages are on the way, so that one that nobody answers does not keep the others waiting.
const atOnce = 8

// Send sends all that is due.
func (c *Courier) Send(ctx context.Context) error {
	var g errgroup.Group
	for range atOnce {
		g.Go(func() error { return c.each(ctx, c.deliver) })
	}
	return g.Wait()
}

// deliver takes one message to its webhook, and puts it back if it did not take it.
func (c *Courier) deliver(ctx context.Context, d accounts.Delivery) error {
	var p accounts.Posting
	if err := json.Unmarshal([]byte(d.Payload), &p); err != nil {
		return c.end(ctx, d, accounts.Failed, "it cannot be read")
	}
	body, err := message(d, p)
	if err != nil {
		return c.end(ctx, d, accounts.Failed, "it cannot be read")
	}
	url, secret, err := c.Accounts.WebhookTarget(ctx, p.Webhook)
	if fault.Is(err, fault.NotFound) {
		return c.end(ctx, d, accounts.Dropped, "the webhook is gone")
	}
	if err != nil {
		return err
	}
	if err := c.handOver(ctx, d); fault.Is(err, fault.Conflict) {
		return nil // another node has taken it meanwhile
	} else if err != nil {
		return err
	}
	r := c.Sender.Send(ctx, webhook.Message{URL: url, Secret: secret, ID: d.MessageID, Kind: p.Kind, Body: body})
	if r.Error == "" || ctx.Err() == nil { // else it was us who broke off
		c.log(ctx, d, p, r)
	}
	if r.Error == "" {
		return c.sent(ctx, d)
	}
	return c.putBack(ctx, d, r.Error)
}

// log notes an attempt where the people who set the webhook can read it. The message comes first: it is not held up.
func (c *Courier) log(ctx context.Context, d accounts.Delivery, p accounts.Posting, r webhook.Result) {
	err := c.note(ctx, func(ctx context.Context) error {
		return c.Accounts.LogAttempt(ctx, p.Webhook, accounts.Attempt{
			MessageID: d.MessageID, Kind: p.Kind, Attempt: d.Attempts, Status: r.Status, Error: r.Error, Duration: r.Duration,
		})
	})
	if err != nil {
		c.Log.Error("an attempt is not in the log", "delivery", d.ID, "error", err)
	}
}

// message is the body of a message: what is told, with its id, its kind and its time.
func message(d accounts.Delivery, p accounts.Posting) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(p.Body, &all); err != nil || all == nil {
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

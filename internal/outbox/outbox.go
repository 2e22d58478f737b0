// Package outbox takes what waits in the outbox of the accounts database to where it goes: the Postman takes emails to the
// mail server, and the Courier messages to webhooks.
//
// The one thing to know: a delivery is in the hands of one node at a time, and the database knows of each step before the next
// is made (accounts.Delivery). So whoever is killed on the way is followed by another, and what was sent is not sent again.
package outbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// A Box is the outbox as somebody sees it who sends deliveries of one kind.
type Box struct {
	Accounts *accounts.DB
	Kind     string
	Node     string        // by which the database knows who has a delivery
	Patience time.Duration // how long it is tried to send one, from when it was put in
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now

	mu       sync.Mutex
	unmarked []accounts.Delivery // that the other side has, and the database does not know it yet
}

const (
	firstPause, longestPause = time.Minute, time.Hour

	// noteTime is how long the database may take to note a step, also when the service is about to stop.
	noteTime = 5 * time.Second
)

// pause is the time until the next attempt: it doubles.
func pause(attempts int) time.Duration {
	return min(longestPause, firstPause<<min(max(attempts, 1)-1, 20))
}

func (b *Box) now() time.Time {
	if b.Now == nil {
		return time.Now()
	}
	return b.Now()
}

// each takes the deliveries that are due, one after the other, until none is, or one has an error: one that the next would
// have too.
func (b *Box) each(ctx context.Context, deliver func(context.Context, accounts.Delivery) error) error {
	for ctx.Err() == nil {
		if err := b.mark(ctx); err != nil {
			return err
		}
		d, ok, err := b.Accounts.TakeDelivery(ctx, b.Kind, b.Node)
		if err != nil || !ok {
			return err
		}
		if b.now().Sub(d.CreatedAt) > b.Patience {
			err = b.giveUp(ctx, d, d.LastError)
		} else {
			err = deliver(ctx, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// handOver notes that the other side may have a delivery from now on. With an error it must not get it.
func (b *Box) handOver(ctx context.Context, d accounts.Delivery) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return b.Accounts.HandOver(ctx, d)
}

// sent notes that the other side has a delivery. What the database could not note is made up for before another is taken.
func (b *Box) sent(ctx context.Context, d accounts.Delivery) error {
	b.mu.Lock()
	b.unmarked = append(b.unmarked, d)
	b.mu.Unlock()
	return b.mark(ctx)
}

func (b *Box) mark(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.unmarked) > 0 {
		if err := b.end(ctx, b.unmarked[0], accounts.Sent, ""); err != nil {
			return err
		}
		b.unmarked = b.unmarked[1:]
	}
	return nil
}

// end notes what became of a delivery.
func (b *Box) end(ctx context.Context, d accounts.Delivery, as accounts.DeliveryState, why string) error {
	return b.note(ctx, func(ctx context.Context) error { return b.Accounts.EndDelivery(ctx, d, as, why) })
}

// giveUp ends a delivery that was tried for long enough.
func (b *Box) giveUp(ctx context.Context, d accounts.Delivery, why string) error {
	b.Log.Warn("a delivery is given up", "kind", d.Kind, "delivery", d.ID, "reason", why)
	return b.end(ctx, d, accounts.Failed, "it could not be sent for too long: "+why)
}

// putBack returns a delivery that was not sent, to be tried again later. If the service is about to stop that is not its fault,
// and it is as soon as may be.
func (b *Box) putBack(ctx context.Context, d accounts.Delivery, why string) error {
	at := b.now()
	if ctx.Err() == nil {
		at = at.Add(pause(d.Attempts))
	}
	if at.Sub(d.CreatedAt) > b.Patience {
		return b.giveUp(ctx, d, why)
	}
	return b.note(ctx, func(ctx context.Context) error { return b.Accounts.PutBack(ctx, d, at, why) })
}

// note tells the database something of a delivery. What another node has taken meanwhile is that node's.
func (b *Box) note(ctx context.Context, tell func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if err := tell(ctx); !fault.Is(err, fault.Conflict) {
		return err
	}
	return nil
}

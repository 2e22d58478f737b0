package accounts

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode"

	"footfall/internal/fault"
)

// A Delivery is something to be sent, or that was. The outbox keeps it until long after it is, so that it is sent once:
// whoever sends it takes it (TakeDelivery), says so right before the other side can have it (HandOver), and right after
// (EndDelivery). One that was taken and not ended is taken again when its lease is over, by any node.
type Delivery struct {
	ID        int64
	Kind      string // who sends it: "report"
	Name      string // what it is; a kind has a name once
	Series    string // a new delivery takes the place of those of its series that wait; "" is no series
	Website   int64  // whose end is that of the delivery too; 0 is none
	Account   int64  // likewise
	Payload   string // to build it from
	MessageID string // the same for every attempt
	State     DeliveryState
	Attempts  int // with the one that goes on
	NextAt    time.Time
	LastError string
	CreatedAt time.Time
	EndedAt   time.Time

	node string
}

// A DeliveryState is how far a delivery is.
type DeliveryState string

// The states. A delivery that is one of the last three has ended.
const (
	Waiting DeliveryState = "waiting" // until NextAt
	Sending DeliveryState = "sending" // somebody has it, and the other side has not
	Handing DeliveryState = "handing" // the other side may have it
	Sent    DeliveryState = "sent"
	Failed  DeliveryState = "failed"  // LastError says why
	Dropped DeliveryState = "dropped" // nobody wants it any more
)

const (
	// DeliveryLease is how long a delivery belongs to the node that took it, and again from HandOver on.
	DeliveryLease = 5 * time.Minute

	deliveryLife = 90 * 24 * time.Hour // of one that has ended
	maxErrorText = 500
)

const deliveryColumns = `id, kind, name, series, COALESCE(website_id, 0), COALESCE(account_id, 0), payload, message_id, state, attempts,
	next_at, last_error, created_at, ended_at, node`

func scanDelivery(row scanner) (Delivery, error) {
	var d Delivery
	err := row.Scan(&d.ID, &d.Kind, &d.Name, &d.Series, &d.Website, &d.Account, &d.Payload, &d.MessageID, &d.State, &d.Attempts,
		stamp{&d.NextAt}, &d.LastError, stamp{&d.CreatedAt}, stamp{&d.EndedAt}, &d.node)
	return d, err
}

// AddDelivery puts one into the outbox, to be sent as soon as may be. If there was one of this kind and name ever, nothing
// happens.
func (db *DB) AddDelivery(ctx context.Context, d Delivery) error {
	return db.change(ctx, "add a delivery", func(tx *sql.Tx) error { return db.insertDelivery(ctx, tx, d) })
}

func (db *DB) insertDelivery(ctx context.Context, tx *sql.Tx, d Delivery) error {
	now := millis(db.clock())
	var id int64
	err := tx.QueryRowContext(ctx, `INSERT INTO outbox (kind, name, series, website_id, account_id, payload, message_id,
			state, attempts, next_at, node, last_error, created_at, ended_at)
		VALUES ($1, $2, $3, NULLIF(CAST($4 AS BIGINT), 0), NULLIF(CAST($5 AS BIGINT), 0), $6, $7, 'waiting', 0, $8, '', '', $8, 0)
		ON CONFLICT (kind, name) DO NOTHING RETURNING id`,
		d.Kind, d.Name, d.Series, d.Website, d.Account, d.Payload, d.MessageID, now).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil || d.Series == "" {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', last_error = 'a newer one took its place', ended_at = $3
		WHERE kind = $1 AND series = $2 AND state = 'waiting' AND id < $4`, d.Kind, d.Series, now, id)
	return err
}

// dueDelivery tells of a row whether it is to be sent now ($2), by a node that knows its kind ($1).
const dueDelivery = `kind = $1 AND state IN ('waiting', 'sending', 'handing') AND next_at <= $2`

// TakeDelivery takes the delivery of a kind that has waited longest, for a node. There is none if ok is false. Nobody else
// has it until its lease is over.
func (db *DB) TakeDelivery(ctx context.Context, kind, node string) (d Delivery, ok bool, err error) {
	const doing = "take a delivery"
	for {
		now := db.clock()
		var id int64
		err := db.read.QueryRowContext(ctx, `SELECT id FROM outbox WHERE `+dueDelivery+` ORDER BY next_at, id LIMIT 1`, kind, millis(now)).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return Delivery{}, false, nil
		}
		if err != nil {
			return Delivery{}, false, db.trouble(doing, err)
		}
		err = db.change(ctx, doing, func(tx *sql.Tx) (err error) {
			d, err = scanDelivery(tx.QueryRowContext(ctx, `UPDATE outbox SET state = 'sending', attempts = attempts + 1, node = $3, next_at = $4
				WHERE `+dueDelivery+` AND id = $5 RETURNING `+deliveryColumns, kind, millis(now), node, millis(now.Add(DeliveryLease)), id))
			return err
		})
		if !errors.Is(err, sql.ErrNoRows) { // else another node was faster
			return d, err == nil, err
		}
	}
}

// held tells of a row whether it is in the hands of who took it ($1 to $3).
const held = `id = $1 AND node = $2 AND attempts = $3 AND state IN ('sending', 'handing')`

// settle changes a delivery that somebody took. It is a fault if it is not theirs any more.
func (db *DB) settle(ctx context.Context, doing string, d Delivery, set string, args ...any) error {
	return db.change(ctx, doing, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE outbox SET `+set+` WHERE `+held, append([]any{d.ID, d.node, d.Attempts}, args...)...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return fault.New(fault.Conflict, "delivery %d is not in these hands any more", d.ID)
	})
}

// HandOver notes that the other side may have the delivery from now on. Who gets a fault must not hand it over.
func (db *DB) HandOver(ctx context.Context, d Delivery) error {
	return db.settle(ctx, "hand over a delivery", d, `state = 'handing', next_at = $4`, millis(db.clock().Add(DeliveryLease)))
}

// PutBack returns a delivery that was not sent, to be tried again at a time.
func (db *DB) PutBack(ctx context.Context, d Delivery, at time.Time, why string) error {
	return db.settle(ctx, "put back a delivery", d, `state = 'waiting', node = '', next_at = $4, last_error = $5`, millis(at), errorText(why))
}

// EndDelivery notes what became of a delivery: Sent, Failed or Dropped.
func (db *DB) EndDelivery(ctx context.Context, d Delivery, as DeliveryState, why string) error {
	return db.settle(ctx, "end a delivery", d, `state = $4, node = '', last_error = $5, ended_at = $6`, string(as), errorText(why), millis(db.clock()))
}

// errorText is an error as the database keeps it: on one line, and not too long.
func errorText(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if runes := []rune(s); len(runes) > maxErrorText {
		s = string(runes[:maxErrorText])
	}
	return s
}

// ReclaimDeliveries ends the leases of a node that has just begun, and so has nothing in its hands.
func (db *DB) ReclaimDeliveries(ctx context.Context, node string) error {
	return db.change(ctx, "reclaim deliveries", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE outbox SET next_at = $2 WHERE node = $1 AND state IN ('sending', 'handing')`, node, millis(db.clock()))
		return err
	})
}

// TidyDeliveries forgets those that ended long ago.
func (db *DB) TidyDeliveries(ctx context.Context) error {
	const doing, old = "forget deliveries", `FROM outbox WHERE state IN ('sent', 'failed', 'dropped') AND ended_at < $1`
	before := millis(db.clock().Add(-deliveryLife))
	var some bool
	if err := db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 `+old+`)`, before).Scan(&some); err != nil || !some {
		return db.trouble(doing, err)
	}
	return db.change(ctx, doing, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE `+old, before)
		return err
	})
}

// Deliveries are those of a kind, the newest first. Nobody's right to see them is asked.
func (db *DB) Deliveries(ctx context.Context, kind string, limit int) ([]Delivery, error) {
	list, err := all(ctx, db.read, scanDelivery, `SELECT `+deliveryColumns+` FROM outbox WHERE kind = $1 ORDER BY id DESC LIMIT $2`, kind, limit)
	return list, db.trouble("list deliveries", err)
}

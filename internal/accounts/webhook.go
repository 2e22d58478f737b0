package accounts

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"footfall/internal/fault"
	"footfall/internal/webhook"
)

// A Webhook is where a website tells others what happened.
type Webhook struct {
	ID        int64
	Website   int64
	URL       string
	CreatedAt time.Time
}

// WebhookKind is that of messages to webhooks in the outbox.
const WebhookKind = "webhook"

const (
	maxWebhooks = 10  // of a website
	maxAttempts = 100 // of a webhook that are kept
)

func scanWebhook(row scanner) (w Webhook, err error) {
	err = row.Scan(&w.ID, &w.Website, &w.URL, stamp{&w.CreatedAt})
	return w, err
}

const webhookColumns = `id, website_id, url, created_at`

// Webhooks lists those of a website. The caller owns or edits it.
func (db *DB) Webhooks(ctx context.Context, c Caller, website int64) ([]Webhook, error) {
	const doing = "list webhooks"
	if _, err := editorsWebsite(ctx, db.read, c, website); err != nil {
		return nil, db.trouble(doing, err)
	}
	list, err := all(ctx, db.read, scanWebhook, `SELECT `+webhookColumns+` FROM webhooks WHERE website_id = $1 ORDER BY id`, website)
	return list, db.trouble(doing, err)
}

// AddWebhook adds one to a website that the caller owns or edits, and returns its secret, which nobody is shown again.
func (db *DB) AddWebhook(ctx context.Context, c Caller, website int64, url string) (w Webhook, secret string, err error) {
	w = Webhook{Website: website, CreatedAt: db.clock()}
	secret = newSecret(webhookPrefix)
	err = db.change(ctx, "add a webhook", func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		target, err := webhook.ParseURL(url)
		if err != nil {
			return err
		}
		w.URL = target.String()
		if err := room(ctx, tx, "webhooks", website, maxWebhooks); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `INSERT INTO webhooks (website_id, url, secret, created_at) VALUES ($1, $2, $3, $4) RETURNING id`,
			website, w.URL, secret, millis(w.CreatedAt)).Scan(&w.ID)
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, secret, nil
}

// DeleteWebhook deletes one. The caller owns or edits the website. What waits for it is dropped when its turn comes.
func (db *DB) DeleteWebhook(ctx context.Context, c Caller, website, id int64) error {
	return db.deleteOf(ctx, "delete a webhook", "webhooks", c, website, id, noWebhook(id))
}

func noWebhook(id int64) error { return fault.New(fault.NotFound, "no webhook %d", id) }

// A Posting is what the outbox keeps of a message to a webhook.
type Posting struct {
	Webhook int64           `json:"webhook"`
	Kind    string          `json:"kind"`
	Body    json.RawMessage `json:"body"` // what is told; the id and the time are added to it
}

// NewPosting is the delivery of a message to a webhook.
func NewPosting(website, webhook int64, kind string, body any) (Delivery, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return Delivery{}, err
	}
	payload, err := json.Marshal(Posting{webhook, kind, content})
	if err != nil {
		return Delivery{}, err
	}
	id := strings.ToLower(rand.Text())
	return Delivery{Kind: WebhookKind, Name: id, Website: website, Payload: string(payload), MessageID: id}, nil
}

// PingWebhook puts a message into the outbox that tells a webhook nothing but that it works. It takes the place of those before:
// however often somebody asks for one, the outbox has no more of them.
func (db *DB) PingWebhook(ctx context.Context, c Caller, website, id int64) (Delivery, error) {
	var d Delivery
	err := db.change(ctx, "ping a webhook", func(tx *sql.Tx) error {
		w, err := changeableWebsite(ctx, tx, c, website, Editor)
		if err != nil {
			return err
		}
		if err := ofWebsite(ctx, tx, website, id); err != nil {
			return err
		}
		if d, err = NewPosting(website, id, "ping", map[string]any{"website": map[string]any{"id": w.ID, "domain": w.Domain}}); err != nil {
			return err
		}
		d.Series = "ping/" + strconv.FormatInt(id, 10)
		if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE kind = $1 AND series = $2 AND state NOT IN ('sending', 'handing')`, d.Kind, d.Series); err != nil {
			return err
		}
		return db.insertDelivery(ctx, tx, d)
	})
	if err != nil {
		return Delivery{}, err
	}
	return d, nil
}

// ofWebsite tells whether a website has a webhook.
func ofWebsite(ctx context.Context, q querier, website, id int64) error {
	var found int64
	err := q.QueryRowContext(ctx, `SELECT id FROM webhooks WHERE id = $1 AND website_id = $2`, id, website).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		return noWebhook(id)
	}
	return err
}

// WebhookTarget is where a webhook is and what its messages are signed with. It is for those who send them: nobody's right to
// know it is asked.
func (db *DB) WebhookTarget(ctx context.Context, id int64) (url, secret string, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT url, secret FROM webhooks WHERE id = $1`, id).Scan(&url, &secret)
	if errors.Is(err, sql.ErrNoRows) {
		err = noWebhook(id)
	}
	return url, secret, db.trouble("find a webhook", err)
}

// An Attempt is one to tell a webhook something.
type Attempt struct {
	ID        int64
	MessageID string // that of the message, the same for each attempt
	Kind      string // of the message
	Attempt   int    // from 1
	Status    int    // of the answer; 0 is none
	Error     string // why it is none that counts; "" if it does
	Duration  time.Duration
	At        time.Time
}

// LogAttempt notes an attempt. Of a webhook only the last are kept; of one that is gone, none.
func (db *DB) LogAttempt(ctx context.Context, webhook int64, a Attempt) error {
	return db.change(ctx, "log an attempt", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO webhook_attempts (webhook_id, message_id, kind, attempt, status, error, duration, created_at)
			SELECT id, $2, $3, CAST($4 AS BIGINT), CAST($5 AS BIGINT), $6, CAST($7 AS BIGINT), CAST($8 AS BIGINT) FROM webhooks WHERE id = $1`,
			webhook, a.MessageID, a.Kind, a.Attempt, a.Status, errorText(a.Error), a.Duration.Milliseconds(), millis(db.clock()))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM webhook_attempts WHERE webhook_id = $1 AND id <= (
			SELECT id FROM webhook_attempts WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`, webhook, maxAttempts)
		return err
	})
}

// Attempts are the last ones to tell a webhook something, the newest first. The caller owns or edits the website.
func (db *DB) Attempts(ctx context.Context, c Caller, website, id int64) ([]Attempt, error) {
	const doing = "list attempts"
	if _, err := editorsWebsite(ctx, db.read, c, website); err != nil {
		return nil, db.trouble(doing, err)
	}
	if err := ofWebsite(ctx, db.read, website, id); err != nil {
		return nil, db.trouble(doing, err)
	}
	list, err := all(ctx, db.read, func(row scanner) (a Attempt, err error) {
		var ms int64
		err = row.Scan(&a.ID, &a.MessageID, &a.Kind, &a.Attempt, &a.Status, &a.Error, &ms, stamp{&a.At})
		a.Duration = time.Duration(ms) * time.Millisecond
		return a, err
	}, `SELECT id, message_id, kind, attempt, status, error, duration, created_at FROM webhook_attempts
		WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2`, id, maxAttempts)
	return list, db.trouble(doing, err)
}

package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"footfall/internal/fault"
)

// An Alert is something about a website that somebody wants to be told.
type Alert struct {
	ID          int64
	Website     int64
	Account     int64 // who made it, and gets the email; 0 is nobody any more
	Webhook     int64 // that is told; 0 is none
	Kind        AlertKind
	Sensitivity Sensitivity
	Threshold   int64 // what less than is too little to speak of
	Hours       int64 // of silence
	Email       bool
	FiredAt     time.Time // when it was told last
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// An AlertKind is what an alert looks for.
type AlertKind string

// The kinds.
const (
	Above  AlertKind = "above"  // more visitors in an hour than usual
	Below  AlertKind = "below"  // fewer
	Silent AlertKind = "silent" // no hits for some hours
)

// A Sensitivity is how unusual is unusual.
type Sensitivity string

// The sensitivities.
const (
	Low    Sensitivity = "low"
	Normal Sensitivity = "normal"
	High   Sensitivity = "high"
)

const (
	// AlertRest is how long an alert that was told is not told again.
	AlertRest = 12 * time.Hour

	maxAlerts = 20 // of a website
)

const alertColumns = `a.id, a.website_id, COALESCE(a.account_id, 0), COALESCE(a.webhook_id, 0), a.kind, a.sensitivity, a.threshold, a.hours, a.email,
	a.fired_at, a.created_at, a.updated_at`

func (a *Alert) columns() []any {
	return []any{&a.ID, &a.Website, &a.Account, &a.Webhook, &a.Kind, &a.Sensitivity, &a.Threshold, &a.Hours, &a.Email,
		stamp{&a.FiredAt}, stamp{&a.CreatedAt}, stamp{&a.UpdatedAt}}
}

func scanAlert(row scanner) (a Alert, err error) {
	err = row.Scan(a.columns()...)
	return a, err
}

// editorsWebsite is a website that the caller owns or edits, whether or not he may change it now.
func editorsWebsite(ctx context.Context, q querier, c Caller, id int64) (Website, error) {
	w, err := callersWebsite(ctx, q, c, id)
	if err == nil && !w.Access.covers(Editor) {
		err = fault.New(fault.Forbidden, "website %d is shared with you as %s: this takes the %s", id, w.Access, Editor)
	}
	return w, err
}

// Alerts lists those of a website. The caller owns or edits it.
func (db *DB) Alerts(ctx context.Context, c Caller, website int64) ([]Alert, error) {
	const doing = "list alerts"
	if _, err := editorsWebsite(ctx, db.read, c, website); err != nil {
		return nil, db.trouble(doing, err)
	}
	list, err := all(ctx, db.read, scanAlert, `SELECT `+alertColumns+` FROM alerts a WHERE a.website_id = $1 ORDER BY a.id`, website)
	return list, db.trouble(doing, err)
}

// AddAlert adds one to a website. The caller owns or edits it, and gets the email.
func (db *DB) AddAlert(ctx context.Context, c Caller, website int64, in AlertInput) (Alert, error) {
	now := db.clock()
	a := Alert{Website: website, Account: c.account, CreatedAt: now, UpdatedAt: now}
	err := db.change(ctx, "add an alert", func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		if err := in.create(ctx, tx, &a); err != nil {
			return err
		}
		if err := room(ctx, tx, "alerts", website, maxAlerts); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `INSERT INTO alerts (website_id, account_id, webhook_id, kind, sensitivity, threshold, hours, email,
				fired_at, created_at, updated_at)
			VALUES ($1, $2, NULLIF(CAST($3 AS BIGINT), 0), $4, $5, $6, $7, $8, 0, $9, $9) RETURNING id`,
			website, c.account, a.Webhook, string(a.Kind), string(a.Sensitivity), a.Threshold, a.Hours, bit(a.Email), millis(now)).Scan(&a.ID)
	})
	if err != nil {
		return Alert{}, err
	}
	return a, nil
}

// room tells whether a website may have one more of what a table keeps.
func room(ctx context.Context, tx *sql.Tx, table string, website int64, most int) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+table+` WHERE website_id = $1`, website).Scan(&n); err != nil {
		return err
	}
	if n >= most {
		return fault.New(fault.Conflict, "the website has %d %s, and more are not kept: delete some first", n, table)
	}
	return nil
}

// UpdateAlert changes the fields of an alert that were sent. The caller owns or edits the website.
func (db *DB) UpdateAlert(ctx context.Context, c Caller, website, id int64, in AlertInput) (Alert, error) {
	var a Alert
	err := db.change(ctx, "update an alert", func(tx *sql.Tx) (err error) {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		a, err = scanAlert(tx.QueryRowContext(ctx, `SELECT `+alertColumns+` FROM alerts a WHERE a.id = $1 AND a.website_id = $2`, id, website))
		if errors.Is(err, sql.ErrNoRows) {
			return noAlert(id)
		}
		if err != nil {
			return err
		}
		if err := in.update(ctx, tx, &a); err != nil {
			return err
		}
		a.UpdatedAt = db.clock()
		_, err = tx.ExecContext(ctx, `UPDATE alerts SET webhook_id = NULLIF(CAST($2 AS BIGINT), 0), kind = $3, sensitivity = $4, threshold = $5,
			hours = $6, email = $7, updated_at = $8 WHERE id = $1`,
			id, a.Webhook, string(a.Kind), string(a.Sensitivity), a.Threshold, a.Hours, bit(a.Email), millis(a.UpdatedAt))
		return err
	})
	if err != nil {
		return Alert{}, err
	}
	return a, nil
}

// DeleteAlert deletes one. The caller owns or edits the website.
func (db *DB) DeleteAlert(ctx context.Context, c Caller, website, id int64) error {
	return db.deleteOf(ctx, "delete an alert", "alerts", c, website, id, noAlert(id))
}

// deleteOf deletes a row of a website, which the caller owns or edits.
func (db *DB) deleteOf(ctx context.Context, doing, table string, c Caller, website, id int64, none error) error {
	return db.change(ctx, doing, func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		var gone int64
		err := tx.QueryRowContext(ctx, `DELETE FROM `+table+` WHERE id = $1 AND website_id = $2 RETURNING id`, id, website).Scan(&gone)
		if errors.Is(err, sql.ErrNoRows) {
			return none
		}
		return err
	})
}

func noAlert(id int64) error { return fault.New(fault.NotFound, "no alert %d", id) }

// A WatchedAlert is an alert that somebody would be told, with what of its website matters to it.
type WatchedAlert struct {
	Alert
	Domain   string
	Timezone string
}

// WatchedAlerts are all of them, by website. Nobody's right to see them is asked.
func (db *DB) WatchedAlerts(ctx context.Context) ([]WatchedAlert, error) {
	list, err := all(ctx, db.read, func(row scanner) (a WatchedAlert, err error) {
		err = row.Scan(append(a.columns(), &a.Domain, &a.Timezone)...)
		return a, err
	}, `SELECT `+alertColumns+`, w.domain, w.timezone FROM alerts a JOIN websites w ON w.id = a.website_id
		WHERE a.email = 1 AND a.account_id IS NOT NULL OR a.webhook_id IS NOT NULL ORDER BY a.website_id, a.id`)
	return list, db.trouble("list the alerts to watch", err)
}

// WatchedAlert is one of them, or another alert that there is, as it is now.
func (db *DB) WatchedAlert(ctx context.Context, id int64) (a WatchedAlert, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT `+alertColumns+`, w.domain, w.timezone FROM alerts a JOIN websites w ON w.id = a.website_id
		WHERE a.id = $1`, id).Scan(append(a.columns(), &a.Domain, &a.Timezone)...)
	if errors.Is(err, sql.ErrNoRows) {
		err = noAlert(id)
	}
	return a, db.trouble("find an alert", err)
}

// FireAlert puts into the outbox what tells of an alert, unless that was done within AlertRest, by this node or another.
func (db *DB) FireAlert(ctx context.Context, id int64, deliveries []Delivery) (fired bool, err error) {
	now := db.clock()
	err = db.change(ctx, "fire an alert", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE alerts SET fired_at = $2 WHERE id = $1 AND fired_at <= $3`, id, millis(now), millis(now.Add(-AlertRest)))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		fired = true
		for _, d := range deliveries {
			if err := db.insertDelivery(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	})
	return fired && err == nil, err
}

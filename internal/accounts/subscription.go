package accounts

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"footfall/internal/fault"
)

// A Subscription is whether an account gets the reports on a website.
type Subscription struct {
	Website int64
	Reports bool // it is to get them: it asked for them, or owns the website and did not say otherwise
	Email   bool // the website's setting: without it nobody does
}

// A SubscriptionInput is what was sent of a subscription, as it was sent; nil is not sent.
type SubscriptionInput struct{ Reports *string }

// wanted is whether an account (w.account_id, or s of the shares) is to get reports, by its row u of the subscriptions.
const wanted = `CASE WHEN u.reports IS NOT NULL THEN u.reports WHEN w.account_id = $1 THEN 1 ELSE 0 END`

// Subscription shows what the caller gets of a website that it owns or is shared.
func (db *DB) Subscription(ctx context.Context, c Caller, id int64) (Subscription, error) {
	s, err := callersSubscription(ctx, db.read, c.account, id)
	return s, db.trouble("show a subscription", err)
}

func callersSubscription(ctx context.Context, q querier, account, id int64) (Subscription, error) {
	s := Subscription{Website: id}
	err := q.QueryRowContext(ctx, `SELECT w.email, `+wanted+` FROM websites w
		LEFT JOIN shares s ON s.website_id = w.id AND s.account_id = $1
		LEFT JOIN subscriptions u ON u.website_id = w.id AND u.account_id = $1
		WHERE (w.account_id = $1 OR s.account_id IS NOT NULL) AND w.id = $2`, account, id).Scan(&s.Email, &s.Reports)
	if errors.Is(err, sql.ErrNoRows) {
		return Subscription{}, NoWebsite(strconv.FormatInt(id, 10))
	}
	return s, err
}

// Subscribe changes what the caller gets of a website that it owns or is shared.
func (db *DB) Subscribe(ctx context.Context, c Caller, id int64, in SubscriptionInput) (Subscription, error) {
	var sub Subscription
	err := db.change(ctx, "change a subscription", func(tx *sql.Tx) (err error) {
		if _, err := changeableWebsite(ctx, tx, c, id, Viewer); err != nil {
			return err
		}
		var f fault.Fields
		reports := choice(&f, "reports", deref(in.Reports, ""), "0", "1")
		if err := f.Err(); err != nil {
			return err
		}
		if err := db.setSubscription(ctx, tx, c.account, id, reports == "1"); err != nil {
			return err
		}
		sub, err = callersSubscription(ctx, tx, c.account, id)
		return err
	})
	if err != nil {
		return Subscription{}, err
	}
	return sub, nil
}

// setSubscription notes what an account wants. That it says the same again changes nothing.
func (db *DB) setSubscription(ctx context.Context, tx *sql.Tx, account, website int64, reports bool) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO subscriptions (website_id, account_id, reports, updated_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (website_id, account_id) DO UPDATE SET reports = EXCLUDED.reports, updated_at = EXCLUDED.updated_at
		WHERE subscriptions.reports <> EXCLUDED.reports`, website, account, bit(reports), millis(db.clock()))
	return err
}

// A Recipient is an account with a website that it may see.
type Recipient struct {
	Website Website // with the account's access
	Account Account
	Reports bool // reports on it are to be sent to the account
}

// Recipient shows a website to the account that its reports go to. It is for those who write to accounts: nobody's right
// to see it is asked. It is a fault if the account does not see the website any more.
func (db *DB) Recipient(ctx context.Context, website, account int64) (Recipient, error) {
	r, err := db.recipient(ctx, db.read, website, account)
	return r, db.trouble("find a recipient", err)
}

func (db *DB) recipient(ctx context.Context, q querier, website, account int64) (r Recipient, err error) {
	if r.Website, err = callersWebsite(ctx, q, Caller{account: account}, website); err != nil {
		return r, err
	}
	if r.Account, err = accountByID(ctx, q, account); err != nil {
		return r, err
	}
	s, err := callersSubscription(ctx, q, account, website)
	r.Reports = s.Reports && s.Email
	return r, err
}

// Unsubscribe ends the reports on a website for an account that asked for it with a link that was signed for it.
func (db *DB) Unsubscribe(ctx context.Context, website, account int64) error {
	return db.change(ctx, "unsubscribe", func(tx *sql.Tx) error {
		if _, err := db.recipient(ctx, tx, website, account); err != nil {
			return err
		}
		return db.setSubscription(ctx, tx, account, website, false)
	})
}

// welcomeBack forgets that the owner of a website unsubscribed. Who switches its reports on wants to get them.
func welcomeBack(ctx context.Context, tx *sql.Tx, w Website) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM subscriptions WHERE website_id = $1 AND account_id = $2 AND reports = 0`, w.ID, w.Account)
	return err
}

// A ReportedWebsite is one that reports are sent of.
type ReportedWebsite struct {
	ID       int64
	Timezone string
	Planned  time.Time // reports that were due by then are planned
}

// ReportedWebsites are all of them. Reports on a website begin with what is due after it was listed here first.
func (db *DB) ReportedWebsites(ctx context.Context) ([]ReportedWebsite, error) {
	const doing = "list the websites with reports"
	var stale bool
	err := db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM websites WHERE (email = 1) <> (reports_planned <> 0))`).Scan(&stale)
	if err != nil {
		return nil, db.trouble(doing, err)
	}
	if stale {
		err := db.change(ctx, doing, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE websites SET reports_planned = CASE email WHEN 1 THEN CAST($1 AS BIGINT) ELSE 0 END
				WHERE (email = 1) <> (reports_planned <> 0)`, millis(db.clock()))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	list, err := all(ctx, db.read, func(row scanner) (w ReportedWebsite, err error) {
		err = row.Scan(&w.ID, &w.Timezone, stamp{&w.Planned})
		return w, err
	}, `SELECT id, timezone, reports_planned FROM websites WHERE email = 1 AND reports_planned <> 0 ORDER BY id`)
	return list, db.trouble(doing, err)
}

// A ReportPlan is the reports on a website that are due.
type ReportPlan struct {
	Website int64
	Reports []DueReport // in the order of time
}

// A DueReport is one of them.
type DueReport struct {
	Due      time.Time
	Delivery func(account int64) Delivery // to one of those who get it
}

// PlanReports puts reports into the outbox, one to each account that wanted them when they were due. What another node has
// planned is left as it is.
func (db *DB) PlanReports(ctx context.Context, plans []ReportPlan) error {
	return db.change(ctx, "plan reports", func(tx *sql.Tx) error {
		for _, p := range plans {
			if err := db.planWebsite(ctx, tx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func (db *DB) planWebsite(ctx context.Context, tx *sql.Tx, p ReportPlan) error {
	until := millis(p.Reports[len(p.Reports)-1].Due)
	result, err := tx.ExecContext(ctx, `UPDATE websites SET reports_planned = $2
		WHERE id = $1 AND email = 1 AND reports_planned <> 0 AND reports_planned < $2`, p.Website, until)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, r := range p.Reports {
		recipients, err := subscribers(ctx, tx, p.Website, r.Due)
		if err != nil {
			return err
		}
		for _, account := range recipients {
			d := r.Delivery(account)
			d.Website, d.Account = p.Website, account
			if err := db.insertDelivery(ctx, tx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// subscribers are the accounts that wanted reports on a website at a time.
func subscribers(ctx context.Context, tx *sql.Tx, website int64, at time.Time) ([]int64, error) {
	return all(ctx, tx, func(row scanner) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT w.account_id FROM websites w LEFT JOIN subscriptions u ON u.website_id = w.id AND u.account_id = w.account_id
			WHERE w.id = $1 AND (u.reports IS NULL OR u.reports = 1 AND u.updated_at < $2)
		UNION
		SELECT s.account_id FROM shares s JOIN subscriptions u ON u.website_id = s.website_id AND u.account_id = s.account_id
			WHERE s.website_id = $1 AND u.reports = 1 AND u.updated_at < $2`, website, millis(at))
}

// SigningKey is a secret of the installation to sign with. Each name has its own, made when it is first asked for.
func (db *DB) SigningKey(ctx context.Context, name string) ([]byte, error) {
	var value string
	err := db.read.QueryRowContext(ctx, `SELECT value FROM signing_keys WHERE name = $1`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = db.change(ctx, "make a key to sign with", func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO signing_keys (name, value, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
				name, newSecret(""), millis(db.clock()))
			if err != nil {
				return err
			}
			return tx.QueryRowContext(ctx, `SELECT value FROM signing_keys WHERE name = $1`, name).Scan(&value)
		})
	}
	if err != nil {
		return nil, db.trouble("read a key to sign with", err)
	}
	return hex.DecodeString(value)
}

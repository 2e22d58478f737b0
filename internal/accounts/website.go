package accounts

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"footfall/internal/fault"
)

// Privacy is who may see a website's statistics.
type Privacy int64

// The privacies. Their numbers are those of the interface.
const (
	Public    Privacy = 0 // everyone
	Private   Privacy = 1 // the owner and those it is shared with
	Protected Privacy = 2 // also those who know its password
)

// A Website is a registered domain with its settings.
type Website struct {
	ID             int64 // grows with time, and is never that of another website
	Account        int64 // the owner
	Domain         string
	Privacy        Privacy
	HasPassword    bool
	Email          bool   // a report is sent to the owner
	ExcludeBots    bool   //
	ExcludeParams  string // as entered; ExcludedParams has the names
	ExcludeIPs     string // as entered; ExcludedIPs has the ranges
	Timezone       string
	RespectSignals bool // hits with Do Not Track or Global Privacy Control do not count
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Access         Access // of the caller; "" where nobody in particular asked
}

// websiteColumns are those that scanWebsite reads, before the access.
const websiteColumns = `w.id, w.account_id, w.domain, w.privacy, w.password <> '', w.email, w.exclude_bots,
	w.exclude_params, w.exclude_ips, w.timezone, w.respect_signals, w.created_at, w.updated_at`

// callersWebsites are the websites that the account $1 owns or is shared, with its access.
const callersWebsites = ` FROM websites w LEFT JOIN shares s ON s.website_id = w.id AND s.account_id = $1
	WHERE (w.account_id = $1 OR s.account_id IS NOT NULL)`

const callersAccess = `CASE WHEN w.account_id = $1 THEN 'owner' ELSE s.access END`

func scanWebsite(row scanner) (Website, error) {
	var w Website
	err := row.Scan(&w.ID, &w.Account, &w.Domain, &w.Privacy, &w.HasPassword, &w.Email, &w.ExcludeBots,
		&w.ExcludeParams, &w.ExcludeIPs, &w.Timezone, &w.RespectSignals, stamp{&w.CreatedAt}, stamp{&w.UpdatedAt}, &w.Access)
	return w, err
}

// NoWebsite is the fault of a website that does not exist, or that the caller may not see: nothing tells the two apart.
// The id is as the caller wrote it.
func NoWebsite(id string) error {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil {
		id = quote(id)
	}
	return fault.New(fault.NotFound, "no website %s", id)
}

// Website shows a website that the caller owns or is shared.
func (db *DB) Website(ctx context.Context, c Caller, id int64) (Website, error) {
	m, err := db.moment(ctx)
	if err != nil {
		return Website{}, err
	}
	key := websiteKey{c.account, id}
	if w, ok := db.caches.websites.find(m.websites, key); ok {
		return w, nil
	}
	w, err := callersWebsite(ctx, db.read, c, id)
	if err != nil {
		return Website{}, db.trouble("show a website", err)
	}
	db.caches.keepWebsite(m.websites, key, w)
	return w, nil
}

func callersWebsite(ctx context.Context, q querier, c Caller, id int64) (Website, error) {
	w, err := scanWebsite(q.QueryRowContext(ctx, `SELECT `+websiteColumns+`, `+callersAccess+callersWebsites+` AND w.id = $2`, c.account, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Website{}, NoWebsite(strconv.FormatInt(id, 10))
	}
	return w, err
}

// changeableWebsite is a website on which the caller may do what takes at least this access.
func changeableWebsite(ctx context.Context, q querier, c Caller, id int64, least Access) (Website, error) {
	if err := c.mayManage(); err != nil {
		return Website{}, err
	}
	w, err := callersWebsite(ctx, q, c, id)
	if err != nil {
		return Website{}, err
	}
	if !w.Access.covers(least) {
		return Website{}, fault.New(fault.Forbidden, "website %d is shared with you as %s: this takes the %s", id, w.Access, least)
	}
	return w, nil
}

// CreateWebsite registers a website for the caller.
func (db *DB) CreateWebsite(ctx context.Context, c Caller, in WebsiteInput) (Website, error) {
	if err := c.mayManage(); err != nil {
		return Website{}, err
	}
	zone, err := db.defaultZone(ctx)
	if err != nil {
		return Website{}, err
	}
	now := db.clock()
	w := Website{Account: c.account, Privacy: Private, ExcludeBots: true, Timezone: zone, CreatedAt: now, UpdatedAt: now, Access: Owner}
	if err := in.create(&w); err != nil {
		return Website{}, err
	}
	hash, err := db.websiteHash(ctx, in)
	if err != nil {
		return Website{}, err
	}
	err = db.changeWebsites(ctx, "create a website", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `INSERT INTO websites (account_id, domain, unicode_domain, privacy, password, email, exclude_bots,
				exclude_params, exclude_ips, timezone, respect_signals, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) ON CONFLICT (domain) DO NOTHING RETURNING id`,
			w.Account, w.Domain, unicodeDomain(w.Domain), int64(w.Privacy), hash, bit(w.Email), bit(w.ExcludeBots),
			w.ExcludeParams, w.ExcludeIPs, w.Timezone, bit(w.RespectSignals), millis(now)).Scan(&w.ID)
		if errors.Is(err, sql.ErrNoRows) {
			var f fault.Fields
			f.Add("domain", "%s is already registered", w.Domain)
			return f.As(fault.Conflict)
		}
		return err
	})
	if err != nil {
		return Website{}, err
	}
	return w, nil
}

// UpdateWebsite changes the fields of a website that were sent. An editor may do it too. A new password or privacy closes
// what OpenDashboard opened.
func (db *DB) UpdateWebsite(ctx context.Context, c Caller, id int64, in WebsiteInput) (Website, error) {
	w, err := changeableWebsite(ctx, db.read, c, id, Editor)
	if err != nil {
		return Website{}, db.trouble("update a website", err)
	}
	if err := in.update(&w); err != nil {
		return Website{}, err
	}
	hash, err := db.websiteHash(ctx, in)
	if err != nil {
		return Website{}, err
	}
	err = db.changeWebsites(ctx, "update a website", func(tx *sql.Tx) error {
		// The website may have changed while the password was hashed: the fields that were not sent are as they are now.
		if w, err = changeableWebsite(ctx, tx, c, id, Editor); err != nil {
			return err
		}
		before, reported := w.Privacy, w.Email
		if err := in.update(&w); err != nil {
			return err
		}
		if in.Password != nil || w.Privacy != before {
			if err := closeAll(ctx, tx, id); err != nil {
				return err
			}
		}
		w.UpdatedAt = db.clock()
		_, err := tx.ExecContext(ctx, `UPDATE websites SET privacy = $2, email = $3, exclude_bots = $4, exclude_params = $5,
				exclude_ips = $6, timezone = $7, respect_signals = $8, updated_at = $9 WHERE id = $1`,
			id, int64(w.Privacy), bit(w.Email), bit(w.ExcludeBots), w.ExcludeParams, w.ExcludeIPs, w.Timezone, bit(w.RespectSignals), millis(w.UpdatedAt))
		if err == nil && in.Password != nil {
			_, err = tx.ExecContext(ctx, `UPDATE websites SET password = $2 WHERE id = $1`, id, hash)
		}
		if err == nil && !reported && w.Email && w.Access == Owner {
			err = welcomeBack(ctx, tx, w)
		}
		return err
	})
	if err != nil {
		return Website{}, err
	}
	return w, nil
}

// websiteHash is the hash of the password that was sent; "" if none was, or an empty one.
func (db *DB) websiteHash(ctx context.Context, in WebsiteInput) (string, error) {
	if deref(in.Password, "") == "" {
		return "", nil
	}
	return db.hashPassword(ctx, *in.Password)
}

// WebsiteByDomain finds a website by its domain, whoever owns it. The domain may be written as on CreateWebsite.
func (db *DB) WebsiteByDomain(ctx context.Context, domain string) (Website, error) {
	ascii, err := normalDomain(domain)
	if err != nil {
		return Website{}, NoWebsite(domain)
	}
	w, err := scanWebsite(db.read.QueryRowContext(ctx, `SELECT `+websiteColumns+`, '' FROM websites w WHERE w.domain = $1`, ascii))
	if errors.Is(err, sql.ErrNoRows) {
		return Website{}, NoWebsite(domain)
	}
	return w, db.trouble("find a website", err)
}

package accounts

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"footfall/internal/fault"
)

// Access is what an account may do with a website.
type Access string

// The accesses, from the least.
const (
	Viewer Access = "viewer" // sees it and its statistics
	Editor Access = "editor" // also changes its settings
	Owner  Access = "owner"  // also shares and deletes it
)

// covers tells whether it is at least that access.
func (a Access) covers(least Access) bool {
	order := []Access{Viewer, Editor, Owner}
	return slices.Index(order, a) >= slices.Index(order, least)
}

// A Share is an account that a website is shared with.
type Share struct {
	Account   int64
	Email     string
	Name      string
	Access    Access // Viewer or Editor
	CreatedAt time.Time
}

// A ShareInput is what was sent of a share, as it was sent.
type ShareInput struct {
	Email  string
	Access string // viewer or editor; default viewer
}

// ShareWebsite shares a website that the caller owns with another account, or changes the access that it has.
func (db *DB) ShareWebsite(ctx context.Context, c Caller, id int64, in ShareInput) (Share, error) {
	var share Share
	err := db.changeWebsites(ctx, "share a website", func(tx *sql.Tx) error {
		w, err := changeableWebsite(ctx, tx, c, id, Owner)
		if err != nil {
			return err
		}
		var f fault.Fields
		access := choice(&f, "access", orDefault(in.Access, string(Viewer)), Viewer, Editor)
		a, err := accountByEmail(ctx, tx, in.Email)
		switch {
		case fault.Is(err, fault.NotFound):
			f.Add("email", "must be that of an account here")
		case err != nil:
			return err
		case a.ID == w.Account:
			f.Add("email", "must not be that of the website's owner")
		}
		if err := f.Err(); err != nil {
			return err
		}
		share = Share{Account: a.ID, Email: a.Email, Name: a.Name, Access: access}
		return tx.QueryRowContext(ctx, `INSERT INTO shares (website_id, account_id, access, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (website_id, account_id) DO UPDATE SET access = EXCLUDED.access RETURNING created_at`,
			id, a.ID, string(access), millis(db.clock())).Scan(stamp{&share.CreatedAt})
	})
	if err != nil {
		return Share{}, err
	}
	return share, nil
}

// Shares lists the accounts that a website is shared with. The caller owns it.
func (db *DB) Shares(ctx context.Context, c Caller, id int64) ([]Share, error) {
	w, err := callersWebsite(ctx, db.read, c, id)
	if err != nil {
		return nil, db.trouble("list shares", err)
	}
	if w.Access != Owner {
		return nil, fault.New(fault.Forbidden, "only the owner of website %d sees who it is shared with", id)
	}
	list, err := all(ctx, db.read, func(row scanner) (s Share, err error) {
		err = row.Scan(&s.Account, &s.Email, &s.Name, &s.Access, stamp{&s.CreatedAt})
		return s, err
	}, `SELECT a.id, a.email, a.name, s.access, s.created_at FROM shares s JOIN accounts a ON a.id = s.account_id
		WHERE s.website_id = $1 ORDER BY a.email`, id)
	return list, db.trouble("list shares", err)
}

// UnshareWebsite ends a share: the owner any, and each account its own.
func (db *DB) UnshareWebsite(ctx context.Context, c Caller, id, account int64) error {
	return db.changeWebsites(ctx, "end a share", func(tx *sql.Tx) error {
		least := Owner
		if account == c.account {
			least = Viewer
		}
		if _, err := changeableWebsite(ctx, tx, c, id, least); err != nil {
			return err
		}
		var gone int64
		err := tx.QueryRowContext(ctx, `DELETE FROM shares WHERE website_id = $1 AND account_id = $2 RETURNING account_id`, id, account).Scan(&gone)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "website %d is not shared with account %d", id, account)
		}
		return err
	})
}

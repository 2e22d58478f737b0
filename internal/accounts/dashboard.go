package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"footfall/internal/fault"
)

// The accesses of those who look without an account. They see the statistics of a website, and cover nothing else.
const (
	AsPublic Access = "public" // its privacy is Public
	AsShared Access = "shared" // its privacy is Protected, and they knew the password
)

// An Onlooker asks to see a website: somebody who has shown who they are, or nobody in particular.
type Onlooker struct {
	Caller *Caller                    // nil is nobody
	Pass   func(website int64) string // the token of OpenDashboard that they have for a website, or ""; nil has none
}

func (o Onlooker) pass(website int64) string {
	if o.Pass == nil {
		return ""
	}
	return o.Pass(website)
}

// PassLife is how long a dashboard stays open that was opened with the website's password.
const PassLife = 30 * 24 * time.Hour

// maxPasses is how many browsers have a website open. One more closes the oldest.
const maxPasses = 10_000

// VisibleWebsite shows a website to who may see its statistics: those who own or are shared it, everyone if it is public,
// and those who opened it if it is protected. Of a website that is none of it, and of one that does not exist, a caller
// learns that there is none, and nobody that they have to show who they are.
func (db *DB) VisibleWebsite(ctx context.Context, o Onlooker, id int64) (Website, error) {
	if o.Caller != nil {
		w, err := db.Website(ctx, *o.Caller, id)
		if !fault.Is(err, fault.NotFound) {
			return w, err
		}
	}
	w, err := db.anyWebsite(ctx, id)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return Website{}, err
	}
	if err == nil {
		if w.Access, err = db.withoutAccount(ctx, o, w); err != nil {
			return Website{}, err
		}
	}
	switch {
	case w.Access != "":
		return w, nil
	case o.Caller != nil:
		return Website{}, NoWebsite(strconv.FormatInt(id, 10))
	}
	return Website{}, fault.New(fault.Unauthorized, "sign in, or send an API key, as: Authorization: Bearer KEY")
}

// withoutAccount is the access of an onlooker who neither owns a website nor is shared it; "" is none.
func (db *DB) withoutAccount(ctx context.Context, o Onlooker, w Website) (Access, error) {
	switch w.Privacy {
	case Public:
		return AsPublic, nil
	case Protected:
		open, err := db.isOpen(ctx, w.ID, o.pass(w.ID))
		if open {
			return AsShared, nil
		}
		return "", err
	}
	return "", nil
}

// isOpen tells whether a token opens a website.
func (db *DB) isOpen(ctx context.Context, website int64, token string) (open bool, err error) {
	if !isSecret(passPrefix, token) {
		return false, nil
	}
	err = db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM website_passes WHERE hash = $1 AND website_id = $2 AND expires_at > $3)`,
		hashSecret(token), website, millis(db.clock())).Scan(&open)
	return open, db.trouble("look up a pass", err)
}

// anyone stands for the account in what is remembered of a website whoever asks.
const anyone = -1

// anyWebsite shows a website, whoever owns it.
func (db *DB) anyWebsite(ctx context.Context, id int64) (Website, error) {
	m, err := db.moment(ctx)
	if err != nil {
		return Website{}, err
	}
	key := websiteKey{anyone, id}
	if w, ok := db.caches.websites.find(m.websites, key); ok {
		return w, nil
	}
	w, err := scanWebsite(db.read.QueryRowContext(ctx, `SELECT `+websiteColumns+`, '' FROM websites w WHERE w.id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Website{}, NoWebsite(strconv.FormatInt(id, 10))
	}
	if err != nil {
		return Website{}, db.trouble("show a website", err)
	}
	db.caches.keepWebsite(m.websites, key, w)
	return w, nil
}

// Dashboard finds a website by its domain for who may see its statistics. One that they may not see and one that does not
// exist are the same fault, except that a protected one asks for its password.
func (db *DB) Dashboard(ctx context.Context, o Onlooker, domain string) (Website, error) {
	found, err := db.WebsiteByDomain(ctx, domain)
	if err != nil {
		return Website{}, err
	}
	w, err := db.VisibleWebsite(ctx, o, found.ID)
	switch {
	case !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Unauthorized):
		return w, err
	case found.Privacy == Protected:
		return Website{}, fault.New(fault.PasswordRequired, "this dashboard asks for its password")
	}
	return Website{}, NoWebsite(domain)
}

// OpenableWebsite finds a website by its domain that its password opens or, with the access that everyone has, a public
// one. Another is the same fault as one that does not exist.
func (db *DB) OpenableWebsite(ctx context.Context, domain string) (Website, error) {
	w, err := db.WebsiteByDomain(ctx, domain)
	switch {
	case err != nil:
		return Website{}, err
	case w.Privacy == Public:
		w.Access = AsPublic
	case w.Privacy == Protected:
		w.Access = AsShared
	default:
		return Website{}, NoWebsite(domain)
	}
	return w, nil
}

// OpenDashboard opens a protected website for a browser that sent the right password. The token is what VisibleWebsite
// takes. It opens nothing else, and ends when the website's password or privacy changes.
func (db *DB) OpenDashboard(ctx context.Context, website int64, password string) (token string, err error) {
	doing := fmt.Sprintf("open the dashboard of website %d", website)
	var hash string
	err = db.read.QueryRowContext(ctx, `SELECT password FROM websites WHERE id = $1 AND privacy = 2`, website).Scan(&hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", db.trouble(doing, err)
	}
	same, err := db.checkPassword(ctx, password, hash)
	if err != nil {
		return "", err
	}
	if !same {
		return "", wrongDashboardPassword()
	}
	token = newSecret(passPrefix)
	now := db.clock()
	err = db.change(ctx, doing, func(tx *sql.Tx) error {
		if err := closeOldest(ctx, tx, website); err != nil {
			return err
		}
		var id int64
		err := tx.QueryRowContext(ctx, `INSERT INTO website_passes (website_id, hash, created_at, expires_at)
			SELECT id, $2, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM websites WHERE id = $1 AND privacy = 2 AND password = $5 RETURNING id`,
			website, hashSecret(token), millis(now), millis(now.Add(PassLife)), hash).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) { // it has changed since its hash was read
			return wrongDashboardPassword()
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

func wrongDashboardPassword() error {
	return fault.New(fault.Unauthorized, "this is not the password of the dashboard")
}

// closeOldest makes room for one more pass.
func closeOldest(ctx context.Context, tx *sql.Tx, website int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM website_passes WHERE website_id = $1 AND id <= COALESCE(
		(SELECT id FROM website_passes WHERE website_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2), 0)`, website, maxPasses-1)
	return err
}

// closeAll ends all that OpenDashboard opened of a website.
func closeAll(ctx context.Context, tx *sql.Tx, website int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM website_passes WHERE website_id = $1`, website)
	return err
}

// CloseDashboard undoes OpenDashboard for the browser that has the token. It tells which website it closed; 0 if there was
// nothing to close, of which nobody learns why.
func (db *DB) CloseDashboard(ctx context.Context, o Onlooker, domain string) (website int64, err error) {
	w, err := db.WebsiteByDomain(ctx, domain)
	if fault.Is(err, fault.NotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	token := o.pass(w.ID)
	open, err := db.isOpen(ctx, w.ID, token)
	if err != nil || !open {
		return 0, err
	}
	return w.ID, db.change(ctx, "close a dashboard", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM website_passes WHERE hash = $1`, hashSecret(token))
		return err
	})
}

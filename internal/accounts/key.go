package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"footfall/internal/fault"
)

// A Key lets programs act for an account. The key itself is shown once, when it is made.
type Key struct {
	ID        int64
	Account   int64
	Name      string
	Prefix    string // the first characters of the key, to recognise it by
	Scope     Scope
	CreatedAt time.Time
	UsedAt    time.Time // to a minute or two; zero is never
	ExpiresAt time.Time // zero is never
	RevokedAt time.Time // zero is not
}

// A KeyInput is what was sent of a key, as it was sent; "" is not sent.
type KeyInput struct {
	Name      string
	Scope     string // read or manage; default manage
	ExpiresAt string // RFC 3339, or a date: its first moment in UTC; default never
}

const keyColumns = `id, account_id, name, prefix, scope, created_at, used_at, expires_at, revoked_at`

func scanKey(row scanner) (Key, error) {
	var k Key
	err := row.Scan(&k.ID, &k.Account, &k.Name, &k.Prefix, &k.Scope,
		stamp{&k.CreatedAt}, stamp{&k.UsedAt}, stamp{&k.ExpiresAt}, stamp{&k.RevokedAt})
	return k, err
}

// shownChars is how much of a key its prefix shows: of 256 random bits 32.
const shownChars = len(keyPrefix) + 8

// CreateKey makes a key of the caller's account. The secret is the key itself, which nobody can show again.
func (db *DB) CreateKey(ctx context.Context, c Caller, in KeyInput) (k Key, secret string, err error) {
	if err := c.mayManage(); err != nil {
		return Key{}, "", err
	}
	secret = newSecret(keyPrefix)
	k = Key{Account: c.account, Prefix: secret[:shownChars], CreatedAt: db.clock()}
	if err := in.apply(&k); err != nil {
		return Key{}, "", err
	}
	err = db.change(ctx, "create a key", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `INSERT INTO api_keys (account_id, hash, prefix, name, scope, created_at, used_at, expires_at, revoked_at)
			VALUES ($1, $2, $3, $4, $5, $6, 0, $7, 0) RETURNING id`,
			k.Account, hashSecret(secret), k.Prefix, k.Name, string(k.Scope), millis(k.CreatedAt), millis(k.ExpiresAt)).Scan(&k.ID)
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// apply checks what was sent of a key and puts it into k.
func (in KeyInput) apply(k *Key) error {
	var f fault.Fields
	k.Name = line(&f, "name", in.Name)
	k.Scope = choice(&f, "scope", orDefault(in.Scope, string(Manage)), Read, Manage)
	if in.ExpiresAt != "" {
		t, err := time.Parse(time.RFC3339, in.ExpiresAt)
		if err != nil {
			t, err = time.Parse(time.DateOnly, in.ExpiresAt)
		}
		k.ExpiresAt = t.UTC().Truncate(time.Millisecond)
		switch {
		case err != nil:
			f.Add("expires_at", "must be a date such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z")
		case !t.After(k.CreatedAt):
			f.Add("expires_at", "must be in the future")
		}
	}
	return f.Err()
}

// Keys lists the keys of the caller's account, the newest first, also those that are expired or revoked.
func (db *DB) Keys(ctx context.Context, c Caller) ([]Key, error) {
	list, err := all(ctx, db.read, scanKey, `SELECT `+keyColumns+` FROM api_keys WHERE account_id = $1 ORDER BY id DESC`, c.account)
	for i := range list {
		list[i].UsedAt = db.uses.last(ofKey, list[i].ID, list[i].UsedAt)
	}
	return list, db.trouble("list keys", err)
}

// RevokeKey ends a key of the caller's account. One that has ended stays as it is.
func (db *DB) RevokeKey(ctx context.Context, c Caller, id int64) (Key, error) {
	if err := c.mayManage(); err != nil {
		return Key{}, err
	}
	var k Key
	err := db.change(ctx, "revoke a key", func(tx *sql.Tx) (err error) {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		k, err = scanKey(tx.QueryRowContext(ctx, `UPDATE api_keys SET revoked_at = CASE WHEN revoked_at = 0 THEN $3 ELSE revoked_at END
			WHERE id = $1 AND account_id = $2 RETURNING `+keyColumns, id, c.account, millis(db.clock())))
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "no key %d", id)
		}
		return err
	})
	if err != nil {
		return Key{}, err
	}
	return k, nil
}

// CallerByKey is the account that a key acts for. A key that is unknown, revoked or expired is the same fault.
func (db *DB) CallerByKey(ctx context.Context, secret string) (Caller, error) {
	if !isSecret(keyPrefix, secret) {
		return Caller{}, badKey()
	}
	now, hash := db.clock(), hashSecret(secret)
	k, err := db.knownCaller(ctx, hash, now, func() (k knownCaller, err error) {
		err = db.read.QueryRowContext(ctx, `SELECT k.id, k.hash, k.scope, k.used_at, k.expires_at, a.id, a.role
			FROM api_keys k JOIN accounts a ON a.id = k.account_id
			WHERE k.hash = $1 AND k.revoked_at = 0 AND (k.expires_at = 0 OR k.expires_at > $2)`, hash, millis(now)).
			Scan(&k.key, &k.hash, &k.scope, stamp{&k.used}, stamp{&k.expires}, &k.account, &k.role)
		return k, err
	})
	if errors.Is(err, sql.ErrNoRows) || err == nil && !sameHash(hash, k.hash) {
		return Caller{}, badKey()
	}
	if err != nil {
		return Caller{}, db.trouble("look up a key", err)
	}
	db.uses.note(ofKey, k.key, k.used, now)
	return k.Caller, nil
}

func badKey() error {
	return fault.New(fault.Unauthorized, "this API key is unknown, revoked or expired: create another")
}

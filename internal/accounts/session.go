package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"footfall/internal/fault"
)

// A Session is a browser in which an account is signed in.
type Session struct {
	ID        int64
	Account   int64
	Label     string // what people recognise it by
	CreatedAt time.Time
	SeenAt    time.Time // to a minute or two
	ExpiresAt time.Time
}

// SessionLife is how long a session lasts after it was last seen.
const SessionLife = 30 * 24 * time.Hour

const sessionColumns = `id, account_id, label, created_at, seen_at, expires_at`

func scanSession(row scanner) (Session, error) {
	var s Session
	err := row.Scan(&s.ID, &s.Account, &s.Label, stamp{&s.CreatedAt}, stamp{&s.SeenAt}, stamp{&s.ExpiresAt})
	return s, err
}

// SignIn begins a session if the password is that of the account with the email. The token is the session's secret. An
// email without an account is the same fault as a wrong password, after the same time.
//
// The label is for the account's owner, such as "Firefox on Linux". It must never be a user agent or an address.
func (db *DB) SignIn(ctx context.Context, email, password, label string) (s Session, token string, err error) {
	return db.SignInWithCode(ctx, email, password, "", label)
}

// SignInWithCode is SignIn with a code of the account's second factor, or a recovery code. Each is good once. An account
// without a second factor asks for none.
func (db *DB) SignInWithCode(ctx context.Context, email, password, code, label string) (s Session, token string, err error) {
	var account int64
	var hash string
	normal, ok := normalEmail(email)
	if ok {
		err = db.read.QueryRowContext(ctx, `SELECT id, password FROM accounts WHERE email = $1`, normal).Scan(&account, &hash)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return Session{}, "", db.trouble("sign in", err)
		}
	}
	same, err := db.checkPassword(ctx, password, hash)
	if err != nil {
		return Session{}, "", err
	}
	if !same {
		return Session{}, "", fault.New(fault.Unauthorized, "the email or the password is wrong")
	}
	return db.startSession(ctx, account, label, &proof{hash, code})
}

// A proof is what somebody showed who signs in: a password that has this hash, and a code.
type proof struct{ hash, code string }

// StartSession begins a session of an account that needs no password now: it was just made, or has just changed it.
func (db *DB) StartSession(ctx context.Context, a Account, label string) (s Session, token string, err error) {
	return db.startSession(ctx, a.ID, label, nil)
}

// startSession begins a session, unless the password has changed since its hash was read, or the code is not right. nil
// needs no proof.
func (db *DB) startSession(ctx context.Context, account int64, label string, p *proof) (Session, string, error) {
	var f fault.Fields
	label = line(&f, "label", label)
	if err := f.Err(); err != nil {
		return Session{}, "", err
	}
	token := newSecret(sessionPrefix)
	now := db.clock()
	var s Session
	var refused error
	err := db.change(ctx, "start a session", func(tx *sql.Tx) (err error) {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		if p != nil {
			if refused, err = db.checkProof(ctx, tx, account, *p); refused != nil || err != nil {
				return err
			}
		}
		s, err = scanSession(tx.QueryRowContext(ctx, `INSERT INTO sessions (account_id, hash, label, created_at, seen_at, expires_at)
			SELECT id, $2, $3, CAST($4 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT) FROM accounts
			WHERE id = $1 RETURNING `+sessionColumns,
			account, hashSecret(token), label, millis(now), millis(now.Add(SessionLife))))
		if errors.Is(err, sql.ErrNoRows) {
			return accountChanged()
		}
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return Session{}, "", err
	}
	return s, token, nil
}

// checkProof tells what speaks against a session. As useCode does, it has the transaction committed all the same.
func (db *DB) checkProof(ctx context.Context, tx *sql.Tx, account int64, p proof) (refused, err error) {
	var hash string
	err = tx.QueryRowContext(ctx, `SELECT password FROM accounts WHERE id = $1`, account).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) || err == nil && hash != p.hash {
		return accountChanged(), nil
	}
	if err != nil {
		return nil, err
	}
	f, err := factorOf(ctx, tx, account)
	if err != nil || f.secret == "" {
		return nil, err
	}
	return db.useCode(ctx, tx, f, p.code)
}

func accountChanged() error {
	return fault.New(fault.Unauthorized, "the account has changed: sign in again")
}

// CallerBySession is the account that is signed in with a token.
func (db *DB) CallerBySession(ctx context.Context, token string) (Caller, error) {
	if !isSecret(sessionPrefix, token) {
		return Caller{}, noSession()
	}
	now, hash := db.clock(), hashSecret(token)
	k, err := db.knownCaller(ctx, hash, now, func() (k knownCaller, err error) {
		k.scope = Manage
		err = db.read.QueryRowContext(ctx, `SELECT s.id, s.hash, s.seen_at, s.expires_at, a.id, a.role
			FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.hash = $1 AND s.expires_at > $2`, hash, millis(now)).
			Scan(&k.session, &k.hash, stamp{&k.used}, stamp{&k.expires}, &k.account, &k.role)
		return k, err
	})
	if errors.Is(err, sql.ErrNoRows) || err == nil && !sameHash(hash, k.hash) {
		return Caller{}, noSession()
	}
	if err != nil {
		return Caller{}, db.trouble("look up a session", err)
	}
	db.uses.note(ofSession, k.session, k.used, now)
	return k.Caller, nil
}

func noSession() error {
	return fault.New(fault.Unauthorized, "you are not signed in, or not any more: sign in")
}

// Sessions lists the sessions of the caller's account, the newest first.
func (db *DB) Sessions(ctx context.Context, c Caller) ([]Session, error) {
	list, err := all(ctx, db.read, scanSession, `SELECT `+sessionColumns+` FROM sessions WHERE account_id = $1 AND expires_at > $2 ORDER BY id DESC`,
		c.account, millis(db.clock()))
	for i := range list {
		list[i].SeenAt = db.uses.last(ofSession, list[i].ID, list[i].SeenAt)
	}
	return list, db.trouble("list sessions", err)
}

// SignOut ends the session of a token; one that has ended, or never was, stays so.
func (db *DB) SignOut(ctx context.Context, token string) error {
	// Asked first, so that strangers cannot make the database write.
	var open bool
	hash := hashSecret(token)
	err := db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE hash = $1)`, hash).Scan(&open)
	if err != nil || !open {
		return db.trouble("sign out", err)
	}
	return db.change(ctx, "sign out", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE hash = $1`, hash)
		return err
	})
}

// EndSession ends a session of the caller's account.
func (db *DB) EndSession(ctx context.Context, c Caller, id int64) error {
	if err := c.mayManage(); err != nil {
		return err
	}
	return db.change(ctx, "end a session", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		var gone int64
		err := tx.QueryRowContext(ctx, `DELETE FROM sessions WHERE id = $1 AND account_id = $2 RETURNING id`, id, c.account).Scan(&gone)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "no session %d", id)
		}
		return err
	})
}

// EndSessions ends all sessions of the caller's account, its own too.
func (db *DB) EndSessions(ctx context.Context, c Caller) error {
	if err := c.mayManage(); err != nil {
		return err
	}
	return db.change(ctx, "end sessions", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		return endSessions(ctx, tx, c.account)
	})
}

func endSessions(ctx context.Context, tx *sql.Tx, account int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE account_id = $1`, account)
	return err
}

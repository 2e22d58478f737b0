package accounts

import (
	"context"
	"database/sql"
	"errors"

	"footfall/internal/fault"
)

// NewSetupToken makes a token that can make the first account, once. It is "" if there is an account: then there is
// nothing to set up. Tokens made before, by this or another process, stay good until one is used.
func (db *DB) NewSetupToken(ctx context.Context) (string, error) {
	token := newSecret(setupPrefix)
	err := db.change(ctx, "make a setup token", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		some, err := hasAccounts(ctx, tx)
		if err != nil {
			return err
		}
		if some {
			token = ""
			return nil
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO setup_tokens (hash, created_at) VALUES ($1, $2)`, hashSecret(token), millis(db.clock()))
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// NeedsSetup tells whether there is no account yet.
func (db *DB) NeedsSetup(ctx context.Context) (bool, error) {
	some, err := hasAccounts(ctx, db.read)
	return !some, db.trouble("look for accounts", err)
}

// Setup makes the first account, an administrator. Of many who try at once with good tokens one succeeds.
func (db *DB) Setup(ctx context.Context, token string, in AccountInput) (Account, error) {
	// Asked here to save the hashing, and once more in the transaction.
	if err := checkSetup(ctx, db.read, token); err != nil {
		return Account{}, db.trouble("set up", err)
	}
	in.Role = new(string(Admin))
	a, hash, err := db.newAccount(ctx, in)
	if err != nil {
		return Account{}, err
	}
	err = db.change(ctx, "set up", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		if err := checkSetup(ctx, tx, token); err != nil {
			return err
		}
		return insertAccount(ctx, tx, &a, hash)
	})
	if err != nil {
		return Account{}, err
	}
	return a, nil
}

// checkSetup tells what speaks against making the first account with this token. It looks for the token first: who makes
// the first account removes all tokens in the same transaction.
func checkSetup(ctx context.Context, q querier, token string) error {
	hash, stored := hashSecret(token), ""
	err := q.QueryRowContext(ctx, `SELECT hash FROM setup_tokens WHERE hash = $1`, hash).Scan(&stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	some, err := hasAccounts(ctx, q)
	switch {
	case err != nil:
		return err
	case some:
		return fault.New(fault.Conflict, "the first account has been made: sign in")
	case !sameHash(hash, stored):
		return fault.New(fault.Forbidden, "this is not a setup link of this installation: take the one that it printed when it started")
	}
	return nil
}

func hasAccounts(ctx context.Context, q querier) (some bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM accounts)`).Scan(&some)
	return some, err
}

package accounts

import (
	"context"
	"database/sql"
	"errors"

	"footfall/internal/fault"
)

// ChangePassword gives the caller's account a new password, if the present one is right, and ends all its sessions.
// Keys go on. The fields are password, the present one, and new_password.
func (db *DB) ChangePassword(ctx context.Context, c Caller, present, next string) error {
	if err := c.mayManage(); err != nil {
		return err
	}
	same, err := db.isPresent(ctx, c, present)
	if err != nil {
		return err
	}
	var f fault.Fields
	if !same {
		f.Add("password", notPresent)
	}
	accountPassword(&f, "new_password", next)
	if err := f.Err(); err != nil {
		return err
	}
	return db.setPassword(ctx, c.account, next)
}

const notPresent = "is not the present one"

// isPresent tells whether this is the password of the caller's account.
func (db *DB) isPresent(ctx context.Context, c Caller, password string) (bool, error) {
	var hash string
	err := db.read.QueryRowContext(ctx, `SELECT password FROM accounts WHERE id = $1`, c.account).Scan(&hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, db.trouble("read a password", err)
	}
	return db.checkPassword(ctx, password, hash)
}

// checkPresent tells what speaks against a change that takes the password of the caller's account.
func (db *DB) checkPresent(ctx context.Context, c Caller, password string) error {
	if err := c.mayManage(); err != nil {
		return err
	}
	same, err := db.isPresent(ctx, c, password)
	if err != nil || same {
		return err
	}
	return wrongField("password", notPresent)
}

// SetPassword gives another account a new password and ends all its sessions. The caller is an administrator.
func (db *DB) SetPassword(ctx context.Context, c Caller, id int64, password string) error {
	if err := c.mayAdminister(); err != nil {
		return err
	}
	if id == c.account { // a session that was left open must not be enough to take the account over
		return fault.New(fault.Forbidden, "your own password takes the present one to change: do it in your account")
	}
	var f fault.Fields
	if accountPassword(&f, "password", password); f.Err() != nil {
		return f.Err()
	}
	return db.setPassword(ctx, id, password)
}

func (db *DB) setPassword(ctx context.Context, id int64, password string) error {
	hash, err := db.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	return db.change(ctx, "set a password", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		var changed int64
		err := tx.QueryRowContext(ctx, `UPDATE accounts SET password = $2, updated_at = $3 WHERE id = $1 RETURNING id`,
			id, hash, millis(db.clock())).Scan(&changed)
		if errors.Is(err, sql.ErrNoRows) {
			return noAccount(id)
		}
		if err != nil {
			return err
		}
		return endSessions(ctx, tx, id)
	})
}

package accounts

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"errors"
	"strings"
)

// Recovery codes take the place of those of an app that is lost. They are long enough that nobody guesses one.
const (
	recoveryCodes     = 10
	recoveryCodeBytes = 10
)

// RenewRecoveryCodes makes new recovery codes for the caller's account, which nobody can show again. Those that it had are
// good no more.
func (db *DB) RenewRecoveryCodes(ctx context.Context, c Caller, password, code string) (recovery []string, err error) {
	err = db.changeFactor(ctx, "renew recovery codes", c, password, code, func(tx *sql.Tx) (err error) {
		recovery, err = newRecoveryCodes(ctx, tx, c.account)
		return err
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// newRecoveryCodes makes the recovery codes of an account, in place of those that it had.
func newRecoveryCodes(ctx context.Context, tx *sql.Tx, account int64) ([]string, error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM recovery_codes WHERE account_id = $1`, account); err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodes)
	for i := range codes {
		b := make([]byte, recoveryCodeBytes)
		rand.Read(b) // never fails
		code := strings.ToLower(base32.StdEncoding.EncodeToString(b))
		codes[i] = code[:4] + "-" + code[4:8] + "-" + code[8:12] + "-" + code[12:]
		if _, err := tx.ExecContext(ctx, `INSERT INTO recovery_codes (account_id, hash) VALUES ($1, $2)`, account, hashSecret(code)); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

func useRecoveryCode(ctx context.Context, tx *sql.Tx, account int64, code string) (bool, error) {
	var hash string
	err := tx.QueryRowContext(ctx, `DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2 RETURNING hash`, account, hashSecret(code)).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

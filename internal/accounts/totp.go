package accounts

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"footfall/internal/fault"
)

// The numbers of the second factor. A code is good for its 30 seconds and those before and after, for clocks that go wrong.
// Of wrong codes ten may follow each other, then one every six minutes: who knows the password and guesses all year gets in
// with a probability of one in four.
const (
	totpStep      = 30 * time.Second
	totpSkew      = 1 // steps
	wrongCodes    = 10
	wrongCodeWait = 6 * time.Minute
)

// BeginTOTP makes the secret of a second factor of the caller's account, for an authenticator app: to type in, and as a URL
// for a QR code. Until ConfirmTOTP nothing changes.
func (db *DB) BeginTOTP(ctx context.Context, c Caller, password string) (secret, url string, err error) {
	if err := db.checkPresent(ctx, c, password); err != nil {
		return "", "", err
	}
	i, err := db.Installation(ctx)
	if err != nil {
		return "", "", err
	}
	err = db.change(ctx, "begin a second factor", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		a, err := accountByID(ctx, tx, c.account)
		if err != nil {
			return err
		}
		if a.TOTP {
			return fault.New(fault.Conflict, "two-factor sign-in is on: end it first")
		}
		issuer := strings.ReplaceAll(i.Name, ":", " ") // separates it from the account
		key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: a.Email})
		if err != nil {
			return err
		}
		secret, url = key.Secret(), key.URL()
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET totp_pending = $2 WHERE id = $1`, c.account, secret)
		return err
	})
	if err != nil {
		return "", "", err
	}
	return secret, url, nil
}

// ConfirmTOTP turns the second factor on that BeginTOTP made, if the code is of it. It returns recovery codes, which nobody
// can show again.
func (db *DB) ConfirmTOTP(ctx context.Context, c Caller, code string) (recovery []string, err error) {
	if err := c.mayManage(); err != nil {
		return nil, err
	}
	err = db.change(ctx, "confirm a second factor", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		var pending string
		err := tx.QueryRowContext(ctx, `SELECT totp_pending FROM accounts WHERE id = $1`, c.account).Scan(&pending)
		if errors.Is(err, sql.ErrNoRows) || err == nil && pending == "" {
			return fault.New(fault.Conflict, "there is no second factor to confirm: begin one first")
		}
		if err != nil {
			return err
		}
		step, ok := codeStep(pending, normalCode(code), db.clock())
		if !ok {
			return wrongField("code", "is not that of the app: wait for the next, and check the clock of the device")
		}
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET totp_secret = totp_pending, totp_pending = '', totp_step = $2, totp_wrong = 0, updated_at = $3
			WHERE id = $1`, c.account, step, millis(db.clock()))
		if err != nil {
			return err
		}
		recovery, err = newRecoveryCodes(ctx, tx, c.account)
		return err
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// EndTOTP turns the second factor of the caller's account off.
func (db *DB) EndTOTP(ctx context.Context, c Caller, password, code string) error {
	return db.changeFactor(ctx, "end a second factor", c, password, code, func(tx *sql.Tx) error {
		return removeFactor(ctx, tx, c.account, db.clock())
	})
}

// changeFactor changes the second factor of the caller's account, which is on. That takes the password. A session has shown a
// code when it began; a key has not, and has to send one.
func (db *DB) changeFactor(ctx context.Context, doing string, c Caller, password, code string, f func(*sql.Tx) error) error {
	if err := db.checkPresent(ctx, c, password); err != nil {
		return err
	}
	var refused error
	err := db.change(ctx, doing, func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		present, err := factorOf(ctx, tx, c.account)
		if err != nil {
			return err
		}
		if present.secret == "" {
			return fault.New(fault.Conflict, "two-factor sign-in is off")
		}
		if c.session == 0 || code != "" {
			refused, err = db.useCode(ctx, tx, present, code)
			if err != nil || refused != nil {
				return err
			}
		}
		return f(tx)
	})
	switch {
	case err != nil:
		return err
	case fault.Is(refused, fault.Unauthorized) || fault.Is(refused, fault.TOTPRequired):
		return wrongField("code", "must be that of the app, or a recovery code, that was not used before")
	}
	return refused
}

// DisableTOTP turns the second factor of another account off, for somebody who can show no code any more, and ends all its
// sessions. The caller is an administrator, and knows from somewhere else who asks for it. If it is off, nothing changes.
func (db *DB) DisableTOTP(ctx context.Context, c Caller, id int64) error {
	if err := c.mayAdminister(); err != nil {
		return err
	}
	if id == c.account {
		return fault.New(fault.Forbidden, "your own second factor takes your password to end: do it in your account")
	}
	return db.change(ctx, "disable a second factor", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		f, err := factorOf(ctx, tx, id)
		if err != nil || f.secret == "" {
			return err
		}
		if err := removeFactor(ctx, tx, id, db.clock()); err != nil {
			return err
		}
		return endSessions(ctx, tx, id)
	})
}

func removeFactor(ctx context.Context, tx *sql.Tx, account int64, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE accounts SET totp_secret = '', totp_pending = '', totp_step = 0, totp_wrong = 0, updated_at = $2 WHERE id = $1`,
		account, millis(now))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM recovery_codes WHERE account_id = $1`, account)
	return err
}

// A factor is the second factor of an account.
type factor struct {
	account int64
	secret  string    // "" is off
	step    int64     // of the last code that was used
	wrong   time.Time // when all wrong codes are forgotten
}

func factorOf(ctx context.Context, tx *sql.Tx, account int64) (factor, error) {
	f := factor{account: account}
	err := tx.QueryRowContext(ctx, `SELECT totp_secret, totp_step, totp_wrong FROM accounts WHERE id = $1`, account).Scan(&f.secret, &f.step, stamp{&f.wrong})
	if errors.Is(err, sql.ErrNoRows) {
		return factor{}, noAccount(account)
	}
	return f, err
}

// useCode uses up a code of a factor that is on, or a recovery code. What speaks against it is refused rather than err: the
// transaction has to be committed all the same, as it counts wrong codes.
func (db *DB) useCode(ctx context.Context, tx *sql.Tx, f factor, code string) (refused, err error) {
	code = normalCode(code)
	if code == "" {
		return fault.New(fault.TOTPRequired, "this account asks for a code too: send that of the authenticator app, or a recovery code"), nil
	}
	now := db.clock()
	forgotten := now
	if f.wrong.After(now) {
		forgotten = f.wrong
	}
	forgotten = forgotten.Add(wrongCodeWait)
	if over := forgotten.Sub(now) - wrongCodes*wrongCodeWait; over > 0 {
		return fault.New(fault.TooManyRequests, "too many wrong codes: wait, then try again").After(over), nil
	}
	ok, step := false, f.step
	if len(code) == 6 {
		step, ok = codeStep(f.secret, code, now)
		ok = ok && step > f.step
	} else {
		ok, err = useRecoveryCode(ctx, tx, f.account, code)
		if err != nil {
			return nil, err
		}
	}
	if !ok {
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET totp_wrong = $2 WHERE id = $1`, f.account, millis(forgotten))
		return fault.New(fault.Unauthorized, "the code is wrong, or was used before: wait for the next"), err
	}
	_, err = tx.ExecContext(ctx, `UPDATE accounts SET totp_step = $2, totp_wrong = 0 WHERE id = $1`, f.account, step)
	return nil, err
}

// normalCode is a code without what people put between its characters.
func normalCode(code string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(code)))
}

// codeStep is the time that a code is of, among those that are good now.
func codeStep(secret, code string, now time.Time) (step int64, ok bool) {
	present := now.Unix() / int64(totpStep/time.Second)
	for s := present - totpSkew; s <= present+totpSkew; s++ {
		right, err := hotp.GenerateCode(secret, uint64(s))
		if err == nil && subtle.ConstantTimeCompare([]byte(right), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

func wrongField(field, format string, args ...any) error {
	var f fault.Fields
	f.Add(field, format, args...)
	return f.Err()
}

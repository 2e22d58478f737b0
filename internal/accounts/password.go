package accounts

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"footfall/internal/fault"
)

// 19 MiB, two passes and one lane are the least memory that OWASP advises for argon2id. A hash took 38 ms on one core
// of the 2-core machine that the project is measured on.
var passwordHash = argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// nobody is a hash with the same parameters that no password has. It is compared with where there is no hash, so that
// the answer takes as long.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$bm8gcGFzc3dvcmQgaXM$" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

const (
	maxHashing = 2               // at once: a wave of sign-ins must not take the memory
	hashWait   = 5 * time.Second // for a place

	minPasswordChars = 8    // of an account; a website's password may be anything
	maxPasswordBytes = 1024 // of both
)

// hashPassword is what the database keeps of a password.
func (db *DB) hashPassword(ctx context.Context, password string) (hash string, err error) {
	err = db.whileHashing(ctx, func() error {
		hash, err = argon2id.CreateHash(password, &db.hashParams)
		return err
	})
	return hash, db.trouble("hash a password", err)
}

// checkPassword tells whether hashPassword made the hash of this password. An empty hash is of no password, and takes
// as long to say so.
func (db *DB) checkPassword(ctx context.Context, password, hash string) (same bool, err error) {
	known := hash != ""
	if !known {
		hash = nobody
	}
	if len(password) > maxPasswordBytes {
		password, known = "", false
	}
	err = db.whileHashing(ctx, func() error {
		same, err = argon2id.ComparePasswordAndHash(password, hash)
		return err
	})
	return same && known, db.trouble("check a password", err)
}

func (db *DB) whileHashing(ctx context.Context, f func() error) error {
	wait := time.NewTimer(hashWait)
	defer wait.Stop()
	select {
	case db.hashing <- struct{}{}:
	case <-wait.C:
		return fault.New(fault.Unavailable, "too many sign in at the moment: try again").After(hashWait)
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-db.hashing }()
	return f()
}

// accountPassword notes what is wrong with the password of an account.
func accountPassword(f *fault.Fields, field, password string) {
	switch {
	case utf8.RuneCountInString(password) < minPasswordChars:
		f.Add(field, "must have at least %d characters", minPasswordChars)
	case len(password) > maxPasswordBytes:
		f.Add(field, "must not be longer than %d bytes", maxPasswordBytes)
	}
}

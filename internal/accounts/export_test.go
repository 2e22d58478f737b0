package accounts

import (
	"context"
	"io/fs"
)

// HashCheaply makes the passwords of this database cheap to hash from now on. Real hashes took three quarters of the time
// of the tests under the race detector.
func (db *DB) HashCheaply() { db.hashParams.Memory = 64 }

// Migrate applies other migrations than those of this program.
func (db *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	return db.migrate(ctx, migrations)
}

package accounts

import (
	"context"
	"io/fs"
)

// HashCheaply makes the passwords of this database cheap to hash from now on. Real hashes took half of the processor time
// of the tests under the race detector: 14 s instead of 7 s.
func (db *DB) HashCheaply() { db.hashParams.Memory = 64 }

// Migrate applies other migrations than those of this program.
func (db *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	return db.migrate(ctx, migrations)
}

// MomentLength is how late the change of another process may be noticed.
const MomentLength = momentLength

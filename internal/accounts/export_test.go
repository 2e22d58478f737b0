package accounts

import (
	"context"
	"io/fs"
)

// Migrate applies other migrations than those of this program.
func (db *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	return db.migrate(ctx, migrations)
}

// MomentLength is how late the change of another process may be noticed.
const MomentLength = momentLength

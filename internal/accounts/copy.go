package accounts

import (
	"context"
	"database/sql"
	"errors"
)

// ErrNoFile is that of a database that is not in a file, and so has to be copied with its own tools.
var ErrNoFile = errors.New("the accounts are in PostgreSQL: copy them with pg_dump --no-unlogged-table-data")

// CopyTo writes the database as it is at this moment to a new file. Others may use it meanwhile.
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if db.engine != sqliteEngine {
		return ErrNoFile
	}
	if err := makePrivate(path); err != nil {
		return err
	}
	_, err := db.write.ExecContext(ctx, `VACUUM INTO $1`, path)
	return db.trouble("copy the accounts", err)
}

// Settle brings a database in order that was copied at another time. Sessions that ended since would be open again, so all
// end. The events of deleted websites may be back, so they are removed once more.
func (db *DB) Settle(ctx context.Context) error {
	return db.change(ctx, "settle restored accounts", func(tx *sql.Tx) error {
		for _, statement := range []string{
			`DELETE FROM sessions`, `DELETE FROM setup_tokens`, `UPDATE deleted_websites SET purged_at = 0`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// InFile tells whether the database is a file, which CopyTo can copy.
func (db *DB) InFile() bool { return db.engine == sqliteEngine }

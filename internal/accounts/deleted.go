package accounts

import (
	"context"
	"database/sql"
	"time"
)

// A DeletedWebsite is what is left of a website: its number.
type DeletedWebsite struct {
	ID        int64
	DeletedAt time.Time
}

// DeleteWebsite deletes a website that the caller owns. All but its number is gone at once, and its domain is free; its
// events are removed by those who watch DeletedWebsites.
func (db *DB) DeleteWebsite(ctx context.Context, c Caller, id int64) error {
	return db.changeWebsites(ctx, "delete a website", func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, id, Owner); err != nil {
			return err
		}
		return db.deleteWebsites(ctx, tx, `id = $1`, id)
	})
}

// deleteWebsites deletes those of which a condition on $1 is true.
func (db *DB) deleteWebsites(ctx context.Context, tx *sql.Tx, condition string, arg int64) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO deleted_websites (id, deleted_at, purged_at)
		SELECT id, CAST($2 AS BIGINT), 0 FROM websites WHERE `+condition, arg, millis(db.clock()))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM drops WHERE website_id IN (SELECT id FROM websites WHERE `+condition+`)`, arg); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM websites WHERE `+condition, arg)
	return err
}

// DeletedWebsites are those whose events are not known to be removed yet, the longest deleted first.
func (db *DB) DeletedWebsites(ctx context.Context) ([]DeletedWebsite, error) {
	list, err := all(ctx, db.read, func(row scanner) (w DeletedWebsite, err error) {
		err = row.Scan(&w.ID, stamp{&w.DeletedAt})
		return w, err
	}, `SELECT id, deleted_at FROM deleted_websites WHERE purged_at = 0 ORDER BY deleted_at, id`)
	return list, db.trouble("list deleted websites", err)
}

// MarkPurged notes that the events of a deleted website are removed.
func (db *DB) MarkPurged(ctx context.Context, id int64) error {
	err := db.change(ctx, "mark a website as purged", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM drops WHERE website_id = $1`, id); err != nil { // counted while it was deleted
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE deleted_websites SET purged_at = $2 WHERE id = $1 AND purged_at = 0`, id, millis(db.clock()))
		return err
	})
	if err != nil || db.engine != sqliteEngine {
		return err
	}
	// SQLite's log still has the website's row; it is the last place that does.
	_, err = db.write.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return db.trouble("empty the log", err)
}

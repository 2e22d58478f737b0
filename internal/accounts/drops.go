package accounts

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"footfall/internal/fault"
)

// A DropCount is how many hits were not counted for one reason on one day of a website. Website 0 is those of no website
// that is known.
type DropCount struct {
	Website int64
	Day     string // 2006-01-02, in the website's time zone
	Reason  string
	Hits    int64
}

// IsShared tells whether several nodes may use the database.
func (db *DB) IsShared() bool { return db.engine == postgresEngine }

// DropPosition is the record of a node's journal from which on its drops are not counted yet; 0 if none ever were.
func (db *DB) DropPosition(ctx context.Context, node string) (uint64, error) {
	var position int64
	err := db.read.QueryRowContext(ctx, `SELECT position FROM drop_positions WHERE node = $1`, node).Scan(&position)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return uint64(position), db.trouble("read the position of drops", err)
}

// AddDrops adds counts that go up to a record of a node's journal. If the node's position is there already they were added
// before, and nothing happens. Those of websites that were deleted are left out.
func (db *DB) AddDrops(ctx context.Context, node string, to uint64, counts []DropCount) error {
	return db.change(ctx, "count drops", func(tx *sql.Tx) error {
		moved, err := tx.ExecContext(ctx, `INSERT INTO drop_positions (node, position) VALUES ($1, $2)
			ON CONFLICT (node) DO UPDATE SET position = EXCLUDED.position WHERE drop_positions.position < EXCLUDED.position`, node, int64(to))
		if err != nil {
			return err
		}
		if n, err := moved.RowsAffected(); err != nil || n == 0 {
			return err
		}
		for _, c := range counts {
			_, err := tx.ExecContext(ctx, `INSERT INTO drops (website_id, day, reason, hits)
				SELECT CAST($1 AS BIGINT), $2, $3, CAST($4 AS BIGINT)
				WHERE CAST($1 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM websites WHERE id = CAST($1 AS BIGINT))
				ON CONFLICT (website_id, day, reason) DO UPDATE SET hits = drops.hits + EXCLUDED.hits`, c.Website, c.Day, c.Reason, c.Hits)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// DropsOf are the counts of a website, of the days from ≤ day ≤ to, by day and reason. Who may see the website was asked before
// (VisibleWebsite).
func (db *DB) DropsOf(ctx context.Context, w Website, from, to string) ([]DropCount, error) {
	return db.drops(ctx, w.ID, from, to)
}

// UnknownDrops are the counts of hits for no website that is known, as DropsOf tells those of a website. The caller is an
// administrator.
func (db *DB) UnknownDrops(ctx context.Context, c Caller, from, to string) ([]DropCount, error) {
	if c.role != Admin {
		return nil, c.mayAdminister()
	}
	return db.drops(ctx, 0, from, to)
}

func (db *DB) drops(ctx context.Context, website int64, from, to string) ([]DropCount, error) {
	list, err := all(ctx, db.read, func(row scanner) (c DropCount, err error) {
		err = row.Scan(&c.Website, &c.Day, &c.Reason, &c.Hits)
		return c, err
	}, `SELECT website_id, day, reason, hits FROM drops WHERE website_id = $1 AND day >= $2 AND day <= $3 ORDER BY day, reason`, website, from, to)
	return list, db.trouble("read drops", err)
}

// MayEdit tells what keeps the caller from editing a website, nil if nothing does. It asks the database for nothing that it
// was asked for before.
func (db *DB) MayEdit(ctx context.Context, c Caller, id int64) error {
	if err := c.mayManage(); err != nil {
		return err
	}
	w, err := db.Website(ctx, c, id)
	if err != nil {
		return err
	}
	if !w.Access.covers(Editor) {
		return fault.New(fault.Forbidden, "website %s is shared with you as %s: this takes the %s", strconv.FormatInt(id, 10), w.Access, Editor)
	}
	return nil
}

package accounts

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// An Import is a file of events that was imported into a website, or is being imported.
type Import struct {
	Website   int64
	Digest    string // SHA-256, in hexadecimal digits
	Format    string
	Run       int64 // from 1; a file of which no event counts may be read once more
	Lines     int64
	Events    int64
	Dropped   int64
	Bad       int64
	StartedAt time.Time
	Done      bool
}

// Import finds an import by website, digest and format. It tells whether there is one.
func (db *DB) Import(ctx context.Context, website int64, digest, format string) (Import, bool, error) {
	i := Import{Website: website, Digest: digest, Format: format}
	err := db.read.QueryRowContext(ctx, `SELECT run, lines, events, dropped, bad, started_at, done_at > 0 FROM imports
		WHERE website_id = $1 AND digest = $2 AND format = $3`, website, digest, format).
		Scan(&i.Run, &i.Lines, &i.Events, &i.Dropped, &i.Bad, stamp{&i.StartedAt}, &i.Done)
	if errors.Is(err, sql.ErrNoRows) {
		return Import{}, false, nil
	}
	return i, err == nil, db.trouble("read an import", err)
}

// SaveImports notes how far imports have come. What is behind what is known changes nothing, so it may be tried again. Those
// of websites that were deleted are left out.
func (db *DB) SaveImports(ctx context.Context, list []Import) error {
	list = slices.SortedFunc(slices.Values(list), func(a, b Import) int { // several nodes take the rows in one order
		return cmp.Or(cmp.Compare(a.Website, b.Website), cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.Format, b.Format))
	})
	return db.change(ctx, "note imports", func(tx *sql.Tx) error {
		for _, i := range list {
			var done int64
			if i.Done {
				done = millis(db.clock())
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO imports (website_id, digest, format, run, lines, events, dropped, bad, started_at, done_at)
				SELECT id, $2, $3, CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT), CAST($7 AS BIGINT), CAST($8 AS BIGINT),
					CAST($9 AS BIGINT), CAST($10 AS BIGINT) FROM websites WHERE id = $1
				ON CONFLICT (website_id, digest, format) DO UPDATE SET run = EXCLUDED.run, lines = EXCLUDED.lines, events = EXCLUDED.events,
					dropped = EXCLUDED.dropped, bad = EXCLUDED.bad, started_at = EXCLUDED.started_at, done_at = EXCLUDED.done_at
				WHERE imports.run < EXCLUDED.run OR imports.run = EXCLUDED.run AND imports.done_at = 0 AND imports.lines <= EXCLUDED.lines`,
				i.Website, i.Digest, i.Format, i.Run, i.Lines, i.Events, i.Dropped, i.Bad, millis(i.StartedAt), done)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

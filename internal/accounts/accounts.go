// Package accounts is all that people manage: accounts, websites, keys, sessions, shares and settings, in SQLite or in
// PostgreSQL.
//
// The rules are made here and nowhere else: who may do what (Caller), and which values are allowed. A rule that is
// broken is a fault that names every wrong field, by its name in the interface. A website that is another's and one
// that does not exist are the same fault.
//
// One SQL text serves both engines. Secrets are stored as hashes, except those that something is made with (the migrations say
// why), and no caller is shown one a second time.
package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
)

// A DB is an open database. All methods may be called at the same time, and by several processes on one database.
type DB struct {
	read    querier
	write   *sql.DB // in SQLite one connection, so that writers wait here and not for a lock
	closers []io.Closer
	engine  engine
	now     func() time.Time
	uses    uses
	caches  *caches
	latest  atomic.Pointer[moment]
	changes atomic.Uint64 // that change has made
	edits   atomic.Uint64 // that changeWebsites has made
	closed  atomic.Bool

	hashParams argon2id.Params
	hashing    chan struct{} // a place for each password that is being hashed
}

// Options are what can be set on Open.
type Options struct {
	Dir       string           // where the file footfall.db is if the URL is empty
	Now       func() time.Time // the clock; nil is time.Now
	Throwaway bool             // for tests: SQLite does not wait for the disk, and a password costs next to nothing to hash
}

// Open opens the database at a URL: postgres://… or postgresql://… is PostgreSQL, another text is the path of an SQLite
// file, and none is footfall.db in o.Dir. A file that does not exist is made, in a directory that does. The schema is
// brought up to date; a schema newer than this program is refused.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	db := &DB{now: o.Now, caches: newCaches(), hashParams: passwordHash, hashing: make(chan struct{}, maxHashing)}
	if o.Throwaway {
		db.hashParams.Memory = 64
	}
	var err error
	switch {
	case strings.HasPrefix(url, "postgres://"), strings.HasPrefix(url, "postgresql://"):
		err = db.openPostgres(url)
	case url == "":
		err = db.openSQLite(filepath.Join(o.Dir, "footfall.db"), o)
	default:
		err = db.openSQLite(url, o)
	}
	if err != nil {
		return nil, fmt.Errorf("open the accounts database: %w", err)
	}
	if err := db.migrate(ctx, migrations); err != nil {
		return nil, errors.Join(fmt.Errorf("open the accounts database: %w", err), db.close())
	}
	return db, nil
}

// Close writes down what Tidy has not, and lets go of the database. Methods called after it are unavailable.
func (db *DB) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := db.saveUses(ctx)
	db.closed.Store(true)
	return errors.Join(err, db.close())
}

func (db *DB) close() error {
	var errs []error
	for _, c := range db.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return db.trouble("ping", db.read.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// change runs f in a transaction that is committed if f returns nil.
func (db *DB) change(ctx context.Context, doing string, f func(tx *sql.Tx) error) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return db.trouble(doing, err)
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return db.trouble(doing, err)
	}
	err = tx.Commit()
	db.changes.Add(1) // also after an error, which does not tell what was done
	return db.trouble(doing, err)
}

// changeWebsites is change for what changes a website, or who may see one: it raises their version first.
func (db *DB) changeWebsites(ctx context.Context, doing string, f func(tx *sql.Tx) error) error {
	defer db.edits.Add(1) // also after an error, as in change
	return db.change(ctx, doing, func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofWebsites); err != nil {
			return err
		}
		return f(tx)
	})
}

// A querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// all reads the rows of a question, one by one with scan.
func all[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// A scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// The rows of the table versions. That of the accounts grows also when a key or a session ends.
const (
	ofAccounts = "accounts"
	ofWebsites = "websites"
)

// touch raises a version. Called first in a transaction it also makes those that touch the same one wait, so that what
// the transaction reads stays true until it is committed.
func touch(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, `UPDATE versions SET value = value + 1 WHERE name = $1`, name)
	return err
}

// clock is the time to write down: in UTC, as fine as the database keeps it.
func (db *DB) clock() time.Time { return db.now().UTC().Truncate(time.Millisecond) }

// millis is a time as the database keeps it.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// stamp scans what millis made.
type stamp struct{ t *time.Time }

func (s stamp) Scan(v any) error {
	ms, ok := v.(int64)
	if !ok {
		return fmt.Errorf("%T is not a time", v)
	}
	*s.t = time.Time{}
	if ms != 0 {
		*s.t = time.UnixMilli(ms).UTC()
	}
	return nil
}

// bit is yes or no as the database keeps it.
func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

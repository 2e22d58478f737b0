package accounts

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"footfall/internal/fault"
)

type engine uint8

const (
	sqliteEngine engine = iota
	postgresEngine
)

// How long to wait for a database. SQLite has another writer for milliseconds, so a long wait means that it is stuck.
const (
	sqliteWait   = 5 * time.Second
	postgresWait = 10 * time.Second
	tryAgain     = 5 * time.Second
)

// readers is how many connections read SQLite at the same time. Each holds up to 2 MB of pages.
const readers = 4

func (db *DB) openSQLite(path string, o Options) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := makePrivate(path); err != nil {
		return err
	}
	options := url.Values{
		"_busy_timeout": {fmt.Sprint(sqliteWait.Milliseconds())},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"}, // a commit is on disk when it returns
		"_foreign_keys": {"1"},
		"_txlock":       {"immediate"}, // a transaction that reads, then writes, is not refused half way
		"_dqs":          {"0"},
		"_pragma":       {"secure_delete(1)"}, // what is deleted is overwritten, not only forgotten
	}
	if o.Throwaway {
		options.Set("_synchronous", "OFF")
	}
	if db.write, err = sql.Open("sqlite", sqliteDSN(path, options)); err != nil {
		return err
	}
	db.write.SetMaxOpenConns(1)
	options.Set("_query_only", "1")
	read, err := sql.Open("sqlite", sqliteDSN(path, options))
	if err != nil {
		return err
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	db.read = &prepared{DB: read}
	db.closers = []io.Closer{read, db.write}
	db.engine = sqliteEngine
	return nil
}

// makePrivate makes the file of a new database, which SQLite would make readable for everyone. Its other files take after
// this one. A file that is there is not opened: to close it would take away the locks that this process has on it.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func sqliteDSN(path string, options url.Values) string {
	return (&url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}).String()
}

func (db *DB) openPostgres(url string) error {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return err // without the password: pgx leaves it out
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = postgresWait
	}
	config.DialFunc = dialImpatiently
	db.write = stdlib.OpenDB(*config)
	db.write.SetMaxOpenConns(16)
	db.write.SetMaxIdleConns(4)
	db.write.SetConnMaxIdleTime(5 * time.Minute)
	db.read = db.write
	db.closers = []io.Closer{db.write}
	db.engine = postgresEngine
	return nil
}

// trouble is what a method returns for an error: a fault as it is; a database that is away, busy or full as a fault that
// says so; and anything else with what was being done.
func (db *DB) trouble(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case fault.Of(err) != nil:
		return err
	case db.closed.Load():
		return fault.New(fault.Unavailable, "the service is stopping").After(tryAgain).Because(err)
	case away(err):
		return fault.New(fault.Unavailable, "the database cannot do this at the moment: try again").After(tryAgain).
			Because(fmt.Errorf("%s: %w", doing, err))
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// away tells whether an error is of the kind that passes: no connection, no room, no turn.
func away(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "40", "53", "57", "58": // connection, deadlock, resources, operator, system
			return true
		}
		return pg.Code == "25006" // a replica that is not the primary any more
	}
	for _, cut := range []error{io.EOF, io.ErrUnexpectedEOF, driver.ErrBadConn, pgconn.ErrConnClosed, sql.ErrConnDone} { // the server was killed
		if errors.Is(err, cut) {
			return true
		}
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.Timeout(err)
}

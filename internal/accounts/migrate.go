package accounts

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Migrations bring a database from one version of the schema to the next. The n-th file leads to version n. A file that
// was released is never changed: a new one follows it.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the number of the lock that PostgreSQL keeps for those who migrate: "footfall" in ASCII.
const migrationLock = 0x666f6f7466616c6c

// dialects turns the three words of a migration that engines write differently. SQLite's AUTOINCREMENT and PostgreSQL's
// identity never give a number a second time. Text is compared byte by byte in both. SQLite logs all tables alike.
var dialects = map[engine]*strings.Replacer{
	sqliteEngine:   strings.NewReplacer(" ID,", " INTEGER PRIMARY KEY AUTOINCREMENT,", " UNLOGGED ", " "),
	postgresEngine: strings.NewReplacer(" ID,", " BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,", " TEXT ", ` TEXT COLLATE "C" `),
}

// migrate applies the migrations that a database lacks, each in a transaction of its own, so that a stop half way
// leaves the version before. Several processes may do it at once: each waits for the other and then looks again.
func (db *DB) migrate(ctx context.Context, migrations fs.FS) error {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for {
		version, err := db.migrateOne(ctx, migrations, files)
		if err != nil {
			return err
		}
		if version == len(files) {
			return nil
		}
	}
}

// migrateOne applies the next migration, if there is one, and returns the version that the database then has.
func (db *DB) migrateOne(ctx context.Context, migrations fs.FS, files []string) (version int, err error) {
	tx, err := db.write.BeginTx(ctx, nil) // in SQLite this waits for other writers
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if version, err = db.schemaVersion(ctx, tx); err != nil {
		return 0, err
	}
	switch {
	case version > len(files):
		return 0, fmt.Errorf("it has schema version %d and this program knows versions up to %d: "+
			"use the newer program that wrote it, or restore a backup from before the upgrade", version, len(files))
	case version == len(files):
		return version, nil
	}
	file := files[version]
	text, err := fs.ReadFile(migrations, file)
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, dialects[db.engine].Replace(string(text))); err != nil {
		return 0, fmt.Errorf("migrate with %s: %w", path.Base(file), err)
	}
	version++
	if _, err := tx.ExecContext(ctx, `INSERT INTO schema_versions (version, applied_at) VALUES ($1, $2)`, version, millis(db.clock())); err != nil {
		return 0, err
	}
	return version, tx.Commit()
}

// schemaVersion makes the caller's transaction the only one that migrates, and reads the version.
func (db *DB) schemaVersion(ctx context.Context, tx *sql.Tx) (version int, err error) {
	if db.engine == postgresEngine {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
			return 0, err
		}
	}
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_versions`).Scan(&version)
	return version, err
}

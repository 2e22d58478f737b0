package accounts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"footfall/internal/accounts"
)

func TestNewerSchemaIsRefused(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		must(t, home.open(t).Close())
		raw := home.raw(t)
		if _, err := raw.Exec(`INSERT INTO schema_versions (version, applied_at) VALUES (999, 0)`); err != nil {
			t.Fatal(err)
		}
		_, err := accounts.Open(t.Context(), home.url, accounts.Options{})
		if err == nil || !strings.Contains(err.Error(), "schema version 999") || !strings.Contains(err.Error(), "newer program") {
			t.Fatalf("error %v, want one that says what to do about schema version 999", err)
		}
		var tables int
		must(t, raw.QueryRow(`SELECT COUNT(*) FROM accounts`).Scan(&tables))
	})
}

func TestManyProcessesMigrateOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		for _, err := range together(8, func(int) error {
			db, err := accounts.Open(t.Context(), home.url, accounts.Options{})
			if err != nil {
				return err
			}
			return db.Close()
		}) {
			must(t, err)
		}
		var versions, newest int
		must(t, home.raw(t).QueryRow(`SELECT COUNT(*), MAX(version) FROM schema_versions`).Scan(&versions, &newest))
		equal(t, "number of migrations applied", versions, newest)
	})
}

func TestMigrationIsDoneWhollyOrNotAtAll(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "anna@example.com")
		released, err := filepath.Glob("migrations/*.sql")
		must(t, err)
		release := func(added string) fstest.MapFS {
			files := fstest.MapFS{"migrations/9999_goals.sql": {Data: []byte(added)}}
			for _, file := range released {
				text, err := os.ReadFile(file)
				must(t, err)
				files[file] = &fstest.MapFile{Data: text}
			}
			return files
		}
		const good = `ALTER TABLE websites ADD COLUMN color TEXT NOT NULL DEFAULT 'red'; CREATE TABLE test_goals (id ID, name TEXT NOT NULL);`
		err = db.Migrate(t.Context(), release(good+`INSERT INTO absent VALUES (1);`))
		if err == nil || !strings.Contains(err.Error(), "9999_goals.sql") {
			t.Fatalf("error %v, want one that names the migration", err)
		}
		raw := home.raw(t)
		if _, err := raw.Exec(`SELECT color FROM websites`); err == nil {
			t.Error("half of a migration is there")
		}
		var version int
		must(t, raw.QueryRow(`SELECT MAX(version) FROM schema_versions`).Scan(&version))
		equal(t, "version", version, len(released))
		must(t, home.open(t).Close()) // this program still runs on it

		must(t, db.Migrate(t.Context(), release(good)))
		must(t, db.Migrate(t.Context(), release(good)))
		if _, err := raw.Exec(`INSERT INTO test_goals (name) SELECT color FROM websites`); err != nil {
			t.Error(err)
		}
		if _, err := db.AccountByEmail(t.Context(), "anna@example.com"); err != nil {
			t.Error(err)
		}
		if _, err := accounts.Open(t.Context(), home.url, accounts.Options{}); err == nil {
			t.Error("a program opened a version that it does not know")
		}
	})
}

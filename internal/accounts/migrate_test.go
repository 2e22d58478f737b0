package accounts_test

import (
	"strings"
	"testing"

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

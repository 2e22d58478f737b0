package accounts_test

import (
	"testing"
	"time"

	"footfall/internal/accounts"
)

func TestImportsOnlyGoForward(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		w := createWebsite(t, db, addAccount(t, db, "anna@example.com"), "example.com")
		started := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
		at := func(run, lines int64, done bool) accounts.Import {
			return accounts.Import{Website: w.ID, Digest: "d", Format: "csv", Run: run, Lines: lines, Events: lines / 2, Dropped: 1, Bad: 2, StartedAt: started, Done: done}
		}
		_, found, err := db.Import(t.Context(), w.ID, "d", "csv")
		must(t, err)
		equal(t, "found before", found, false)
		for _, step := range []struct{ save, want accounts.Import }{
			{at(1, 0, false), at(1, 0, false)},
			{at(1, 10, false), at(1, 10, false)},
			{at(1, 4, false), at(1, 10, false)}, // behind
			{at(1, 10, true), at(1, 10, true)},
			{at(1, 10, false), at(1, 10, true)}, // an earlier mark again
			{at(2, 3, false), at(2, 3, false)},
			{at(1, 99, true), at(2, 3, false)},
		} {
			must(t, db.SaveImports(t.Context(), []accounts.Import{step.save}))
			got, found, err := db.Import(t.Context(), w.ID, "d", "csv")
			must(t, err)
			equal(t, "found", found, true)
			equal(t, "import", got, step.want)
		}
		_, found, err = db.Import(t.Context(), w.ID, "d", "jsonl")
		must(t, err)
		equal(t, "found in another format", found, false)
	})
}

func TestImportsGoWithTheirWebsite(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		i := accounts.Import{Website: w.ID, Digest: "d", Format: "csv", Run: 1}
		must(t, db.SaveImports(t.Context(), []accounts.Import{i}))
		must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
		must(t, db.SaveImports(t.Context(), []accounts.Import{i})) // a mark that was in the journal
		_, found, err := db.Import(t.Context(), w.ID, "d", "csv")
		must(t, err)
		equal(t, "found", found, false)
	})
}

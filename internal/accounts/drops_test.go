package accounts_test

import (
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

const firstNode, otherNode = "a", "b"

func TestDropsAreAddedUp(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		must(t, db.AddDrops(t.Context(), firstNode, 10, []accounts.DropCount{
			{Website: 0, Day: "2026-03-01", Reason: "unknown_website", Hits: 7},
			{Website: w.ID, Day: "2026-03-01", Reason: "bot", Hits: 3}, {Website: w.ID, Day: "2026-03-02", Reason: "bot", Hits: 1},
		}))
		must(t, db.AddDrops(t.Context(), otherNode, 4, []accounts.DropCount{
			{Website: w.ID, Day: "2026-03-01", Reason: "bot", Hits: 5}, {Website: w.ID, Day: "2026-03-01", Reason: "excluded_ip", Hits: 2},
			{Website: w.ID, Day: "2026-04-01", Reason: "bot", Hits: 9},
		}))
		got, err := db.DropsOf(t.Context(), w, "2026-03-01", "2026-03-31")
		must(t, err)
		equal(t, "drops", got, []accounts.DropCount{
			{Website: w.ID, Day: "2026-03-01", Reason: "bot", Hits: 8}, {Website: w.ID, Day: "2026-03-01", Reason: "excluded_ip", Hits: 2},
			{Website: w.ID, Day: "2026-03-02", Reason: "bot", Hits: 1},
		})
	})
}

// The answer to a commit may be lost, and a process may be killed behind it.
func TestDropsThatWereAddedBeforeAreNotAddedAgain(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		position, err := db.DropPosition(t.Context(), firstNode)
		must(t, err)
		equal(t, "position before", position, uint64(0))
		counts := []accounts.DropCount{{Website: w.ID, Day: "2026-03-01", Reason: "bot", Hits: 3}}
		for range 3 {
			must(t, db.AddDrops(t.Context(), firstNode, 10, counts))
		}
		must(t, db.AddDrops(t.Context(), firstNode, 9, counts))
		must(t, db.AddDrops(t.Context(), firstNode, 11, counts))
		position, err = db.DropPosition(t.Context(), firstNode)
		must(t, err)
		equal(t, "position", position, uint64(11))
		got, err := db.DropsOf(t.Context(), w, "2026-03-01", "2026-03-01")
		must(t, err)
		equal(t, "drops", got, []accounts.DropCount{{Website: w.ID, Day: "2026-03-01", Reason: "bot", Hits: 6}})
	})
}

func TestDropsGoWithTheirWebsite(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		gone, stays := createWebsite(t, db, anna, "gone.example"), createWebsite(t, db, anna, "stays.example")
		counts := []accounts.DropCount{
			{Website: gone.ID, Day: "2026-03-01", Reason: "bot", Hits: 3}, {Website: stays.ID, Day: "2026-03-01", Reason: "bot", Hits: 3},
		}
		must(t, db.AddDrops(t.Context(), firstNode, 10, counts))
		must(t, db.DeleteWebsite(t.Context(), anna, gone.ID))
		must(t, db.AddDrops(t.Context(), firstNode, 20, counts)) // it was in the journal still
		raw := home.raw(t)
		var left int
		must(t, raw.QueryRow(`SELECT COUNT(*) FROM drops`).Scan(&left))
		equal(t, "rows", left, 1)
		if _, err := raw.Exec(`INSERT INTO drops (website_id, day, reason, hits) VALUES (1, '2026-03-02', 'bot', 1)`); err != nil {
			t.Fatal(err)
		}
		must(t, db.MarkPurged(t.Context(), gone.ID))
		must(t, raw.QueryRow(`SELECT COUNT(*) FROM drops`).Scan(&left))
		equal(t, "rows after all is gone", left, 1)
		got, err := db.DropsOf(t.Context(), stays, "2026-03-01", "2026-03-01")
		must(t, err)
		equal(t, "drops of the other", got, []accounts.DropCount{{Website: stays.ID, Day: "2026-03-01", Reason: "bot", Hits: 6}})
	})
}

func TestDropsOfNoWebsiteAreForAdministrators(t *testing.T) {
	db := sqliteOnly(t)
	root, anna := addAccount(t, db, "root@example.com"), addAccount(t, db, "anna@example.com")
	must(t, db.AddDrops(t.Context(), firstNode, 10, []accounts.DropCount{{Day: "2026-03-01", Reason: "unknown_website", Hits: 7}}))
	if _, err := db.UnknownDrops(t.Context(), anna, "2026-03-01", "2026-03-01"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("no administrator: %v", err)
	}
	got, err := db.UnknownDrops(t.Context(), readOnly(t, db, root), "2026-03-01", "2026-03-01")
	must(t, err)
	equal(t, "drops of no website", got, []accounts.DropCount{{Day: "2026-03-01", Reason: "unknown_website", Hits: 7}})
}

func TestWhoMayEditAWebsite(t *testing.T) {
	db := sqliteOnly(t)
	anna, ben, carl := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com"), addAccount(t, db, "carl@example.com")
	w := createWebsite(t, db, anna, "example.com")
	for email, access := range map[string]string{"ben@example.com": "editor", "carl@example.com": "viewer"} {
		_, err := db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: email, Access: access})
		must(t, err)
	}
	cases := map[string]struct {
		caller accounts.Caller
		want   fault.Code
	}{
		"the owner":                   {anna, ""},
		"the owner, reading only":     {readOnly(t, db, anna), fault.Forbidden},
		"an editor":                   {ben, ""},
		"a viewer":                    {carl, fault.Forbidden},
		"somebody else":               {addAccount(t, db, "dora@example.com"), fault.NotFound},
		"somebody else, reading only": {readOnly(t, db, addAccount(t, db, "emil@example.com")), fault.Forbidden},
	}
	for name, c := range cases {
		err := db.MayEdit(t.Context(), c.caller, w.ID)
		if c.want == "" && err != nil || c.want != "" && !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

package accounts_test

import (
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestShareGivesItsAccessAndNoMore(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		share := func(access string) {
			t.Helper()
			got, err := db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "Ben@example.com", Access: access})
			must(t, err)
			if access == "" {
				access = "viewer"
			}
			equal(t, "share", got, accounts.Share{Account: ben.Account(), Email: "ben@example.com", Access: accounts.Access(access), CreatedAt: home.clock()})
			list, err := db.Shares(t.Context(), anna, w.ID)
			must(t, err)
			equal(t, "shares", list, []accounts.Share{got})
		}
		calls := func() map[string]error {
			errs := map[string]error{}
			_, errs["show"] = db.Website(t.Context(), ben, w.ID)
			_, errs["update"] = db.UpdateWebsite(t.Context(), ben, w.ID, accounts.WebsiteInput{Email: new("1")})
			_, errs["see shares"] = db.Shares(t.Context(), ben, w.ID)
			_, errs["share"] = db.ShareWebsite(t.Context(), ben, w.ID, accounts.ShareInput{Email: "anna@example.com"})
			errs["end a share"] = db.UnshareWebsite(t.Context(), ben, w.ID, anna.Account())
			errs["delete"] = db.DeleteWebsite(t.Context(), ben, w.ID)
			return errs
		}
		for access, may := range map[string]map[string]bool{
			"":       {"show": true},
			"viewer": {"show": true},
			"editor": {"show": true, "update": true},
		} {
			share(access)
			for name, err := range calls() {
				if may[name] && err != nil || !may[name] && !fault.Is(err, fault.Forbidden) {
					t.Errorf("%q: %s: %v", access, name, err)
				}
			}
		}
		must(t, db.UnshareWebsite(t.Context(), anna, w.ID, ben.Account()))
		for name, err := range calls() {
			if !fault.Is(err, fault.NotFound) {
				t.Errorf("not shared any more: %s: %v", name, err)
			}
		}
		wantFault(t, db.UnshareWebsite(t.Context(), anna, w.ID, ben.Account()), fault.NotFound)
	})
}

func TestShareTakesAnotherAccount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		for _, email := range []string{"", "nobody@example.com", "anna@example.com", "?"} {
			_, err := db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: email, Access: "owner"})
			wantFault(t, err, fault.Invalid, "email", "access")
		}
	})
}

func TestShareIsLeftByItsAccount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		_, err := db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com"})
		must(t, err)
		home.pass(time.Hour)
		must(t, db.UnshareWebsite(t.Context(), ben, w.ID, ben.Account()))
		_, err = db.Website(t.Context(), ben, w.ID)
		wantFault(t, err, fault.NotFound)
		wantFault(t, db.UnshareWebsite(t.Context(), anna, w.ID, anna.Account()), fault.NotFound) // the owner has no share to leave
	})
}

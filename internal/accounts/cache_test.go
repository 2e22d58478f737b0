package accounts_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// A service remembers callers and websites. Its own changes count from the next request on, those of others in a moment.
func TestWhatIsRememberedEndsAtOnce(t *testing.T) {
	type world struct {
		db        *accounts.DB // that changes
		anna, ben accounts.Caller
		key       accounts.Key
		session   accounts.Session
		token     string
		website   int64
	}
	for name, c := range map[string]struct {
		change                 func(t *testing.T, w world) error
		noKey, noSession, noWS bool // what does not work any more
	}{
		"key revoked": {func(t *testing.T, w world) error {
			_, err := w.db.RevokeKey(t.Context(), w.anna, w.key.ID)
			return err
		}, true, false, false},
		"signed out": {func(t *testing.T, w world) error { return w.db.SignOut(t.Context(), w.token) }, false, true, false},
		"session ended": {func(t *testing.T, w world) error {
			return w.db.EndSession(t.Context(), w.anna, w.session.ID)
		}, false, true, false},
		"sessions ended": {func(t *testing.T, w world) error { return w.db.EndSessions(t.Context(), w.anna) }, false, true, false},
		"password changed": {func(t *testing.T, w world) error {
			return w.db.SetPassword(t.Context(), accounts.Shell(), w.anna.Account(), "another password")
		}, false, true, false},
		"account deleted": {func(t *testing.T, w world) error {
			return w.db.DeleteAccount(t.Context(), accounts.Shell(), w.anna.Account())
		}, true, true, true},
		"website deleted": {func(t *testing.T, w world) error { return w.db.DeleteWebsite(t.Context(), w.ben, w.website) }, false, false, true},
		"share ended": {func(t *testing.T, w world) error {
			return w.db.UnshareWebsite(t.Context(), w.ben, w.website, w.anna.Account())
		}, false, false, true},
	} {
		for _, process := range []string{"same", "other"} {
			t.Run(name+" by "+process, func(t *testing.T) {
				onEachEngine(t, func(t *testing.T, home *home) {
					service := home.open(t)
					w := world{db: service}
					if process == "other" {
						w.db = home.open(t)
					}
					w.ben = addAccount(t, service, "ben@example.com") // the first is the administrator who stays
					w.anna = addAccount(t, service, "anna@example.com")
					w.website = createWebsite(t, service, w.ben, "example.com").ID
					_, err := service.ShareWebsite(t.Context(), w.ben, w.website, accounts.ShareInput{Email: "anna@example.com"})
					must(t, err)
					var secret string
					w.key, secret, err = service.CreateKey(t.Context(), w.anna, accounts.KeyInput{})
					must(t, err)
					w.session, w.token = signIn(t, service, "anna@example.com", goodPassword)

					var held accounts.Caller
					ask := func() (byKey, bySession, ofWebsite error) {
						k, byKey := service.CallerByKey(t.Context(), secret)
						if byKey == nil {
							held = k
						}
						_, bySession = service.CallerBySession(t.Context(), w.token)
						_, ofWebsite = service.Website(t.Context(), held, w.website)
						return byKey, bySession, ofWebsite
					}
					for range 2 { // the second time all is remembered
						byKey, bySession, ofWebsite := ask()
						must(t, errors.Join(byKey, bySession, ofWebsite))
					}
					must(t, c.change(t, w))
					if process == "other" {
						time.Sleep(accounts.MomentLength)
					}
					byKey, bySession, ofWebsite := ask()
					wantEnd(t, "key", byKey, c.noKey, fault.Unauthorized)
					wantEnd(t, "session", bySession, c.noSession, fault.Unauthorized)
					wantEnd(t, "website", ofWebsite, c.noWS, fault.NotFound)
				})
			})
		}
	}
}

func wantEnd(t *testing.T, what string, err error, ended bool, code fault.Code) {
	t.Helper()
	if !ended && err != nil || ended && !fault.Is(err, code) {
		t.Errorf("%s: %v, ended should be %v", what, err, ended)
	}
}

func TestRememberedKeyExpires(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{ExpiresAt: "2026-03-01T10:30:00Z"})
		must(t, err)
		for range 3 {
			_, err = db.CallerByKey(t.Context(), key)
			must(t, err)
		}
		home.pass(30*time.Minute - time.Millisecond)
		_, err = db.CallerByKey(t.Context(), key)
		must(t, err)
		home.pass(time.Millisecond)
		_, err = db.CallerByKey(t.Context(), key)
		wantFault(t, err, fault.Unauthorized)
	})
}

func TestRememberedCallerHasTheRightsOfNow(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		service, shell := home.open(t), home.open(t)
		anna := addAccount(t, service, "anna@example.com")
		ben := addAccount(t, service, "ben@example.com")
		_, key, err := service.CreateKey(t.Context(), ben, accounts.KeyInput{})
		must(t, err)
		for _, role := range []accounts.Role{accounts.Member, accounts.Admin, accounts.Member} {
			_, err := shell.UpdateAccount(t.Context(), anna, ben.Account(), accounts.AccountInput{Role: new(string(role))})
			must(t, err)
			time.Sleep(accounts.MomentLength)
			for range 2 {
				c, err := service.CallerByKey(t.Context(), key)
				must(t, err)
				equal(t, "role", c.Role(), role)
			}
		}
	})
}

func TestRememberedWebsiteIsAsItIsNow(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		service, other := home.open(t), home.open(t)
		anna := addAccount(t, service, "anna@example.com")
		_, key, err := service.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		id := createWebsite(t, service, anna, "example.com").ID
		for i, db := range []*accounts.DB{service, other, service} {
			want := fmt.Sprintf("param%d", i)
			_, err := db.UpdateWebsite(t.Context(), anna, id, accounts.WebsiteInput{ExcludeParams: &want})
			must(t, err)
			if db == other {
				time.Sleep(accounts.MomentLength)
			}
			for range 2 {
				c, err := service.CallerByKey(t.Context(), key)
				must(t, err)
				w, err := service.Website(t.Context(), c, id)
				must(t, err)
				equal(t, "shown", w.ExcludeParams, want)
				list, err := service.Websites(t.Context(), c, accounts.ListParams{})
				must(t, err)
				equal(t, "listed", list.Websites[0].ExcludeParams, want)
			}
		}
	})
}

func TestStrangersDoNotMakeTheDatabaseWrite(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "anna@example.com")
		version := func() (v int64) {
			must(t, home.raw(t).QueryRow(`SELECT value FROM versions WHERE name = 'accounts'`).Scan(&v))
			return v
		}
		before := version()
		must(t, db.SignOut(t.Context(), "ffs_unknown"))
		equal(t, "version", version(), before)
	})
}

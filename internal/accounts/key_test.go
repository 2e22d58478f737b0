package accounts_test

import (
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestKeyActsForItsAccount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		for scope, want := range map[string]accounts.Scope{"": accounts.Manage, "read": accounts.Read, "manage": accounts.Manage} {
			k, secret, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Name: " CI server ", Scope: scope})
			must(t, err)
			equal(t, "key", k, accounts.Key{
				ID: k.ID, Account: anna.Account(), Name: "CI server", Prefix: secret[:12], Scope: want, CreatedAt: home.clock(),
			})
			if !strings.HasPrefix(secret, "ffk_") || len(secret) != 68 {
				t.Errorf("key %q, want ffk_ and 64 hex digits", secret)
			}
			c, err := db.CallerByKey(t.Context(), secret)
			must(t, err)
			if c.Account() != anna.Account() || c.Key() != k.ID || c.Session() != 0 || c.Scope() != want || c.Role() != accounts.Admin {
				t.Errorf("caller %+v", c)
			}
		}
	})
}

func TestWrongKeysAreOneFault(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, good, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		revoked, revokedKey, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		_, err = db.RevokeKey(t.Context(), anna, revoked.ID)
		must(t, err)
		_, expired, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{ExpiresAt: "2026-03-01T10:30:00Z"})
		must(t, err)
		_, err = db.CallerByKey(t.Context(), expired)
		must(t, err)
		home.pass(30 * time.Minute)
		_, session, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		must(t, err)

		messages := map[string]bool{}
		for name, key := range map[string]string{
			"none": "", "unknown": "ffk_" + strings.Repeat("0", 64), "cut": good[:67], "longer": good + "0", "upper case": strings.ToUpper(good),
			"last digit": good[:67] + string("10"[strings.Count(good[67:], "1")]), "revoked": revokedKey, "expired": expired, "session": session, "junk": "ffk_" + strings.Repeat("\x00", 64),
		} {
			_, err := db.CallerByKey(t.Context(), key)
			if !fault.Is(err, fault.Unauthorized) {
				t.Errorf("%s: %v, want unauthorized", name, err)
				continue
			}
			messages[fault.Of(err).Message()] = true
		}
		equal(t, "number of messages", len(messages), 1)
		if _, err := db.CallerByKey(t.Context(), good); err != nil {
			t.Error(err)
		}
	})
}

func TestKeyInputIsChecked(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	_, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Name: "a\nb", Scope: "write", ExpiresAt: "tomorrow"})
	wantFault(t, err, fault.Invalid, "name", "scope", "expires_at")
	for _, past := range []string{"2026-03-01", "2026-03-01T10:00:00Z", "2026-02-30", "2026-03-01T11:00:00+01:00"} {
		_, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{ExpiresAt: past})
		wantFault(t, err, fault.Invalid, "expires_at")
	}
	k, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{ExpiresAt: "2026-03-02"})
	must(t, err)
	equal(t, "expiry", k.ExpiresAt, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
}

func TestKeysAreListedAndRevokedByTheirAccount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		first, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Name: "first"})
		must(t, err)
		second, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Name: "second", ExpiresAt: "2027-01-01"})
		must(t, err)

		_, foreign := db.RevokeKey(t.Context(), ben, first.ID)
		_, absent := db.RevokeKey(t.Context(), anna, 999)
		wantFault(t, foreign, fault.NotFound)
		wantFault(t, absent, fault.NotFound)

		home.pass(time.Hour)
		revoked, err := db.RevokeKey(t.Context(), anna, first.ID)
		must(t, err)
		first.RevokedAt = home.clock()
		equal(t, "revoked key", revoked, first)
		home.pass(time.Hour)
		again, err := db.RevokeKey(t.Context(), anna, first.ID)
		must(t, err)
		equal(t, "key revoked again", again, first)

		list, err := db.Keys(t.Context(), anna)
		must(t, err)
		equal(t, "keys", list, []accounts.Key{second, first})
		list, err = db.Keys(t.Context(), ben)
		must(t, err)
		equal(t, "number of Ben's keys", len(list), 0)
	})
}

func TestUseOfAKeyIsWrittenDownOnceAMinute(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		raw := home.raw(t)
		use := func() time.Time {
			t.Helper()
			_, err := db.CallerByKey(t.Context(), key)
			must(t, err)
			return home.clock()
		}
		written := func(want time.Time) {
			t.Helper()
			var ms int64
			must(t, raw.QueryRow(`SELECT used_at FROM api_keys`).Scan(&ms))
			if got := time.UnixMilli(ms).UTC(); ms != 0 && !got.Equal(want) || ms == 0 != want.IsZero() {
				t.Errorf("last use written down is %v, want %v", got, want)
			}
		}
		shown := func(want time.Time) {
			t.Helper()
			list, err := db.Keys(t.Context(), anna)
			must(t, err)
			equal(t, "last use shown", list[0].UsedAt, want)
		}
		shown(time.Time{})
		first := use()
		shown(first)
		written(time.Time{})
		must(t, db.Tidy(t.Context()))
		written(first)
		home.pass(59 * time.Second)
		use()
		must(t, db.Tidy(t.Context()))
		written(first)
		home.pass(time.Second)
		second := use()
		written(first)
		must(t, db.Close())
		written(second)
	})
}

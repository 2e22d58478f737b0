package accounts_test

import (
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func signIn(t *testing.T, db *accounts.DB, email, password string) (accounts.Session, string) {
	t.Helper()
	s, token, err := db.SignIn(t.Context(), email, password, "")
	must(t, err)
	return s, token
}

func wantSignedIn(t *testing.T, db *accounts.DB, token string, want bool) {
	t.Helper()
	_, err := db.CallerBySession(t.Context(), token)
	if want {
		must(t, err)
		return
	}
	wantFault(t, err, fault.Unauthorized)
}

func TestSignInBeginsASessionOfItsOwn(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		first, token, err := db.SignIn(t.Context(), " Anna@example.com", goodPassword, "Firefox on Linux")
		must(t, err)
		equal(t, "session", first, accounts.Session{
			ID: first.ID, Account: anna.Account(), Label: "Firefox on Linux", CreatedAt: home.clock(), SeenAt: home.clock(), ExpiresAt: home.clock().Add(30 * 24 * time.Hour),
		})
		second, other := signIn(t, db, "anna@example.com", goodPassword)
		if first.ID == second.ID || token == other {
			t.Error("two sign-ins are one session")
		}
		c, err := db.CallerBySession(t.Context(), token)
		must(t, err)
		if c.Account() != anna.Account() || c.Session() != first.ID || c.Key() != 0 || c.Scope() != accounts.Manage || c.Role() != accounts.Admin {
			t.Errorf("caller %+v", c)
		}
		list, err := db.Sessions(t.Context(), c)
		must(t, err)
		equal(t, "sessions", list, []accounts.Session{second, first})
		_, _, err = db.SignIn(t.Context(), "anna@example.com", goodPassword, "a\x00b")
		wantFault(t, err, fault.Invalid, "label")
	})
}

func TestWrongEmailAndWrongPasswordLookTheSame(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "anna@example.com")
		messages := map[string]bool{}
		for _, c := range [][2]string{
			{"anna@example.com", "wrong"}, {"anna@example.com", ""}, {"anna@example.com", goodPassword + " "}, {"anna@example.com", strings.Repeat("x", 5000)},
			{"nobody@example.com", goodPassword}, {"", ""}, {"\x00", goodPassword}, {"anna@example.com' --", goodPassword},
		} {
			_, _, err := db.SignIn(t.Context(), c[0], c[1], "")
			wantFault(t, err, fault.Unauthorized)
			messages[fault.Of(err).Message()] = true
		}
		equal(t, "number of messages", len(messages), 1)
	})
}

func TestSessionExpiresUnlessItIsUsed(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, used := signIn(t, db, "anna@example.com", goodPassword)
		_, idle := signIn(t, db, "anna@example.com", goodPassword)
		home.pass(20 * 24 * time.Hour)
		wantSignedIn(t, db, used, true)
		must(t, db.Tidy(t.Context()))
		home.pass(10 * 24 * time.Hour)
		wantSignedIn(t, db, used, true)
		wantSignedIn(t, db, idle, false)
		list, err := db.Sessions(t.Context(), anna)
		must(t, err)
		equal(t, "number of sessions", len(list), 1)
		must(t, db.Tidy(t.Context()))
		var rows int
		must(t, home.raw(t).QueryRow(`SELECT COUNT(*) FROM sessions`).Scan(&rows))
		equal(t, "number of rows", rows, 1)
		home.pass(30 * 24 * time.Hour)
		wantSignedIn(t, db, used, false)
	})
}

func TestSessionsEnd(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		_, first := signIn(t, db, "anna@example.com", goodPassword)
		second, secondToken := signIn(t, db, "anna@example.com", goodPassword)
		_, third := signIn(t, db, "anna@example.com", goodPassword)
		_, bens := signIn(t, db, "ben@example.com", goodPassword)

		must(t, db.SignOut(t.Context(), first))
		must(t, db.SignOut(t.Context(), first))
		wantSignedIn(t, db, first, false)
		wantFault(t, db.EndSession(t.Context(), ben, second.ID), fault.NotFound)
		wantSignedIn(t, db, secondToken, true)
		must(t, db.EndSession(t.Context(), anna, second.ID))
		wantSignedIn(t, db, secondToken, false)
		wantFault(t, db.EndSession(t.Context(), anna, second.ID), fault.NotFound)
		must(t, db.EndSessions(t.Context(), anna))
		wantSignedIn(t, db, third, false)
		wantSignedIn(t, db, bens, true)
	})
}

func TestPasswordChangeEndsAllSessions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		addAccount(t, db, "ben@example.com")
		_, token := signIn(t, db, "anna@example.com", goodPassword)
		_, bens := signIn(t, db, "ben@example.com", goodPassword)
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)

		wantFault(t, db.ChangePassword(t.Context(), anna, "wrong", "short"), fault.Invalid, "password", "new_password")
		wantSignedIn(t, db, token, true)
		must(t, db.ChangePassword(t.Context(), anna, goodPassword, "another password"))
		wantSignedIn(t, db, token, false)
		wantSignedIn(t, db, bens, true)
		_, err = db.CallerByKey(t.Context(), key)
		must(t, err)
		_, _, err = db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		wantFault(t, err, fault.Unauthorized)

		_, token = signIn(t, db, "anna@example.com", "another password")
		wantFault(t, db.SetPassword(t.Context(), accounts.Shell(), anna.Account(), "short"), fault.Invalid, "password")
		wantFault(t, db.SetPassword(t.Context(), accounts.Shell(), 999, goodPassword), fault.NotFound)
		wantFault(t, db.SetPassword(t.Context(), anna, anna.Account(), "another password"), fault.Forbidden) // not even if she is an administrator
		must(t, db.SetPassword(t.Context(), accounts.Shell(), anna.Account(), goodPassword))
		wantSignedIn(t, db, token, false)
		signIn(t, db, "anna@example.com", goodPassword)
	})
}

func TestNoSessionOutlivesAPasswordChangeThatItMet(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		tokens := make([]string, 8)
		for i, err := range together(len(tokens)+1, func(i int) error {
			if i == len(tokens) {
				return db.SetPassword(t.Context(), accounts.Shell(), anna.Account(), "another password")
			}
			var err error
			_, tokens[i], err = db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
			return err
		}) {
			if err != nil && (i == len(tokens) || !fault.Is(err, fault.Unauthorized)) {
				t.Error(err)
			}
		}
		for _, token := range tokens {
			wantSignedIn(t, db, token, false)
		}
	})
}

package accounts_test

import (
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func newcomer(email string) accounts.AccountInput {
	return accounts.AccountInput{Email: new(email), Password: new(goodPassword)}
}

func TestSetupMakesTheFirstAccountOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		needs, err := db.NeedsSetup(t.Context())
		must(t, err)
		equal(t, "needs setup", needs, true)
		first, err := db.NewSetupToken(t.Context())
		must(t, err)
		second, err := db.NewSetupToken(t.Context())
		must(t, err)

		_, err = db.Setup(t.Context(), "", newcomer("anna@example.com"))
		wantFault(t, err, fault.Forbidden)
		_, err = db.Setup(t.Context(), second+"0", newcomer("anna@example.com"))
		wantFault(t, err, fault.Forbidden)
		_, err = db.Setup(t.Context(), first, accounts.AccountInput{})
		wantFault(t, err, fault.Invalid, "email", "password")

		in := newcomer("anna@example.com")
		in.Role = new("member")
		a, err := db.Setup(t.Context(), first, in) // the older token, as from another node
		must(t, err)
		equal(t, "role", a.Role, accounts.Admin)

		for name, token := range map[string]string{"the token again": first, "the other token": second, "no token": ""} {
			_, err = db.Setup(t.Context(), token, newcomer("ben@example.com"))
			if !fault.Is(err, fault.Conflict) {
				t.Errorf("%s: %v, want conflict", name, err)
			}
		}
		token, err := db.NewSetupToken(t.Context())
		must(t, err)
		equal(t, "token when there is an account", token, "")
		needs, err = db.NeedsSetup(t.Context())
		must(t, err)
		equal(t, "needs setup", needs, false)

		_, session, err := db.StartSession(t.Context(), a, "first")
		must(t, err)
		c, err := db.CallerBySession(t.Context(), session)
		must(t, err)
		equal(t, "account of the session", c.Account(), a.ID)
	})
}

// S17: many at once make one administrator.
func TestSetupRaceMakesOneAdministrator(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		nodes := []*accounts.DB{home.open(t), home.open(t)}
		var tokens []string
		for _, db := range nodes {
			token, err := db.NewSetupToken(t.Context())
			must(t, err)
			tokens = append(tokens, token)
		}
		won := 0
		for _, err := range together(20, func(i int) error {
			_, err := nodes[i%2].Setup(t.Context(), tokens[i%2], newcomer(string(rune('a'+i))+"@example.com"))
			return err
		}) {
			if err == nil {
				won++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("%v, want conflict", err)
			}
		}
		equal(t, "number of winners", won, 1)
		list, err := nodes[0].Accounts(t.Context(), accounts.Shell())
		must(t, err)
		equal(t, "number of accounts", len(list), 1)
	})
}

func TestAccountFromTheShellEndsSetup(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		token, err := db.NewSetupToken(t.Context())
		must(t, err)
		addAccount(t, db, "anna@example.com")
		_, err = db.Setup(t.Context(), token, newcomer("ben@example.com"))
		wantFault(t, err, fault.Conflict)
	})
}

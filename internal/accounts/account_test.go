package accounts_test

import (
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestAccountHasItsFields(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "root@example.com")
		a, err := db.AddAccount(t.Context(), accounts.Shell(), accounts.AccountInput{
			Email: new("  Anna.Berg+x@BÜCHER.example "), Name: new(" Anna Berg "), Password: new(goodPassword),
			Locale: new("de"), Timezone: new("Europe/Berlin"),
		})
		must(t, err)
		want := accounts.Account{
			ID: 2, Email: "anna.berg+x@xn--bcher-kva.example", Name: "Anna Berg", Role: accounts.Member,
			Locale: "de", Timezone: "Europe/Berlin", CreatedAt: home.clock(), UpdatedAt: home.clock(),
		}
		equal(t, "account", a, want)
		found, err := db.AccountByEmail(t.Context(), "ANNA.BERG+x@bücher.EXAMPLE")
		must(t, err)
		equal(t, "account found by email", found, want)
		anna, err := db.ActAs(t.Context(), a.Email)
		must(t, err)
		me, err := db.Account(t.Context(), anna)
		must(t, err)
		equal(t, "own account", me, want)
	})
}

func TestFirstAccountIsAdministrator(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		roles := map[string]accounts.Role{}
		for _, email := range []string{"first@example.com", "second@example.com"} {
			a, err := db.AddAccount(t.Context(), accounts.Shell(), accounts.AccountInput{Email: new(email), Password: new(goodPassword), Role: new("member")})
			must(t, err)
			roles[email] = a.Role
		}
		equal(t, "roles", roles, map[string]accounts.Role{"first@example.com": accounts.Admin, "second@example.com": accounts.Member})
	})
}

func TestEveryWrongFieldOfAnAccountIsNamed(t *testing.T) {
	db := sqliteOnly(t)
	good := func() accounts.AccountInput {
		return accounts.AccountInput{Email: new("anna@example.com"), Password: new(goodPassword)}
	}
	for name, c := range map[string]struct {
		change func(in *accounts.AccountInput)
		wrong  []string
	}{
		"nothing sent":          {func(in *accounts.AccountInput) { *in = accounts.AccountInput{} }, []string{"email", "password"}},
		"email without at":      {func(in *accounts.AccountInput) { in.Email = new("anna.example.com") }, []string{"email"}},
		"email without name":    {func(in *accounts.AccountInput) { in.Email = new("@example.com") }, []string{"email"}},
		"email without domain":  {func(in *accounts.AccountInput) { in.Email = new("anna@") }, []string{"email"}},
		"email of two":          {func(in *accounts.AccountInput) { in.Email = new("anna@example.com,ben@example.com") }, []string{"email"}},
		"email with a display":  {func(in *accounts.AccountInput) { in.Email = new("Anna <anna@example.com>") }, []string{"email"}},
		"email with line break": {func(in *accounts.AccountInput) { in.Email = new("anna\n@example.com") }, []string{"email"}},
		"email with NUL":        {func(in *accounts.AccountInput) { in.Email = new("an\x00na@example.com") }, []string{"email"}},
		"email too long":        {func(in *accounts.AccountInput) { in.Email = new(strings.Repeat("a", 65) + "@example.com") }, []string{"email"}},
		"password too short":    {func(in *accounts.AccountInput) { in.Password = new("1234567") }, []string{"password"}},
		"password too long":     {func(in *accounts.AccountInput) { in.Password = new(strings.Repeat("x", 1025)) }, []string{"password"}},
		"all at once": {func(in *accounts.AccountInput) {
			*in = accounts.AccountInput{Email: new("x"), Name: new("a\nb"), Password: new(""), Role: new("king"), Locale: new("!"), Timezone: new("Mars/Base")}
		}, []string{"email", "name", "password", "role", "locale", "timezone"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := good()
			c.change(&in)
			_, err := db.AddAccount(t.Context(), accounts.Shell(), in)
			wantFault(t, err, fault.Invalid, c.wrong...)
		})
	}
}

func TestEmailIsUnique(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		_, err := db.AddAccount(t.Context(), accounts.Shell(), accounts.AccountInput{Email: new("Anna@Example.com"), Password: new(goodPassword)})
		wantFault(t, err, fault.Conflict, "email")
		_, err = db.UpdateAccount(t.Context(), ben, ben.Account(), accounts.AccountInput{Email: new("ANNA@example.com")})
		wantFault(t, err, fault.Conflict, "email")
		_, err = db.UpdateAccount(t.Context(), ben, ben.Account(), accounts.AccountInput{Email: new("BEN@example.com")})
		must(t, err)
	})
}

func TestUpdateChangesOnlyWhatWasSent(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		before, err := db.Account(t.Context(), anna)
		must(t, err)
		home.pass(time.Hour)
		_, err = db.UpdateAccount(t.Context(), anna, anna.Account(), accounts.AccountInput{Name: new("Anna"), Timezone: new("Asia/Tokyo")})
		must(t, err)
		want := before
		want.Name, want.Timezone, want.UpdatedAt = "Anna", "Asia/Tokyo", home.clock()
		after, err := db.Account(t.Context(), anna)
		must(t, err)
		equal(t, "account", after, want)
		_, err = db.UpdateAccount(t.Context(), anna, anna.Account(), accounts.AccountInput{Password: new("another password"), Email: new("?")})
		wantFault(t, err, fault.Invalid, "password", "email")
	})
}

func TestAdministratorManagesAccountsAndMemberDoesNot(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		admin := addAccount(t, db, "admin@example.com")
		member := addAccount(t, db, "member@example.com")
		other := addAccount(t, db, "other@example.com")
		calls := func(c accounts.Caller) map[string]error {
			errs := map[string]error{}
			_, errs["list accounts"] = db.Accounts(t.Context(), c)
			_, errs["add an account"] = db.AddAccount(t.Context(), c, accounts.AccountInput{Email: new("new@example.com"), Password: new(goodPassword)})
			_, errs["update another"] = db.UpdateAccount(t.Context(), c, other.Account(), accounts.AccountInput{Name: new("x")})
			_, errs["change a role"] = db.UpdateAccount(t.Context(), c, member.Account(), accounts.AccountInput{Role: new("admin")})
			errs["set a password"] = db.SetPassword(t.Context(), c, other.Account(), goodPassword)
			errs["set a setting"] = db.SetSetting(t.Context(), c, "title", "x")
			_, errs["list settings"] = db.Settings(t.Context(), c)
			errs["delete another"] = db.DeleteAccount(t.Context(), c, other.Account())
			return errs
		}
		for name, err := range calls(member) {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("a member: %s: %v, want forbidden", name, err)
			}
		}
		reader := readOnly(t, db, admin)
		for name, err := range calls(reader) {
			if want := !strings.HasPrefix(name, "list"); fault.Is(err, fault.Forbidden) != want {
				t.Errorf("an administrator's key that may only read: %s: %v", name, err)
			}
		}
		for name, err := range calls(admin) {
			if err != nil {
				t.Errorf("an administrator: %s: %v", name, err)
			}
		}
		list, err := db.Accounts(t.Context(), admin)
		must(t, err)
		var emails []string
		for _, a := range list {
			emails = append(emails, a.Email)
		}
		equal(t, "accounts", emails, []string{"admin@example.com", "member@example.com", "new@example.com"})
	})
}

func TestLastAdministratorStays(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		wantFault(t, db.DeleteAccount(t.Context(), anna, anna.Account()), fault.Conflict)
		_, err := db.UpdateAccount(t.Context(), anna, anna.Account(), accounts.AccountInput{Role: new("member")})
		wantFault(t, err, fault.Conflict)

		_, err = db.UpdateAccount(t.Context(), anna, ben.Account(), accounts.AccountInput{Role: new("admin")})
		must(t, err)
		errs := together(2, func(i int) error {
			return db.DeleteAccount(t.Context(), accounts.Shell(), []int64{anna.Account(), ben.Account()}[i])
		})
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("deleting both administrators at once: %v", errs)
		}
	})
}

func TestDeletedAccountTakesAllOfItsWithIt(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		root := addAccount(t, db, "root@example.com")
		anna := addAccount(t, db, "anna@example.com")
		mine := createWebsite(t, db, anna, "anna.example")
		theirs := createWebsite(t, db, root, "root.example")
		_, err := db.ShareWebsite(t.Context(), root, theirs.ID, accounts.ShareInput{Email: "anna@example.com"})
		must(t, err)
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		_, token, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		must(t, err)

		must(t, db.DeleteAccount(t.Context(), anna, anna.Account()))
		_, err = db.CallerByKey(t.Context(), key)
		wantFault(t, err, fault.Unauthorized)
		_, err = db.CallerBySession(t.Context(), token)
		wantFault(t, err, fault.Unauthorized)
		_, _, err = db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		wantFault(t, err, fault.Unauthorized)
		deleted, err := db.DeletedWebsites(t.Context())
		must(t, err)
		equal(t, "deleted websites", deleted, []accounts.DeletedWebsite{{ID: mine.ID, DeletedAt: home.clock()}})
		shares, err := db.Shares(t.Context(), root, theirs.ID)
		must(t, err)
		equal(t, "number of shares", len(shares), 0)
		wantFault(t, db.DeleteAccount(t.Context(), accounts.Shell(), anna.Account()), fault.NotFound)
	})
}

// sqliteOnly is a database for rules that no engine has a part in.
func sqliteOnly(t testing.TB) *accounts.DB {
	t.Helper()
	return newHome(t.TempDir() + "/footfall.db").open(t)
}

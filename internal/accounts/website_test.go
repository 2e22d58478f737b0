package accounts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestWebsiteHasDefaults(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		created := createWebsite(t, db, anna, "https://WWW.Example.com/pricing")
		want := accounts.Website{
			ID: 1, Account: anna.Account(), Domain: "example.com", Privacy: accounts.Private, ExcludeBots: true, Timezone: "UTC",
			CreatedAt: home.clock(), UpdatedAt: home.clock(), Access: accounts.Owner,
		}
		equal(t, "website as created", created, want)
		shown, err := db.Website(t.Context(), anna, created.ID)
		must(t, err)
		equal(t, "website as shown", shown, want)
	})
}

func TestWebsiteHasTheFieldsThatWereSent(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		created, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{
			Domain: new("example.com"), Privacy: new("2"), Password: new("p"), Email: new("1"), ExcludeBots: new("0"),
			ExcludeParams: new("utm_*, fbclid\r\ngclid\r\n"), ExcludeIPs: new("192.0.2.1\n2001:db8::/32"), Timezone: new("Europe/Berlin"),
			RespectSignals: new("1"),
		})
		must(t, err)
		want := accounts.Website{
			ID: 1, Account: anna.Account(), Domain: "example.com", Privacy: accounts.Protected, HasPassword: true, Email: true,
			ExcludeParams: "utm_*, fbclid\ngclid", ExcludeIPs: "192.0.2.1\n2001:db8::/32", Timezone: "Europe/Berlin",
			RespectSignals: true, CreatedAt: home.clock(), UpdatedAt: home.clock(), Access: accounts.Owner,
		}
		equal(t, "website as created", created, want)
		shown, err := db.Website(t.Context(), anna, created.ID)
		must(t, err)
		equal(t, "website as shown", shown, want)
	})
}

func TestRespectForSignalsIsSwitchedOnAndOff(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		equal(t, "respect of a new website", w.RespectSignals, false)
		for _, step := range []struct {
			in   accounts.WebsiteInput
			want bool
		}{
			{accounts.WebsiteInput{RespectSignals: new("1")}, true},
			{accounts.WebsiteInput{Email: new("1")}, true},
			{accounts.WebsiteInput{RespectSignals: new("0")}, false},
		} {
			_, err := db.UpdateWebsite(t.Context(), anna, w.ID, step.in)
			must(t, err)
			shown, err := db.Website(t.Context(), anna, w.ID)
			must(t, err)
			equal(t, "respect", shown.RespectSignals, step.want)
			all, err := db.AllWebsites(t.Context())
			must(t, err)
			equal(t, "respect among all websites", all[0].RespectSignals, step.want)
		}
	})
}

func TestChangesToWebsitesAloneAreCounted(t *testing.T) {
	db := sqliteOnly(t)
	before := db.Changes()
	anna := addAccount(t, db, "anna@example.com")
	_, _, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
	must(t, err)
	must(t, db.AddDrops(t.Context(), "only", 10, nil))
	equal(t, "changes to other things", db.Changes()-before, uint64(0))
	w := createWebsite(t, db, anna, "example.com")
	equal(t, "changes after a website was made", db.Changes()-before, uint64(1))
	_, err = db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Email: new("1")})
	must(t, err)
	must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
	equal(t, "changes after it was changed and deleted", db.Changes()-before, uint64(3))
}

func TestEveryWrongFieldOfAWebsiteIsNamed(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	for name, c := range map[string]struct {
		in   accounts.WebsiteInput
		want map[string]string
	}{
		"nothing sent": {accounts.WebsiteInput{}, map[string]string{"domain": "is required"}},
		"all at once": {accounts.WebsiteInput{
			Domain: new("not a domain"), Privacy: new("3"), Password: new(strings.Repeat("x", 1025)), Email: new("yes"), ExcludeBots: new(""),
			ExcludeParams: new("good\na=b"), ExcludeIPs: new("10.0.0.1\n10.0.0.256"), Timezone: new("Berlin"),
			RespectSignals: new("yes"),
		}, map[string]string{
			"domain":         "must be a domain such as example.com",
			"privacy":        "must be 0, 1 or 2",
			"password":       "must not be longer than 1024 bytes",
			"email":          "must be 0 or 1",
			"exclude_bots":   "must be 0 or 1",
			"exclude_params": `line 2: "a=b" is not the name of a parameter: write one such as utm_source or utm_*`,
			"exclude_ips":    `line 2: "10.0.0.256" is not an IP address or range: write one such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32`,
			"timezone":       "must be the name of a time zone, such as Europe/Berlin or UTC",

			"respect_signals": "must be 0 or 1",
		}},
		"password missing": {accounts.WebsiteInput{Domain: new("example.com"), Privacy: new("2")},
			map[string]string{"password": "is required when privacy is 2"}},
		"password empty": {accounts.WebsiteInput{Domain: new("example.com"), Privacy: new("2"), Password: new("")},
			map[string]string{"password": "is required when privacy is 2"}},
		"number in words": {accounts.WebsiteInput{Domain: new("example.com"), Privacy: new("one"), Email: new("true")},
			map[string]string{"privacy": "must be 0, 1 or 2", "email": "must be 0 or 1"}},
		"zone of the machine": {accounts.WebsiteInput{Domain: new("example.com"), Timezone: new("Local")},
			map[string]string{"timezone": "must be the name of a time zone, such as Europe/Berlin or UTC"}},
		"no zone": {accounts.WebsiteInput{Domain: new("example.com"), Timezone: new("")},
			map[string]string{"timezone": "must be the name of a time zone, such as Europe/Berlin or UTC"}},
		"zone with a way out": {accounts.WebsiteInput{Domain: new("example.com"), Timezone: new("../../etc/passwd")},
			map[string]string{"timezone": "must be the name of a time zone, such as Europe/Berlin or UTC"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.CreateWebsite(t.Context(), anna, c.in)
			want := map[string][]string{}
			for field, problem := range c.want {
				want[field] = []string{problem}
			}
			wantFault(t, err, fault.Invalid)
			equal(t, "wrong fields", fault.Of(err).Fields, want)
		})
	}
}

func TestDomainIsRegisteredOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		createWebsite(t, db, anna, "example.com")
		for _, c := range []accounts.Caller{anna, ben} {
			_, err := db.CreateWebsite(t.Context(), c, accounts.WebsiteInput{Domain: new("www.EXAMPLE.com")})
			wantFault(t, err, fault.Conflict, "domain")
		}
	})
}

func TestOfManyWhoRegisterADomainOneWins(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		nodes := []*accounts.DB{home.open(t), home.open(t)}
		anna := addAccount(t, nodes[0], "anna@example.com")
		won := 0
		for _, err := range together(100, func(i int) error {
			_, err := nodes[i%2].CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new("example.com")})
			return err
		}) {
			if err == nil {
				won++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("%v, want conflict", err)
			}
		}
		equal(t, "number of winners", won, 1)
	})
}

func TestUpdateLeavesWhatWasNotSent(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		want, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{
			Domain: new("example.com"), ExcludeIPs: new("192.0.2.1"), ExcludeParams: new("a"), Timezone: new("Asia/Tokyo"), Email: new("1"), Privacy: new("0"),
		})
		must(t, err)
		for _, c := range []struct {
			in     accounts.WebsiteInput
			change func(w *accounts.Website)
		}{
			{accounts.WebsiteInput{}, func(w *accounts.Website) {}},
			{accounts.WebsiteInput{Privacy: new("1")}, func(w *accounts.Website) { w.Privacy = accounts.Private }},
			{accounts.WebsiteInput{Email: new("0")}, func(w *accounts.Website) { w.Email = false }},
			{accounts.WebsiteInput{ExcludeBots: new("0")}, func(w *accounts.Website) { w.ExcludeBots = false }},
			{accounts.WebsiteInput{ExcludeParams: new("")}, func(w *accounts.Website) { w.ExcludeParams = "" }},
			{accounts.WebsiteInput{ExcludeIPs: new("::1")}, func(w *accounts.Website) { w.ExcludeIPs = "::1" }},
			{accounts.WebsiteInput{Timezone: new("UTC")}, func(w *accounts.Website) { w.Timezone = "UTC" }},
		} {
			home.pass(time.Minute)
			c.change(&want)
			want.UpdatedAt = home.clock()
			updated, err := db.UpdateWebsite(t.Context(), anna, want.ID, c.in)
			must(t, err)
			equal(t, "website as updated", updated, want)
			shown, err := db.Website(t.Context(), anna, want.ID)
			must(t, err)
			equal(t, "website as shown", shown, want)
		}
	})
}

func TestUpdateRefusesDomainAndEveryWrongField(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Domain: new("example.com"), Email: new("2"), Privacy: new("2")})
		wantFault(t, err, fault.Invalid, "domain", "email", "password")
		after, err := db.Website(t.Context(), anna, w.ID)
		must(t, err)
		equal(t, "website", after, w)
	})
}

func TestPasswordIsKeptForLater(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		update := func(in accounts.WebsiteInput) {
			t.Helper()
			_, err := db.UpdateWebsite(t.Context(), anna, w.ID, in)
			must(t, err)
		}
		opens := func(password string, want bool) {
			t.Helper()
			_, err := db.OpenDashboard(t.Context(), w.ID, password)
			if (err == nil) != want || err != nil && !fault.Is(err, fault.Unauthorized) {
				t.Errorf("%q opens the website: %v, want %v", password, err, want)
			}
		}
		update(accounts.WebsiteInput{Password: new("sesame")})
		opens("sesame", false) // the website is private, nobody gets in by password
		update(accounts.WebsiteInput{Privacy: new("2")})
		opens("sesame", true)
		opens("Sesame", false)
		opens("", false)
		update(accounts.WebsiteInput{Password: new("thyme")})
		opens("sesame", false)
		opens("thyme", true)
		_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Password: new("")})
		wantFault(t, err, fault.Invalid, "password")
		update(accounts.WebsiteInput{Privacy: new("0"), Password: new("")}) // forgets it
		_, err = db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Privacy: new("2")})
		wantFault(t, err, fault.Invalid, "password")
	})
}

func TestForeignAndAbsentWebsitesLookTheSame(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		foreign := createWebsite(t, db, anna, "example.com").ID
		deleted := createWebsite(t, db, ben, "ben.example").ID
		must(t, db.DeleteWebsite(t.Context(), ben, deleted))

		for name, call := range map[string]func(id int64) error{
			"show": func(id int64) error { _, err := db.Website(t.Context(), ben, id); return err },
			"update": func(id int64) error {
				_, err := db.UpdateWebsite(t.Context(), ben, id, accounts.WebsiteInput{})
				return err
			},
			"delete":  func(id int64) error { return db.DeleteWebsite(t.Context(), ben, id) },
			"shares":  func(id int64) error { _, err := db.Shares(t.Context(), ben, id); return err },
			"unshare": func(id int64) error { return db.UnshareWebsite(t.Context(), ben, id, ben.Account()) },
			"share": func(id int64) error {
				_, err := db.ShareWebsite(t.Context(), ben, id, accounts.ShareInput{Email: "ben@example.com"})
				return err
			},
			"wrong update": func(id int64) error {
				_, err := db.UpdateWebsite(t.Context(), ben, id, accounts.WebsiteInput{Privacy: new("9")})
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				for _, id := range []int64{foreign, deleted, 999, 0, -1} {
					err := call(id)
					wantFault(t, err, fault.NotFound)
					if got, want := fault.Of(err).Message(), fmt.Sprintf("No website %d.", id); got != want {
						t.Errorf("message %q, want %q", got, want)
					}
				}
			})
		}
		if _, err := db.Website(t.Context(), anna, foreign); err != nil {
			t.Error(err)
		}
		equal(t, "fault of an id that is none", fault.Of(accounts.NoWebsite("1 OR 1")).Message(), `No website "1 OR 1".`)
		equal(t, "fault of an id that is one", accounts.NoWebsite("7").Error(), "no website 7")
	})
}

func TestKeyThatMayOnlyReadChangesNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		reader := readOnly(t, db, anna)
		if _, err := db.Website(t.Context(), reader, w.ID); err != nil {
			t.Error(err)
		}
		errs := map[string]error{}
		for _, id := range []int64{w.ID, 999} {
			_, errs[fmt.Sprint("update ", id)] = db.UpdateWebsite(t.Context(), reader, id, accounts.WebsiteInput{})
			errs[fmt.Sprint("delete ", id)] = db.DeleteWebsite(t.Context(), reader, id)
			_, errs[fmt.Sprint("share ", id)] = db.ShareWebsite(t.Context(), reader, id, accounts.ShareInput{})
			errs[fmt.Sprint("unshare ", id)] = db.UnshareWebsite(t.Context(), reader, id, anna.Account())
		}
		_, errs["create"] = db.CreateWebsite(t.Context(), reader, accounts.WebsiteInput{Domain: new("other.example")})
		_, _, errs["create a key"] = db.CreateKey(t.Context(), reader, accounts.KeyInput{})
		_, errs["revoke a key"] = db.RevokeKey(t.Context(), reader, reader.Key())
		errs["end a session"] = db.EndSession(t.Context(), reader, 1)
		errs["end sessions"] = db.EndSessions(t.Context(), reader)
		errs["change the password"] = db.ChangePassword(t.Context(), reader, goodPassword, goodPassword)
		_, errs["update the account"] = db.UpdateAccount(t.Context(), reader, anna.Account(), accounts.AccountInput{})
		errs["delete the account"] = db.DeleteAccount(t.Context(), reader, anna.Account())
		for name, err := range errs {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: %v, want forbidden", name, err)
			}
		}
	})
}

func TestWebsiteIDIsNeverUsedAgain(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		last := int64(0)
		for range 3 {
			w := createWebsite(t, db, anna, "example.com")
			if w.ID <= last {
				t.Errorf("id %d after %d", w.ID, last)
			}
			last = w.ID
			must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
			must(t, db.MarkPurged(t.Context(), w.ID))
			must(t, db.Close())
			db = home.open(t)
		}
	})
}

func TestDeletedWebsiteWaitsToBePurged(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		first, second := createWebsite(t, db, anna, "first.example"), createWebsite(t, db, anna, "second.example")
		must(t, db.DeleteWebsite(t.Context(), anna, second.ID))
		atSecond := home.clock()
		home.pass(time.Second)
		must(t, db.DeleteWebsite(t.Context(), anna, first.ID))
		wantDeleted := func(want ...accounts.DeletedWebsite) {
			t.Helper()
			got, err := db.DeletedWebsites(t.Context())
			must(t, err)
			equal(t, "deleted websites", got, want)
		}
		wantDeleted(accounts.DeletedWebsite{ID: second.ID, DeletedAt: atSecond}, accounts.DeletedWebsite{ID: first.ID, DeletedAt: home.clock()})
		must(t, db.MarkPurged(t.Context(), second.ID))
		must(t, db.MarkPurged(t.Context(), second.ID))
		wantDeleted(accounts.DeletedWebsite{ID: first.ID, DeletedAt: home.clock()})
		wantFault(t, db.DeleteWebsite(t.Context(), anna, first.ID), fault.NotFound)
	})
}

func TestVersionGrowsWithEveryChangeToAWebsite(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		other := home.open(t) // sees what db does
		anna := addAccount(t, db, "anna@example.com")
		addAccount(t, db, "ben@example.com")
		before, err := other.WebsitesVersion(t.Context())
		must(t, err)
		var w accounts.Website
		for _, step := range []struct {
			name string
			do   func() error
			same bool
		}{
			{name: "create", do: func() error { w = createWebsite(t, db, anna, "example.com"); return nil }},
			{name: "update", do: func() error {
				_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Email: new("1")})
				return err
			}},
			{name: "share", do: func() error {
				_, err := db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com"})
				return err
			}},
			{name: "look", do: func() error { _, err := db.Website(t.Context(), anna, w.ID); return err }, same: true},
			{name: "sign in", do: func() error { _, _, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, ""); return err }, same: true},
			{name: "delete", do: func() error { return db.DeleteWebsite(t.Context(), anna, w.ID) }},
		} {
			must(t, step.do())
			after, err := other.WebsitesVersion(t.Context())
			must(t, err)
			if (after == before) != step.same {
				t.Errorf("%s: version %d, before it %d", step.name, after, before)
			}
			before = after
		}
	})
}

func TestConcurrentUpdatesKeepEachOthersFields(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		nodes := []*accounts.DB{home.open(t), home.open(t)}
		anna := addAccount(t, nodes[0], "anna@example.com")
		w := createWebsite(t, nodes[0], anna, "example.com")
		inputs := []accounts.WebsiteInput{
			{Privacy: new("0")}, {Email: new("1")}, {ExcludeBots: new("0")}, {ExcludeParams: new("a")}, {ExcludeIPs: new("::1")}, {Timezone: new("Asia/Tokyo")},
		}
		for _, err := range together(len(inputs), func(i int) error {
			_, err := nodes[i%2].UpdateWebsite(t.Context(), anna, w.ID, inputs[i])
			return err
		}) {
			must(t, err)
		}
		w.Privacy, w.Email, w.ExcludeBots, w.ExcludeParams, w.ExcludeIPs, w.Timezone = accounts.Public, true, false, "a", "::1", "Asia/Tokyo"
		got, err := nodes[0].Website(t.Context(), anna, w.ID)
		must(t, err)
		equal(t, "website", got, w)
	})
}

// P3: nothing of a purged website is left in SQLite's files.
func TestPurgedWebsiteLeavesNoByteInSQLite(t *testing.T) {
	home := newHome(t.TempDir() + "/footfall.db")
	db := home.open(t)
	anna := addAccount(t, db, "anna@example.com")
	w, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new("canary-domain.example"), ExcludeParams: new("canary_param")})
	must(t, err)
	if bytes := filesOf(t, home); !strings.Contains(bytes, "canary") {
		t.Fatal("the canaries are not found while they live")
	}
	must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
	must(t, db.MarkPurged(t.Context(), w.ID))
	if bytes := filesOf(t, home); strings.Contains(bytes, "canary") {
		t.Error("a canary is left")
	}
}

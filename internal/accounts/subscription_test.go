package accounts_test

import (
	"fmt"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func share(t *testing.T, db *accounts.DB, owner accounts.Caller, website int64, email string) {
	t.Helper()
	_, err := db.ShareWebsite(t.Context(), owner, website, accounts.ShareInput{Email: email})
	must(t, err)
}

func setEmail(t *testing.T, db *accounts.DB, owner accounts.Caller, website int64, email string) {
	t.Helper()
	_, err := db.UpdateWebsite(t.Context(), owner, website, accounts.WebsiteInput{Email: &email})
	must(t, err)
}

func TestOwnersGetReportsAndOthersIfTheyAsk(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna, ben, carl := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com"), addAccount(t, db, "carl@example.com")
		w := createWebsite(t, db, anna, "example.com")
		share(t, db, anna, w.ID, "ben@example.com")
		gets := func(c accounts.Caller, want accounts.Subscription) {
			t.Helper()
			want.Website = w.ID
			s, err := db.Subscription(t.Context(), c, w.ID)
			must(t, err)
			equal(t, "subscription", s, want)
			r, err := db.Recipient(t.Context(), w.ID, c.Account())
			must(t, err)
			equal(t, "whether it is sent", r.Reports, want.Reports && want.Email)
			equal(t, "recipient", r.Account.ID, c.Account())
			equal(t, "its website", r.Website.Domain, "example.com")
		}
		gets(anna, accounts.Subscription{Reports: true})
		gets(ben, accounts.Subscription{})
		setEmail(t, db, anna, w.ID, "1")
		gets(anna, accounts.Subscription{Reports: true, Email: true})
		gets(ben, accounts.Subscription{Email: true})
		s, err := db.Subscribe(t.Context(), ben, w.ID, accounts.SubscriptionInput{Reports: new("1")})
		must(t, err)
		equal(t, "Ben's", s, accounts.Subscription{Website: w.ID, Reports: true, Email: true})
		gets(ben, s)
		must(t, db.Unsubscribe(t.Context(), w.ID, anna.Account()))
		must(t, db.Unsubscribe(t.Context(), w.ID, anna.Account()))
		gets(anna, accounts.Subscription{Email: true})
		gets(ben, s)
		setEmail(t, db, anna, w.ID, "1") // as a program sends it that sends all fields
		gets(anna, accounts.Subscription{Email: true})
		must(t, db.Unsubscribe(t.Context(), w.ID, ben.Account()))
		setEmail(t, db, anna, w.ID, "0")
		setEmail(t, db, anna, w.ID, "1") // she switches them on for herself, and not for Ben
		gets(anna, accounts.Subscription{Reports: true, Email: true})
		gets(ben, accounts.Subscription{Email: true})

		_, err = db.Subscription(t.Context(), carl, w.ID)
		wantFault(t, err, fault.NotFound)
		_, err = db.Subscribe(t.Context(), carl, w.ID, accounts.SubscriptionInput{Reports: new("1")})
		wantFault(t, err, fault.NotFound)
		wantFault(t, db.Unsubscribe(t.Context(), w.ID, carl.Account()), fault.NotFound)
		_, err = db.Recipient(t.Context(), w.ID, carl.Account())
		wantFault(t, err, fault.NotFound)
		_, err = db.Subscribe(t.Context(), readOnly(t, db, ben), w.ID, accounts.SubscriptionInput{Reports: new("1")})
		wantFault(t, err, fault.Forbidden)
		for _, sent := range []*string{nil, new(""), new("2"), new("yes")} {
			_, err = db.Subscribe(t.Context(), ben, w.ID, accounts.SubscriptionInput{Reports: sent})
			wantFault(t, err, fault.Invalid, "reports")
		}
	})
}

// planned plans a report that is due now, and tells to whom it goes.
func planned(t *testing.T, db *accounts.DB, website int64, due time.Time) (names []string) {
	t.Helper()
	plan := accounts.ReportPlan{Website: website, Reports: []accounts.DueReport{{Due: due, Delivery: func(account int64) accounts.Delivery {
		return accounts.Delivery{Kind: "test", Name: fmt.Sprintf("%s to %d", due.Format(time.DateOnly), account)}
	}}}}
	must(t, db.PlanReports(t.Context(), []accounts.ReportPlan{plan}))
	for {
		d, ok, err := db.TakeDelivery(t.Context(), "test", "one")
		must(t, err)
		if !ok {
			return names
		}
		must(t, db.EndDelivery(t.Context(), d, accounts.Sent, ""))
		names = append(names, d.Name)
	}
}

func TestReportsArePlannedOnceForThoseWhoWantedThem(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db, other := home.open(t), home.open(t)
		anna, ben := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		silent := createWebsite(t, db, anna, "silent.example")
		share(t, db, anna, w.ID, "ben@example.com")
		setEmail(t, db, anna, w.ID, "1")
		listed := func() []accounts.ReportedWebsite {
			t.Helper()
			list, err := db.ReportedWebsites(t.Context())
			must(t, err)
			return list
		}
		begin := home.clock()
		equal(t, "websites with reports", listed(), []accounts.ReportedWebsite{{ID: w.ID, Timezone: "UTC", Planned: begin}})

		equal(t, "due before it was switched on", len(planned(t, db, w.ID, begin.Add(-time.Hour))), 0)
		home.pass(24 * time.Hour)
		equal(t, "due", planned(t, db, w.ID, home.clock()), []string{"2026-03-02 to 1"})
		equal(t, "due again, on another node", len(planned(t, other, w.ID, home.clock())), 0)
		equal(t, "planned", listed()[0].Planned, home.clock())

		home.pass(24 * time.Hour)
		due := home.clock()
		home.pass(time.Hour)
		_, err := db.Subscribe(t.Context(), ben, w.ID, accounts.SubscriptionInput{Reports: new("1")})
		must(t, err)
		equal(t, "due before Ben asked", planned(t, db, w.ID, due), []string{"2026-03-03 to 1"})
		home.pass(24 * time.Hour)
		equal(t, "due after he asked", planned(t, db, w.ID, home.clock()), []string{"2026-03-04 to 1", "2026-03-04 to 2"})
		must(t, db.Unsubscribe(t.Context(), w.ID, anna.Account()))
		home.pass(24 * time.Hour)
		equal(t, "due after Anna left", planned(t, db, w.ID, home.clock()), []string{"2026-03-05 to 2"})
		must(t, db.UnshareWebsite(t.Context(), anna, w.ID, ben.Account()))
		home.pass(24 * time.Hour)
		equal(t, "due when nobody is there", len(planned(t, db, w.ID, home.clock())), 0)

		setEmail(t, db, anna, w.ID, "0")
		equal(t, "websites with reports", len(listed()), 0)
		home.pass(24 * time.Hour)
		setEmail(t, db, anna, w.ID, "1")
		equal(t, "begins anew", listed()[0].Planned, home.clock())
		home.pass(24 * time.Hour)
		equal(t, "of a website without reports", len(planned(t, db, silent.ID, home.clock())), 0)
	})
}

func TestSigningKeyIsTheSameForAll(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		dbs := []*accounts.DB{home.open(t), home.open(t)}
		keys := make([]string, 8)
		for _, err := range together(len(keys), func(i int) error {
			key, err := dbs[i%2].SigningKey(t.Context(), "report")
			keys[i] = string(key)
			return err
		}) {
			must(t, err)
		}
		for _, key := range keys {
			if key != keys[0] || len(key) != 32 {
				t.Fatalf("keys are %x", keys)
			}
		}
		another, err := dbs[0].SigningKey(t.Context(), "another")
		must(t, err)
		if string(another) == keys[0] {
			t.Error("two names have one key")
		}
	})
}

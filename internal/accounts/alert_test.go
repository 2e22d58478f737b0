package accounts_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

const hookURL = "https://example.com/hooks?from=footfall"

func addAlert(t *testing.T, db *accounts.DB, c accounts.Caller, website int64, in accounts.AlertInput) accounts.Alert {
	t.Helper()
	a, err := db.AddAlert(t.Context(), c, website, in)
	must(t, err)
	return a
}

func TestEditorsSetAlerts(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna, ben, carl := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com"), addAccount(t, db, "carl@example.com")
		w, other := createWebsite(t, db, anna, "example.com"), createWebsite(t, db, anna, "example.org")
		hook, _, err := db.AddWebhook(t.Context(), anna, w.ID, hookURL)
		must(t, err)
		_, err = db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
		must(t, err)
		share(t, db, anna, w.ID, "carl@example.com")

		a := addAlert(t, db, ben, w.ID, accounts.AlertInput{Kind: new("above")})
		now := home.clock()
		equal(t, "alert", a, accounts.Alert{
			ID: a.ID, Website: w.ID, Account: ben.Account(), Kind: accounts.Above, Sensitivity: accounts.Normal, Threshold: 20, Hours: 3, CreatedAt: now, UpdatedAt: now,
		})
		home.pass(time.Minute)
		in := accounts.AlertInput{Kind: new("silent"), Sensitivity: new("high"), Threshold: new("5"), Hours: new("72"), Email: new("1"), Webhook: new("1")}
		a, err = db.UpdateAlert(t.Context(), anna, w.ID, a.ID, in)
		must(t, err)
		want := accounts.Alert{
			ID: a.ID, Website: w.ID, Account: ben.Account(), Webhook: hook.ID, Kind: accounts.Silent, Sensitivity: accounts.High, Threshold: 5, Hours: 72,
			Email: true, CreatedAt: now, UpdatedAt: home.clock(),
		}
		equal(t, "changed", a, want)
		list, err := db.Alerts(t.Context(), readOnly(t, db, ben), w.ID)
		must(t, err)
		equal(t, "alerts", list, []accounts.Alert{want})
		watched, err := db.WatchedAlerts(t.Context())
		must(t, err)
		equal(t, "watched", watched, []accounts.WatchedAlert{{Alert: want, Domain: "example.com", Timezone: "UTC"}})

		_, err = db.Alerts(t.Context(), carl, w.ID)
		wantFault(t, err, fault.Forbidden)
		_, err = db.AddAlert(t.Context(), carl, w.ID, accounts.AlertInput{Kind: new("above")})
		wantFault(t, err, fault.Forbidden)
		_, err = db.AddAlert(t.Context(), readOnly(t, db, anna), w.ID, accounts.AlertInput{Kind: new("above")})
		wantFault(t, err, fault.Forbidden)
		_, err = db.Alerts(t.Context(), ben, other.ID)
		wantFault(t, err, fault.NotFound)
		_, err = db.UpdateAlert(t.Context(), anna, other.ID, a.ID, accounts.AlertInput{})
		wantFault(t, err, fault.NotFound)
		wantFault(t, db.DeleteAlert(t.Context(), anna, other.ID, a.ID), fault.NotFound)

		for field, in := range map[string]accounts.AlertInput{
			"kind":        {},
			"sensitivity": {Kind: new("above"), Sensitivity: new("")},
			"threshold":   {Kind: new("above"), Threshold: new("0")},
			"hours":       {Kind: new("silent"), Hours: new("73")},
			"email":       {Kind: new("above"), Email: new("yes")},
			"webhook_id":  {Kind: new("above"), Webhook: new("7")},
		} {
			_, err := db.AddAlert(t.Context(), anna, w.ID, in)
			wantFault(t, err, fault.Invalid, field)
		}
		_, err = db.AddAlert(t.Context(), anna, other.ID, accounts.AlertInput{Kind: new("above"), Webhook: new("1")}) // another website's
		wantFault(t, err, fault.Invalid, "webhook_id")

		must(t, db.DeleteWebhook(t.Context(), ben, w.ID, hook.ID))
		list, err = db.Alerts(t.Context(), anna, w.ID)
		must(t, err)
		equal(t, "webhook of the alert", list[0].Webhook, int64(0))
		must(t, db.DeleteAccount(t.Context(), ben, ben.Account()))
		watched, err = db.WatchedAlerts(t.Context())
		must(t, err)
		equal(t, "watched when nobody would be told", len(watched), 0)
		must(t, db.DeleteAlert(t.Context(), anna, w.ID, a.ID))
		wantFault(t, db.DeleteAlert(t.Context(), anna, w.ID, a.ID), fault.NotFound)
		for range 20 {
			addAlert(t, db, anna, w.ID, accounts.AlertInput{Kind: new("above")})
		}
		_, err = db.AddAlert(t.Context(), anna, w.ID, accounts.AlertInput{Kind: new("above")})
		wantFault(t, err, fault.Conflict)
	})
}

func TestAlertFiresOnceIn12HoursOnManyNodes(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		dbs := []*accounts.DB{home.open(t), home.open(t)}
		anna := addAccount(t, dbs[0], "anna@example.com")
		w := createWebsite(t, dbs[0], anna, "example.com")
		a := addAlert(t, dbs[0], anna, w.ID, accounts.AlertInput{Kind: new("above"), Email: new("1")})
		fire := func() int64 {
			t.Helper()
			var fired atomic.Int64
			for _, err := range together(6, func(i int) error {
				d := accounts.Delivery{Kind: "test", Name: strings.Repeat("x", i) + home.clock().String(), Website: w.ID}
				ok, err := dbs[i%2].FireAlert(t.Context(), a.ID, []accounts.Delivery{d})
				if ok {
					fired.Add(1)
				}
				return err
			}) {
				must(t, err)
			}
			return fired.Load()
		}
		equal(t, "fired", fire(), int64(1))
		home.pass(12*time.Hour - time.Second)
		equal(t, "fired within 12 hours", fire(), int64(0))
		home.pass(time.Second)
		equal(t, "fired after 12 hours", fire(), int64(1))
		list, err := dbs[0].Deliveries(t.Context(), "test", 10)
		must(t, err)
		equal(t, "deliveries", len(list), 2)
	})
}

func TestSecretOfAWebhookIsShownOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna, ben := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		hook, secret, err := db.AddWebhook(t.Context(), anna, w.ID, " "+hookURL+" ")
		must(t, err)
		if !strings.HasPrefix(secret, "ffw_") || len(secret) != 68 {
			t.Errorf("secret is %q", secret)
		}
		equal(t, "webhook", hook, accounts.Webhook{ID: hook.ID, Website: w.ID, URL: hookURL, CreatedAt: home.clock()})
		list, err := db.Webhooks(t.Context(), anna, w.ID)
		must(t, err)
		equal(t, "webhooks", list, []accounts.Webhook{hook})
		url, kept, err := db.WebhookTarget(t.Context(), hook.ID)
		must(t, err)
		equal(t, "target", url+" "+kept, hookURL+" "+secret)

		_, err = db.Webhooks(t.Context(), ben, w.ID)
		wantFault(t, err, fault.NotFound)
		share(t, db, anna, w.ID, "ben@example.com")
		_, err = db.Webhooks(t.Context(), ben, w.ID) // a URL can be a secret too
		wantFault(t, err, fault.Forbidden)
		_, err = db.Attempts(t.Context(), ben, w.ID, hook.ID)
		wantFault(t, err, fault.Forbidden)
		_, _, err = db.AddWebhook(t.Context(), ben, w.ID, hookURL)
		wantFault(t, err, fault.Forbidden)
		_, err = db.PingWebhook(t.Context(), ben, w.ID, hook.ID)
		wantFault(t, err, fault.Forbidden)
		_, _, err = db.AddWebhook(t.Context(), anna, w.ID, "ftp://example.com/")
		wantFault(t, err, fault.Invalid, "url")
		for range 9 {
			_, _, err = db.AddWebhook(t.Context(), anna, w.ID, hookURL)
			must(t, err)
		}
		_, _, err = db.AddWebhook(t.Context(), anna, w.ID, hookURL)
		wantFault(t, err, fault.Conflict)
	})
}

func TestLogKeepsTheLastAttempts(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		hook, _, err := db.AddWebhook(t.Context(), anna, w.ID, hookURL)
		must(t, err)
		other, _, err := db.AddWebhook(t.Context(), anna, w.ID, hookURL)
		must(t, err)
		must(t, db.LogAttempt(t.Context(), other.ID, accounts.Attempt{Kind: "ping"}))
		for i := range 103 {
			must(t, db.LogAttempt(t.Context(), hook.ID, accounts.Attempt{MessageID: "m", Kind: "alert", Attempt: i + 1, Status: 500, Error: "no\r\n", Duration: 1500 * time.Microsecond}))
		}
		list, err := db.Attempts(t.Context(), anna, w.ID, hook.ID)
		must(t, err)
		equal(t, "attempts", len(list), 100)
		equal(t, "the newest", list[0], accounts.Attempt{
			ID: list[0].ID, MessageID: "m", Kind: "alert", Attempt: 103, Status: 500, Error: "no  ", Duration: time.Millisecond, At: home.clock(),
		})
		equal(t, "the oldest", list[99].Attempt, 4)
		var rows int
		must(t, home.raw(t).QueryRow(`SELECT COUNT(*) FROM webhook_attempts`).Scan(&rows))
		equal(t, "rows", rows, 101)
		must(t, db.DeleteWebhook(t.Context(), anna, w.ID, hook.ID))
		must(t, db.LogAttempt(t.Context(), hook.ID, accounts.Attempt{Kind: "alert"})) // it was on its way
		_, err = db.Attempts(t.Context(), anna, w.ID, hook.ID)
		wantFault(t, err, fault.NotFound)
		must(t, home.raw(t).QueryRow(`SELECT COUNT(*) FROM webhook_attempts`).Scan(&rows))
		equal(t, "rows", rows, 1)
	})
}

func TestDeletedWebsiteTakesItsAlertsAndWebhooks(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		hook, _, err := db.AddWebhook(t.Context(), anna, w.ID, hookURL)
		must(t, err)
		must(t, db.LogAttempt(t.Context(), hook.ID, accounts.Attempt{Kind: "ping"}))
		_, err = db.PingWebhook(t.Context(), anna, w.ID, hook.ID)
		must(t, err)
		_, err = db.PingWebhook(t.Context(), anna, w.ID, hook.ID) // takes the place of the other
		must(t, err)
		pings, err := db.Deliveries(t.Context(), accounts.WebhookKind, 10)
		must(t, err)
		equal(t, "pings", len(pings), 1)
		equal(t, "state of the ping", pings[0].State, accounts.Waiting)
		addAlert(t, db, anna, w.ID, accounts.AlertInput{Kind: new("above"), Webhook: new("1")})
		must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
		for _, table := range []string{"alerts", "webhooks", "webhook_attempts", "outbox"} {
			var n int
			must(t, home.raw(t).QueryRow(`SELECT COUNT(*) FROM `+table).Scan(&n))
			equal(t, "rows of "+table, n, 0)
		}
	})
}

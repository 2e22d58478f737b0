package alert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/accounts/accountstest"
	"footfall/internal/alert"
	"footfall/internal/event"
	"footfall/internal/mail"
	"footfall/internal/mail/mailtest"
	"footfall/internal/outbox"
	"footfall/internal/store"
	"footfall/internal/store/storetest"
)

// A rig is all that alerts need, with a clock of its own.
type rig struct {
	*accountstest.Home
	t     *testing.T
	store *storetest.Oracle
	anna  accounts.Caller
	log   bytes.Buffer
	next  uint64
}

// home is a database with three accounts, which each rig has a copy of: a password takes a while.
var home string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "alert")
	if err == nil {
		home = filepath.Join(dir, "footfall.db")
		err = furnish(home)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

func furnish(path string) error {
	db, err := accounts.Open(context.Background(), path, accounts.Options{Throwaway: true})
	if err != nil {
		return err
	}
	for email, locale := range map[string]string{"anna@example.com": "en", "en@example.com": "en", "de@example.com": "de"} {
		in := accounts.AccountInput{Email: &email, Password: new("long enough"), Locale: &locale}
		if _, err := db.AddAccount(context.Background(), accounts.Shell(), in); err != nil {
			return err
		}
	}
	return db.Close()
}

func newRig(t *testing.T) *rig {
	t.Helper()
	content, err := os.ReadFile(home)
	must(t, err)
	path := filepath.Join(t.TempDir(), "footfall.db")
	must(t, os.WriteFile(path, content, 0o600))
	r := &rig{t: t, Home: accountstest.New(t, path, "2026-01-01 00:00")}
	r.store = storetest.NewOracle(r.Now)
	r.anna = r.account("anna@example.com")
	return r
}

func (r *rig) account(email string) accounts.Caller {
	r.t.Helper()
	c, err := r.DB.ActAs(r.t.Context(), email)
	must(r.t, err)
	return c
}

func (r *rig) website(domain, zone string) accounts.Website {
	r.t.Helper()
	w, err := r.DB.CreateWebsite(r.t.Context(), r.anna, accounts.WebsiteInput{Domain: &domain, Timezone: &zone})
	must(r.t, err)
	return w
}

func (r *rig) alert(w accounts.Website, in accounts.AlertInput) accounts.Alert {
	r.t.Helper()
	if in.Email == nil {
		in.Email = new("1")
	}
	a, err := r.DB.AddAlert(r.t.Context(), r.anna, w.ID, in)
	must(r.t, err)
	return a
}

// visits loads as many visitors who come once, at a moment in UTC.
func (r *rig) visits(w accounts.Website, at string, n int) {
	r.t.Helper()
	zone, err := time.LoadLocation(w.Timezone)
	must(r.t, err)
	t, err := time.Parse("2006-01-02 15:04", at)
	must(r.t, err)
	var events []event.Event
	for i := range n {
		e := event.Event{Website: w.ID, Visitor: r.next<<20 + uint64(i) + 1, Kind: event.Pageview}
		e.At(t, zone)
		e.Fields[event.Page] = "/"
		events = append(events, e)
	}
	must(r.t, r.store.Append(r.t.Context(), store.Batch{From: r.next, To: r.next + 1, Events: events}))
	r.next++
}

// usually loads visitors into the same time in the weeks before a moment, the last week first.
func (r *rig) usually(w accounts.Website, at string, counts ...int) {
	r.t.Helper()
	zone, err := time.LoadLocation(w.Timezone)
	must(r.t, err)
	t, err := time.ParseInLocation("2006-01-02 15:04", at, zone)
	must(r.t, err)
	for i, n := range counts {
		before := time.Date(t.Year(), t.Month(), t.Day()-7*(i+1), t.Hour(), t.Minute(), 0, 0, zone)
		r.visits(w, before.UTC().Format("2006-01-02 15:04"), n)
	}
}

func (r *rig) watch(db *accounts.DB) *alert.Watch {
	return &alert.Watch{Accounts: db, Store: r.store, Mail: "example.com", Now: r.Now, Log: slog.New(slog.NewTextHandler(&r.log, nil))}
}

// found are the findings in the outbox, the oldest first.
func (r *rig) found() []alert.Finding {
	r.t.Helper()
	list, err := r.DB.Deliveries(r.t.Context(), alert.Kind, 100)
	must(r.t, err)
	var all []alert.Finding
	for i := len(list) - 1; i >= 0; i-- {
		var f alert.Finding
		must(r.t, json.Unmarshal([]byte(list[i].Payload), &f))
		all = append(all, f)
	}
	return all
}

func (r *rig) postman(s *mailtest.Server) *outbox.Postman {
	clerk := &alert.Clerk{Accounts: r.DB, From: "Footfall <stats@example.com>", Base: "https://stats.example.com"}
	return &outbox.Postman{
		Box:  outbox.Box{Accounts: r.DB, Kind: alert.Kind, Node: "one", Patience: alert.Patience, Log: slog.New(slog.NewTextHandler(&r.log, nil)), Now: r.Now},
		Mail: mail.Settings{Host: s.Host, Port: s.Port, Security: mail.None, From: clerk.From, Timeout: 10 * time.Second}, Write: clerk.Write,
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

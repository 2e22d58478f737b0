package upgrade

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store/segments"
	"footfall/test/system/program"
)

// The days of the history: January is a month, the first days of February are sealed, the last are open.
var (
	firstDay = event.NewDay(2026, 1, 1)
	lastDay  = event.NewDay(2026, 2, 8)
)

// write makes the data directory of this version and keeps it with the answers that it gives.
func write(t *testing.T, to string) {
	must(t, os.RemoveAll(to))
	dir := filepath.Join(to, "data")
	must(t, os.MkdirAll(dir, 0o755))
	r := release{Key: writeAccounts(t, dir), Answers: make(map[string]answer)}
	writeEvents(t, dir)
	s := program.Serve(t, copyDir(t, dir))
	for want := 10*int(lastDay-firstDay+1) + 3 + 2 + 4; visitors(t, s, r.Key) != want; { // until the journal is empty
		time.Sleep(5 * time.Millisecond)
	}
	for _, path := range paths() {
		r.Answers[path] = ask(t, s, r.Key, path)
	}
	s.Signal(t, syscall.SIGTERM)
	s.Wait(t, 10*time.Second)
	b, err := json.MarshalIndent(r, "", " ")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(to, "answers.json"), append(b, '\n'), 0o644))
}

// visitors is how many visitors website 1 had in all.
func visitors(t *testing.T, s *program.Service, key string) (sum int) {
	var days []struct{ Count int }
	must(t, json.Unmarshal(ask(t, s, key, statistic(1, "visitors", whole)).Data, &days))
	for _, d := range days {
		sum += d.Count
	}
	return sum
}

// writeAccounts makes two accounts with two websites, and returns a key of the first.
func writeAccounts(t *testing.T, dir string) (key string) {
	ctx := t.Context()
	db, err := accounts.Open(ctx, "", accounts.Options{Dir: dir, Now: func() time.Time { return lastDay.UTC() }})
	must(t, err)
	callers := make(map[string]accounts.Caller)
	for _, name := range []string{"anna", "ben"} {
		email := name + "@example.com"
		_, err := db.AddAccount(ctx, accounts.Shell(), accounts.AccountInput{Email: &email, Password: new("password of " + name), Name: &name})
		must(t, err)
		callers[name], err = db.ActAs(ctx, email)
		must(t, err)
	}
	anna := callers["anna"]
	for _, in := range []accounts.WebsiteInput{
		{Domain: new("a.example")},
		{Domain: new("b.example"), Privacy: new("2"), Password: new("sesame"), Email: new("1"), ExcludeParams: new("utm_*\nref"),
			ExcludeIPs: new("192.0.2.1\n2001:db8::/32"), Timezone: new("Europe/Berlin")},
		{Domain: new("gone.example")},
	} {
		_, err := db.CreateWebsite(ctx, anna, in)
		must(t, err)
	}
	must(t, db.DeleteWebsite(ctx, anna, 3))
	must(t, db.MarkPurged(ctx, 3))
	_, err = db.ShareWebsite(ctx, anna, 1, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
	must(t, err)
	_, key, err = db.CreateKey(ctx, anna, accounts.KeyInput{Name: "upgrade"})
	must(t, err)
	revoked, _, err := db.CreateKey(ctx, anna, accounts.KeyInput{Scope: "read"})
	must(t, err)
	_, err = db.RevokeKey(ctx, anna, revoked.ID)
	must(t, err)
	must(t, db.SetSetting(ctx, accounts.Shell(), "title", "Numbers"))
	_, _, err = db.SignIn(ctx, "ben@example.com", "password of ben", "Firefox on Linux")
	must(t, err)
	must(t, db.Close())
	return key
}

// writeEvents sends a history through journal, loader and store, and stops with events in every state.
func writeEvents(t *testing.T, dir string) {
	var clock atomic.Int64
	now := func() time.Time { return time.UnixMilli(clock.Load()).UTC() }
	clock.Store(firstDay.UTC().UnixMilli())
	e, err := segments.Open(dir, segments.Options{Now: now})
	must(t, err)
	j, err := journal.Open(filepath.Join(dir, "journal"), journal.Options{Next: e.Position(), SegmentBytes: 16 << 10})
	must(t, err)
	w := &writer{t: t, journal: j, engine: e, rng: rand.New(rand.NewPCG(1, 14))}
	for day := firstDay; day <= lastDay; day++ {
		clock.Store(day.UTC().Add(23 * time.Hour).UnixMilli())
		w.day(day, 10)
		w.load()
		must(t, e.Flush(t.Context()))
		must(t, e.Settle(t.Context()))
	}
	w.day(firstDay+9, 3) // late for a month that is sealed
	w.day(lastDay-5, 2)  // and for a day
	w.load()
	must(t, e.Flush(t.Context()))
	must(t, j.Drop(e.Durable()))
	w.day(lastDay, 4) // stays in the journal
	must(t, j.Close())
	must(t, e.Close())
}

type writer struct {
	t       *testing.T
	journal *journal.Journal
	engine  *segments.Engine
	rng     *rand.Rand
	ids     uint64
}

// load moves into the store what is in the journal.
func (w *writer) load() {
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- (&collect.Loader{Journal: w.journal, Store: w.engine}).Run(ctx) }()
	for w.engine.Position() < w.journal.Stats().Next {
		time.Sleep(time.Millisecond)
	}
	cancel()
	must(w.t, <-done)
}

// day appends some visits of each website on a day.
func (w *writer) day(day event.Day, visits int) {
	for range visits {
		for website := int64(1); website <= 2; website++ {
			w.visit(website, day)
		}
	}
}

func (w *writer) visit(website int64, day event.Day) {
	pick := func(all ...string) string { return all[w.rng.IntN(len(all))] }
	at := day.UTC().Add(time.Duration(3600+w.rng.IntN(60_000)) * time.Second)
	visitor := w.rng.Uint64()
	var of event.Event
	f := &of.Fields
	f[event.Hostname] = "www.example"
	f[event.Referrer] = pick("", "news.example", "search.example")
	f[event.Source] = pick("", "News", "Search")
	f[event.Channel] = pick("Direct", "Referral", "Organic Search")
	f[event.UTMCampaign] = pick("", "", "spring")
	f[event.Browser], f[event.BrowserVersion] = pick("Firefox", "Chrome", "Safari"), pick("128", "129")
	f[event.OS], f[event.Device] = pick("Windows", "macOS", "iOS"), pick("Desktop", "Mobile")
	f[event.Language], f[event.Resolution] = pick("German", "English"), pick("1920x1080", "390x844")
	f[event.Continent], f[event.Country], f[event.City] = "Europe", pick("Germany", "France"), pick("Berlin, Germany", "Zürich, Switzerland", "")
	for i := range 1 + w.rng.IntN(3) {
		e := of
		w.ids++
		e.ID, e.Website, e.Visitor, e.Kind = w.ids, website, visitor, event.Pageview
		e.Fields[event.Page] = pick("/", "/pricing", "/blog/über-uns", "/search?q=x")
		switch {
		case i > 0 && w.rng.IntN(4) == 0:
			e.Kind, e.Value = event.Custom, 49_900_000
			e.Fields[event.Name], e.Fields[event.Unit] = "Purchase", pick("EUR", "USD")
			e.Fields[event.Props] = event.JoinProps(map[string]string{"plan": pick("free", "pro")})
		case i > 0 && w.rng.IntN(4) == 0:
			e.Kind, e.Engaged, e.Scroll = event.Engagement, 12_000, 80
		}
		e.At(at, time.UTC)
		if _, err := w.journal.Append(w.t.Context(), e.Append(nil)); err != nil {
			w.t.Fatal(fmt.Errorf("append: %w", err))
		}
		at = at.Add(time.Duration(20+w.rng.IntN(600)) * time.Second)
	}
}

// Letters writes the emails of the service with hostile strings in them, for the tests that look at them in a browser: it reads
// strings as a JSON list, and writes for each the weekly report and the alert in which all that others may choose is that string.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/alert"
	"footfall/internal/event"
	"footfall/internal/mail"
	"footfall/internal/report"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// base is where links in the emails lead to.
const base = "https://stats.example.com"

// A letter is an email as a mailbox shows it.
type letter struct {
	Subject string `json:"subject"`
	HTML    string `json:"html"`
	Text    string `json:"text"`
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "letters:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var hostile []string
	if err := json.NewDecoder(os.Stdin).Decode(&hostile); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "footfall-letters-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d, err := openDesk(ctx, dir)
	if err != nil {
		return err
	}
	letters, err := d.write(ctx, hostile)
	if err := errors.Join(err, d.close()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(letters)
}

// monday is when it is, and what the reports of that day are about is the week before.
var monday = time.Date(2026, 3, 16, 6, 0, 0, 0, time.UTC)

// A desk is all that emails are written with.
type desk struct {
	db     *accounts.DB
	raw    *sql.DB // where nobody looks at what a domain may be
	engine *segments.Engine
	anna   accounts.Caller
}

func openDesk(ctx context.Context, dir string) (*desk, error) {
	now := func() time.Time { return monday }
	path := filepath.Join(dir, "footfall.db")
	db, err := accounts.Open(ctx, path, accounts.Options{Now: now})
	if err != nil {
		return nil, err
	}
	if _, err := db.AddAccount(ctx, accounts.Shell(), accounts.AccountInput{Email: new("anna@example.com"), Password: new("long enough")}); err != nil {
		return nil, err
	}
	d := &desk{db: db}
	if d.anna, err = db.ActAs(ctx, "anna@example.com"); err != nil {
		return nil, err
	}
	if d.raw, err = sql.Open("sqlite", path); err != nil {
		return nil, err
	}
	d.engine, err = segments.Open(dir, segments.Options{Now: now})
	return d, err
}

func (d *desk) close() error { return errors.Join(d.engine.Close(), d.raw.Close(), d.db.Close()) }

func (d *desk) write(ctx context.Context, hostile []string) (all []map[string]letter, err error) {
	var events []event.Event
	var websites []accounts.Website
	for i, s := range hostile {
		in := accounts.WebsiteInput{Domain: new(fmt.Sprintf("w%d.example", i)), Email: new("1"), Timezone: new("UTC")}
		w, err := d.db.CreateWebsite(ctx, d.anna, in)
		if err != nil {
			return nil, err
		}
		websites = append(websites, w)
		events = append(events, visits(w.ID, s)...)
	}
	if err := d.engine.Append(ctx, store.Batch{From: 1, To: 2, Events: events}); err != nil {
		return nil, err
	}
	for i, w := range websites {
		letters, err := d.letters(ctx, w, hostile[i])
		if err != nil {
			return nil, fmt.Errorf("with %q: %w", hostile[i], err)
		}
		all = append(all, letters)
	}
	return all, nil
}

// visits are two weeks in which more and more people came, with a text in all that they tell.
func visits(website int64, text string) (all []event.Event) {
	if len(text) > event.MaxText-1 {
		text = strings.ToValidUTF8(text[:event.MaxText-1], "")
	}
	for i := range 90 {
		day := event.NewDay(2026, 3, 2) + event.Day(i/6)
		e := event.Event{Website: website, Visitor: uint64(i + 1), Day: day, Time: day.UTC().UnixMilli() + int64(i)*1000, Kind: event.Pageview}
		for f := range e.Fields {
			e.Fields[f] = text
		}
		e.Fields[event.Name], e.Fields[event.Props] = "", ""
		e.Fields[event.Page] = "/" + text
		if i%3 == 0 {
			e.Kind, e.Fields[event.Name] = event.Custom, text
		}
		if day < event.NewDay(2026, 3, 9) && i%2 == 0 {
			continue // of the first week fewer, so that there is a change to tell the causes of
		}
		all = append(all, e)
	}
	return all
}

// letters are the emails about a website, whose domain is the text too, as far as the database can hold it.
func (d *desk) letters(ctx context.Context, w accounts.Website, text string) (map[string]letter, error) {
	a, err := d.db.AddAlert(ctx, d.anna, w.ID, accounts.AlertInput{Kind: new("above"), Email: new("1")})
	if err != nil {
		return nil, err
	}
	domain := strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	if _, err := d.raw.ExecContext(ctx, `UPDATE websites SET domain = $2 WHERE id = $1`, w.ID, domain); err != nil {
		return nil, err
	}
	finding, err := json.Marshal(alert.Finding{Alert: a.ID, Kind: a.Kind, From: monday.Add(-2 * time.Hour), To: monday.Add(-time.Hour), Is: 2345, Usual: 1000})
	if err != nil {
		return nil, err
	}
	from := "Footfall <stats@example.com>"
	reports := &report.Clerk{Accounts: d.db, Store: d.engine, Signer: report.NewSigner([]byte("a key")), From: from, Base: base}
	alerts := &alert.Clerk{Accounts: d.db, From: from, Base: base}
	all := make(map[string]letter)
	for name, clerk := range map[string]struct {
		payload string
		write   func(context.Context, accounts.Delivery) (*mail.Message, error)
	}{"report": {`{"span":"week","from":"2026-03-09"}`, reports.Write}, "alert": {string(finding), alerts.Write}} {
		m, err := clerk.write(ctx, accounts.Delivery{Website: w.ID, Account: d.anna.Account(), Payload: clerk.payload, MessageID: "id@example.com", CreatedAt: monday})
		if err != nil {
			return nil, err
		}
		all[name] = letter{m.Subject, m.HTML, m.Text}
	}
	return all, nil
}

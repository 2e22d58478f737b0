package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// reportsSettings are the flags of the benchmark of reports.
type reportsSettings struct {
	dir      string
	results  string
	binary   string
	websites int
	rate     int
	seconds  int
}

// Goals of reports.
const (
	thousandGoal = 20  // seconds for the weekly reports on a thousand websites
	slowerGoal   = 2.0 // times that the p99 of hits may be what it is without them
)

// runReports lets the real binary build and send the weekly reports on many websites while hits come in at a steady rate, and
// compares how fast those are answered with the time before.
func runReports(ctx context.Context, args []string) error {
	s, err := parseReports(args)
	if err != nil {
		return err
	}
	done, err := workIn(&s.dir)
	if err != nil {
		return err
	}
	defer done()
	r := &reportsReport{settings: s}
	r.http = httpReport{settings: httpSettings{dir: s.dir, binary: s.binary}}
	if err := r.run(ctx); err != nil {
		return err
	}
	fmt.Print(r.String())
	if s.results != "" {
		return r.write()
	}
	return nil
}

func parseReports(args []string) (reportsSettings, error) {
	var s reportsSettings
	f := flag.NewFlagSet("bench reports", flag.ExitOnError)
	f.StringVar(&s.dir, "dir", "", "directory for the data, which stays; default is a temporary one")
	f.StringVar(&s.results, "results", "", "directory to write the result to, as Markdown; default is not to")
	f.StringVar(&s.binary, "binary", "", "the program; default is to build it")
	f.IntVar(&s.websites, "websites", 1000, "websites with reports")
	f.IntVar(&s.rate, "rate", 500, "hits a second")
	f.IntVar(&s.seconds, "seconds", 2, "length of a turn, of which there are as many as the reports take; at most 40")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 || s.websites < 1 || s.rate < 1 || s.seconds < 1 || s.seconds > 40 { // the service waits a minute for a mail server
		return s, errors.New("-websites and -rate must be positive, -seconds from 1 to 40, and there are no arguments")
	}
	return s, nil
}

// run measures hits with reports and without them, in turns, so that both get their share of what else the machine does. No report
// is built while the mail server does not say a word: the service has one, and waits.
func (r *reportsReport) run(ctx context.Context) error {
	if err := buildBinary(ctx, &r.http); err != nil {
		return err
	}
	data := filepath.Join(r.settings.dir, "data")
	if err := r.furnish(ctx, data); err != nil {
		return err
	}
	mailbox, err := openMailbox()
	if err != nil {
		return err
	}
	defer mailbox.close()
	door, err := freePort()
	if err != nil {
		return err
	}
	at := "127.0.0.1:" + strconv.Itoa(door) // what links in reports lead to
	s, err := r.http.serve(ctx, data, "--listen="+at, "--base-url=http://"+at, "--mail-host=127.0.0.1", "--mail-port="+strconv.Itoa(mailbox.port()),
		"--mail-security=none", "--mail-from=stats@example.com")
	if err != nil {
		return err
	}
	defer s.stop()
	before := s.usage()
	stream := startHits(ctx, s.url, r.settings.rate, r.settings.websites)
	defer stream.stop()
	if err := wait(ctx, 5*time.Second); err != nil { // to warm up
		return err
	}
	fmt.Fprintln(os.Stderr, "let the reports go, and stop, in turns")
	busy, calm, err := mailbox.receive(ctx, r.reports, time.Duration(r.settings.seconds)*time.Second)
	if err != nil {
		return err
	}
	for _, w := range busy {
		r.took += w.to.Sub(w.from)
	}
	r.meanwhile, r.alone, r.turns = stream.in(busy), stream.in(calm), len(busy)
	r.others = s.usage().others(before)
	r.resident = s.resident()
	if err := stream.stop(); err != nil {
		return err
	}
	return s.stop()
}

// furnish makes websites with a month of traffic, and lets their weekly reports be due. One website in a hundred is large.
func (r *reportsReport) furnish(ctx context.Context, dir string) error {
	now := time.Now().UTC()
	monday := event.DayOf(now.Add(-6 * time.Hour)).Monday().UTC() // when reports were due last
	planned := monday.Add(5 * time.Hour)
	r.reports = r.settings.websites
	if now.Day() == 1 || event.DayOf(now).Month().UTC().After(planned) {
		r.reports *= 2 // those on the month are due too
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	db, err := accounts.Open(ctx, filepath.Join(dir, "footfall.db"), accounts.Options{Now: func() time.Time { return planned }})
	if err != nil {
		return err
	}
	if err := errors.Join(register(ctx, db, r.settings.websites), db.Close()); err != nil {
		return err
	}
	engine, err := segments.Open(dir, segments.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "make up a month of traffic")
	r.events, err = fillMonth(ctx, engine, r.settings.websites, event.DayOf(now))
	return errors.Join(err, engine.Close())
}

// register makes an account with websites that send reports.
func register(ctx context.Context, db *accounts.DB, websites int) error {
	const email = "bench@example.com"
	if _, err := db.AddAccount(ctx, accounts.Shell(), accounts.AccountInput{Email: new(email), Password: new("password of the bench")}); err != nil {
		return err
	}
	owner, err := db.ActAs(ctx, email)
	if err != nil {
		return err
	}
	for i := range websites {
		in := accounts.WebsiteInput{Domain: new(fmt.Sprintf("site%d.example", i+1)), Email: new("1"), Timezone: new("UTC")}
		if _, err := db.CreateWebsite(ctx, owner, in); err != nil {
			return err
		}
	}
	_, err = db.ReportedWebsites(ctx) // reports begin
	return err
}

// fillMonth makes up the 31 days before one, and tells how many events that are.
func fillMonth(ctx context.Context, engine *segments.Engine, websites int, today event.Day) (events int, err error) {
	chance := rand.New(rand.NewPCG(1, 2))
	for day := today - 31; day < today; day++ {
		var all []event.Event
		for id := range websites {
			n := 60
			if id%100 == 0 {
				n = 2600
			}
			for i := range n {
				all = append(all, madeUp(chance, int64(id+1), day, i))
			}
		}
		position := uint64(day - today + 32)
		if err := engine.Append(ctx, store.Batch{From: position, To: position + 1, Events: all}); err != nil {
			return events, err
		}
		events += len(all)
		if err := engine.Flush(ctx); err != nil {
			return events, err
		}
	}
	return events, engine.Settle(ctx)
}

// madeUp is the i-th event of a website on a day: three pageviews of each visitor, and now and then a custom event.
func madeUp(chance *rand.Rand, website int64, day event.Day, i int) event.Event {
	pick := func(of ...string) string { return of[chance.IntN(len(of))] }
	e := event.Event{Website: website, Visitor: uint64(i/3 + 1), Day: day, Kind: event.Pageview, Time: day.UTC().UnixMilli() + int64(i)*20_000}
	e.Fields[event.Page] = fmt.Sprintf("/page/%d", int(chance.ExpFloat64()*20))
	e.Fields[event.Source] = pick("", "Google", "Bing", "GitHub", "Newsletter", "Reddit")
	e.Fields[event.Country] = pick("Germany", "France", "United States", "Japan", "Brazil")
	if i%20 == 0 {
		e.Kind, e.Fields[event.Name] = event.Custom, "Signup"
	}
	return e
}

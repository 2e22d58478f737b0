package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/demo"
	"footfall/internal/event"
	"footfall/internal/httpapi"
	"footfall/internal/journal"
)

const (
	demoEmail = "demo@example.com"
	demoVisit = 20 * time.Second // between visits of now, on each website, on the average
)

// demonstrate runs the service with made-up traffic, on data that goes when it stops.
func demonstrate(ctx context.Context, c *config, t *terminal) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP) // a window that is closed must not leave the data behind
	defer stop()
	last, err := lastDay(c.options["until"])
	if err != nil {
		return err
	}
	if c.dataDir, err = os.MkdirTemp("", "footfall-demo-"); err != nil {
		return fmt.Errorf("make a data directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.dataDir)) }()
	s, err := openService(ctx, c, t.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()

	fmt.Fprintln(t.out, "Making up a year of traffic …")
	d, err := newDemo(ctx, s, last)
	if err == nil {
		err = d.fill(ctx)
	}
	if ctx.Err() != nil {
		return nil // stopped before it began
	}
	if err != nil {
		return err
	}
	d.greet(c, t)
	return s.run(ctx, append(s.house.jobs(t.log), d.jobs()...))
}

// lastDay is the day that --until names. None is today.
func lastDay(until string) (event.Day, error) {
	today := event.DayOf(time.Now().UTC())
	if until == "" {
		return today, nil
	}
	last, err := event.ParseDay(until)
	if err != nil {
		return 0, fmt.Errorf("--until: %w", err)
	}
	if last > today {
		return 0, fmt.Errorf("--until must not be in the future, and %s is", until)
	}
	return last, nil
}

// A showcase is a service with made-up traffic.
type showcase struct {
	*service
	websites []*demo.Website
	ids      []int64 // of the websites
	last     event.Day
	now      time.Time // what is made up beforehand ends here

	password, key string
}

// newDemo makes the account, its key and its websites.
func newDemo(ctx context.Context, s *service, last event.Day) (*showcase, error) {
	d := &showcase{service: s, websites: demo.Websites(), last: last, now: time.Now(), password: strings.ToLower(rand.Text())}
	db, email := s.house.accounts, demoEmail
	if _, err := db.AddAccount(ctx, accounts.Shell(), accounts.AccountInput{Email: &email, Password: &d.password}); err != nil {
		return nil, err
	}
	owner, err := db.ActAs(ctx, demoEmail)
	if err != nil {
		return nil, err
	}
	if _, d.key, err = db.CreateKey(ctx, owner, accounts.KeyInput{Name: "demo"}); err != nil {
		return nil, err
	}
	for _, w := range d.websites {
		made, err := db.CreateWebsite(ctx, owner, accounts.WebsiteInput{Domain: &w.Domain, Timezone: &w.Timezone})
		if err != nil {
			return nil, err
		}
		d.ids = append(d.ids, made.ID)
	}
	return d, nil
}

// fill sends the history down the road that events take, and returns when questions about it are answered fast.
func (d *showcase) fill(ctx context.Context) error {
	h := d.house
	loading, stop := context.WithCancel(ctx)
	defer stop()
	group, loading := start(loading, []job{
		{"load events", h.loader.Run}, {"let go of the journal", h.tally.Run}, {"write files", h.engine.Maintain},
	})
	err := d.journal(loading)
	if err == nil {
		err = h.loaded(loading)
	}
	stop()
	if err := errors.Join(group.Wait(), err); err != nil {
		return err
	}
	if err := h.engine.Flush(ctx); err != nil {
		return err
	}
	return h.engine.Settle(ctx)
}

// journal appends the history, a visit in each record, and the minutes before now, in which more goes on than on an
// ordinary day, as it does afterwards.
func (d *showcase) journal(ctx context.Context) error {
	w := journalWriter{to: d.house.journal}
	minutesAgo := d.now.Add(-httpapi.LiveWindow)
	for i, website := range d.websites {
		for visit := range website.Year(d.ids[i], d.last, minutesAgo) {
			if err := w.add(ctx, visit...); err != nil {
				return err
			}
		}
		for e := range website.Live(d.ids[i], minutesAgo, demoVisit) {
			if e.Time >= d.now.UnixMilli() {
				break
			}
			if err := w.add(ctx, e); err != nil {
				return err
			}
		}
	}
	return w.flush(ctx)
}

// A journalWriter appends many records at once: each time costs an fsync.
type journalWriter struct {
	to      *journal.Journal
	records [][]byte
	bytes   []byte // of the records
}

func (w *journalWriter) add(ctx context.Context, events ...event.Event) error {
	start := len(w.bytes)
	for i := range events {
		w.bytes = events[i].Append(w.bytes)
	}
	w.records = append(w.records, w.bytes[start:])
	if len(w.bytes) < 1<<20 {
		return nil
	}
	return w.flush(ctx)
}

func (w *journalWriter) flush(ctx context.Context) error {
	_, err := w.to.Append(ctx, w.records...)
	w.records, w.bytes = w.records[:0], w.bytes[:0]
	return err
}

// loaded returns when the store has all that is in the journal.
func (h *house) loaded(ctx context.Context) error {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for h.engine.Position() < h.journal.Stats().Next {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
	}
	return nil
}

// jobs are what goes on on the websites while somebody looks.
func (d *showcase) jobs() []job {
	var all []job
	for i, w := range d.websites {
		all = append(all, job{"make up events", func(ctx context.Context) error { return d.goOn(ctx, w, d.ids[i]) }})
	}
	return all
}

// goOn sends what happens on a website, when it happens.
func (d *showcase) goOn(ctx context.Context, w *demo.Website, id int64) error {
	for e := range w.Live(id, d.now, demoVisit) {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(time.UnixMilli(e.Time))):
		}
		if _, err := d.house.journal.Append(ctx, e.Append(nil)); err != nil && ctx.Err() == nil {
			d.log.Warn("an event is lost", "error", err) // the next may fare better
		}
	}
	return nil
}

// greet says what there is to look at.
func (d *showcase) greet(c *config, t *terminal) {
	fmt.Fprintf(t.out, "Footfall listens on %s\n", d.base)
	fmt.Fprintf(t.out, "Its data is in %s until you stop it\n", c.dataDir)
	for i, w := range d.websites {
		fmt.Fprintf(t.out, "Website %d: %s, a year until %s\n", d.ids[i], w.Domain, d.last)
	}
	fmt.Fprintf(t.out, "Sign in: %s with the password %s\n", demoEmail, d.password)
	fmt.Fprintf(t.out, "API key: %s\n", d.key)
	fmt.Fprintf(t.out, "Try: curl -H 'Authorization: Bearer %s' '%s/api/v1/stats/%d?name=page&from=%s&to=%s'\n",
		d.key, d.base, d.ids[0], d.last-29, d.last)
}

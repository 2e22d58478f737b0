package collect_test

import (
	"context"
	"io"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footfall/internal/collect"
	"footfall/internal/collect/place"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/journal"
)

// A rig is a collector over websites, a clock and a journal of its own.
type rig struct {
	*collect.Collector
	t        testing.TB
	clock    *clock
	register *register
	reader   *journal.Reader
	dir      string
	keeper   collect.SaltKeeper // nil is a file
}

// noon is when tests begin, unless they say otherwise.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func newRig(t testing.TB, websites ...*collect.Website) *rig {
	t.Helper()
	return newRigOn(t, "/journal", journal.Options{FS: disktest.NewRecorder()}, websites...)
}

// newRigOn is newRig with a journal in a directory.
func newRigOn(t testing.TB, dir string, o journal.Options, websites ...*collect.Website) *rig {
	t.Helper()
	j, err := journal.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	places, err := place.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, clock: &clock{now: noon}, register: &register{websites: websites}, reader: j.Reader(0), dir: t.TempDir()}
	r.Collector = &collect.Collector{
		Journal: j, Websites: &collect.Directory{Register: r.register}, Salts: r.salts(), Places: places, Now: r.clock.time,
	}
	if err := r.Websites.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// salts opens the salts, as a process does that starts.
func (r *rig) salts() *collect.Salts {
	if r.keeper != nil {
		return collect.ShareSalts(r.keeper, collect.SaltOptions{Now: r.clock.time})
	}
	s := collect.OpenSalts(filepath.Join(r.dir, "salts"), collect.SaltOptions{Now: r.clock.time})
	r.t.Cleanup(func() { s.Close() })
	return s
}

// site is website 1, example.com, with a change.
func site(change func(*collect.Website)) *collect.Website {
	w := &collect.Website{ID: 1, Domain: "example.com", Zone: time.UTC, ExcludeBots: true}
	if change != nil {
		change(w)
	}
	return w
}

const (
	chrome  = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
	safari  = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15"
	brands  = `"Chromium";v="141", "Google Chrome";v="141", "Not?A_Brand";v="8"`
)

// visitor is the request of a usual one.
func visitor() collect.Request {
	return collect.Request{
		Address: netip.MustParseAddr("203.0.113.7"), UserAgent: chrome, AcceptLanguage: "de-AT,de;q=0.9,en;q=0.5", Brands: brands,
	}
}

// accept sends a body and returns what came of it: the drops, and the events in the journal.
func (r *rig) accept(req collect.Request, body string) ([]collect.Drop, []event.Event) {
	r.t.Helper()
	hits, err := collect.Parse([]byte(body))
	if err != nil {
		r.t.Fatalf("%s: %v", body, err)
	}
	drops, err := r.Accept(r.t.Context(), req, hits)
	if err != nil {
		r.t.Fatal(err)
	}
	return drops, r.journalled()
}

// one sends an event that must count, and returns it.
func (r *rig) one(req collect.Request, body string) event.Event {
	r.t.Helper()
	drops, events := r.accept(req, body)
	if len(events) != 1 || drops[0] != "" {
		r.t.Fatalf("%s: dropped %q, %d events", body, drops, len(events))
	}
	return events[0]
}

// drop sends an event and returns why it does not count.
func (r *rig) drop(req collect.Request, body string) collect.Drop {
	r.t.Helper()
	drops, _ := r.accept(req, body)
	return drops[0]
}

// journalled is what is new in the journal.
func (r *rig) journalled() []event.Event {
	r.t.Helper()
	var events []event.Event
	for {
		_, data, err := r.reader.TryNext()
		if err == io.EOF {
			return events
		}
		if err != nil {
			r.t.Fatal(err)
		}
		for rest := string(data); rest != ""; {
			var e event.Event
			if rest, err = e.Decode(rest); err != nil {
				r.t.Fatal(err)
			}
			e.Fields = cloned(e.Fields)
			events = append(events, e)
		}
	}
}

func cloned(fields [event.NumFields]string) [event.NumFields]string {
	for i := range fields {
		fields[i] = strings.Clone(fields[i])
	}
	return fields
}

// A register is websites that a test can change.
type register struct {
	mu       sync.Mutex
	changes  uint64 // made by this process
	version  int64
	websites []*collect.Website
	asked    int // for all of them
	versions int // times that the version was asked for
	stalled  bool
	err      error
}

func (r *register) Changes() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changes
}

func (r *register) WebsitesVersion(ctx context.Context) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.versions++
	if r.stalled {
		r.mu.Unlock()
		<-ctx.Done()
		r.mu.Lock()
		return 0, ctx.Err()
	}
	return r.version, r.err
}

// touch is a change by this process.
func (r *register) touch() { r.mu.Lock(); defer r.mu.Unlock(); r.changes++ }

func (r *register) stall(on bool) { r.mu.Lock(); defer r.mu.Unlock(); r.stalled = on }

func (r *register) Websites(context.Context) ([]*collect.Website, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	return r.websites, r.err
}

func (r *register) set(err error, websites ...*collect.Website) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version++
	r.err, r.websites = err, websites
}

// A clock shows the time that a test says it is.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) set(t time.Time) { c.mu.Lock(); defer c.mu.Unlock(); c.now = t }

func (c *clock) pass(d time.Duration) { c.set(c.time().Add(d)) }

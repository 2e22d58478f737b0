package collect

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/idna"

	"footfall/internal/event"
)

// A Website is what collect must know of one.
type Website struct {
	ID             int64
	Domain         string // as accounts writes it: in lower case and in ASCII, without "www."
	Zone           *time.Location
	ExcludeBots    bool
	RespectSignals bool // Do Not Track and Global Privacy Control are reasons to drop a hit
	ExcludedIPs    []netip.Prefix
	ExcludedParams []string // * stands for any characters

	ips    addressSet
	params paramSet
	start  atomic.Pointer[dayStart] // of the day that was asked for last
}

// dayStart is the moment at which a day begins.
type dayStart struct {
	day  event.Day
	unix int64
}

// dayBegins is the moment at which a day of the website begins, in Unix seconds.
func (w *Website) dayBegins(d event.Day) int64 {
	if s := w.start.Load(); s != nil && s.day == d {
		return s.unix
	}
	y, m, day := d.UTC().Date()
	s := &dayStart{d, time.Date(y, m, day, 0, 0, 0, 0, w.Zone).Unix()}
	w.start.Store(s)
	return s.unix
}

// A Register knows all websites.
type Register interface {
	Changes() uint64                                    // that this process has made to websites; asking costs nothing
	WebsitesVersion(ctx context.Context) (int64, error) // grows with every change to a website
	Websites(ctx context.Context) ([]*Website, error)
}

const (
	lookEvery   = 100 * time.Millisecond // how late a change that this process has made may be noticed
	askEvery    = time.Second            // how late that of another may be: it takes a question to the database
	askPatience = 10 * time.Second       // that Run waits for an answer
	hitWait     = time.Second            // that a hit waits at most for websites that this process has changed
)

// A Directory finds websites by their domain, from memory: no hit waits for the database, except those that come right after
// their website was made. While the database is away, the websites stay as they were.
type Directory struct {
	Register Register
	Log      *slog.Logger // nil is silence

	known   atomic.Pointer[map[string]*Website]
	changes atomic.Uint64 // of the register, when it was read last
	trouble bool          // of Run

	once    sync.Once
	turn    chan struct{} // holds one who refreshes, who may read and write what follows
	version int64
	loaded  bool
}

// Refresh reads the websites if they have changed.
func (d *Directory) Refresh(ctx context.Context) error {
	return d.inTurn(ctx, func() error { return d.refresh(ctx) })
}

// inTurn does something that nobody else does meanwhile. It waits for its turn no longer than ctx allows: who has it may wait
// for a database that is away.
func (d *Directory) inTurn(ctx context.Context, do func() error) error {
	d.once.Do(func() { d.turn = make(chan struct{}, 1) })
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
		return do()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *Directory) refresh(ctx context.Context) error {
	d.changes.Store(d.Register.Changes()) // before reading: what changes meanwhile is read again
	version, err := d.Register.WebsitesVersion(ctx)
	if err != nil || d.loaded && version == d.version {
		return err
	}
	list, err := d.Register.Websites(ctx)
	if err != nil {
		return err
	}
	known := make(map[string]*Website, len(list))
	for _, w := range list {
		w.ips, w.params = newAddressSet(w.ExcludedIPs), newParamSet(w.ExcludedParams)
		known[w.Domain] = w
	}
	d.known.Store(&known)
	d.version, d.loaded = version, true
	return nil
}

// Run keeps the websites as they are in the database, until ctx is done.
func (d *Directory) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var asked time.Time
	for {
		if d.isBehind() || time.Since(asked) >= askEvery {
			d.ask(ctx)
			asked = time.Now()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// ask refreshes, and tells the log when that begins to fail and when it succeeds again.
func (d *Directory) ask(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	err := d.Refresh(limited)
	if ctx.Err() != nil {
		return
	}
	if d.Log != nil && err != nil && !d.trouble {
		d.Log.Error("websites cannot be read; those known so far are used", "error", err)
	}
	if d.Log != nil && err == nil && d.trouble {
		d.Log.Info("websites can be read again")
	}
	d.trouble = err != nil
}

// isBehind tells whether this process has changed a website since the websites were read.
func (d *Directory) isBehind() bool { return d.Register.Changes() != d.changes.Load() }

// Find is the website that a hit is for: the one of its domain, of the first one known if there are several, or of the
// host of its page if it names none. It is nil if there is none. A website that this process has just made is found.
func (d *Directory) Find(h *Hit) *Website {
	w := d.find(h)
	if w != nil || !d.isBehind() {
		return w
	}
	ctx, cancel := context.WithTimeout(context.Background(), hitWait)
	defer cancel()
	err := d.inTurn(ctx, func() error {
		if !d.isBehind() { // who had the turn before has read them
			return nil
		}
		return d.refresh(ctx)
	})
	if err != nil {
		return nil // Run tells of it
	}
	return d.find(h)
}

// daysAhead are the moments at which today and tomorrow begin, in the time zones of all websites, in Unix seconds.
func (d *Directory) daysAhead(now time.Time) []int64 {
	known := d.known.Load()
	if known == nil {
		return nil
	}
	starts, zones := make(map[int64]bool), make(map[*time.Location]bool)
	for _, w := range *known {
		if zones[w.Zone] {
			continue
		}
		zones[w.Zone] = true
		y, m, day := now.In(w.Zone).Date()
		starts[time.Date(y, m, day, 0, 0, 0, 0, w.Zone).Unix()] = true
		starts[time.Date(y, m, day+1, 0, 0, 0, 0, w.Zone).Unix()] = true
	}
	return slices.Sorted(maps.Keys(starts))
}

func (d *Directory) find(h *Hit) *Website {
	known := d.known.Load()
	if known == nil {
		return nil
	}
	if h.Domain == "" {
		return find(*known, hostOf(h.URL))
	}
	for domain := range strings.SplitSeq(h.Domain, ",") {
		if w := find(*known, hostOf(domain)); w != nil {
			return w
		}
	}
	return nil
}

// find looks for a host, then for the domains that it is part of.
func find(known map[string]*Website, host string) *Website {
	for host != "" {
		if w := known[host]; w != nil {
			return w
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return nil
}

// hostOf is the host of an address or of a domain, as accounts writes domains; "" if there is none.
func hostOf(s string) string {
	s = strings.TrimSpace(s)
	if _, after, ok := strings.Cut(s, "://"); ok {
		s = after
	} else {
		s = strings.TrimPrefix(s, "//")
	}
	if i := strings.IndexAny(s, `/?#\`); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		s = s[:i]
	}
	if len(s) > 1000 {
		return ""
	}
	if !plain(s) {
		ascii, err := idna.Lookup.ToASCII(s)
		if err != nil {
			return ""
		}
		s = ascii
	}
	return strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(s), "."), "www.")
}

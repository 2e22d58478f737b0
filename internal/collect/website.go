package collect

import (
	"context"
	"log/slog"
	"net/netip"
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
	Changes() uint64                                    // that this process has made to anything; asking costs nothing
	WebsitesVersion(ctx context.Context) (int64, error) // grows with every change to a website
	Websites(ctx context.Context) ([]*Website, error)
}

const (
	refreshEvery = 100 * time.Millisecond // how late a change may be noticed. The version costs one small question
	refreshTime  = time.Second            // that a hit waits at most for websites that this process has changed
)

// A Directory finds websites by their domain, from memory: no hit waits for the database, except those that come right after
// their website was made. While the database is away, the websites stay as they were.
type Directory struct {
	Register Register
	Log      *slog.Logger // nil is silence

	known   atomic.Pointer[map[string]*Website]
	changes atomic.Uint64 // of the register, when it was read last
	trouble bool          // of Run

	refreshing sync.Mutex // guards what follows
	version    int64
	loaded     bool
}

// Refresh reads the websites if they have changed.
func (d *Directory) Refresh(ctx context.Context) error {
	d.refreshing.Lock()
	defer d.refreshing.Unlock()
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
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		err := d.Refresh(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if d.Log != nil && err != nil && !d.trouble {
			d.Log.Error("websites cannot be read; those known so far are used", "error", err)
		}
		if d.Log != nil && err == nil && d.trouble {
			d.Log.Info("websites can be read again")
		}
		d.trouble = err != nil
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Find is the website that a hit is for: the one of its domain, of the first one known if there are several, or of the
// host of its page if it names none. It is nil if there is none. A website that this process has just made is found.
func (d *Directory) Find(h *Hit) *Website {
	w := d.find(h)
	if w != nil || d.Register.Changes() == d.changes.Load() {
		return w
	}
	ctx, cancel := context.WithTimeout(context.Background(), refreshTime)
	defer cancel()
	if d.Refresh(ctx) != nil {
		return nil // Run tells of it
	}
	return d.find(h)
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

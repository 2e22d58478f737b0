package accounts

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A cache remembers what was read from the database, as long as a version stays the same. So a change that this process
// made counts at once, and that of another within 5 ms (moment). A list of ten websites took 180 µs from SQLite on the
// 2-core machine that the project is measured on, the version 7 µs.
type cache[K comparable, V any] struct {
	max int // entries

	mu      sync.Mutex
	version int64
	known   map[K]V
}

func (c *cache[K, V]) find(version int64, key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == version {
		value, ok = c.known[key]
	}
	return value, ok
}

// keep remembers what was read after the version was.
func (c *cache[K, V]) keep(version int64, key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version < c.version {
		return
	}
	if version > c.version || len(c.known) >= c.max || c.known == nil {
		c.known = make(map[K]V)
	}
	c.version = version
	c.known[key] = value
}

// forget forgets everything.
func (c *cache[K, V]) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
}

// Limits of the caches. Lists make 16 MB at worst, websites and callers 5 MB and 3 MB.
const (
	maxLists        = 256
	maxListBytes    = 64 << 10
	maxWebsites     = 1024
	maxWebsiteBytes = 4 << 10
	maxCallers      = 8192
)

// caches are what a DB remembers.
type caches struct {
	lists    cache[listKey, WebsiteList]
	websites cache[websiteKey, Website]
	callers  cache[string, knownCaller] // by the hash of the secret; those that are not known are not kept
}

func newCaches() *caches {
	c := &caches{}
	c.lists.max, c.websites.max, c.callers.max = maxLists, maxWebsites, maxCallers
	return c
}

type listKey struct {
	account int64
	params  ListParams
}

type websiteKey struct{ account, website int64 }

// A knownCaller is a caller with what the database says of its key or session.
type knownCaller struct {
	Caller
	hash    string    // of its secret
	used    time.Time // last, as it is written down
	expires time.Time // zero is never
}

func (k knownCaller) expired(now time.Time) bool {
	return !k.expires.IsZero() && !now.Before(k.expires)
}

// bytes is the memory that a website takes, roughly.
func (w *Website) bytes() int { return 256 + len(w.Domain) + len(w.ExcludeParams) + len(w.ExcludeIPs) }

func (c *caches) keepList(version int64, key listKey, list WebsiteList) {
	bytes := 0
	for i := range list.Websites {
		bytes += list.Websites[i].bytes()
	}
	if bytes <= maxListBytes {
		list.Websites = slices.Clone(list.Websites)
		c.lists.keep(version, key, list)
	}
}

func (c *caches) keepWebsite(version int64, key websiteKey, w Website) {
	if w.bytes() <= maxWebsiteBytes {
		c.websites.keep(version, key, w)
	}
}

// version is a number that grows with every change to what it is named after.
func (db *DB) version(ctx context.Context, name string) (version int64, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT value FROM versions WHERE name = $1`, name).Scan(&version)
	return version, db.trouble("read the version of the "+name, err)
}

// A moment is the versions as they were read. It is over as soon as this process changes something, and soon anyway, for
// another process may.
type moment struct {
	began              time.Time
	changes            uint64 // that this process had made
	accounts, websites int64
}

// momentLength is how late the change of another process may be noticed. With a read for every request, most of it spent
// in SQLite's locks, the service answered 12,000 to 14,000 lists of websites a second, with this 19,000 to 33,000 (2 cores
// that had other work too, wrk beside it).
const momentLength = 5 * time.Millisecond

// moment is the present one.
func (db *DB) moment(ctx context.Context) (*moment, error) {
	if m := db.latest.Load(); m != nil && m.changes == db.changes.Load() && time.Since(m.began) < momentLength && !db.closed.Load() {
		return m, nil
	}
	m := &moment{began: time.Now(), changes: db.changes.Load()}
	err := db.read.QueryRowContext(ctx, `SELECT a.value, w.value FROM versions a, versions w WHERE a.name = 'accounts' AND w.name = 'websites'`).
		Scan(&m.accounts, &m.websites)
	if err != nil {
		return nil, db.trouble("read the versions", err)
	}
	db.latest.Store(m)
	return m, nil
}

// knownCaller is the caller with a secret of which this is the hash. If it is not remembered, look asks the database.
func (db *DB) knownCaller(ctx context.Context, hash string, now time.Time, look func() (knownCaller, error)) (knownCaller, error) {
	m, err := db.moment(ctx)
	if err != nil {
		return knownCaller{}, err
	}
	k, ok := db.caches.callers.find(m.accounts, hash)
	if ok && !k.expired(now) { // what was used since expires later: the database knows
		return k, nil
	}
	if k, err = look(); err == nil {
		db.caches.callers.keep(m.accounts, hash, k)
	}
	return k, err
}

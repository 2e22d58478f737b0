package place

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"
)

// checkEvery is how often a file is looked at. A new one is taken when it was the same at two looks, so that nobody reads
// half of a copy.
const checkEvery = 5 * time.Second

// A file is a database that the operator keeps, and may replace at any time.
type file struct {
	name string
	db   atomic.Pointer[mmdb]
	used os.FileInfo // what was read; only watch writes it
}

func openFile(name string) (*file, error) {
	f := &file{name: name}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := f.load(info); err != nil {
		return nil, err
	}
	return f, nil
}

// load reads the file anew. If it cannot be read, what was there before stays.
func (f *file) load(info os.FileInfo) error {
	f.used = info // also if it fails: a broken file is not tried again until it changes
	reader, err := maxminddb.Open(f.name)
	if err != nil {
		return err
	}
	db, err := newMMDB(reader)
	if err != nil {
		return err
	}
	f.db.Store(db)
	return nil
}

func (f *file) find(addr netip.Addr) Place { return f.db.Load().find(addr) }

func (f *file) attribution() (text, url string) { return f.db.Load().attribution() }

func (f *file) source() string { return f.db.Load().source() }

// run takes the file anew whenever it changes, until ctx is done.
func (f *file) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	var seen os.FileInfo // at the last look
	told := false        // that the file in use is damaged
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if n := f.db.Load().faults.Load(); n > 0 && !told {
			log.Error("file of places is damaged", "file", f.name, "lookups", n)
			told = true
		}
		info, err := os.Stat(f.name)
		if err != nil || same(info, f.used) {
			seen = nil // a file that is gone is on its way: the old one is still there to be read
			continue
		}
		if settled := seen != nil && same(info, seen); !settled {
			seen = info
			continue
		}
		seen = nil
		if err := f.load(info); err != nil {
			log.Error("new file of places cannot be used, the old one stays", "error", fmt.Errorf("open %s: %w", f.name, err))
			continue
		}
		told = false
		log.Info("new file of places", "source", f.source())
	}
}

func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

package place

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync/atomic"

	"github.com/oschwald/maxminddb-golang/v2"

	"footfall/internal/collect/kept"
)

// A file is a database that the operator keeps, and may replace at any time.
type file struct {
	name string
	file *kept.File
	db   atomic.Pointer[mmdb]
}

func openFile(name string) (*file, error) {
	f := &file{name: name}
	var err error
	f.file, err = kept.Open(name, f.load)
	return f, err
}

// load reads the file anew. If it cannot be read, what was there before stays.
func (f *file) load() error {
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
	told := false // that the file in use is damaged
	f.file.Run(ctx, func(changed bool, err error) {
		switch n := f.db.Load().faults.Load(); {
		case err != nil:
			log.Error("new file of places cannot be used, the old one stays", "error", fmt.Errorf("open %s: %w", f.name, err))
		case changed:
			told = false
			log.Info("new file of places", "source", f.source())
		case n > 0 && !told:
			told = true
			log.Error("file of places is damaged", "file", f.name, "lookups", n)
		}
	})
}

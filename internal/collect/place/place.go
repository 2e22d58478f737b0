// Package place finds where on earth an address is: continent, country, region and city.
//
// The one thing to know: an Atlas answers from the database in the binary or from a file of the operator's, and one that
// has neither knows nothing and says so with empty texts. An address is never kept.
package place

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
)

// A Place is where an address is, in words for people. "" is not known.
type Place struct {
	Continent string // "Europe"
	Country   string // "Germany"
	Region    string // "Bavaria"
	City      string // "Munich, Germany"
}

// An Atlas knows the places of addresses. It is safe for many goroutines. The zero Atlas knows nothing.
type Atlas struct {
	db database
}

// A database is where an Atlas looks.
type database interface {
	find(netip.Addr) Place // of an address that is not reserved
	attribution() (text, url string)
	source() string
	run(context.Context, *slog.Logger)
}

// Embedded is the atlas of the database in the binary, or one that knows nothing if the build had none.
func Embedded() (*Atlas, error) {
	data := embedded{}.text()
	if data == "" {
		return &Atlas{}, nil
	}
	db, err := openPacked(data)
	if err != nil {
		return nil, fmt.Errorf("open the embedded places: %w", err)
	}
	release(data)
	return &Atlas{db}, nil
}

// Open is the atlas of a file in the MMDB format: GeoLite2 or GeoIP2, DB-IP, IPinfo, or ip-location-db. Run takes the file
// anew when it changes.
func Open(file string) (*Atlas, error) {
	db, err := openFile(file)
	if err != nil {
		return nil, fmt.Errorf("open places in %s: %w", file, err)
	}
	return &Atlas{db}, nil
}

// Find is the place of an address. An IPv4 address in the form of IPv6 is an IPv4 address; one that is private, reserved
// or of a tunnel is nowhere.
func (a *Atlas) Find(addr netip.Addr) Place {
	addr = addr.Unmap()
	if a.db == nil || !addr.IsValid() || reserved(addr) {
		return Place{}
	}
	return a.db.find(addr.WithZone(""))
}

// Attribution is who must be named and linked to where places are shown, "" if nobody.
func (a *Atlas) Attribution() (text, url string) {
	if a.db == nil {
		return "", ""
	}
	return a.db.attribution()
}

// Source names the database and its version, for the log. It is "" for an atlas that knows nothing.
func (a *Atlas) Source() string {
	if a.db == nil {
		return ""
	}
	return a.db.source()
}

// Run keeps the atlas up to date until ctx is done: it takes a file that Open opened anew when it changes, and tells the
// log of one that cannot be used, once. It never fails.
func (a *Atlas) Run(ctx context.Context, log *slog.Logger) error {
	if a.db != nil {
		a.db.run(ctx, log)
	}
	<-ctx.Done()
	return nil
}

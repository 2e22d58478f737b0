package place

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/oschwald/maxminddb-golang/v2"

	"footfall/internal/atlas"
)

const (
	cacheBits   = 13      // of the number of cached places
	probeEffort = 1 << 16 // spent to see that a file knows countries: 16 for a record, 1 for a network without
)

// An mmdb is a database in the MMDB format. The file is mapped into memory and stays so as long as anybody holds the
// mmdb: the library lets go of it when it is collected, so that no lookup ever reads what is gone.
type mmdb struct {
	db     *maxminddb.Reader
	places [1 << cacheBits]atomic.Pointer[cachedPlace]
	faults atomic.Int64
}

// A cachedPlace is the place of a record. A slot has room for one; who comes later takes it over.
type cachedPlace struct {
	record uintptr
	place  Place
}

// newMMDB makes a database ready to be asked, if it knows countries at all.
func newMMDB(db *maxminddb.Reader) (m *mmdb, err error) {
	m = &mmdb{db: db}
	defer m.survive(debug.SetPanicOnFault(true), &err)
	if db.Metadata.IPVersion != 4 && db.Metadata.IPVersion != 6 {
		return nil, fmt.Errorf("IP version %d is neither 4 nor 6", db.Metadata.IPVersion)
	}
	if !m.knowsCountries() {
		return nil, fmt.Errorf("no country in it: a file of type %q has no places", clean(db.Metadata.DatabaseType))
	}
	return m, nil
}

func (m *mmdb) knowsCountries() bool {
	effort := 0
	// Networks without data count too, or a tree of nothing else could keep us for years.
	for network := range m.db.Networks(maxminddb.IncludeNetworksWithoutData()) {
		if effort++; network.Found() {
			effort += 15
		}
		if network.Err() != nil || effort > probeEffort {
			return false
		}
		if f, err := findingOf(network); err == nil && f.place() != (Place{}) {
			return true
		}
	}
	return false
}

func (m *mmdb) find(addr netip.Addr) (p Place) {
	defer m.survive(debug.SetPanicOnFault(true), nil)
	record := m.db.Lookup(addr)
	if !record.Found() {
		return Place{}
	}
	slot := &m.places[uint64(record.Offset())*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if c := slot.Load(); c != nil && c.record == record.Offset() {
		return c.place
	}
	f, err := findingOf(record)
	if err != nil {
		m.faults.Add(1)
		return Place{}
	}
	p = f.place()
	slot.Store(&cachedPlace{record.Offset(), p})
	return p
}

// survive is deferred. It turns a fault in the mapped memory into an error: where a file was cut while it is mapped there
// are no bytes any more, and reading them would end the program. The setting is of this goroutine alone.
func (m *mmdb) survive(before bool, err *error) {
	debug.SetPanicOnFault(before)
	if recover() != nil {
		m.faults.Add(1)
		if err != nil {
			*err = errors.New("the file is damaged, or was cut while it was read")
		}
	}
}

// What the records call it: MaxMind and DB-IP, then flat ones like IPinfo's and ip-location-db's. The first that is
// there counts.
var (
	continentPaths = [][]any{{"continent", "code"}, {"continent_code"}, {"continent"}}
	countryPaths   = [][]any{{"country", "iso_code"}, {"country_code"}, {"country"}}
	regionPaths    = [][]any{{"subdivisions", 0, "names", "en"}, {"state1"}, {"region"}}
	cityPaths      = [][]any{{"city", "names", "en"}, {"city"}}
)

// findingOf reads a record. One without a country of any of these names is none, not an error.
func findingOf(record maxminddb.Result) (f finding, err error) {
	if !record.Found() {
		return f, record.Err()
	}
	for _, field := range []struct {
		text  *string
		paths [][]any
	}{{&f.country, countryPaths}, {&f.region, regionPaths}, {&f.city, cityPaths}, {&f.continent, continentPaths}} {
		if *field.text, err = textAt(record, field.paths); err != nil {
			return finding{}, err
		}
	}
	if len(f.country) != 2 { // some have a name there
		f.country = atlas.CountryCode(f.country)
	}
	return f, nil
}

// textAt is the first text that the record has. What is there but is not a text, or no map where we look into one, is
// passed over: a country is a text in one database and a map in another.
func textAt(record maxminddb.Result, paths [][]any) (string, error) {
	for _, path := range paths {
		var text string
		err := record.DecodePath(&text, path...)
		if broken := (maxminddb.InvalidDatabaseError{}); errors.As(err, &broken) {
			return "", err
		}
		if err == nil && text != "" {
			return text, nil
		}
	}
	return "", nil
}

func (m *mmdb) source() string {
	return fmt.Sprintf("%s of %s", clean(m.db.Metadata.DatabaseType), m.db.Metadata.BuildTime().UTC().Format("2006-01-02"))
}

// attribution is by the beginning of the database's type.
func (m *mmdb) attribution() (text, url string) {
	kind := strings.ToLower(m.db.Metadata.DatabaseType)
	for _, maker := range makers {
		if strings.HasPrefix(kind, maker.prefix) {
			return maker.text, maker.url
		}
	}
	return "", ""
}

// makers are those whose free databases ask for a link.
var makers = []struct{ prefix, text, url string }{
	{"dbip", "IP Geolocation by DB-IP", "https://db-ip.com"},
	{"geolite2", "GeoLite Data created by MaxMind", "https://www.maxmind.com"},
	{"ipinfo", "IP address data powered by IPinfo", "https://ipinfo.io"},
}

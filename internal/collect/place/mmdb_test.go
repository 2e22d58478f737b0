package place_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"footfall/internal/collect/place"
)

// networks are records by their network.
type networks map[string]mmdbtype.Map

func texts(pairs ...string) mmdbtype.Map {
	m := mmdbtype.Map{}
	for i := 0; i < len(pairs); i += 2 {
		m[mmdbtype.String(pairs[i])] = mmdbtype.String(pairs[i+1])
	}
	return m
}

// named is how MaxMind writes a name.
func named(name string) mmdbtype.Map {
	return mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String(name), "de": mmdbtype.String("falsch")}}
}

func maxmind(country, region, city string) mmdbtype.Map {
	return mmdbtype.Map{
		"continent":          texts("code", "EU"),
		"country":            mmdbtype.Map{"iso_code": mmdbtype.String(country), "names": texts("en", "x")},
		"registered_country": texts("iso_code", "US"),
		"subdivisions":       mmdbtype.Slice{named(region), named("a smaller one")},
		"city":               named(city),
	}
}

// flat is how ip-location-db writes a record.
func flat(country, region, city string) mmdbtype.Map {
	return texts("country_code", country, "state1", region, "state2", "", "city", city)
}

func mmdbBytes(t testing.TB, kind string, version int, all networks) []byte {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{
		DatabaseType: kind, IPVersion: version, RecordSize: 28, IncludeReservedNetworks: true, DisableIPv4Aliasing: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		_, network, err := net.ParseCIDR(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Insert(network, all[name]); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := tree.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// writeMMDB puts a database where a file is expected, as updaters do: beside it and then over it.
func writeMMDB(t testing.TB, file, kind string, version int, all networks) string {
	t.Helper()
	if err := os.WriteFile(file+".new", mmdbBytes(t, kind, version, all), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	return file
}

func find(a *place.Atlas, addr string) place.Place { return a.Find(netip.MustParseAddr(addr)) }

func TestEveryShapeOfRecordIsRead(t *testing.T) {
	berlin := place.Place{Continent: "Europe", Country: "Germany", Region: "Berlin", City: "Berlin, Germany"}
	for name, c := range map[string]struct {
		record mmdbtype.Map
		want   place.Place
	}{
		"MaxMind and DB-IP":             {maxmind("DE", "State of Berlin", "Berlin (Mitte)"), berlin},
		"ip-location-db":                {flat("DE", "Berlin", "Berlin"), berlin},
		"IPinfo location":               {texts("country", "DE", "region", "Berlin", "city", "Berlin", "lat", "52.5"), berlin},
		"IPinfo lite":                   {texts("country", "Germany", "country_code", "DE", "continent", "Europe", "continent_code", "EU", "asn", "AS1"), place.Place{Continent: "Europe", Country: "Germany"}},
		"country by name alone":         {texts("country", "Germany"), place.Place{Continent: "Europe", Country: "Germany"}},
		"code in small letters":         {texts("country_code", "de"), place.Place{Continent: "Europe", Country: "Germany"}},
		"MaxMind's country file":        {mmdbtype.Map{"country": texts("iso_code", "JP")}, place.Place{Continent: "Asia", Country: "Japan"}},
		"continent alone":               {mmdbtype.Map{"continent": texts("code", "AF")}, place.Place{Continent: "Africa"}},
		"no region":                     {flat("SG", "", "Singapore"), place.Place{Continent: "Asia", Country: "Singapore", City: "Singapore, Singapore"}},
		"no city":                       {flat("DE", "Hesse", ""), place.Place{Continent: "Europe", Country: "Germany", Region: "Hesse"}},
		"country that does not exist":   {flat("ZZ", "Somewhere", "Nowhere"), place.Place{}},
		"registered elsewhere, no more": {mmdbtype.Map{"registered_country": texts("iso_code", "DE")}, place.Place{}},
		"wrong types":                   {mmdbtype.Map{"country_code": mmdbtype.Uint32(7), "city": mmdbtype.Slice{}, "country": mmdbtype.Bool(true)}, place.Place{}},
	} {
		t.Run(name, func(t *testing.T) {
			file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "Test", 6, networks{
				"1.1.0.0/16": flat("FR", "", ""), "5.5.0.0/16": c.record, "2a02::/32": c.record,
			})
			a, err := place.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, addr := range []string{"5.5.1.2", "::ffff:5.5.1.2", "2a02::1", "2a02::1%eth0", "5.5.1.2"} {
				if got := find(a, addr); got != c.want {
					t.Errorf("%s is %+v, want %+v", addr, got, c.want)
				}
			}
			if got := find(a, "9.9.9.9"); got != (place.Place{}) {
				t.Errorf("an address that is not in the file is %+v", got)
			}
		})
	}
}

func TestIPv6AddressIsUnknownToAFileOfIPv4(t *testing.T) {
	a, err := place.Open(writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "Test", 4, networks{"5.0.0.0/8": flat("DE", "", "")}))
	if err != nil {
		t.Fatal(err)
	}
	if got := find(a, "2a02::1"); got != (place.Place{}) {
		t.Errorf("it is %+v", got)
	}
	if got := find(a, "5.1.1.1").Country; got != "Germany" {
		t.Errorf("5.1.1.1 is %q", got)
	}
}

func TestFileWithoutPlacesIsRefused(t *testing.T) {
	dir := t.TempDir()
	asn := writeMMDB(t, filepath.Join(dir, "asn.mmdb"), "GeoLite2-ASN", 6, networks{"1.0.0.0/8": texts("autonomous_system_organization", "x")})
	empty := writeMMDB(t, filepath.Join(dir, "empty.mmdb"), "Empty", 6, networks{})
	text := filepath.Join(dir, "text.mmdb")
	if err := os.WriteFile(text, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		asn: `"GeoLite2-ASN" has no places`, empty: "no country in it", text: "invalid MaxMind DB", filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := place.Open(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s opens with %v, want %q and its name", filepath.Base(file), err, want)
		}
	}
}

func TestMakersAreNamedByTheTypeOfTheirFile(t *testing.T) {
	for kind, want := range map[string]string{
		"DBIP-City-Lite": "https://db-ip.com", "GeoLite2-City": "https://www.maxmind.com", "GeoIP2-City": "",
		"ipinfo generic_location.mmdb": "https://ipinfo.io", "Our own": "",
	} {
		a, err := place.Open(writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), kind, 4, networks{"5.0.0.0/8": flat("DE", "", "")}))
		if err != nil {
			t.Fatal(err)
		}
		text, url := a.Attribution()
		if url != want || (text == "") != (url == "") {
			t.Errorf("%s wants %q at %q, not %q", kind, text, url, want)
		}
		if !strings.HasPrefix(a.Source(), kind+" of 20") {
			t.Errorf("%s calls itself %q", kind, a.Source())
		}
	}
}

// FuzzMMDB is about files that nobody would sell.
func FuzzMMDB(f *testing.F) {
	for _, record := range []mmdbtype.Map{maxmind("DE", "Berlin", "Berlin"), flat("DE", "Berlin", "Berlin"), texts("country", "DE")} {
		file := mmdbBytes(f, "Fuzz", 6, networks{"1.0.0.0/8": record, "2a02::/16": flat("FR", "", "")})
		f.Add(file)
		f.Add(file[:len(file)/2])
		for _, at := range []int{0, 1, 20, len(file) / 2, len(file) - 60, len(file) - 20} {
			damaged := bytes.Clone(file)
			binary.BigEndian.PutUint32(damaged[at:], 0xffffffff)
			f.Add(damaged)
		}
	}
	addrs := []netip.Addr{netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("2a02::1"), netip.MustParseAddr("200.1.1.1")}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, addr := range addrs {
			p, err := place.FindIn(file, addr)
			if err != nil {
				return
			}
			if p.City != "" && !strings.HasSuffix(p.City, ", "+p.Country) || len(p.Region) > 80 {
				t.Errorf("%s is %+v", addr, p)
			}
		}
	})
}

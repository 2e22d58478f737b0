package place_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"footfall/internal/collect/place"
)

// Addresses are spread over all networks, which no real traffic is: each lookup comes to memory that is not in a cache.
func spread(ipv6 bool) []netip.Addr {
	r := rand.New(rand.NewPCG(5, 6))
	all := make([]netip.Addr, 1<<16)
	for i := range all {
		var b [16]byte
		for j := range b {
			b[j] = byte(r.Uint32())
		}
		if ipv6 {
			b[0], b[1] = 0x2a, b[1]&0x0f
			all[i] = netip.AddrFrom16(b)
		} else {
			b[0] = 11 + b[0]%88
			all[i] = netip.AddrFrom4([4]byte(b[:4]))
		}
	}
	return all
}

func benchmarkFind(b *testing.B, a *place.Atlas, addrs []netip.Addr) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.Find(addrs[i%len(addrs)])
	}
}

func BenchmarkEmbeddedIPv4(b *testing.B) { benchmarkFind(b, embedded(b), spread(false)) }
func BenchmarkEmbeddedIPv6(b *testing.B) { benchmarkFind(b, embedded(b), spread(true)) }
func BenchmarkEmbeddedSame(b *testing.B) { benchmarkFind(b, embedded(b), spread(false)[:64]) }

func BenchmarkFileIPv4(b *testing.B) { benchmarkFile(b, spread(false)) }
func BenchmarkFileSame(b *testing.B) { benchmarkFile(b, spread(false)[:64]) }

func benchmarkFile(b *testing.B, addrs []netip.Addr) {
	file, _ := sources()
	a, err := place.Open(file)
	if err != nil {
		missing(b, err.Error())
	}
	benchmarkFind(b, a, addrs)
}

// BenchmarkEmbedded is what the database costs at the start of the service.
func BenchmarkEmbedded(b *testing.B) {
	embedded(b)
	for b.Loop() {
		if _, err := place.Embedded(); err != nil {
			b.Fatal(err)
		}
	}
}

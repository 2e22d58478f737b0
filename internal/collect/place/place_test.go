package place_test

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"testing"

	"footfall/internal/collect/place"
)

// missing ends a test that needs data of the build. Where all must be there, that is a failure.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s: run tools/places", what)
	}
	t.Skipf("NOT TESTED: %s: run tools/places", what)
}

// embedded is the atlas of the real data.
func embedded(t testing.TB) *place.Atlas {
	t.Helper()
	a, err := place.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if a.Source() == "" {
		missing(t, "the build has no database of places")
	}
	return a
}

func TestWellKnownNetworksAreWhereTheyAre(t *testing.T) {
	a := embedded(t)
	for addr, want := range map[string]place.Place{
		"8.8.8.8":     {Continent: "North America", Country: "United States"},
		"80.128.0.1":  {Continent: "Europe", Country: "Germany"},              // Deutsche Telekom
		"90.0.0.1":    {Continent: "Europe", Country: "France"},               // Orange
		"81.128.0.1":  {Continent: "Europe", Country: "United Kingdom"},       // BT
		"153.128.0.1": {Continent: "Asia", Country: "Japan"},                  // NTT
		"14.32.0.1":   {Continent: "Asia", Country: "South Korea"},            // KT
		"58.32.0.1":   {Continent: "Asia", Country: "China"},                  // China Telecom
		"177.0.0.1":   {Continent: "South America", Country: "Brazil"},        // Oi
		"117.192.0.1": {Continent: "Asia", Country: "India"},                  // BSNL
		"1.120.0.1":   {Continent: "Oceania", Country: "Australia"},           // Telstra
		"41.0.0.1":    {Continent: "Africa", Country: "South Africa"},         // Vodacom
		"2003::1":     {Continent: "Europe", Country: "Germany"},              // Deutsche Telekom
		"2a01:e0a::1": {Continent: "Europe", Country: "France"},               // Free
		"240e::1":     {Continent: "Asia", Country: "China"},                  // China Telecom
		"2600:1700::": {Continent: "North America", Country: "United States"}, // AT&T
	} {
		got := find(a, addr)
		if got.Continent != want.Continent || got.Country != want.Country || got.City == "" {
			t.Errorf("%s is %+v, want %+v", addr, got, want)
		}
	}
	// Universities do not move.
	for addr, want := range map[string]place.Place{
		"130.149.1.1":        {Continent: "Europe", Country: "Germany", Region: "Berlin", City: "Berlin, Germany"},
		"::ffff:130.149.1.1": {Continent: "Europe", Country: "Germany", Region: "Berlin", City: "Berlin, Germany"},
		"131.111.1.1":        {Continent: "Europe", Country: "United Kingdom", Region: "England", City: "Cambridge, United Kingdom"},
		"129.132.1.1":        {Continent: "Europe", Country: "Switzerland", Region: "Zurich", City: "Zurich, Switzerland"},
		"128.32.1.1":         {Continent: "North America", Country: "United States", Region: "California", City: "Berkeley, United States"},
	} {
		if got := find(a, addr); got != want {
			t.Errorf("%s is %+v, want %+v", addr, got, want)
		}
	}
	if text, url := a.Attribution(); text != "IP Geolocation by DB-IP" || url != "https://db-ip.com" {
		t.Errorf("the link is %q to %q", text, url)
	}
}

func TestReservedAddressesAreNowhere(t *testing.T) {
	everywhere := openPacked(t, pack(t,
		networks{"0.0.0.0/1": flat("DE", "", ""), "128.0.0.0/1": flat("DE", "", "")},
		networks{"::/1": flat("DE", "", ""), "8000::/1": flat("DE", "", "")}))
	for _, addr := range []string{
		"0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
		"192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::808:808", "100::1", "fc00::1", "fd12::1", "fe80::1%eth0", "ff02::1",
		"2001::1", "2001:db8::1", "2002:808:808::1", "3fff::1", "4000::1",
	} {
		if got := find(everywhere, addr); got != (place.Place{}) {
			t.Errorf("%s is %+v", addr, got)
		}
	}
	for _, addr := range []string{"9.255.255.255", "11.0.0.0", "100.63.255.255", "172.15.255.255", "172.32.0.0", "::ffff:11.0.0.0"} {
		if got := find(everywhere, addr).Country; got != "Germany" {
			t.Errorf("%s is %q, next to what is reserved", addr, got)
		}
	}
	if got := everywhere.Find(netip.Addr{}); got != (place.Place{}) {
		t.Errorf("no address is %+v", got)
	}
}

func TestAtlasWithoutDatabaseKnowsNothing(t *testing.T) {
	var a place.Atlas
	if got := find(&a, "8.8.8.8"); got != (place.Place{}) {
		t.Errorf("it says %+v", got)
	}
	if text, url := a.Attribution(); text != "" || url != "" || a.Source() != "" {
		t.Errorf("it names %q, %q, %q", text, url, a.Source())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Run(ctx, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}

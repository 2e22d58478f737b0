package webhook

import (
	"net"
	"net/netip"
)

// special are the ranges that are not somebody's address in the internet, by IANA's registries of special purposes; and one
// that is, and still leads to the machine's own cloud.
var special = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared with others behind a carrier's NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local, and the metadata of most clouds
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocols
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays of 6to4
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // measurements
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, and broadcast

	"168.63.129.16/32", // the metadata of Azure

	"2001::/23",     // protocols, and Teredo, which leads to an IPv4 address
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which leads to an IPv4 address
	"3fff::/20",     // documentation
)

var (
	global = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is given out
	nat64  = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address follows
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, s := range texts {
		all[i] = netip.MustParsePrefix(s)
	}
	return all
}

// IsPublic tells whether an address is one in the internet, and not one of this machine or of networks around it.
func IsPublic(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	if !a.IsValid() {
		return false
	}
	if nat64.Contains(a) {
		b := a.As16()
		return IsPublic(netip.AddrFrom4([4]byte(b[12:])))
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.Is4() || global.Contains(a)
}

// isOneOf tells whether an address is one of a machine's own. A public one leads past the firewall that keeps others out.
func isOneOf(own []net.Addr, a netip.Addr) bool {
	for _, o := range own {
		if p, err := netip.ParsePrefix(o.String()); err == nil && p.Addr().Unmap() == a.WithZone("").Unmap() {
			return true
		}
	}
	return false
}

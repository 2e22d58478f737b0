package place

import "net/netip"

// reserved tells that an address is nowhere: of a private network, of a tunnel, for documents, or not given to anybody.
func reserved(addr netip.Addr) bool {
	all := reservedIPv6
	if addr.Is4() {
		all = reservedIPv4
	} else if addr.As16()[0]>>5 != 1 { // all that is given out so far begins with 001
		return true
	}
	for _, network := range all {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// As in the registries of special-purpose addresses (RFC 6890 and what was added since).
var (
	reservedIPv4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/3")
	reservedIPv6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

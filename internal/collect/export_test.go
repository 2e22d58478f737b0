package collect

import "net/netip"

// Matches is matches, for a test that compares it with another way to find out.
var Matches = matches

// ReadNetworks is readNetworks.
var ReadNetworks = readNetworks

// Contains tells whether an address is in one of them.
func (l *networkList) Contains(a netip.Addr) bool { return l.contains(a) }

// Ranges is how many there are once they are joined.
func (l *networkList) Ranges() int { return len(*l) }

// HostOf is hostOf.
var HostOf = hostOf

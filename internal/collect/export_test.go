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

// Enrich makes an event of a hit again and again, and nothing else.
func (c *Collector) Enrich(r Request, h *Hit, n int, next func(*Request)) {
	c.once.Do(c.init)
	w := work{Collector: c, now: c.Now(), request: &r, hit: h}
	for range n {
		next(&r)
		w.run()
	}
}

package collect

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"footfall/internal/collect/kept"
)

// Limits of a file of networks. The published ranges of the large clouds together are some 30,000 lines and 600 KB.
const (
	maxNetworksBytes = 32 << 20
	maxNetworkLine   = 1000
	leastBits4       = 8 // a shorter prefix is a mistake that would drop a good part of all visitors
	leastBits6       = 16
)

// Networks are ranges of addresses, from a file that the operator keeps and may replace at any time: one range in the form of
// CIDR or one address in a line, and what follows a # is a remark. A nil *Networks has none.
type Networks struct {
	name string
	file *kept.File
	list atomic.Pointer[networkList]
}

// OpenNetworks reads a file of networks.
func OpenNetworks(file string) (*Networks, error) {
	n := &Networks{name: file}
	var err error
	if n.file, err = kept.Open(file, n.load); err != nil {
		return nil, fmt.Errorf("read networks in %s: %w", file, err)
	}
	return n, nil
}

// load reads the file anew. If it cannot be read, what was there before stays.
func (n *Networks) load() error {
	f, err := os.Open(n.name)
	if err != nil {
		return err
	}
	defer f.Close()
	list, err := readNetworks(f)
	if err != nil {
		return err
	}
	n.list.Store(list)
	return nil
}

// Run takes the file anew whenever it changes, until ctx is done, and tells the log of one that cannot be used.
func (n *Networks) Run(ctx context.Context, log *slog.Logger) error {
	if n == nil {
		<-ctx.Done()
		return nil
	}
	n.file.Run(ctx, func(changed bool, err error) {
		switch {
		case err != nil:
			log.Error("new file of networks cannot be used, the old one stays", "file", n.name, "error", err)
		case changed:
			log.Info("new file of networks", "file", n.name)
		}
	})
	return nil
}

// contain tells whether an address is in one of them.
func (n *Networks) contain(a netip.Addr) bool {
	if n == nil || !a.IsValid() {
		return false
	}
	return n.list.Load().contains(a.Unmap().WithZone(""))
}

// A networkList is ranges in the order of their addresses, none of which touches another.
type networkList []addressRange

// An addressRange is from its first to its last address.
type addressRange struct{ first, last netip.Addr }

// contains looks at 15 of 30,000 ranges.
func (l *networkList) contains(a netip.Addr) bool {
	i, found := slices.BinarySearchFunc(*l, a, func(r addressRange, a netip.Addr) int { return r.first.Compare(a) })
	return found || i > 0 && a.Compare((*l)[i-1].last) <= 0
}

// readNetworks reads a file to its end. One line that is wrong makes all of it wrong.
func readNetworks(r io.Reader) (*networkList, error) {
	limited := &io.LimitedReader{R: r, N: maxNetworksBytes + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 0, maxNetworkLine), maxNetworkLine)
	var all networkList
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")); text == "" {
			continue
		}
		one, err := parseNetwork(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, one)
	}
	if limited.N <= 0 {
		return nil, fmt.Errorf("the file is larger than %d MiB", maxNetworksBytes>>20)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d bytes", maxNetworkLine)
	} else if err != nil {
		return nil, err
	}
	return joined(all), nil
}

// parseNetwork reads a range or an address.
func parseNetwork(s string) (addressRange, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return addressRange{a.Unmap(), a.Unmap()}, nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return addressRange{}, fmt.Errorf("%.60q is not a network: write one such as 192.0.2.0/24 or 2001:db8::/32", s)
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	least := leastBits6
	if p.Addr().Is4() {
		least = leastBits4
	}
	if p.Bits() < least {
		return addressRange{}, fmt.Errorf("%s is too large to be a network of a data centre", p)
	}
	return addressRange{p.Masked().Addr(), lastOf(p)}, nil
}

// lastOf is the last address of a range.
func lastOf(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := range b {
		switch left := p.Bits() - 8*i; {
		case left <= 0:
			b[i] = 0xff
		case left < 8:
			b[i] |= 0xff >> left
		}
	}
	a, _ := netip.AddrFromSlice(b) // it is one: the length is that of an address
	return a
}

// joined puts ranges in order, and those together that overlap or follow each other.
func joined(all networkList) *networkList {
	slices.SortFunc(all, func(a, b addressRange) int { return cmp.Or(a.first.Compare(b.first), a.last.Compare(b.last)) })
	list := make(networkList, 0, len(all))
	for _, r := range all {
		if n := len(list); n > 0 && (r.first.Compare(list[n-1].last) <= 0 || r.first == list[n-1].last.Next()) {
			if r.last.Compare(list[n-1].last) > 0 {
				list[n-1].last = r.last
			}
			continue
		}
		list = append(list, r)
	}
	list = slices.Clip(list)
	return &list
}

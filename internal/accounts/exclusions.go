package accounts

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"

	"footfall/internal/fault"
)

// Limits on a list of exclusions: every hit is held against all of it.
const (
	maxExclusions     = 1000
	maxExclusionBytes = 64 << 10
	maxParamBytes     = 200
)

// ExcludedParams are the names in ExcludeParams. A * in one stands for any characters.
func (w Website) ExcludedParams() []string {
	var names []string
	for entry := range entries(w.ExcludeParams) {
		names = append(names, entry)
	}
	return names
}

// ExcludedIPs are the addresses in ExcludeIPs; a single one is a range of one. IPv4 addresses are IPv4, also those that
// were written as IPv6.
func (w Website) ExcludedIPs() []netip.Prefix {
	var ranges []netip.Prefix
	for entry := range entries(w.ExcludeIPs) {
		if r, err := parseRange(entry); err == nil {
			ranges = append(ranges, r)
		}
	}
	return ranges
}

// excludeParams and excludeIPs check a list and return it as it is kept: as it was sent, so that its owner finds it again,
// but for line endings and spaces around it.

func excludeParams(f *fault.Fields, field, list string) string {
	return exclusions(f, field, list, func(name string) string {
		if len(name) > maxParamBytes {
			return fmt.Sprintf("is longer than %d bytes", maxParamBytes)
		}
		if strings.ContainsAny(name, "?&=#") || strings.ContainsFunc(name, unicode.IsSpace) {
			return "is not the name of a parameter: write one such as utm_source or utm_*"
		}
		return ""
	})
}

func excludeIPs(f *fault.Fields, field, list string) string {
	return exclusions(f, field, list, func(text string) string {
		if _, err := parseRange(text); err != nil {
			return "is not an IP address or range: write one such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32"
		}
		return ""
	})
}

// exclusions asks of each entry what is wrong with it, and names the first few that are wrong with their lines.
func exclusions(f *fault.Fields, field, list string, wrong func(entry string) string) string {
	list = strings.TrimSpace(strings.ReplaceAll(list, "\r\n", "\n"))
	if len(list) > maxExclusionBytes {
		f.Add(field, "must not be longer than %d bytes", maxExclusionBytes)
		return ""
	}
	if !isText(list) {
		f.Add(field, "must be text")
		return ""
	}
	const most = 5
	count, bad := 0, 0
	for entry, line := range entries(list) {
		count++
		if problem := wrong(entry); problem != "" {
			if bad++; bad <= most {
				f.Add(field, "line %d: %s %s", line, quote(entry), problem)
			}
		}
	}
	if bad > most {
		f.Add(field, "has %d more wrong entries", bad-most)
	}
	if count > maxExclusions {
		f.Add(field, "must not have more than %d entries", maxExclusions)
	}
	return list
}

// entries yields the entries of a list with the number of their line, from 1. Commas part them as line breaks do.
func entries(list string) func(yield func(entry string, line int) bool) {
	return func(yield func(string, int) bool) {
		number := 0
		for line := range strings.SplitSeq(list, "\n") {
			number++
			for entry := range strings.SplitSeq(line, ",") {
				if entry = strings.TrimSpace(entry); entry != "" && !yield(entry, number) {
					return
				}
			}
		}
	}
}

func parseRange(s string) (netip.Prefix, error) {
	if !strings.Contains(s, "/") {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return netip.Prefix{}, err
		}
		if a.Zone() != "" {
			return netip.Prefix{}, fmt.Errorf("%s has a zone", s)
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	r, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	if r.Addr().Is4In6() && r.Bits() >= 96 {
		r = netip.PrefixFrom(r.Addr().Unmap(), r.Bits()-96)
	}
	return r.Masked(), nil
}

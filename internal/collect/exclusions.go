package collect

import (
	"hash/maphash"
	"net/netip"
	"strings"
)

// An addressSet holds ranges of addresses. A list may have a thousand, but few lengths: one look for each is enough.
type addressSet struct {
	ranges map[netip.Prefix]bool
	bits4  []int // lengths of the ranges of IPv4
	bits6  []int
}

func newAddressSet(ranges []netip.Prefix) addressSet {
	s := addressSet{ranges: make(map[netip.Prefix]bool, len(ranges))}
	seen := make(map[int]bool)
	for _, r := range ranges {
		s.ranges[r.Masked()] = true
		is4 := r.Addr().Is4()
		key := r.Bits()
		if !is4 {
			key += 1000
		}
		switch {
		case seen[key]:
		case is4:
			s.bits4 = append(s.bits4, r.Bits())
		default:
			s.bits6 = append(s.bits6, r.Bits())
		}
		seen[key] = true
	}
	return s
}

func (s *addressSet) contains(a netip.Addr) bool {
	lengths := s.bits6
	if a.Is4() {
		lengths = s.bits4
	}
	for _, bits := range lengths {
		if p, err := a.Prefix(bits); err == nil && s.ranges[p] {
			return true
		}
	}
	return false
}

// maxParamName is the longest name of a parameter that is looked at. A longer one is nobody's, and is left out.
const maxParamName = 200

// A paramSet holds names of parameters, in any case of the letters. A * in one stands for any characters.
type paramSet struct {
	names    map[string]bool
	patterns []string
	sum      uint64 // of all of them; sets that differ have another
}

var paramSeed = maphash.MakeSeed()

func newParamSet(names []string) paramSet {
	s := paramSet{names: make(map[string]bool, len(names)), sum: maphash.String(paramSeed, strings.Join(names, "\n"))}
	for _, name := range names {
		name = strings.ToLower(name)
		if strings.Contains(name, "*") {
			s.patterns = append(s.patterns, name)
		} else {
			s.names[name] = true
		}
	}
	return s
}

// exclude is what a website's owner has excluded, as link asks for it; nil if that is nothing.
func (s *paramSet) exclude() func(name string) bool {
	if len(s.names) == 0 && len(s.patterns) == 0 {
		return nil
	}
	return s.contains
}

func (s *paramSet) contains(name string) bool {
	if len(name) > maxParamName {
		return true
	}
	name = strings.ToLower(name)
	if s.names[name] {
		return true
	}
	for _, p := range s.patterns {
		if matches(p, name) {
			return true
		}
	}
	return false
}

// matches tells whether a name is as a pattern says. Only the last * is ever tried again, so the time is at most the
// product of both lengths.
func matches(pattern, name string) bool {
	p, n := 0, 0
	star, tried := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, tried = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			tried++
			p, n = star+1, tried
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

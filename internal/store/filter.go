package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Op is how a filter decides.
type Op uint8

// The operations. Those on a dimension compare with Values, letter for letter; an event without a value has "".
const (
	Everything  Op = iota // keeps everything
	AllOf                 // keeps what all Filters keep
	AnyOf                 // keeps what at least one of Filters keeps
	Is                    // the value is one of Values
	IsNot                 // the value is none of Values
	Contains              // the value contains one of Values
	NotContains           // the value contains none of Values
	Matches               // the value matches one of Values, in which * stands for any text, also none
)

// A Filter keeps events by what they and their visits are.
type Filter struct {
	Op        Op
	Dimension Dimension
	Values    []string
	Filters   []Filter
}

// Keep decides about one value. It is for the operations on a dimension.
func (f *Filter) Keep(value string) bool {
	switch f.Op {
	case Is:
		return slices.Contains(f.Values, value)
	case IsNot:
		return !slices.Contains(f.Values, value)
	case Contains:
		return f.contains(value)
	case NotContains:
		return !f.contains(value)
	case Matches:
		return slices.ContainsFunc(f.Values, func(pattern string) bool { return MatchWildcard(pattern, value) })
	}
	return true
}

func (f *Filter) contains(value string) bool {
	return slices.ContainsFunc(f.Values, func(v string) bool { return strings.Contains(value, v) })
}

// MatchWildcard tells whether s is pattern, in which each * stands for any text, also none. Its time grows with the
// length of s times that of pattern at worst.
func MatchWildcard(pattern, s string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return s == pattern
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], next
	}
}

const maxFilterDepth = 8

func (f *Filter) check() error { return f.checkDepth(0) }

func (f *Filter) checkDepth(depth int) error {
	if depth > maxFilterDepth {
		return fmt.Errorf("filters are nested deeper than %d", maxFilterDepth)
	}
	switch f.Op {
	case Everything:
		return nil
	case AllOf, AnyOf:
		for i := range f.Filters {
			if err := f.Filters[i].checkDepth(depth + 1); err != nil {
				return err
			}
		}
		return nil
	case Is, IsNot, Contains, NotContains, Matches:
		if f.Dimension.Source == FromNothing {
			return errors.New("filter without a dimension")
		}
		if len(f.Values) == 0 {
			return fmt.Errorf("filter on %s compares with nothing", f.Dimension.Name)
		}
		return nil
	}
	return fmt.Errorf("filter operation %d does not exist", f.Op)
}

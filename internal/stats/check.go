package stats

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"footfall/internal/fault"
)

// A checker collects all that is wrong with a question.
type checker struct {
	fault.Fields
	filters int // seen so far
}

// Add notes what is wrong with a field, unless something was noted before: a field of the wrong type has no right value.
func (c *checker) Add(field, format string, args ...any) {
	if !c.Has(field) {
		c.Fields.Add(field, format, args...)
	}
}

// website checks that there is one to ask about.
func (c *checker) website(s Scope) {
	if s.Website <= 0 {
		c.Add("website_id", "must be the id of a website")
	}
}

// choice notes what is allowed if a text is none of it.
func (c *checker) choice(field, s string, allowed ...string) string {
	if !slices.Contains(allowed, s) {
		c.Add(field, "must be %s", oneOf(allowed))
	}
	return s
}

// oneOf joins words as in "a or b" and "one of a, b, c".
func oneOf(words []string) string {
	if len(words) <= 2 {
		return strings.Join(words, " or ")
	}
	return "one of " + strings.Join(words, ", ")
}

// text notes what is wrong with a text that a store would have to look for.
func (c *checker) text(field, s string, maxBytes int) {
	switch {
	case !utf8.ValidString(s):
		c.Add(field, "must be text in UTF-8")
	case len(s) > maxBytes:
		c.Add(field, "must not be longer than %d bytes", maxBytes)
	}
}

// page is the number of a page; "" is the first.
func (c *checker) page(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxPage {
		c.Add("page", "must be a whole number from 1 to %d", maxPage)
		return 1
	}
	return n
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

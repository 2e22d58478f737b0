package link

import (
	"bytes"
	"net/url"
	"strings"
)

// A query reads lists of parameters: it fills the campaign of a page and leaves the parameters that tell pages apart.
type query struct {
	page    *Page
	exclude func(name string) bool
	left    int              // parameters that may still be looked at
	taken   [numFields]uint8 // 1 + the row in parameters that filled the field, 0 for none
}

// append appends what is left of a list of parameters, in its order, after the mark that begins it; 0 is no mark. Whoever
// tags a link that has a query already often writes a second "?", so that begins a parameter too.
func (q *query) append(dst []byte, list string, mark byte) []byte {
	before, separator := len(dst), mark
	for list != "" {
		n := indexOf(list, isSeparator)
		if n > 0 && q.left > 0 {
			q.left--
			dst = q.appendParam(dst, list[:n], separator)
		}
		if n == len(list) {
			break
		}
		if len(dst) > before {
			separator = list[n]
		}
		list = list[n+1:]
	}
	return dst
}

func isSeparator(c byte) bool { return c == '&' || c == '?' }

// appendParam appends one parameter after its separator, unless it is to be stripped or does not fit in whole.
func (q *query) appendParam(dst []byte, param string, separator byte) []byte {
	before := len(dst)
	if separator != 0 {
		dst = append(dst, separator)
	}
	start := len(dst)
	dst = appendNormal(dst, param, plainQuery)
	for bytes.HasPrefix(dst[start:], []byte("amp;")) { // of "&amp;", copied out of HTML
		dst = append(dst[:start], dst[start+len("amp;"):]...)
	}
	if len(dst) == start || q.strips(dst[start:]) || len(dst) > maxPathBytes {
		return dst[:before]
	}
	return dst
}

// appendFragment appends what is left of a fragment. It may be a route with parameters, "/cart?step=2", or be parameters
// itself.
func (q *query) appendFragment(dst []byte, fragment string) []byte {
	fragment, _, _ = strings.Cut(fragment, ":~:") // what the reader searched for
	route, params, _ := strings.Cut(fragment, "?")
	before := len(dst)
	dst = append(dst, '#')
	dst = q.append(dst, route, 0)
	dst = q.append(dst, params, '?')
	if len(dst) == before+1 {
		return dst[:before]
	}
	return dst
}

// strips reads a parameter, in its normal form, and tells whether it is to be stripped.
func (q *query) strips(param []byte) bool {
	name, value, _ := bytes.Cut(param, []byte("="))
	if row := parameterNamed(name); row >= 0 && q.read(row, value) {
		return true
	}
	if hasEmail(param) {
		return true
	}
	return q.exclude != nil && q.exclude(unescaped(name))
}

// read takes what a known parameter tells, and reports whether it is to be stripped.
func (q *query) read(row int, value []byte) bool {
	p := &parameters[row]
	if p.long && len(value) < minSessionBytes {
		return false
	}
	q.page.Paid = q.page.Paid || p.paid && len(value) > 0
	if p.from != "" && len(value) > 0 {
		q.page.click = p.from
	}
	if p.fills == 0 || q.taken[p.fills] != 0 && int(q.taken[p.fills]) <= row+1 {
		return true
	}
	if text := plain(value); text != "" {
		*q.page.field(p.fills) = text
		q.taken[p.fills] = uint8(row + 1)
	}
	return true
}

// unescaped is the name of a parameter as people write it in a list.
func unescaped(name []byte) string {
	s := string(name)
	if strings.ContainsAny(s, "%+") {
		if plain, err := url.QueryUnescape(s); err == nil {
			return plain
		}
	}
	return s
}

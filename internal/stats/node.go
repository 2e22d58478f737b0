package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A node is a piece of a JSON question, with the path that leads to it. One that was not sent, or is null, has a nil value.
type node struct {
	path  string
	value any
	notes *[]note
}

// A note is something that is wrong with the form of a question.
type note struct{ field, text string }

// maxNotes bounds what is said about one question.
const maxNotes = 100

func (n node) note(format string, args ...any) {
	if len(*n.notes) == maxNotes {
		return
	}
	*n.notes = append(*n.notes, note{n.path, fmt.Sprintf(format, args...)})
}

func (n node) sent() bool { return n.value != nil }

// maxUnknownKeys bounds what is said about the keys of one object that mean nothing.
const maxUnknownKeys = 10

// object is the values of an object. A key that means nothing is noted: a misspelt filter would count everything.
func (n node) object(keys ...string) func(key string) node {
	values, ok := n.value.(map[string]any)
	if !ok && n.sent() {
		n.note("must be an object")
	}
	unknown := 0
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(keys, key) {
			continue
		}
		if unknown++; unknown <= maxUnknownKeys {
			n.child(cut(key), nil).note("is not known here: known are %s", strings.Join(keys, ", "))
		}
	}
	return func(key string) node { return n.child(key, values[key]) }
}

func (n node) child(key string, value any) node {
	path := key
	if n.path != "" {
		path = n.path + "." + key
	}
	return node{path, value, n.notes}
}

// cut is the beginning of a text that may be long.
func cut(s string) string {
	const most = 60
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return s
}

// list is the members of a list. One that is longer than most is noted and empty.
func (n node) list(most int) []node {
	values, ok := n.value.([]any)
	if !ok && n.sent() {
		n.note("must be a list")
	}
	if len(values) > most {
		n.note("must have at most %d members", most)
		return nil
	}
	nodes := make([]node, len(values))
	for i, v := range values {
		nodes[i] = node{fmt.Sprintf("%s[%d]", n.path, i), v, n.notes}
		if v == nil {
			nodes[i].note("must not be null")
		}
	}
	return nodes
}

func (n node) text() string {
	s, ok := n.value.(string)
	if !ok && n.sent() {
		n.note("must be text")
	}
	return s
}

func (n node) texts(most int) []string {
	if !n.sent() {
		return nil
	}
	all := []string{}
	for _, member := range n.list(most) {
		all = append(all, member.text())
	}
	return all
}

// number is a whole number from 1 to most.
func (n node) number(most int64) int64 {
	if !n.sent() {
		return 0
	}
	f, ok := n.value.(float64)
	if !ok || f != math.Trunc(f) || f < 1 || f > float64(most) {
		n.note("must be a whole number from 1 to %d", most)
		return 0
	}
	return int64(f)
}

func (n node) yesNo() *bool {
	b, ok := n.value.(bool)
	if !ok {
		if n.sent() {
			n.note("must be true or false")
		}
		return nil
	}
	return &b
}

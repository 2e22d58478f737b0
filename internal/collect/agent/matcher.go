package agent

import "strings"

// matcher finds many literals in one pass over a text, whatever its case (Aho and Corasick). A literal may ask for edges:
// ^ before it is the start of the text, < the start of a word, > after it no letter. One with ! is a word of people: what
// ends where it ends is no match, so that "!cubot" takes back "bot".
type matcher struct {
	class   [256]uint8 // of signs; 0 is in no literal
	classes int
	next    []uint16 // by state and class
	ends    [][]edges
}

// edges are what a literal that ends in a state asks for.
type edges struct {
	length               int
	atStart, atWord, end bool
}

func newMatcher(literals []string) *matcher {
	m := &matcher{classes: 1, ends: make([][]edges, 1)}
	for _, l := range literals {
		for _, c := range []byte(strings.Trim(l, "!^<>")) {
			if m.class[c] == 0 {
				m.class[c] = uint8(m.classes)
				m.classes++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		m.class[c] = m.class[low(c)]
	}
	m.next = make([]uint16, m.classes)
	people := map[uint16]bool{}
	for _, l := range literals {
		m.add(l, people)
	}
	m.link(people)
	return m
}

// add grows the tree by one literal.
func (m *matcher) add(l string, people map[uint16]bool) {
	text := strings.Trim(l, "!^<>")
	state := uint16(0)
	for _, c := range []byte(text) {
		at := int(state)*m.classes + int(m.class[c])
		if m.next[at] == 0 {
			m.next[at] = uint16(len(m.ends))
			m.ends = append(m.ends, nil)
			m.next = append(m.next, make([]uint16, m.classes)...)
		}
		state = m.next[at]
	}
	if l[0] == '!' {
		people[state] = true
		return
	}
	m.ends[state] = append(m.ends[state], edges{len(text), l[0] == '^', l[0] == '<', l[len(l)-1] == '>'})
}

// link turns the tree into an automaton: each state learns where the longest ending of its text goes on.
func (m *matcher) link(people map[uint16]bool) {
	back := make([]uint16, len(m.ends))
	var queue []uint16
	for c := range m.classes {
		if s := m.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		if people[state] {
			m.ends[state] = nil
		} else {
			m.ends[state] = append(m.ends[state], m.ends[back[state]]...)
		}
		for c := range m.classes {
			at, other := int(state)*m.classes+c, m.next[int(back[state])*m.classes+c]
			if s := m.next[at]; s != 0 {
				back[s] = other
				queue = append(queue, s)
			} else {
				m.next[at] = other
			}
		}
	}
}

// find reports whether any literal is in a text.
func (m *matcher) find(text string) bool {
	state := 0
	for i := 0; i < len(text); i++ {
		state = int(m.next[state*m.classes+int(m.class[text[i]])])
		for _, e := range m.ends[state] {
			if e.fit(text, i+1) {
				return true
			}
		}
	}
	return false
}

// fit reports whether a literal that ends before i has the edges it asks for.
func (e edges) fit(text string, i int) bool {
	start := i - e.length
	switch {
	case e.atStart && start > 0:
		return false
	case e.atWord && start > 0 && alphanumeric(text[start-1]):
		return false
	case e.end && i < len(text) && alphanumeric(text[i]) && !isDigit(text[i]):
		return false
	}
	return true
}

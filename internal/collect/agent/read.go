package agent

import "strings"

// claim is the best browser or system seen so far. Agents claim to be several: the highest rank is what they are.
type claim struct {
	name    string
	rank    uint8
	version string
}

// opened says whose version the next word may be: "Windows NT 10.0", "MSIE 7.0".
type opened uint8

const (
	openNone opened = iota
	openBrowser
	openSystem
)

// reading is what one pass over a User-Agent has found.
type reading struct {
	browser claim
	system  claim
	open    opened
	version string // of Version/…, which is Safari's, old Opera's and Android Browser's
	rv      string // of rv:…, which is Internet Explorer 11's
	marks   mark
	model   string // of an Android device
}

// read goes over the words of a User-Agent once. A word ends at a space, a bracket or a separator.
func read(agent string) reading {
	var r reading
	names := lexicon()
	previous, segment := "", 0 // segment is where the text since the last ; or ( begins
	for i := 0; i < len(agent); {
		c := agent[i]
		if separates[c] {
			if c != ' ' {
				r.open, previous = openNone, ""
			}
			if c == ';' || c == '(' || c == ')' {
				r.endSegment(agent[segment:i])
				segment = i + 1
			}
			i++
			continue
		}
		start := i
		for i < len(agent) && !separates[agent[i]] {
			i++
		}
		r.take(names, previous, agent[start:i])
		previous = agent[start:i]
	}
	r.endSegment(agent[segment:])
	return r
}

var separates = func() (s [256]bool) {
	for _, c := range []byte(" ;(),[]{}\"'+\t|") {
		s[c] = true
	}
	return s
}()

// take weighs one word: Name, Name/Version, or the version of the word before. Some agents string several together:
// Linux/SmartTV, FBAN/FBIOS, Safari/533.1/UCBrowser/8.3.
func (r *reading) take(names map[string]meaning, previous, word string) {
	for word != "" {
		if isDigit(word[0]) {
			r.close(word)
			return
		}
		name, rest, slash := strings.Cut(word, "/")
		version := ""
		if rest != "" && isDigit(rest[0]) {
			version, rest, _ = strings.Cut(rest, "/")
		}
		r.name(names, previous, name, version, slash)
		previous, word = "", rest
	}
}

func (r *reading) name(names map[string]meaning, previous, name, version string, slash bool) {
	if rv, ok := strings.CutPrefix(name, "rv:"); ok {
		r.rv = rv
		return
	}
	if r.pair(names, previous, name, version) {
		return
	}
	m, known := look(names, name)
	switch {
	case known:
		if !slash && m.marks&markBare == 0 {
			m.browser = ""
		}
		r.weigh(m, version)
	case !connects(name):
		r.open = openNone
	}
}

// pair weighs names of two words: "LG Browser/8.0", "Opera Mini/7".
func (r *reading) pair(names map[string]meaning, previous, name, version string) bool {
	if previous == "" || len(previous)+1+len(name) > maxName || !second(name) {
		return false
	}
	var both [maxName]byte
	n := copy(both[:], previous)
	both[n] = ' '
	n += 1 + copy(both[n+1:], name)
	m, known := names[string(lower(both[:n]))]
	if known {
		r.weigh(m, version)
	}
	return known
}

// second reports whether a word is the second one of a name we know: few words are looked up twice.
func second(name string) bool {
	switch name {
	case "Browser", "Mini", "Mobi", "Phone", "Mobile", "Touch", "Bro", "TV", "CE", "browser", "mini", "mobi", "phone", "mobile", "touch", "bro", "tv", "ce":
		return true
	}
	return false
}

// connects reports whether a word may stand between a name and its version: "Windows NT 10.0", "Mac OS X 10_15".
func connects(name string) bool {
	switch name {
	case "NT", "OS", "X", "os", "nt", "Mobile":
		return true
	}
	return false
}

// weigh takes what a word means if that outranks what was claimed before.
func (r *reading) weigh(m meaning, version string) {
	r.marks |= m.marks
	r.open = openNone
	switch {
	case m.marks&markVersion != 0:
		r.version = version
	case m.marks&markAppleCPU != 0:
		r.open = openSystem
	}
	if m.browser != "" && r.browser.rise(m.browser, m.browserRank, version) {
		r.open = openBrowser
	}
	if m.system != "" && r.system.rise(m.system, m.systemRank, version) {
		r.open = openSystem
	}
}

// rise takes a claim of higher rank, and reports whether it is still without a version.
func (c *claim) rise(name string, rank uint8, version string) (open bool) {
	same := c.name == name && c.version == ""
	if rank <= c.rank && !same {
		return false
	}
	*c = claim{name, max(rank, c.rank), version}
	return version == ""
}

// close gives an open claim its version.
func (r *reading) close(version string) {
	switch r.open {
	case openBrowser:
		r.browser.version = version
	case openSystem:
		if r.system.version == "" {
			r.system.version = version
		}
	}
	r.open = openNone
}

// maxModel bounds the name of a model; the longest have about 40 bytes.
const maxModel = 64

// endSegment keeps the model of an Android device: the first part after Android's that is no locale and no flag.
func (r *reading) endSegment(s string) {
	if r.marks&markModel == 0 || r.model != "" || len(s) < 2 {
		return
	}
	s = strings.TrimSpace(s)
	if len(s) >= 7 && strings.EqualFold(s[:7], "android") || strings.HasPrefix(s, "Tizen") { // the system's own part
		return
	}
	if i := strings.Index(s, " AppleWebKit"); i >= 0 { // agents that lost their brackets
		s = s[:i]
	}
	if i := strings.Index(s, "Build/"); i >= 0 {
		s = s[:i]
	}
	if s = strings.TrimSpace(s); !flag(s) {
		r.model = s[:min(len(s), maxModel)]
	}
}

// flag reports whether a part of a comment is no model: "U", "wv", "de-de", "Mobile", "rv:128.0".
func flag(s string) bool {
	switch {
	case s == "K": // what Chrome puts in place of every model
		return false
	case len(s) < 2, s == "wv", s == "Mobile", s == "Tablet", s == "Linux", s == "linux":
		return true
	case strings.HasPrefix(s, "rv:"), strings.HasPrefix(s, "arm"), strings.HasPrefix(s, "Adr "):
		return true
	case len(s) == 2 && s[0] >= 'a' && s[1] >= 'a':
		return true
	}
	return len(s) == 5 && (s[2] == '-' || s[2] == '_') && s[0] >= 'a' && s[1] >= 'a' && !isDigit(s[3])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

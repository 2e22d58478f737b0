package agent

import "sync"

// mark is something a word says beside names.
type mark uint16

const (
	markMobile   mark = 1 << iota // says it is a phone, or at least small
	markTablet                    // says it is a tablet
	markOther                     // television, console, car, watch
	markModel                     // what follows in the comment may name a model
	markVersion                   // Version/…
	markAppleCPU                  // CPU OS 17_4: the version of an iPad's system follows
	markX11                       // a desktop: televisions run Linux without it
	markWebKit
	markSafari
	markWebView
	markDalvik
	markBare // names a browser without a version too; other names may be those of models
)

// meaning is what one word of a User-Agent says.
type meaning struct {
	browser     string
	browserRank uint8
	system      string
	systemRank  uint8
	marks       mark
}

// maxName bounds the names of the lexicon; longer words are not looked up.
const maxName = 32

// lexicon is every word we know, in lower case.
var lexicon = sync.OnceValue(func() map[string]meaning {
	all := make(map[string]meaning, 512)
	for _, b := range browsers {
		for _, w := range b.words {
			m := all[w]
			m.browser, m.browserRank = b.name, b.rank
			all[w] = m
		}
	}
	for _, s := range systems {
		for _, w := range s.words {
			m := all[w]
			m.system, m.systemRank = s.name, s.rank
			all[w] = m
		}
	}
	for _, k := range marks {
		for _, w := range k.words {
			m := all[w]
			m.marks |= k.mark
			all[w] = m
		}
	}
	return all
})

// look finds a word in any case, without allocating.
func look(names map[string]meaning, word string) (meaning, bool) {
	if len(word) > maxName || word == "" {
		return meaning{}, false
	}
	var b [maxName]byte
	m, known := names[string(lower(b[:copy(b[:], word)]))]
	return m, known
}

func lower(b []byte) []byte {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

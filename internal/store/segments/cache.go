package segments

import (
	"sync"
	"sync/atomic"
)

// A cache keeps dictionaries of texts that were read, up to a number of bytes: unpacking them is most of the work of a
// question that was asked before. Half is for the texts, half for the numbers that dictionaries are made of. Dictionaries
// that were not used since the last round of the clock hand go first; when there are too many texts, all go.
type cache struct {
	max int

	mu      sync.Mutex
	words   *vocabulary
	bytes   int // of dictionaries
	hand    int
	entries []*cachedTexts
}

// cachedTexts are the texts of one dictionary, and where they are looked for.
type cachedTexts struct {
	ids  []uint32
	of   *vocabulary
	used atomic.Bool
	slot *atomic.Pointer[cachedTexts]
}

func newCache(max int) *cache { return &cache{max: max, words: newVocabulary()} }

// get is the dictionary in a slot, if there is one.
func (s *cachedTexts) get() (t texts, ok bool) {
	if s == nil {
		return t, false
	}
	if !s.used.Load() {
		s.used.Store(true)
	}
	return s.of.texts(s.ids), true
}

func (s *cachedTexts) bytes() int { return 64 + 4*len(s.ids) }

// put keeps a dictionary, and returns the form in which it is kept. What is too large is not.
func (c *cache) put(slot *atomic.Pointer[cachedTexts], values []string) texts {
	if c == nil || sizeOf(values) > c.max/8 {
		return textsOf(values)
	}
	words := c.vocabulary()
	e := &cachedTexts{ids: words.numbers(values), of: words, slot: slot}
	c.mu.Lock()
	defer c.mu.Unlock()
	if words == c.words && slot.Load() == nil { // else it was emptied, or another worker was faster
		c.makeRoom(e.bytes())
		slot.Store(e)
		c.entries = append(c.entries, e)
		c.bytes += e.bytes()
	}
	return words.texts(e.ids)
}

// sizeOf is what texts take in a vocabulary.
func sizeOf(values []string) int {
	bytes := len(values) * textBytes
	for _, v := range values {
		bytes += len(v)
	}
	return bytes
}

// vocabulary is that of all dictionaries in the cache.
func (c *cache) vocabulary() *vocabulary {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.words.size() > c.max/2 {
		for _, e := range c.entries {
			e.slot.Store(nil)
		}
		c.words, c.entries, c.bytes = newVocabulary(), nil, 0
	}
	return c.words
}

// makeRoom lets go of dictionaries until there is room for so many bytes. mu must be held.
func (c *cache) makeRoom(bytes int) {
	for c.bytes+bytes > c.max/2 && len(c.entries) > 0 {
		if c.hand >= len(c.entries) {
			c.hand = 0
		}
		if c.entries[c.hand].used.Swap(false) {
			c.hand++
			continue
		}
		c.removeAt(c.hand)
	}
}

func (c *cache) removeAt(i int) {
	e, last := c.entries[i], len(c.entries)-1
	e.slot.Store(nil)
	c.bytes -= e.bytes()
	c.entries[i] = c.entries[last]
	c.entries[last] = nil
	c.entries = c.entries[:last]
}

// drop lets go of the dictionaries in the slots of a file.
func (c *cache) drop(slots []atomic.Pointer[cachedTexts]) {
	if c == nil {
		return
	}
	gone := make(map[*atomic.Pointer[cachedTexts]]bool)
	for i := range slots {
		if slots[i].Load() != nil {
			gone[&slots[i]] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := 0; i < len(c.entries); {
		if gone[c.entries[i].slot] {
			c.removeAt(i)
		} else {
			i++
		}
	}
}

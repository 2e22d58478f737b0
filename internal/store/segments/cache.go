package segments

import (
	"sync"
	"sync/atomic"
)

// A cache keeps dictionaries of texts that were read, up to a number of bytes: unpacking them is most of the work of a
// question that was asked before. Those that were not used since the last round of the clock hand go first.
type cache struct {
	max int

	mu      sync.Mutex
	bytes   int
	hand    int
	entries []*cachedTexts
}

// cachedTexts are the texts of one dictionary, and where they are looked for.
type cachedTexts struct {
	values []string
	bytes  int
	used   atomic.Bool
	slot   *atomic.Pointer[cachedTexts]
}

// get is the dictionary in a slot, or nil.
func (s *cachedTexts) get() []string {
	if s == nil {
		return nil
	}
	if !s.used.Load() {
		s.used.Store(true)
	}
	return s.values
}

// put keeps a dictionary that takes so many bytes.
func (c *cache) put(slot *atomic.Pointer[cachedTexts], values []string, bytes int) {
	if c == nil || bytes > c.max/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot.Load() != nil {
		return // another worker was faster
	}
	for c.bytes+bytes > c.max {
		if c.hand >= len(c.entries) {
			c.hand = 0
		}
		e := c.entries[c.hand]
		if e.used.Swap(false) {
			c.hand++
			continue
		}
		c.removeAt(c.hand)
	}
	e := &cachedTexts{values: values, bytes: bytes, slot: slot}
	slot.Store(e)
	c.entries = append(c.entries, e)
	c.bytes += bytes
}

func (c *cache) removeAt(i int) {
	e, last := c.entries[i], len(c.entries)-1
	e.slot.Store(nil)
	c.bytes -= e.bytes
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

package agent

import (
	"encoding/binary"
	"hash/maphash"
	"strings"
	"sync"
)

// Cache remembers answers for User-Agents seen before, in memory only, and of the agents themselves no more than a keyed
// hash: its size is bounded however long they are. It is safe for many goroutines.
type Cache struct {
	seed   maphash.Seed
	shards [shards]shard
}

const shards = 16

// shard keeps two generations: what was not asked for during one is forgotten with it.
type shard struct {
	mu            sync.Mutex
	max           int // entries of a generation
	recent, older map[uint64]answer
}

type answer struct {
	client Client
	bot    bool
}

// NewCache makes a cache of about so many entries, each of some 150 bytes.
func NewCache(entries int) *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].max = max(entries/shards/2, 1)
		c.shards[i].recent = map[uint64]answer{}
	}
	return c
}

// Look answers as Parse and Bot do; a browser that its hints call headless is a bot too.
func (c *Cache) Look(userAgent string, h Hints) (client Client, bot bool) {
	key := c.key(userAgent, h)
	s := &c.shards[key%shards]
	if a, ok := s.find(key); ok {
		return a.client, a.bot
	}
	a := answer{Parse(strings.Clone(userAgent), h), Bot(userAgent) || headless(h.Brands)} // an answer holds parts of it, for long
	s.keep(key, a)
	return a.client, a.bot
}

func (c *Cache) key(userAgent string, h Hints) uint64 {
	key := maphash.String(c.seed, userAgent)
	if h.Platform == "" && h.Model == "" && len(h.Brands) == 0 && !h.Mobile && h.TouchPoints <= 1 {
		return key
	}
	var hash maphash.Hash
	hash.SetSeed(c.seed)
	var head [10]byte
	binary.LittleEndian.PutUint64(head[:], key)
	if h.Mobile {
		head[8] = 1
	}
	if h.TouchPoints > 1 {
		head[9] = 1
	}
	hash.Write(head[:])
	for _, t := range [...]string{h.Platform, h.PlatformVersion, h.Model} {
		writeText(&hash, t)
	}
	for _, b := range h.Brands[:min(len(h.Brands), maxBrands)] {
		writeText(&hash, b.Name)
		writeText(&hash, b.Version)
	}
	return hash.Sum64()
}

// writeText writes the length too, so that no two fields can be made to look like two others.
func writeText(h *maphash.Hash, text string) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(text)))
	h.Write(n[:])
	h.WriteString(text)
}

func (s *shard) find(key uint64) (answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.recent[key]; ok {
		return a, true
	}
	a, ok := s.older[key]
	if ok {
		s.put(key, a)
	}
	return a, ok
}

func (s *shard) keep(key uint64, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(key, a)
}

func (s *shard) put(key uint64, a answer) {
	if len(s.recent) >= s.max {
		s.older, s.recent = s.recent, make(map[uint64]answer, s.max)
	}
	s.recent[key] = a
}

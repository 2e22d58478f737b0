package agent

import (
	"encoding/binary"
	"hash/maphash"
	"strings"

	"footfall/internal/collect/memo"
)

// Cache remembers answers for User-Agents seen before, in memory only, and of the agents themselves no more than a keyed
// hash: its size is bounded however long they are. It is safe for many goroutines.
type Cache struct{ known *memo.Memo[answer] }

type answer struct {
	client Client
	bot    bool
}

// NewCache makes a cache of about so many entries, each of some 150 bytes.
func NewCache(entries int) *Cache { return &Cache{memo.New[answer](entries)} }

// Look answers as Parse and Bot do; a browser that its hints call headless is a bot too.
func (c *Cache) Look(userAgent string, h Hints) (client Client, bot bool) {
	key := c.key(userAgent, h)
	if a, ok := c.known.Find(key); ok {
		return a.client, a.bot
	}
	a := answer{Parse(strings.Clone(userAgent), h), Bot(userAgent) || headless(h.Brands)} // an answer holds parts of it
	c.known.Keep(key, a)
	return a.client, a.bot
}

func (c *Cache) key(userAgent string, h Hints) uint64 {
	key := maphash.String(c.known.Seed(), userAgent)
	if h.Platform == "" && h.Model == "" && len(h.Brands) == 0 && !h.Mobile && h.TouchPoints <= 1 {
		return key
	}
	var hash maphash.Hash
	hash.SetSeed(c.known.Seed())
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

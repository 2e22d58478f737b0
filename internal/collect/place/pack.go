package place

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"net/netip"
	"slices"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"

	"footfall/internal/atlas"
)

// Pack writes the databases of places in MMDB files, each of IPv4 or of IPv6 addresses, as one packed database. The
// version says which release of them it is, in one word.
func Pack(w io.Writer, version string, files ...string) error {
	if version == "" || strings.ContainsAny(version, " \n") {
		return fmt.Errorf("version %q is not one word", version)
	}
	p := packer{numbers: map[Place]uint32{{}: 0}, places: []Place{{}}}
	for _, file := range files {
		if err := p.read(file); err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
	}
	return p.write(w, version)
}

// A packer collects places, and which ranges of addresses are there.
type packer struct {
	numbers map[Place]uint32
	places  []Place
	ipv4    coverage
	ipv6    coverage
}

// A coverage is all keys from 0 on, in ranges of which no two neighbours are the same place.
type coverage struct {
	ranges []span
	end    uint64 // of what is covered; gaps are unknown places
}

// A span is a range by its first key; it ends where the next one begins.
type span struct {
	start uint64
	place uint32
}

func (p *packer) read(file string) error {
	db, err := maxminddb.Open(file)
	if err != nil {
		return err
	}
	defer db.Close()
	seen := map[uintptr]uint32{} // place numbers by where the record is: many networks share one
	for network := range db.Networks() {
		if err := network.Err(); err != nil {
			return err
		}
		number, ok := seen[network.Offset()]
		if !ok {
			f, err := findingOf(network)
			if err != nil {
				return fmt.Errorf("network %s: %w", network.Prefix(), err)
			}
			number = p.number(f.place())
			seen[network.Offset()] = number
		}
		if err := p.cover(network.Prefix(), number); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) number(place Place) uint32 {
	number, ok := p.numbers[place]
	if !ok {
		number = uint32(len(p.places))
		p.numbers[place] = number
		p.places = append(p.places, place)
	}
	return number
}

func (p *packer) cover(network netip.Prefix, place uint32) error {
	addr, length := network.Addr(), network.Bits()
	if addr.Is4() {
		b := addr.As4()
		return p.ipv4.add(uint64(binary.BigEndian.Uint32(b[:])), 1<<(32-length), place)
	}
	b := addr.As16()
	start := binary.BigEndian.Uint64(b[:8])
	if length > 64 {
		if start < p.ipv6.end {
			return nil // the first network within a /64 names it: nobody's line is smaller than that
		}
		length = 64
	}
	return p.ipv6.add(start, 1<<(64-length), place)
}

func (c *coverage) add(start, size uint64, place uint32) error {
	if start < c.end {
		return fmt.Errorf("networks are not in order at %x", start)
	}
	if start > c.end {
		c.begin(c.end, 0)
	}
	c.begin(start, place)
	c.end = max(start+size, start+size-1) // what reaches up to the last key would end at 0
	return nil
}

func (c *coverage) begin(start uint64, place uint32) {
	if n := len(c.ranges); n == 0 || c.ranges[n-1].place != place {
		c.ranges = append(c.ranges, span{start, place})
	}
}

// finish makes the rest unknown, so that each key is in a range.
func (c *coverage) finish(limit uint64) {
	if c.end <= limit {
		c.begin(c.end, 0)
	}
}

func (p *packer) write(w io.Writer, version string) error {
	p.ipv4.finish(1<<32 - 1)
	p.ipv6.finish(1<<64 - 1)
	p.sortByUse()
	var section [sections][]byte
	if err := p.names(&section); err != nil {
		return err
	}
	p.ipv4.encode(4, section[starts4Section:])
	p.ipv6.encode(8, section[starts6Section:])

	body := make([]byte, headerSize)
	for i, s := range section {
		body = append(body, s...)
		binary.LittleEndian.PutUint32(body[8+4*i:], uint32(len(body)))
	}
	binary.LittleEndian.PutUint32(body[4:], uint32(len(body)))
	binary.LittleEndian.PutUint32(body, crc32.Checksum(body[4:], castagnoli))
	if _, err := fmt.Fprintf(w, "%s %d %s\n", formatName, formatVersion, version); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// sortByUse numbers the places anew, so that those which are named most have the shortest numbers.
func (p *packer) sortByUse() {
	uses := make([]int, len(p.places))
	for _, c := range []*coverage{&p.ipv4, &p.ipv6} {
		for _, r := range c.ranges {
			uses[r.place]++
		}
	}
	order := make([]uint32, len(p.places))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return uses[b] - uses[a] })
	places, numbers := make([]Place, len(order)), make([]uint32, len(order))
	for number, old := range order {
		places[number], numbers[old] = p.places[old], uint32(number)
	}
	p.places = places
	for _, c := range []*coverage{&p.ipv4, &p.ipv6} {
		for i := range c.ranges {
			c.ranges[i].place = numbers[c.ranges[i].place]
		}
	}
}

// names writes the places and the texts they are made of.
func (p *packer) names(section *[sections][]byte) error {
	countries, regions, texts := map[string]int{"": 0}, map[string]int{}, map[string]int{}
	text := func(s string) uint32 {
		at, ok := texts[s]
		if !ok {
			at = len(section[textSection])
			texts[s] = at
			section[textSection] = append(section[textSection], s...)
		}
		return uint32(at)
	}
	for _, place := range p.places {
		country, ok := countries[place.Country]
		if !ok {
			country = len(countries)
			countries[place.Country] = country
			section[countrySection] = append(section[countrySection], atlas.CountryCode(place.Country)...)
		}
		region, ok := regions[place.Region]
		if !ok {
			region = len(regions)
			regions[place.Region] = region
			section[regionSection] = binary.LittleEndian.AppendUint32(section[regionSection], text(place.Region))
			section[regionSection] = append(section[regionSection], byte(len(place.Region)))
		}
		if country > 0xff || region > 0xffff || len(place.City) > 0xff {
			return fmt.Errorf("%d countries, %d regions or a city of %d bytes do not fit", country, region, len(place.City))
		}
		record := binary.LittleEndian.AppendUint32(nil, text(place.City))
		record = binary.LittleEndian.AppendUint16(record, uint16(region))
		record = append(record, byte(country), byte(len(place.City)))
		section[placeSection] = append(section[placeSection], record...)
	}
	return nil
}

// encode writes starts, offsets, common deltas and ranges.
func (c *coverage) encode(keySize int, section [][]byte) {
	deltas := c.commonDeltas()
	code := map[uint64]byte{}
	for i, d := range deltas {
		section[2] = binary.LittleEndian.AppendUint64(section[2], d)
		code[d] = byte(i)
	}
	for block := range slices.Chunk(c.ranges, blockRanges) {
		start := binary.LittleEndian.AppendUint64(nil, block[0].start)
		section[0] = append(section[0], start[:keySize]...)
		section[1] = binary.LittleEndian.AppendUint32(section[1], uint32(len(section[3])))
		section[3] = appendBlock(section[3], block, code)
	}
	section[1] = binary.LittleEndian.AppendUint32(section[1], uint32(len(section[3])))
}

// commonDeltas are those that occur most, always as many.
func (c *coverage) commonDeltas() []uint64 {
	uses := map[uint64]int{}
	for i := 1; i < len(c.ranges); i++ {
		uses[c.ranges[i].start-c.ranges[i-1].start]++
	}
	all := make([]uint64, 0, len(uses))
	for d := range uses {
		all = append(all, d)
	}
	slices.Sort(all)
	slices.SortStableFunc(all, func(a, b uint64) int { return uses[b] - uses[a] })
	for len(all) < rareCode {
		all = append(all, 0)
	}
	return all[:rareCode]
}

func appendBlock(out []byte, block []span, code map[uint64]byte) []byte {
	var tokens, rare []byte
	named := binary.AppendUvarint(nil, uint64(block[0].place))
	for i := 1; i < len(block); i++ {
		delta := block[i].start - block[i-1].start
		token, common := code[delta]
		if !common {
			token = rareCode
			rare = appendRareDelta(rare, delta)
		}
		back := recent(block[:i], block[i].place)
		if back == namedCode {
			named = binary.AppendUvarint(named, uint64(block[i].place))
		}
		tokens = append(tokens, token|back<<4)
	}
	at := blockHead + len(tokens) + len(rare)
	out = append(out, byte(len(tokens)), byte(at), byte(at>>8))
	out = append(out, tokens...)
	out = append(out, rare...)
	return append(out, named...)
}

// recent is how many ranges before the last but one the place was, or namedCode if that is too far back.
func recent(ranges []span, place uint32) byte {
	for back := range namedCode {
		i := len(ranges) - 2 - back
		if i < 0 {
			break
		}
		if ranges[i].place == place {
			return byte(back)
		}
	}
	return namedCode
}

func appendRareDelta(out []byte, delta uint64) []byte {
	shift := bits.TrailingZeros64(delta)
	odd := delta >> shift >> 1
	if odd < 3 {
		return append(out, byte(odd)<<6|byte(shift))
	}
	return binary.AppendUvarint(append(out, 3<<6|byte(shift)), odd)
}

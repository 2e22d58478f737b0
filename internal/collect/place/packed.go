package place

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/netip"
	"strings"
	"unsafe"

	"footfall/internal/atlas"
)

// The packed format, which FORMAT.md describes.
const (
	formatName    = "footfall-places"
	formatVersion = 1
	headerSize    = 8 + 4*sections // checksum, length, then where each section ends
	blockRanges   = 64
	blockHead     = 3  // bytes before the tokens
	rareCode      = 15 // in the lower half of a token: the delta is written out
	namedCode     = 15 // in the upper half: the place is written out
	placeSize     = 8
	regionSize    = 5
)

// Sections, in their order in the file.
const (
	countrySection = iota
	regionSection
	placeSection
	textSection
	starts4Section
	offsets4Section
	deltas4Section
	ranges4Section
	starts6Section
	offsets6Section
	deltas6Section
	ranges6Section
	sections
)

// errDamaged is wrapped by every error about a packed database that is not as it was written.
var errDamaged = errors.New("the database of places is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A packed is a database in our own format. It is read where it lies: a lookup unpacks nothing and copies no text, so the
// database costs no heap, and only the pages that are looked at are in memory.
type packed struct {
	version   string
	countries []country // by number; 0 is none
	regions   string
	places    string
	texts     string
	ipv4      ranges
	ipv6      ranges
}

// A country is its name and that of its continent.
type country struct{ name, continent string }

// A ranges tells the place number of a key: an IPv4 address, or the upper half of an IPv6 address.
type ranges struct {
	keySize int // bytes of a start
	starts  string
	offsets string
	deltas  [rareCode + 1]uint64 // by their code
	data    string
}

// openPacked checks all of a database and makes it ready to be asked.
func openPacked(file string) (*packed, error) {
	line, rest, ok := strings.Cut(file, "\n")
	if !ok || len(line) > 200 || !strings.HasPrefix(line, formatName+" ") {
		return nil, fmt.Errorf("%w: it does not begin as one", errDamaged)
	}
	var format int
	var version string
	if _, err := fmt.Sscanf(line, formatName+" %d %s", &format, &version); err != nil {
		return nil, fmt.Errorf("%w: its first line is unreadable", errDamaged)
	}
	if format != formatVersion {
		return nil, fmt.Errorf("the database of places has format %d, this program reads %d: build it again", format, formatVersion)
	}
	section, err := cutSections(rest)
	if err != nil {
		return nil, err
	}
	p := &packed{
		version:   version,
		countries: countriesOf(section[countrySection]),
		regions:   section[regionSection],
		places:    section[placeSection],
		texts:     section[textSection],
		ipv4:      newRanges(4, section[starts4Section:]),
		ipv6:      newRanges(8, section[starts6Section:]),
	}
	return p, nil
}

// cutSections checks length and checksum of what follows the first line.
func cutSections(body string) (s [sections]string, err error) {
	if len(body) < headerSize {
		return s, fmt.Errorf("%w: it is cut short", errDamaged)
	}
	if length := u32(body, 4); int(length) != len(body) {
		return s, fmt.Errorf("%w: %d bytes of %d are there", errDamaged, len(body), length)
	}
	if sum := crc32.Checksum(bytesOf(body[4:]), castagnoli); sum != u32(body, 0) {
		return s, fmt.Errorf("%w: its checksum is %08x, not %08x", errDamaged, sum, u32(body, 0))
	}
	from := uint32(headerSize)
	for i := range s {
		to := u32(body, 8+4*i)
		if to < from || int(to) > len(body) {
			return s, fmt.Errorf("%w: section %d lies outside of it", errDamaged, i)
		}
		s[i] = body[from:to]
		from = to
	}
	return s, nil
}

func countriesOf(codes string) []country {
	all := []country{{}}
	for ; len(codes) >= 2; codes = codes[2:] {
		code := codes[:2]
		all = append(all, country{atlas.CountryName(code), atlas.ContinentName(atlas.ContinentOf(code))})
	}
	return all
}

func newRanges(keySize int, section []string) ranges {
	r := ranges{keySize: keySize, starts: section[0], offsets: section[1], data: section[3]}
	for i := range rareCode {
		r.deltas[i] = u64(section[2], 8*i)
	}
	return r
}

func (p *packed) find(addr netip.Addr) Place {
	if addr.Is4() {
		b := addr.As4()
		return p.place(p.ipv4.find(uint64(binary.BigEndian.Uint32(b[:]))))
	}
	b := addr.As16()
	return p.place(p.ipv6.find(binary.BigEndian.Uint64(b[:8])))
}

func (p *packed) attribution() (text, url string) {
	return "IP Geolocation by DB-IP", "https://db-ip.com"
}

func (p *packed) source() string { return "DB-IP City Lite " + p.version }

// place is the place by its number. Its texts are those of the file, not copies.
func (p *packed) place(number uint32) Place {
	r := p.places[int(number)*placeSize:][:placeSize]
	c := &p.countries[r[6]]
	city := u32(r, 0)
	region := p.regions[(int(r[4])|int(r[5])<<8)*regionSize:]
	return Place{
		Continent: c.continent,
		Country:   c.name,
		Region:    p.texts[u32(region, 0):][:region[4]],
		City:      p.texts[city:][:r[7]],
	}
}

// find is the number of the place of a key.
func (r *ranges) find(key uint64) uint32 {
	block := r.block(key)
	at := u32(r.offsets, 4*block)
	data := r.data[at:u32(r.offsets, 4*block+4)]
	return r.scan(data, r.start(block), key)
}

// block is the last one that begins at or before the key. The first begins at 0.
func (r *ranges) block(key uint64) int {
	low, high := 0, len(r.starts)/r.keySize
	for high-low > 1 {
		if middle := int(uint(low+high) >> 1); r.start(middle) <= key {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

func (r *ranges) start(block int) uint64 {
	if r.keySize == 4 {
		return uint64(u32(r.starts, 4*block))
	}
	return u64(r.starts, 8*block)
}

// scan goes through the ranges of a block up to the one with the key, and from there back to where its place is named.
func (r *ranges) scan(block string, start, key uint64) uint32 {
	tokens := block[blockHead:][:block[0]]
	rare := blockHead + len(tokens)
	last := 0 // the number of the range; it has token last-1, and the first one has none
	for ; last < len(tokens); last++ {
		code := tokens[last] & 15
		delta := r.deltas[code]
		if code == rareCode {
			delta, rare = rareDelta(block, rare)
		}
		if start += delta; start > key {
			break
		}
	}
	for last > 0 && tokens[last-1]>>4 != namedCode {
		last -= 2 + int(tokens[last-1]>>4) // a range has never the place of the one before it
	}
	named := 0
	for i := range last {
		named += int(tokens[i]>>4+1) >> 4 // one if it is namedCode
	}
	at := int(block[1]) | int(block[2])<<8
	for named > 0 {
		named -= int(^block[at] >> 7) // the last byte of a number
		at++
	}
	number, _ := uvarint(block, at)
	return uint32(number)
}

// rareDelta reads a delta that has no code: an odd number and the power of two it is multiplied by.
func rareDelta(data string, at int) (delta uint64, next int) {
	shift, odd := data[at]&63, uint64(data[at]>>6)
	at++
	if odd == 3 {
		odd, at = uvarint(data, at)
	}
	return (2*odd + 1) << shift, at
}

func uvarint(s string, at int) (value uint64, next int) {
	for shift := 0; ; shift += 7 {
		b := s[at]
		at++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, at
		}
	}
}

func u32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func u64(s string, at int) uint64 { return uint64(u32(s, at)) | uint64(u32(s, at+4))<<32 }

// bytesOf is the text itself, not a copy of it: twenty megabytes to be read once. Nobody may write to it.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

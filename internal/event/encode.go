package event

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The binary form, as it lies in journal records: a version byte; kind; then uvarints (website, day, engaged, scroll)
// and varints (time, offset, value); visitor and id as 8 bytes little-endian; then for each field its number + 1, its
// length and its bytes, fields without text left out, closed by a zero. Fields are written in order of their number,
// which never changes its meaning; a new field gets the next number.
const encodingVersion = 1

// ErrEncoding means that bytes are not an encoded event.
var ErrEncoding = errors.New("not an encoded event")

// Append adds the binary form of e to b. Several events may follow each other in one buffer.
func (e *Event) Append(b []byte) []byte {
	b = append(b, encodingVersion, byte(e.Kind))
	b = binary.AppendUvarint(b, uint64(e.Website))
	b = binary.AppendUvarint(b, uint64(e.Day))
	b = binary.AppendUvarint(b, uint64(e.Engaged))
	b = binary.AppendUvarint(b, uint64(e.Scroll))
	b = binary.AppendVarint(b, e.Time)
	b = binary.AppendVarint(b, int64(e.Offset))
	b = binary.AppendVarint(b, e.Value)
	b = binary.LittleEndian.AppendUint64(b, e.Visitor)
	b = binary.LittleEndian.AppendUint64(b, e.ID)
	for i, s := range &e.Fields {
		if s == "" {
			continue
		}
		b = append(b, byte(i+1))
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return append(b, 0)
}

// Decode reads one event from the start of s and returns what follows it. The texts of e point into s.
func (e *Event) Decode(s string) (rest string, err error) {
	d := decoder{rest: s}
	if v := d.byte(); v != encodingVersion {
		return "", fmt.Errorf("%w: version %d", ErrEncoding, v)
	}
	*e = Event{}
	e.Kind = Kind(d.byte())
	e.Website = int64(d.uvarint())
	e.Day = Day(d.uvarint())
	e.Engaged = int32(d.uvarint())
	e.Scroll = uint8(d.uvarint())
	e.Time = d.varint()
	e.Offset = int16(d.varint())
	e.Value = d.varint()
	e.Visitor = d.uint64()
	e.ID = d.uint64()
	for last := -1; !d.failed; {
		i := int(d.byte()) - 1
		if i < 0 {
			break
		}
		if i <= last || i >= NumFields {
			d.failed = true
			break
		}
		e.Fields[i] = d.text()
		last = i
	}
	switch {
	case d.failed, e.Kind < Pageview, e.Kind > Mark, e.Website < 0, e.Website == 0 && e.Kind != Dropped, e.Day < 0, e.Engaged < 0, e.Engaged > MaxEngaged, e.Scroll > 100:
		return "", ErrEncoding
	}
	return d.rest, nil
}

// IsDropped tells whether bytes begin with a hit that does not count, without reading them.
func IsDropped(b []byte) bool { return len(b) > 1 && b[0] == encodingVersion && Kind(b[1]) == Dropped }

// IsMark tells whether bytes begin with a mark, without reading them.
func IsMark(b []byte) bool { return len(b) > 1 && b[0] == encodingVersion && Kind(b[1]) == Mark }

type decoder struct {
	rest   string
	failed bool
}

func (d *decoder) take(n int) string {
	if n > len(d.rest) {
		d.failed = true
		d.rest = ""
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) byte() byte {
	if s := d.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	s := d.take(8)
	if s == "" {
		return 0
	}
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func (d *decoder) uvarint() uint64 {
	var v uint64
	for i, shift := 0, 0; i < len(d.rest) && shift < 64; i, shift = i+1, shift+7 {
		c := d.rest[i]
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			d.rest = d.rest[i+1:]
			return v
		}
	}
	d.failed = true
	d.rest = ""
	return 0
}

func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (d *decoder) text() string {
	n := d.uvarint()
	if n > MaxText {
		d.failed = true
		return ""
	}
	return d.take(int(n))
}

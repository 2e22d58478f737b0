package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// A record is: checksum (4 bytes), length of the payload (4), sequence number (8), payload. The checksum covers all that
// follows it and begins with the salt of its segment. The first record of each write has a mark in its length: what is
// before it in the segment was synced before it was written, and so acknowledged.
const (
	recordHeader = 16
	maxRecord    = 16 << 20 // bytes of payload that a reader believes
	firstMark    = 1 << 31
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRecord adds a record to b that has its payload and length; seal adds the rest.
func appendRecord(b, payload []byte) []byte {
	var header [recordHeader]byte
	binary.LittleEndian.PutUint32(header[4:], uint32(len(payload)))
	b = append(b, header[:]...)
	return append(b, payload...)
}

// seal numbers the records of one write, which appendRecord made, and adds the mark and the checksums.
func seal(b []byte, salt uint32, first uint64) {
	for seq := first; len(b) > 0; seq++ {
		length := binary.LittleEndian.Uint32(b[4:])
		n := recordHeader + int(length)
		if seq == first {
			binary.LittleEndian.PutUint32(b[4:], length|firstMark)
		}
		binary.LittleEndian.PutUint64(b[8:], seq)
		binary.LittleEndian.PutUint32(b, crc32.Update(salt, castagnoli, b[4:n]))
		b = b[n:]
	}
}

// claim is what the first recordHeader bytes of b say about the record that they begin; whether it is true, intact tells.
func claim(b []byte) (length int, seq uint64) {
	return int(binary.LittleEndian.Uint32(b[4:]) &^ firstMark), binary.LittleEndian.Uint64(b[8:])
}

// beginsWrite tells whether b is the first record of a write.
func beginsWrite(b []byte) bool { return binary.LittleEndian.Uint32(b[4:])&firstMark != 0 }

// intact tells whether b, header and payload, is a record of the segment with that salt.
func intact(b []byte, salt uint32) bool {
	return binary.LittleEndian.Uint32(b) == crc32.Update(salt, castagnoli, b[4:])
}

package collect

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// maxAgentBytes is how much of a user agent is looked at.
const maxAgentBytes = 2048

// identify tells visitors apart: 64 bits that mean something for one website on one day, to nobody without the salt. The
// secret comes first and of the result a quarter is shown, so that nothing can be found out by adding to what is hashed.
func identify(s *salt, website int64, address netip.Addr, userAgent string, scratch []byte) (visitor uint64, buffer []byte) {
	b := append(scratch[:0], s.secret[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(website))
	a := address.As16()
	b = append(b, a[:]...)
	b = append(b, userAgent...)
	sum := sha256.Sum256(b)
	clear(b)
	return binary.BigEndian.Uint64(sum[:]), b
}

// eventID is the number of an event by the id that a tracker gave it. It is the same after a restart, and never 0.
func eventID(id string) uint64 {
	if id == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:]) | 1
}

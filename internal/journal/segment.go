package journal

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"strings"
	"time"

	"footfall/internal/disk"
)

// A segment is one file: a header, then records.
type segment struct {
	header
	id     uint64 // grows in the order in which segments are read
	name   string
	size   int64     // bytes that are on disk and may be read
	start  uint64    // sequence number of the first record
	end    uint64    // one more than that of the last record; equal to start if there is none
	limit  uint64    // records from this number on are void
	made   time.Time // in this process
	file   disk.File // for writing, of the active segment
	holes  []span    // that could not be read when the journal was opened
	damage []span    // that was found when the journal was opened
}

func (s *segment) empty() bool { return s.start == s.end }

// A span is the bytes from ≤ n < to of a file.
type span struct{ from, to int64 }

func (s span) len() int64 { return s.to - s.from }

// A header begins each segment: magic (8 bytes), version (4), salt (4), first (8), void (8), acked (8), checksum of
// these (4). It holds what is known when the segment begins; acked ≤ void ≤ first.
type header struct {
	salt  uint32 // begins every checksum, so that nothing but this segment's writer can make its records
	first uint64 // sequence number of the first record
	void  uint64 // records of earlier segments from this number on are void
	acked uint64 // all records before this number were acknowledged: of these, what cannot be read is lost
}

const (
	headerSize = 44
	magic      = "footjrnl"
	version    = 1
	suffix     = ".seg"
	lastNumber = 1 << 62 // greatest sequence number that is believed, so that sums do not overflow
)

var errNoHeader = errors.New("no segment header")

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, h.salt)
	b = binary.LittleEndian.AppendUint64(b, h.first)
	b = binary.LittleEndian.AppendUint64(b, h.void)
	b = binary.LittleEndian.AppendUint64(b, h.acked)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeHeader reads the header at the start of a segment: errNoHeader if there is none that is whole, another error if
// it is of a version that this program does not know.
func decodeHeader(b []byte) (header, error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return header{}, errNoHeader
	}
	b = b[:headerSize]
	if crc32.Checksum(b[:headerSize-4], castagnoli) != binary.LittleEndian.Uint32(b[headerSize-4:]) {
		return header{}, errNoHeader
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != version {
		return header{}, fmt.Errorf("journal has format version %d; this program reads version %d: use the version of footfall that wrote it", v, version)
	}
	h := header{
		salt:  binary.LittleEndian.Uint32(b[12:]),
		first: binary.LittleEndian.Uint64(b[16:]),
		void:  binary.LittleEndian.Uint64(b[24:]),
		acked: binary.LittleEndian.Uint64(b[32:]),
	}
	if h.acked == 0 || h.acked > h.void || h.void > h.first || h.first > lastNumber {
		return header{}, errNoHeader
	}
	return h, nil
}

// fileName says first and salt once more, for the day when the header cannot be read.
func (h header) fileName() string { return fmt.Sprintf("%020d-%08x%s", h.first, h.salt, suffix) }

// headerFromName is what fileName put into a name.
func headerFromName(name string) (header, bool) {
	first, salt, ok := strings.Cut(strings.TrimSuffix(name, suffix), "-")
	if !ok || len(first) != 20 || len(salt) != 8 {
		return header{}, false
	}
	f, err := strconv.ParseUint(first, 10, 64)
	if err != nil || f == 0 || f > lastNumber {
		return header{}, false
	}
	s, err := strconv.ParseUint(salt, 16, 32)
	return header{salt: uint32(s), first: f}, err == nil
}

// begin makes a file and writes its header, but does not sync it yet. The caller holds turn. A segment that is not synced
// in the end is handed to abandon.
func (j *Journal) begin(h header) (*segment, error) {
	var salt [4]byte
	rand.Read(salt[:])
	h.salt = binary.LittleEndian.Uint32(salt[:])
	seg := &segment{header: h, name: h.fileName(), start: h.first, end: h.first, limit: math.MaxUint64, made: time.Now()}
	file, err := j.fs.Create(j.path(seg.name))
	if err != nil {
		return nil, fmt.Errorf("create segment: %w", err)
	}
	seg.file = file
	if _, err := file.Write(h.encode()); err != nil {
		return seg, fmt.Errorf("write segment header: %w", err)
	}
	return seg, nil
}

// sync makes a segment permanent, and its name too if this is the first time.
func (j *Journal) sync(seg *segment) error {
	if err := seg.file.Sync(); err != nil {
		return fmt.Errorf("sync segment: %w", err)
	}
	if seg.size == 0 {
		if err := j.fs.SyncDir(j.dir); err != nil {
			return fmt.Errorf("sync journal directory: %w", err)
		}
	}
	return nil
}

// abandon gives up a segment after a failed write or sync. It is never written or synced again: a second sync may
// succeed without having written anything. What may be on disk beyond size was not acknowledged; it is cut off if that
// works, and void by the header of the next segment if not.
func (j *Journal) abandon(seg *segment) {
	if seg.size == 0 {
		seg.file.Close()
		if err := j.fs.Remove(j.path(seg.name)); err != nil {
			j.log.Warn("journal segment cannot be removed", "segment", seg.name, "error", err)
		}
		return
	}
	if err := seg.file.Truncate(seg.size); err != nil {
		j.log.Warn("journal segment cannot be cut", "segment", seg.name, "error", err)
	}
	seg.file.Close()
	seg.file = nil
}

package segments

import (
	"encoding/binary"
	"errors"

	"github.com/parquet-go/bitpack"
)

// Codes, the positions of values in a dictionary, lie in pages in Parquet's hybrid of runs and packed bits. This file
// writes and reads it. The library has the same, but decodes whole pages only; a small website owns a few rows in the
// middle of one, so decodeCodes takes a range and skips what lies before it.

var errPage = errors.New("page does not decode")

// minRun is the shortest run of equal codes that is written as a run. Parquet packs bits in groups of 8.
const minRun = 16

// appendCodes adds the hybrid form of codes, each below 1<<width, to b.
func appendCodes(b []byte, codes []int32, width uint) []byte {
	packed := 0 // codes[packed:i] wait to be written as packed bits
	for i := 0; i < len(codes); {
		n := i + 1
		for n < len(codes) && codes[n] == codes[i] {
			n++
		}
		begin := i
		if pending := (i - packed) % 8; pending != 0 {
			begin += 8 - pending // a packed group is full only with the first of the equal codes
		}
		if n-begin >= minRun {
			b = appendPacked(b, codes[packed:begin], width)
			b = binary.AppendUvarint(b, uint64(n-begin)<<1)
			for k := uint(0); k < width; k += 8 {
				b = append(b, byte(codes[i]>>k))
			}
			packed = n
		}
		i = n
	}
	return appendPacked(b, codes[packed:], width)
}

func appendPacked(b []byte, codes []int32, width uint) []byte {
	if len(codes) == 0 {
		return b
	}
	groups := (len(codes) + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	start, whole := len(b), len(codes)/8*8
	b = append(b, make([]byte, groups*int(width))...)
	bitpack.Pack(b[start:start+whole/8*int(width)], codes[:whole], width)
	if whole < len(codes) {
		var last [8]int32
		copy(last[:], codes[whole:])
		bitpack.Pack(b[start+whole/8*int(width):], last[:], width)
	}
	return b
}

// eachRun calls yield for the parts of a hybrid page in order: n equal codes, or n codes packed at the start of packed.
func eachRun(page []byte, width uint, rows int, yield func(code int32, n int, packed []byte) error) error {
	size := int(width+7) / 8
	for rows > 0 {
		head, k := binary.Uvarint(page)
		if k <= 0 {
			return errPage
		}
		page = page[k:]
		if head&1 == 0 {
			n := min(int(head>>1), rows)
			if n == 0 || len(page) < size {
				return errPage
			}
			var code int32
			for i := range size {
				code |= int32(page[i]) << (8 * i)
			}
			if err := yield(code, n, nil); err != nil {
				return err
			}
			page = page[size:]
			rows -= n
			continue
		}
		groups := int(head >> 1)
		bytes := groups * int(width)
		if groups == 0 || groups > 1<<28 || len(page) < bytes {
			return errPage
		}
		n := min(groups*8, rows)
		if err := yield(0, n, page); err != nil {
			return err
		}
		page = page[bytes:]
		rows -= n
	}
	return nil
}

// packedWhole are the packed codes of a hybrid page, with what follows them, if so many rows are in one part.
func packedWhole(page []byte, width uint, rows int) (packed []byte, ok bool) {
	head, k := binary.Uvarint(page)
	if k <= 0 || head&1 == 0 || head>>1 > 1<<28 {
		return nil, false
	}
	groups := int(head >> 1)
	if 8*groups < rows || len(page) < k+groups*int(width) {
		return nil, false
	}
	packed = page[k:cap(page)]
	return packed, len(packed) >= groups*int(width)+pagePadding
}

// decodeCodes reads the codes of the rows from ≤ i < to into dst. The page must be followed by pagePadding bytes of
// capacity in its buffer.
func decodeCodes(dst []int32, page []byte, width uint, rows, from, to int) ([]int32, error) {
	dst = dst[:0]
	if cap(dst) < to-from+codesSlack {
		dst = make([]int32, 0, to-from+codesSlack)
	}
	row := 0
	err := eachRun(page, width, min(rows, to), func(code int32, n int, packed []byte) error {
		a, b := max(from-row, 0), n
		row += n
		if a >= b {
			return nil
		}
		at := len(dst)
		if packed == nil {
			dst = dst[:at+b-a]
			fill(dst[at:], code)
			return nil
		}
		skip := a % 8 // packed bits can be read from the start of a group of 8 only
		a -= skip
		src := packed[a/8*int(width):]
		values := (b - a + 7) / 8 * 8
		if cap(dst) < at+values {
			return errPage
		}
		dst = dst[:at+values]
		if need := bitpack.ByteCount(width*uint(values)) + pagePadding; cap(src) < need {
			return errPage
		} else {
			src = src[:need]
		}
		bitpack.Unpack(dst[at:], src, width)
		if skip > 0 {
			copy(dst[at:], dst[at+skip:at+b-a])
		}
		dst = dst[:at+b-a-skip]
		return nil
	})
	if err != nil || len(dst) != to-from {
		return dst[:0], errPage
	}
	return dst, nil
}

const (
	pagePadding = bitpack.PaddingInt64
	codesSlack  = 16 // decodeCodes writes whole groups of 8, at both ends
)

func fill(dst []int32, v int32) {
	for i := range dst {
		dst[i] = v
	}
}

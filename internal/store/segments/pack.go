package segments

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Pages are packed with Zstandard. One encoder and one decoder serve all; both may be used at the same time.
var (
	packer = must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithWindowSize(1<<20), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false))) // a single segment tells its size

	unpacker = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true)))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pack is the packed form of a page, or nil if it is not worth the time to unpack it: if the page is small, or less
// than one part in so many is saved.
func pack(b []byte, parts int) []byte {
	if len(b) < 256 {
		return nil
	}
	packed := packAnyway(b)
	if len(packed) > len(b)-len(b)/parts {
		return nil
	}
	return packed
}

// packAnyway packs a page whatever comes of it.
func packAnyway(b []byte) []byte { return packer.EncodeAll(b, nil) }

// unpack is the reverse of pack. size is what it must come to.
func unpack(b []byte, size int, memory *arena) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return nil, err
	}
	if !h.HasFCS || h.FrameContentSize != uint64(size) {
		return nil, fmt.Errorf("%d bytes where %d should be", h.FrameContentSize, size) // before memory is taken for them
	}
	out, err := unpacker.DecodeAll(b, memory.bytes(size + pagePadding)[:0])
	if err == nil && len(out) != size {
		err = errPage
	}
	return out, err
}

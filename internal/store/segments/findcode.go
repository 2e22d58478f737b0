package segments

import "encoding/binary"

// Most filters leave one entry of a dictionary. Its rows are found in the packed bits, some codes at a time, without writing
// the codes out: 0.6 against 1.0 ns a row of a large website (BenchmarkRowsOfOneCode), and a fifth of the time of a question that
// filters by browser and page.

// A codeFinder compares packed codes with one, four or eight at a time: each has a lane of a word.
type codeFinder struct {
	width  uint
	same   uint64 // the code in each lane
	tops   uint64 // the highest bit of each lane
	rests  uint64 // the other bits
	gather uint64 // a factor that brings the highest bits of four lanes to the highest four of the word
}

// The lanes of four codes must fit a word, and what gather brings elsewhere must not meet what it brings together.
const (
	minFindWidth = 4
	maxNarrow    = 8  // eight fit
	maxPickWidth = 14 // four fit from any bit of a byte on
	maxFindWidth = 16
)

// lanesOf is how many codes word compares at a time.
func lanesOf(width uint) uint {
	if width <= maxNarrow {
		return 8
	}
	return 4
}

func newCodeFinder(code int32, width, lanes uint) codeFinder {
	f := codeFinder{width: width}
	for i := range uint(4) {
		f.gather |= 1 << (61 - width - i*width + i)
	}
	for i := range lanes {
		f.same |= uint64(code) << (i * width)
		f.tops |= 1 << (i*width + width - 1)
		f.rests |= (1<<(width-1) - 1) << (i * width)
	}
	return f
}

// word has a bit for each of the 64 codes in packed that is the same. Eight more bytes must follow, with anything.
func (f *codeFinder) word(packed []byte) (word uint64) {
	if f.width <= maxNarrow {
		return f.narrow(packed)
	}
	same, tops, rests, gather := f.same, f.tops, f.rests, f.gather
	half, odd := f.width/2, f.width%2*4
	for at := uint(0); at < 8*f.width; at += f.width {
		// Only in a lane of zeros nothing carries into the highest bit.
		low := binary.LittleEndian.Uint64(packed[at:]) ^ same
		low = ^(low&rests + rests | low) & tops
		high := binary.LittleEndian.Uint64(packed[at+half:])>>(odd&7) ^ same
		high = ^(high&rests + rests | high) & tops
		word = word>>8 | low*gather>>60<<56 | high*gather>>60<<60
	}
	return word
}

// narrow is word for codes of which eight fit one: 0.4 against 0.5 ns a row of four bits.
func (f *codeFinder) narrow(packed []byte) (word uint64) {
	same, tops, rests, gather := f.same, f.tops, f.rests, f.gather
	half := 4 * f.width & 63
	low := uint64(1)<<half - 1
	for at := uint(0); at < 8*f.width; at += f.width {
		eight := binary.LittleEndian.Uint64(packed[at:]) ^ same
		eight = ^(eight&rests + rests | eight) & tops
		word = word>>8 | eight&low*gather>>60<<56 | eight>>half*gather>>60<<60
	}
	return word
}

// mark marks those of the n codes in packed that are the same, from row at of dst on. pagePadding bytes must follow.
func (f *codeFinder) mark(dst *bitmap, at int, packed []byte, n int) {
	size := 8 * int(f.width)
	for ; n >= 64; n -= 64 {
		dst.or(at, f.word(packed))
		at, packed = at+64, packed[size:]
	}
	if n > 0 {
		var last [8*maxFindWidth + 8]byte
		copy(last[:], packed)
		dst.or(at, f.word(last[:])&(1<<n-1))
	}
}

// findCode marks the rows, counted from from, of a hybrid page that have a code. It wants the same of page as decodeCodes.
func findCode(dst *bitmap, page []byte, width uint, rows, from int, code int32) error {
	f, to, row := newCodeFinder(code, width, lanesOf(width)), from+dst.rows, 0
	if rows < to || code>>width != 0 {
		return errPage
	}
	return eachRun(page, width, to, func(c int32, n int, packed []byte) error {
		a, at := max(from-row, 0), row-from // what lies before from, and where the run begins in dst
		row += n
		if a >= n {
			return nil
		}
		if packed == nil {
			if c == code {
				dst.setRange(at+a, at+n)
			}
			return nil
		}
		packed = packed[:cap(packed)]
		if len(packed) < (n+7)/8*int(width)+pagePadding {
			return errPage
		}
		a = a / 8 * 8
		f.mark(dst, at+a, packed[a/8*int(width):], n-a)
		return nil
	})
}

package segments

import (
	"encoding/binary"
	"math/bits"
)

// Where a filter leaves few visits, a filter of events looks at their events alone. Codes of these are compared in the packed bits,
// four at a time from the first of a visit on: 0.4 against 0.9 ns an event of a large website of which one visit in twelve is
// left (BenchmarkEventsOfFewVisits), and a fifth of the time of a question that filters by browser and page.

// oneInFew is the part of all visits that are few enough; with one in six both ways take as long.
const oneInFew = 8

// visitRuns are some visits, which ascend, and where the events of each begin and end.
type visitRuns struct{ visits, from, to []int32 }

// runs are those of the visits that are kept. b has the events that begin a visit, and is counted.
func (b *bitmap) runs(kept *bitmap, memory *arena) visitRuns {
	n := kept.total()
	r := visitRuns{memory.int32s(n), memory.int32s(n), memory.int32s(n)}
	k := 0
	for i, w := range b.words {
		before := b.before[i]
		left := kept.from(before) & (1<<(b.before[i+1]-before) - 1)
		if left == 0 {
			continue
		}
		sums := byteSums(w)
		for ; left != 0; left &= left - 1 {
			nth := bits.TrailingZeros64(left)
			place := nthBit(w, sums, uint64(nth))
			r.visits[k] = before + int32(nth)
			r.from[k] = int32(64*i) + int32(place)
			r.to[k] = b.next(i, w&^(2<<place-1))
			k++
		}
	}
	return visitRuns{r.visits[:k], r.from[:k], r.to[:k]}
}

// from has the bits of 64 rows from row on.
func (b *bitmap) from(row int32) uint64 {
	word, bit := uint32(row)/64, uint32(row)%64
	w := b.words[word] >> bit
	if int(word)+1 < len(b.words) {
		w |= b.words[word+1] << 1 << (63 - bit)
	}
	return w
}

// next is the first row that is set in left, which is what is left of word i, or after it; or the end.
func (b *bitmap) next(i int, left uint64) int32 {
	for left == 0 {
		if i++; i == len(b.words) {
			return int32(b.rows)
		}
		left = b.words[i]
	}
	return int32(64*i + bits.TrailingZeros64(left))
}

const (
	eachByte = 0x0101010101010101
	eachTop  = 0x8080808080808080
)

// byteSums has in each byte how many bits are set in that byte of w and those below.
func byteSums(w uint64) uint64 {
	w -= w >> 1 & 0x5555555555555555
	w = w&0x3333333333333333 + w>>2&0x3333333333333333
	return (w + w>>4) & 0x0f0f0f0f0f0f0f0f * eachByte
}

// nthBit is the place of the set bit of w that has n set bits below it. sums are the byteSums of w.
func nthBit(w, sums, n uint64) uint {
	upTo := (n*eachByte | eachTop - sums) & eachTop // the bytes whose sums are n or less
	at := 8 * uint(bits.OnesCount64(upTo)) & 63
	n -= sums << 8 >> at & 0xff
	return (at + uint(placesInByte[uint8(w>>at)]>>(8*n)&7)) & 63
}

// placesInByte has the places of the set bits of each byte, a byte for each.
var placesInByte = func() (places [256]uint64) {
	for b := range places {
		n := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				places[b] |= uint64(i) << (8 * n)
				n++
			}
		}
	}
	return places
}()

// pick selects the events of r whose code byCode has 1 for.
func (r *visitRuns) pick(codes []int32, byCode []uint8, memory *arena) selection {
	sel, n := r.room(memory), 0
	for k, v := range r.visits {
		for e := r.from[k]; e < r.to[k]; e++ {
			sel.list[n], sel.visits[n] = e, v
			n += int(byCode[codes[e]])
		}
	}
	return sel.first(n)
}

// room is a selection that the events of r fit in.
func (r *visitRuns) room(memory *arena) selection {
	n := 0
	for k := range r.visits {
		n += int(r.to[k] - r.from[k])
	}
	return selection{byEvent: true, list: memory.int32s(n), visits: memory.int32s(n)}
}

// first is the first n events.
func (s *selection) first(n int) selection {
	return selection{byEvent: true, list: s.list[:n], visits: s.visits[:n]}
}

// pick selects the events of r, which count from row from of packed, that have the code. pagePadding bytes must follow.
func (f *codeFinder) pick(packed []byte, from int, r *visitRuns, memory *arena) selection {
	sel, n := r.room(memory), 0
	list, visits := sel.list, sel.visits[:len(sel.list)]
	same, tops, rests, gather, width := f.same, f.tops, f.rests, f.gather, f.width
	for k, v := range r.visits {
		for e, end := r.from[k], r.to[k]; e < end; e += 4 {
			at := uint(from+int(e)) * width
			four := binary.LittleEndian.Uint64(packed[at/8:])>>(at%8) ^ same
			four = ^(four&rests + rests | four) & tops
			four = four * gather >> 60 & (1<<uint(end-e) - 1)
			for ; four != 0; four &= four - 1 {
				list[n], visits[n] = e+int32(bits.TrailingZeros64(four)), v
				n++
			}
		}
	}
	return sel.first(n)
}

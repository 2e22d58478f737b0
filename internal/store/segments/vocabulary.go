package segments

import (
	"slices"
	"strings"
	"sync"
)

// A vocabulary numbers the texts of dictionaries. The row groups of a website have nearly the same texts: numbered, a year
// of dictionaries takes 4 bytes an entry, what a filter says of a text is found out once, and the counts of a text in
// different row groups come together without comparing it.
//
// It only grows. A cache that finds it too large begins another one; who uses the old one may go on with it.
type vocabulary struct {
	mu    sync.RWMutex
	index map[string]uint32
	list  []string // by number
	bytes int      // roughly what it takes
}

func newVocabulary() *vocabulary { return &vocabulary{index: make(map[string]uint32)} }

// textBytes is about what a text takes in a vocabulary beside its bytes.
const textBytes = 64

// numbers are the numbers of texts. Those that are new are copied.
func (v *vocabulary) numbers(values []string) []uint32 {
	ids := make([]uint32, len(values))
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, s := range values {
		id, ok := v.index[s]
		if !ok {
			s = strings.Clone(s) // it lies in a page
			id = uint32(len(v.list))
			v.index[s] = id
			v.list = append(v.list, s)
			v.bytes += textBytes + len(s)
		}
		ids[i] = id
	}
	return ids
}

// number is the number of a text, if it has one.
func (v *vocabulary) number(s string) (uint32, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	id, ok := v.index[s]
	return id, ok
}

// size is about how many bytes it takes.
func (v *vocabulary) size() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.bytes
}

// texts are those with the numbers ids.
func (v *vocabulary) texts(ids []uint32) texts {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return texts{list: v.list, ids: ids, of: v}
}

// Texts are the values of a dictionary, by code.
type texts struct {
	list []string    // by number in the vocabulary; without one, by code
	ids  []uint32    // numbers by code
	of   *vocabulary // nil for none
}

func textsOf(values []string) texts { return texts{list: values} }

func (t *texts) len() int {
	if t.of == nil {
		return len(t.list)
	}
	return len(t.ids)
}

func (t *texts) at(code int32) string {
	if t.of == nil {
		return t.list[code]
	}
	return t.list[t.ids[code]]
}

// find is the code of a text, or -1.
func (t *texts) find(s string) int32 {
	if t.of == nil {
		return int32(slices.Index(t.list, s))
	}
	id, ok := t.of.number(s)
	if !ok {
		return -1
	}
	return int32(slices.Index(t.ids, id))
}

// with are the texts and one more, which is not among them.
func (t *texts) with(s string) texts {
	if t.of == nil {
		return textsOf(append(t.list[:len(t.list):len(t.list)], s))
	}
	more := t.of.numbers([]string{s})
	return t.of.texts(append(t.ids[:len(t.ids):len(t.ids)], more...))
}

// slice are those with the codes from ≤ c < to.
func (t *texts) slice(from, to int) texts {
	if t.of == nil {
		return textsOf(t.list[from:to])
	}
	return texts{list: t.list, ids: t.ids[from:to], of: t.of}
}

// pick are those with some codes, which are counted anew.
func (t *texts) pick(codes []int32) texts {
	if t.of == nil {
		return textsOf(pick(t.list, codes))
	}
	return texts{list: t.list, ids: pick(t.ids, codes), of: t.of}
}

// Notes hold something about the texts of a vocabulary, in pieces, because a question meets few of them.
type notes[T any] struct {
	of     *vocabulary
	pieces []*[notesPiece]T
}

const notesPiece = 256

// at is where the note about a text is, at first its zero value. All is lost when another vocabulary comes.
func (n *notes[T]) at(of *vocabulary, id uint32) *T {
	if n.of != of {
		*n = notes[T]{of: of}
	}
	piece := int(id / notesPiece)
	if piece >= len(n.pieces) {
		n.pieces = append(n.pieces, make([]*[notesPiece]T, piece+1-len(n.pieces))...)
	}
	if n.pieces[piece] == nil {
		n.pieces[piece] = new([notesPiece]T)
	}
	return &n.pieces[piece][id%notesPiece]
}

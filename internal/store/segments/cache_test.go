package segments

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
)

func numbered(prefix string, n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprint(prefix, i)
	}
	return values
}

func (t *texts) all() []string {
	var values []string
	for code := range int32(t.len()) {
		values = append(values, t.at(code))
	}
	return values
}

func TestCacheGivesDictionariesBackAndStaysWithinItsBytes(t *testing.T) {
	c := newCache(1 << 20)
	slots := make([]atomic.Pointer[cachedTexts], 400)
	dictionary := func(i int) []string { // the first half of each is the same
		return append(numbered("shared ", 500), numbered(fmt.Sprint("own of ", i, " "), 500)...)
	}
	found := 0
	for i := range slots {
		kept := c.put(&slots[i], dictionary(i))
		if !slices.Equal(kept.all(), dictionary(i)) {
			t.Fatalf("dictionary %d comes back as another", i)
		}
		if most := c.max/2 + 1000*(textBytes+16); c.words.size() > most || c.bytes > c.max/2 {
			t.Fatalf("%d bytes of texts and %d of dictionaries in a cache of %d", c.words.size(), c.bytes, c.max)
		}
		for k := range i {
			got, ok := slots[k].Load().get()
			if !ok {
				continue
			}
			found++
			if got.at(3) != "shared 3" || got.at(999) != fmt.Sprint("own of ", k, " 499") {
				t.Fatalf("dictionary %d changed", k)
			}
		}
	}
	if found == 0 {
		t.Error("no dictionary was found again")
	}
}

func TestTextsOfAnEmptiedCacheStayGood(t *testing.T) {
	c := newCache(64 << 10)
	var first atomic.Pointer[cachedTexts]
	kept := c.put(&first, numbered("a", 100))
	for i := range 50 {
		c.put(new(atomic.Pointer[cachedTexts]), numbered(fmt.Sprint("b", i, " "), 100))
	}
	if first.Load() != nil {
		t.Error("a dictionary of texts that are gone is still there")
	}
	if !slices.Equal(kept.all(), numbered("a", 100)) {
		t.Error("texts in use changed")
	}
}

func TestDroppedFilesLeaveNothingInTheCache(t *testing.T) {
	c := newCache(1 << 20)
	slots := make([]atomic.Pointer[cachedTexts], 2)
	c.put(&slots[0], numbered("a", 10))
	c.put(&slots[1], numbered("b", 10))
	c.drop(slots)
	if c.bytes != 0 || len(c.entries) != 0 || slots[0].Load() != nil || slots[1].Load() != nil {
		t.Errorf("%d bytes in %d dictionaries are left", c.bytes, len(c.entries))
	}
}

func TestNotesBeginAnewWithAnotherVocabulary(t *testing.T) {
	a, b := newVocabulary(), newVocabulary()
	var n notes[int32]
	*n.at(a, 700) = 7
	if got := *n.at(a, 700); got != 7 {
		t.Errorf("note is %d, not 7", got)
	}
	if got := *n.at(b, 700); got != 0 {
		t.Errorf("note about a text of another vocabulary is %d", got)
	}
}

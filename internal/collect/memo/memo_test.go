package memo_test

import (
	"hash/maphash"
	"sync"
	"testing"

	"footfall/internal/collect/memo"
)

func TestAnswersAreRemembered(t *testing.T) {
	m := memo.New[string](100)
	question := maphash.String(m.Seed(), "who?")
	if _, ok := m.Find(question); ok {
		t.Error("an answer nobody gave")
	}
	m.Keep(question, "me")
	if a, ok := m.Find(question); !ok || a != "me" {
		t.Errorf("answer is %q", a)
	}
}

// What is asked for stays, however much else is kept; what is not is forgotten.
func TestMemoForgetsWhatIsNotAskedFor(t *testing.T) {
	m := memo.New[uint64](320)
	const often, once = 16 * 1000, 16*1000 + 1
	m.Keep(often, often)
	m.Keep(once, once)
	for i := range uint64(10_000) {
		m.Keep(i, i)
		if _, ok := m.Find(often); !ok {
			t.Fatalf("forgot what was asked for, after %d others", i)
		}
	}
	if _, ok := m.Find(once); ok {
		t.Error("remembers what nobody asked for")
	}
	known := 0
	for i := range uint64(10_000) {
		if a, ok := m.Find(i); ok {
			known++
			if a != i {
				t.Fatalf("the answer to %d is %d", i, a)
			}
		}
	}
	if known > 320 || known < 100 {
		t.Errorf("remembers %d, of about 320", known)
	}
}

func TestMemoIsForMany(t *testing.T) {
	m := memo.New[uint64](64)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range uint64(2000) {
				if a, ok := m.Find(i % 100); ok && a != i%100 {
					t.Errorf("the answer to %d is %d", i%100, a)
				}
				m.Keep(i%100, i%100)
			}
		})
	}
	all.Wait()
}

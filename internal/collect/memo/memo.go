// Package memo remembers answers to questions that come again and again, in memory only. Of a question it keeps no more than a hash
// with a key of its own, which nobody outside can find two questions for; and whatever is asked, it stays as small as it was told to.
package memo

import (
	"hash/maphash"
	"sync"
)

// A Memo remembers answers. It is safe for many goroutines.
type Memo[A any] struct {
	seed   maphash.Seed
	shards [shards]shard[A]
}

const shards = 16

// shard keeps two generations: what was not asked for during one is forgotten with it.
type shard[A any] struct {
	mu            sync.Mutex
	max           int // answers of a generation
	recent, older map[uint64]A
}

// New makes a memo of about so many answers.
func New[A any](answers int) *Memo[A] {
	m := &Memo[A]{seed: maphash.MakeSeed()}
	for i := range m.shards {
		m.shards[i].max = max(answers/shards/2, 1)
		m.shards[i].recent = map[uint64]A{}
	}
	return m
}

// Seed is the key of the hash by which questions are to be told apart.
func (m *Memo[A]) Seed() maphash.Seed { return m.seed }

// Find is the answer to a question, if it is known.
func (m *Memo[A]) Find(question uint64) (A, bool) {
	s := &m.shards[question%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.recent[question]; ok {
		return a, true
	}
	a, ok := s.older[question]
	if ok {
		s.put(question, a)
	}
	return a, ok
}

// Keep remembers an answer. It must not hold on to more than it says: the texts in it are the caller's own, not parts of larger ones.
func (m *Memo[A]) Keep(question uint64, a A) {
	s := &m.shards[question%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(question, a)
}

func (s *shard[A]) put(question uint64, a A) {
	if len(s.recent) >= s.max {
		s.older, s.recent = s.recent, make(map[uint64]A, s.max)
	}
	s.recent[question] = a
}

package segments

// An arena lends memory that is all given back at once. A worker that goes through row groups has one, so that
// reading a year of a large website allocates what one row group needs. A nil arena allocates anew each time.
type arena struct {
	b   pool[byte]
	i32 pool[int32]
	i64 pool[int64]
	u64 pool[uint64]
}

func (a *arena) bytes(n int) []byte {
	if a == nil {
		return make([]byte, n)
	}
	return a.b.take(n)
}

func (a *arena) int32s(n int) []int32 {
	if a == nil {
		return make([]int32, n)
	}
	return a.i32.take(n)
}

func (a *arena) int64s(n int) []int64 {
	if a == nil {
		return make([]int64, n)
	}
	return a.i64.take(n)
}

func (a *arena) uint64s(n int) []uint64 {
	if a == nil {
		return make([]uint64, n)
	}
	return a.u64.take(n)
}

// reset takes everything back.
func (a *arena) reset() {
	a.b.reset()
	a.i32.reset()
	a.i64.reset()
	a.u64.reset()
}

// A pool hands out its slices in the order in which they were made. Uses repeat themselves from one row group to the
// next, so the n-th slice soon has the size that the n-th use needs.
type pool[T any] struct {
	slices [][]T
	next   int
}

// take lends a slice of n elements with any content.
func (p *pool[T]) take(n int) []T {
	if p.next == len(p.slices) {
		p.slices = append(p.slices, nil)
	}
	s := p.slices[p.next]
	if cap(s) < n {
		s = make([]T, n+n/4)
		p.slices[p.next] = s
	}
	p.next++
	return s[:n]
}

func (p *pool[T]) reset() { p.next = 0 }

// borrow is an arena for one worker. A few are kept, because a query would else leave tens of megabytes behind.
func (e *Engine) borrow() *arena {
	select {
	case a := <-e.arenas:
		return a
	default:
		return new(arena)
	}
}

func (e *Engine) giveBack(a *arena) {
	a.reset()
	select {
	case e.arenas <- a:
	default:
	}
}

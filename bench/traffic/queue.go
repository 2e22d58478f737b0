package traffic

// A visitor under way.
type visitor struct {
	id       uint64
	rank     uint16 // of the website
	left     uint16 // events of this visit that are still to come
	later    uint16 // events of the next visit, 0 if there is none
	page     uint16
	city     uint16
	browser  uint16
	referrer uint16
	os       uint8
	device   uint8
	screen   uint8
	language uint8
	hostname uint8
	campaign uint8 // 0 is none
	medium   uint8
	term     uint8
	content  uint8
	first    bool // the next event is the first of its visit
}

// A queue holds visitors by the time of their next event: a binary heap of times with the visitors beside it, so that
// little is moved about.
type queue struct {
	heap     []turn
	visitors []visitor
	free     []int32
}

type turn struct {
	at      int64
	visitor int32
}

func (q *queue) len() int { return len(q.heap) }

// soonest is the time of the next event, or noMore.
func (q *queue) soonest() int64 {
	if len(q.heap) == 0 {
		return noMore - 1 // before noMore, so that nobody comes when nobody is to come
	}
	return q.heap[0].at
}

func (q *queue) first() (int64, *visitor) {
	return q.heap[0].at, &q.visitors[q.heap[0].visitor]
}

func (q *queue) add(at int64, v visitor) {
	var i int32
	if n := len(q.free); n > 0 {
		i = q.free[n-1]
		q.free = q.free[:n-1]
		q.visitors[i] = v
	} else {
		i = int32(len(q.visitors))
		q.visitors = append(q.visitors, v)
	}
	q.heap = append(q.heap, turn{at, i})
	q.up(len(q.heap) - 1)
}

// remove takes the first visitor out.
func (q *queue) remove() {
	q.free = append(q.free, q.heap[0].visitor)
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	q.down()
}

// postpone moves the first visitor to a later time.
func (q *queue) postpone(at int64) {
	q.heap[0].at = at
	q.down()
}

func (q *queue) up(i int) {
	h := q.heap
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].at <= h[i].at {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

func (q *queue) down() {
	h := q.heap
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].at < h[child].at {
			child++
		}
		if h[i].at <= h[child].at {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

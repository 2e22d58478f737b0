package segments

import (
	"fmt"
	"strings"
	"sync"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Answers remember what files had to say to questions: most of a dashboard is asked again and again while only today changes.
// Those of sealed files are good as long as no file is sealed or rewritten; then they are forgotten all at once. Those of open
// cells are good for the parts that they name: cutting three days again for every question was a third of the work while
// loading with one reader.
type answers struct {
	max int

	mu     sync.Mutex
	sealed int64 // the generation of sealed files that they are about
	bytes  int
	known  map[answerKey]*groups // never changed
}

// An answerKey is all of a question that matters before its rows are put in order.
type answerKey struct {
	website   int64
	from, to  event.Day
	dimension string
	need      needs
	filter    string
	parts     string // that hold an open cell
}

func newAnswers(max int) *answers { return &answers{max: max, known: make(map[answerKey]*groups)} }

// key is where the answer to a question is remembered. Searches are not: there are too many different ones.
func (p *plan) key(question int) (answerKey, bool) {
	q := &p.questions[question]
	return answerKey{
		website: p.query.Website, from: p.query.From, to: p.query.To, dimension: q.Dimension.Name, need: q.need, filter: p.filterKey,
	}, q.Search == ""
}

// cellKeys are where the answers to all questions about an open cell are remembered, if they can be.
func (p *plan) cellKeys(cell cellKey, parts string) (keys []answerKey, ok bool) {
	for i := range p.questions {
		key, ok := p.key(i)
		if !ok {
			return nil, false
		}
		key.from, key.to, key.parts = cell.day, cell.day+1, parts
		keys = append(keys, key)
	}
	return keys, true
}

// getAll are the answers to all questions, or nil if one is not known.
func (a *answers) getAll(keys []answerKey) []*groups {
	all := make([]*groups, len(keys))
	for i, key := range keys {
		if all[i] = a.get(0, key); all[i] == nil {
			return nil
		}
	}
	return all
}

// get is what is known, or nil. It must not be changed.
func (a *answers) get(sealed int64, key answerKey) *groups {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sealed != sealed {
		return nil
	}
	return a.known[key]
}

func (a *answers) put(sealed int64, key answerKey, g *groups) {
	bytes := g.bytes()
	a.mu.Lock()
	defer a.mu.Unlock()
	if bytes > a.max/4 || sealed < a.sealed {
		return
	}
	if sealed > a.sealed {
		a.sealed, a.bytes = sealed, 0
		clear(a.known)
	}
	if a.known[key] != nil {
		return
	}
	g.byText()
	g.pages, g.known = new(pages), notes[int32]{}
	for other, old := range a.known { // in no order, which is as good as any
		if a.bytes+bytes <= a.max {
			break
		}
		delete(a.known, other)
		a.bytes -= old.bytes()
	}
	a.known[key] = g
	a.bytes += bytes
}

// bytes is the memory that groups take, roughly.
func (g *groups) bytes() int {
	const each = 72 + 16 + 32 // counts, text, index
	bytes := 256 + len(g.values)*each
	for _, v := range g.values {
		bytes += len(v)
	}
	return bytes + len(g.revenue)*64 + maxPages*min(len(g.values), maxPageRows)*each
}

// Pages remember the rows that were cut out of remembered groups. Nearly everybody asks for the first ten, and to find them
// among 5,000 pages every time takes longer than the rest of the request: over HTTP, 0.06 of a bare handler's answers a
// second became 0.34, together with cheaper headers (300,000 events, 2 cores that had other work too).
type pages struct {
	mu    sync.Mutex
	known map[pageKey]store.Answer
}

// A pageKey is what matters when the groups are put in order.
type pageKey struct {
	metrics       string
	order         store.Order
	limit, offset int
}

const (
	maxPages    = 2 // of the same groups
	maxPageRows = 100
)

func newPageKey(q *store.Question) pageKey {
	metrics := make([]byte, len(q.Metrics))
	for i, m := range q.Metrics {
		metrics[i] = byte(m)
	}
	return pageKey{string(metrics), q.Order, q.Limit, q.Offset}
}

func (p *pages) get(key pageKey) (store.Answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, ok := p.known[key]
	return a, ok
}

func (p *pages) put(key pageKey, a store.Answer) {
	if len(a.Rows) > maxPageRows {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= maxPages || p.known == nil {
		p.known = make(map[pageKey]store.Answer)
	}
	p.known[key] = a
}

// writeKey writes a filter so that equal filters are equal texts.
func writeKey(b *strings.Builder, f *store.Filter) {
	if f.Op == store.Everything {
		return
	}
	fmt.Fprintf(b, "(%d %q %q", f.Op, f.Dimension.Name, f.Values)
	for i := range f.Filters {
		writeKey(b, &f.Filters[i])
	}
	b.WriteByte(')')
}

package segments

import (
	"fmt"
	"strings"
	"sync"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Answers remember what sealed files had to say to questions: most of a dashboard is asked again and again while only
// today changes. They are good as long as no file is sealed or rewritten; then they are forgotten all at once.
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
}

func newAnswers(max int) *answers { return &answers{max: max, known: make(map[answerKey]*groups)} }

// key is where the answer to a question is remembered. Searches are not: there are too many different ones.
func (p *plan) key(question int) (answerKey, bool) {
	q := &p.questions[question]
	return answerKey{
		p.query.Website, p.query.From, p.query.To, q.Dimension.Name, q.need, p.filterKey,
	}, q.Search == ""
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
	return bytes + len(g.revenue)*64
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

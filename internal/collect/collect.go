// Package collect is the road of a hit: from a request to an event in the store, or to a reason why it does not count.
//
// Its first half is Collector.Accept. A hit goes through the steps of one list (steps.go); what is left is an event that
// names nobody, or a Drop. Either is in the journal when Accept returns. The address and the user agent end here: neither
// is logged or written anywhere.
//
// Its second half moves what is in the journal on: the Loader events into the store, and the Tally drops into the counts
// that the owner of a website reads. Neither loses or doubles anything, whatever is down or killed on the way.
package collect

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"footfall/internal/collect/agent"
	"footfall/internal/collect/memo"
	"footfall/internal/collect/place"
	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/journal"
)

// maxRecord is the size at which a record of the journal takes no further event.
const maxRecord = 32 << 10

// agentsRemembered is how many user agents are remembered, in memory. A busy website sees a few thousand in a day.
const agentsRemembered = 8192

// A Collector takes hits. All methods may be called at the same time.
type Collector struct {
	Journal       *journal.Journal
	Websites      *Directory
	Salts         *Salts
	Places        *place.Atlas
	Networks      *Networks        // of data centres, whose hits are a bot's; nil is none
	HonourSignals bool             // Do Not Track and Global Privacy Control are reasons to drop a hit, on all websites
	Now           func() time.Time // the clock; nil is time.Now

	hits, dropped, refused atomic.Uint64

	once     sync.Once
	agents   *agent.Cache
	brands   brandLists
	arrivals arrivals
	pool     sync.Pool // of *delivery
}

// A delivery is what one request leads to.
type delivery struct {
	request Request
	work    work
	bytes   []byte // of all records
	ends    []int  // of each, in bytes
	records [][]byte
}

// Accept takes hits: when it returns without an error, each of them is on disk, to be counted once, as an event or as a
// drop. The drops are told in the order of the hits, "" for one that counts. After a fault that is unavailable none of them was
// taken, and they may be sent again.
//
// An engagement is a measurement that belongs to a pageview. One that is dropped leaves no trace, so that a visitor who
// is not counted is not counted twice.
func (c *Collector) Accept(ctx context.Context, r Request, hits []Hit) ([]Drop, error) {
	c.once.Do(c.init)
	d := c.pool.Get().(*delivery)
	defer c.release(d)
	w := &d.work
	d.request = r
	w.now, w.request = c.Now(), &d.request
	drops := make([]Drop, len(hits))
	for i := range hits {
		w.hit = &hits[i]
		if drops[i] = w.run(); drops[i] == "" || w.hit.Kind != event.Engagement {
			d.add(&w.event)
		}
	}
	if err := d.write(ctx, c.Journal); err != nil {
		c.refused.Add(uint64(len(hits)))
		return nil, err
	}
	c.hits.Add(uint64(len(hits)))
	for _, drop := range drops {
		if drop != "" {
			c.dropped.Add(1)
		}
	}
	return drops, nil
}

// Taken tells how many hits were taken since the start, how many of them were dropped, and how many were not taken.
func (c *Collector) Taken() (hits, dropped, refused uint64) {
	return c.hits.Load(), c.dropped.Load(), c.refused.Load()
}

// TendSalts lets salts die, and makes those of today and tomorrow. The service calls it once a minute.
func (c *Collector) TendSalts(ctx context.Context) error {
	c.once.Do(c.init)
	return c.Salts.Tend(ctx, c.Websites.daysAhead(c.Now()))
}

func (c *Collector) init() {
	c.agents = agent.NewCache(agentsRemembered)
	c.arrivals = arrivals{memo.New[*arrival](pagesRemembered)}
	c.pool.New = func() any { return &delivery{work: work{Collector: c}} }
	if c.Now == nil {
		c.Now = time.Now
	}
}

// release forgets all that a request said.
func (c *Collector) release(d *delivery) {
	if cap(d.bytes) > 4*maxRecord {
		d.bytes = nil
	}
	d.request = Request{}
	d.work = work{Collector: c, scratch: d.work.scratch}
	clear(d.records)
	d.bytes, d.ends, d.records = d.bytes[:0], d.ends[:0], d.records[:0]
	c.pool.Put(d)
}

// run makes an event of a hit. If there is a reason to drop it, the event says that and nothing else.
func (w *work) run() Drop {
	w.website = nil
	h := w.hit
	w.event = event.Event{Kind: h.Kind, ID: h.ID, Value: h.Value, Engaged: h.Engaged, Scroll: h.Scroll}
	for _, step := range steps {
		if drop := step.do(w); drop != "" {
			e := event.Event{Kind: event.Dropped, Website: w.event.Website, Day: w.event.Day, Time: w.event.Time, Offset: w.event.Offset}
			e.Fields[event.Name] = string(drop)
			w.event = e
			return drop
		}
	}
	f := &w.event.Fields
	f[event.Name], f[event.Unit], f[event.Props] = h.Name, h.Unit, h.Props
	for i := range f {
		f[i] = cut(f[i], event.MaxText)
	}
	return ""
}

// add puts an event behind the others: into their record, unless that is full or of the other kind. The records of events
// that count and those of drops have different readers.
func (d *delivery) add(e *event.Event) {
	start := 0
	if n := len(d.ends); n > 1 {
		start = d.ends[n-2]
	}
	joins := len(d.ends) > 0 && len(d.bytes)-start < maxRecord && event.IsDropped(d.bytes[start:]) == (e.Kind == event.Dropped)
	d.bytes = e.Append(d.bytes)
	if joins {
		d.ends[len(d.ends)-1] = len(d.bytes)
	} else {
		d.ends = append(d.ends, len(d.bytes))
	}
}

// write puts the records into the journal.
func (d *delivery) write(ctx context.Context, j *journal.Journal) error {
	if len(d.ends) == 0 {
		return nil
	}
	start := 0
	for _, end := range d.ends {
		d.records = append(d.records, d.bytes[start:end])
		start = end
	}
	_, err := j.Append(ctx, d.records...)
	return promise(err)
}

// How long to wait before sending again what the journal did not take.
const (
	whenFull    = 30 * time.Second
	whenFailing = 5 * time.Second
)

// promise turns what keeps the journal from its promise into what a tracker is told.
func promise(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, journal.ErrFull):
		return fault.New(fault.Unavailable, "the journal is full: send it again later").After(whenFull).Because(err)
	case errors.Is(err, journal.ErrDisk):
		return fault.New(fault.Unavailable, "the disk does not take it: send it again later").After(whenFailing).Because(err)
	case errors.Is(err, journal.ErrClosed):
		return fault.New(fault.Unavailable, "the service is stopping: send it again").After(whenFailing).Because(err)
	}
	return err
}

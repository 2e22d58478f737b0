package segments_test

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
	"footfall/internal/store/storetest"
)

const junkWebsite = 666

// junkEvent is an event whose texts nobody has seen before.
func junkEvent(n int, day event.Day) event.Event {
	e := event.Event{Website: junkWebsite, Visitor: uint64(n/3) * 0x9e3779b97f4a7c15, Kind: event.Pageview, ID: uint64(n + 1)}
	if n%10 == 9 {
		e.Kind = event.Custom
	}
	id := strconv.Itoa(n)
	for f := range e.Fields {
		switch event.Field(f) {
		case event.Page:
			e.Fields[f] = "/junk/" + id
		case event.Name:
			if e.Kind == event.Custom {
				e.Fields[f] = "event " + id
			}
		case event.Props:
			if e.Kind == event.Custom {
				e.Fields[f] = event.JoinProps(map[string]string{"k" + id: id})
			}
		case event.Referrer, event.Source, event.UTMCampaign, event.UTMSource, event.UTMMedium, event.UTMTerm, event.UTMContent,
			event.BrowserVersion, event.Region, event.City:
			e.Fields[f] = "junk " + id
		case event.Country:
			e.Fields[f] = "Germany"
		}
	}
	e.At(day.UTC().Add(time.Duration(n%80_000_000)*time.Millisecond), time.UTC)
	return e
}

// heapBytes are the bytes that the last collection found alive, and all that is on the heap, dead or alive.
func heapBytes() (live, all uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// A peak is the most that was ever on the heap.
type peak struct{ live, all uint64 }

func (p *peak) look() {
	live, all := heapBytes()
	p.live, p.all = max(p.live, live), max(p.all, all)
}

// during looks again and again while do works.
func (p *peak) during(do func()) {
	done, looked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looked)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			p.look()
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	do()
	close(done)
	<-looked
}

// The promise is 256 MB in all, with the memory limit that the service sets: the limit makes the collector work harder, but
// what is alive it cannot take away.
const (
	memoryLimit = 200 << 20
	maxHeap     = 256 << 20
)

// limitMemory sets the limit for a test.
func limitMemory(t testing.TB) {
	before := debug.SetMemoryLimit(memoryLimit)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// check fails the test if there was more on the heap than the engine may need.
func (p *peak) check(t testing.TB) {
	t.Helper()
	if p.all > maxHeap {
		t.Errorf("%d MB of the heap were in use, %d MB of them alive; at most %d may be", p.all>>20, p.live>>20, maxHeap>>20)
	}
}

// R10.
func TestJunkIsBoundedAndHarmsNobody(t *testing.T) {
	limitMemory(t)
	const (
		maxValues = 10_000
		batchSize = 2000
	)
	events := figure(1_000_000, 60_000, 100_000_000)
	perDay := max(events/4, 15_000)
	dir := t.TempDir()
	begin := event.NewDay(2026, 2, 20)
	clock := clockAt(begin.UTC())
	e := openEngine(t, dir, segments.Options{Now: clock.now})
	normal := storetest.NewOracle(clock.now)
	random := newTraffic(1)
	var heap peak
	pageviews := map[event.Day]int{}
	batch := make([]event.Event, 0, batchSize+100)
	position := uint64(0)
	for n := 0; n < events; {
		day := begin + event.Day(n/perDay)
		clock.set(day.UTC().Add(22 * time.Hour))
		batch = batch[:0]
		for range min(batchSize, events-n) {
			ev := junkEvent(n, day)
			if ev.Kind == event.Pageview {
				pageviews[day]++
			}
			batch = append(batch, ev)
			n++
		}
		if n%(20*batchSize) == 0 {
			well := random.day(1, day, 5)
			must(t, normal.Append(t.Context(), store.Batch{From: normal.Position(), To: normal.Position() + 1, Events: well}))
			batch = append(batch, well...)
		}
		must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: batch}))
		position++
		if n%perDay == 0 {
			must(t, e.Settle(t.Context()))
		}
		heap.look()
	}
	check := func(when string) {
		t.Helper()
		heap.during(func() {
			sameAnswers(t, e, normal, panels(1, begin, begin+100)...)
			for day, want := range pageviews {
				checkJunk(t, e, when, day, want, maxValues)
			}
		})
	}
	check("in parts")
	must(t, e.Flush(t.Context()))
	must(t, e.Close())
	e = openEngine(t, dir, segments.Options{Now: clock.now})
	check("opened again")
	clock.set(begin.UTC().AddDate(0, 2, 0))
	well := random.day(1, begin+50, 5) // a month is whole when a later day is sealed
	must(t, normal.Append(t.Context(), store.Batch{From: normal.Position(), To: normal.Position() + 1, Events: well}))
	must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: well}))
	heap.during(func() { must(t, e.Settle(t.Context())) })
	check("compacted")
	heap.check(t)
	// Beyond the capped texts an event is a few numbers; the texts that are kept cost what they are long, a few times.
	bytes, limit := e.Status().Bytes, int64(events)*25+int64(len(pageviews))*maxValues*12*60
	if bytes > limit {
		t.Errorf("%d MB on disk, more than %d", bytes>>20, limit>>20)
	}
	t.Logf("%d events, at most %d MB of the heap alive and %d MB in use, %d MB on disk", events, heap.live>>20, heap.all>>20, bytes>>20)
}

// checkJunk asks for the pages of the junk on a day: the first values are kept, the others are one row.
func checkJunk(t testing.TB, e *segments.Engine, when string, day event.Day, pageviews, maxValues int) {
	t.Helper()
	q := totals(junkWebsite, day, day+1)
	for _, name := range []string{"city", "campaign", "referrer"} {
		d, _ := store.DimensionNamed(name)
		q.Questions = append(q.Questions, store.Question{Dimension: d, Metrics: []store.Metric{store.Pageviews}})
	}
	r, err := e.Run(t.Context(), q)
	must(t, err)
	if got := r.Answers[0].Rows[0].Metrics[2]; got != float64(pageviews) {
		t.Errorf("%s, %s: %v pageviews, want %d", when, day, got, pageviews)
	}
	for i, a := range r.Answers[1:] {
		sum, other := 0.0, 0.0
		for _, row := range a.Rows {
			sum += row.Metrics[0]
			if row.Value == store.Other {
				other = row.Metrics[0]
			}
		}
		if sum != float64(pageviews) {
			t.Errorf("%s, %s, question %d: rows sum up to %v pageviews, want %d", when, day, i+1, sum, pageviews)
		}
		if a.Total > maxValues+1 {
			t.Errorf("%s, %s, question %d: %d rows, want %d and one for the others", when, day, i+1, a.Total, maxValues)
		}
		if a.Rows[0].Value != store.Other || other < float64(pageviews-maxValues) {
			t.Errorf("%s, %s, question %d: the others are %v of %d pageviews; first is %q", when, day, i+1, other, pageviews, a.Rows[0].Value)
		}
	}
}

// Every cell keeps its first values, so a month of junk has thirty times as many. Neither making the month nor asking
// about it may hold them all in all dimensions at once.
func TestMonthOfJunkIsBounded(t *testing.T) {
	const perDay = 10_500
	begin := event.NewDay(2026, 3, 1)
	days := event.Day(figure(14, 3, 31))
	clock := clockAt(begin.UTC())
	e := openEngine(t, t.TempDir(), segments.Options{Now: clock.now})
	limitMemory(t)
	var heap peak
	n, position, pageviews := 0, uint64(0), 0
	for d := range days {
		clock.set((begin + d).UTC().Add(22 * time.Hour))
		for range 5 {
			batch := make([]event.Event, perDay/5)
			for i := range batch {
				batch[i] = junkEvent(n, begin+d)
				if batch[i].Kind == event.Pageview {
					pageviews++
				}
				n++
			}
			must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: batch}))
			position++
		}
		heap.during(func() { must(t, e.Settle(t.Context())) })
	}
	must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: uniform(1, begin+40, 0, 1)}))
	clock.set(begin.UTC().AddDate(0, 2, 0))
	heap.during(func() { must(t, e.Settle(t.Context())) })
	t.Logf("compacted: at most %d MB of the heap alive and %d MB in use", heap.live>>20, heap.all>>20)
	ask := func(from, to event.Day) {
		t.Helper()
		q := panels(junkWebsite, from, to)[0]
		for i := range q.Questions {
			q.Questions[i].Limit = 10
		}
		heap.during(func() {
			got, err := e.Run(t.Context(), q)
			must(t, err)
			if from <= begin && to >= begin+days && got.Answers[0].Rows[0].Metrics[2] != float64(pageviews) {
				t.Errorf("%v pageviews, want %d", got.Answers[0].Rows[0].Metrics[2], pageviews)
			}
		})
	}
	ask(begin, begin.NextMonth())   // from the roll-up
	ask(begin-1, begin+days)        // from the rows
	ask(begin+1, begin.NextMonth()) // from the rows
	heap.check(t)
	t.Logf("asked: at most %d MB of the heap alive and %d MB in use", heap.live>>20, heap.all>>20)
}

// All who come through a proxy that does not say for whom it asks are one visitor, whose events lie in every piece of every
// part. They count as several, as many in every state, and take no more memory than others.
func TestVisitorWithoutEndIsBounded(t *testing.T) {
	limitMemory(t)
	events := figure(600_000, 70_000, 20_000_000)
	day := event.NewDay(2026, 3, 1)
	clock := clockAt(day.UTC().Add(23 * time.Hour))
	e := openEngine(t, t.TempDir(), segments.Options{Now: clock.now})
	var heap peak
	position := uint64(0)
	load := func(batch []event.Event) {
		must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: batch}))
		position++
	}
	step := 80_000_000 / events // milliseconds: there is no half hour in which nothing happens
	var batch []event.Event
	for n := range events {
		nth := n * 7919 % events // in no order
		ev := event.Event{Website: 1, Visitor: 4711, Kind: event.Pageview, ID: uint64(nth + 1)}
		ev.Fields[event.Page] = "/" + strconv.Itoa(nth%500)
		ev.At(day.UTC().Add(time.Duration(nth*step)*time.Millisecond), time.UTC)
		batch = append(batch, ev)
		if nth%7 == 0 { // it comes once more, a bit later; so does the last one of the first that this visitor is
			ev.At(day.UTC().Add(time.Duration(nth*step+1)*time.Millisecond), time.UTC)
			batch = append(batch, ev)
		}
		if len(batch) >= 2000 || n == events-1 {
			load(batch)
			batch = nil
		}
		if n%500_000 == 499_999 { // a service merges parts as they come
			heap.during(func() { must(t, e.Settle(t.Context())) })
		}
	}
	check := func(when string) {
		t.Helper()
		var got store.Result
		heap.during(func() {
			var err error
			got, err = e.Run(t.Context(), panels(1, day, day+1)[0])
			must(t, err)
		})
		people := float64((events + store.MaxVisitor - 1) / store.MaxVisitor)
		row := got.Answers[0].Rows[0].Metrics
		if row[0] != people || row[1] != people || row[2] != float64(events) {
			t.Errorf("%s: %v visitors, %v visits and %v pageviews, want %v, %[5]v and %d", when, row[0], row[1], row[2], people, events)
		}
	}
	check("in parts")
	heap.during(func() { must(t, e.Settle(t.Context())) })
	check("in merged parts")
	clock.set(day.UTC().AddDate(0, 0, 4))
	heap.during(func() { must(t, e.Settle(t.Context())) })
	check("sealed")
	load(uniform(1, day+40, 0, 1)) // a month is whole when a later day is sealed
	clock.set(day.UTC().AddDate(0, 2, 0))
	heap.during(func() { must(t, e.Settle(t.Context())) })
	check("compacted")
	heap.check(t)
	t.Logf("%d events: at most %d MB of the heap alive and %d MB in use", events, heap.live>>20, heap.all>>20)
}

// An event without an ID is none that was there before, and takes nothing from those that have one.
func TestRepeatedEventsCountOnceAmongThoseWithoutID(t *testing.T) {
	day := event.NewDay(2026, 3, 1)
	r := newRig(t, t.TempDir(), day.UTC().Add(22*time.Hour), segments.Options{})
	var all []event.Event
	add := func(id uint64) {
		ev := event.Event{Website: 1, Visitor: 4711, Kind: event.Pageview, ID: id}
		ev.Fields[event.Page] = "/"
		ev.At(day.UTC().Add(time.Duration(len(all))*time.Second), time.UTC)
		all = append(all, ev)
	}
	for id := range uint64(20) {
		add(id + 1)
		for range id % 3 {
			add(0)
		}
	}
	want := float64(len(all))
	for id := range uint64(20) {
		add(id + 1)
	}
	r.load(all)
	ask := func(when string) {
		t.Helper()
		got, err := r.engine.Run(t.Context(), totals(1, day, day+1))
		must(t, err)
		if row := got.Answers[0].Rows[0].Metrics; row[2] != want {
			t.Errorf("%s: %v pageviews, want %v", when, row[2], want)
		}
	}
	ask("as loaded")
	r.clock.set(day.UTC().AddDate(0, 0, 10))
	r.settle()
	ask("sealed")
}

// What counts as one of the others depends on the events alone: not on how they were cut into batches, not on flushes,
// restarts and crashes.
func TestSameValuesAreKeptHoweverEventsArrive(t *testing.T) {
	const maxValues, events = 50, 400
	day := event.NewDay(2026, 3, 1)
	var all []event.Event
	for n := range events {
		ev := junkEvent(n, day)
		if n%4 == 0 {
			ev.Fields[event.City] = fmt.Sprintf("city %d", n/4%60)
		}
		all = append(all, ev)
	}
	ways := map[string]func(r *rig){
		"one by one": func(r *rig) {
			for i := range all {
				r.load(all[i : i+1])
			}
		},
		"in one batch": func(r *rig) { r.load(all) },
		"in batches across the limit": func(r *rig) {
			for at := 0; at < events; at += 40 {
				r.load(all[at : at+40])
			}
		},
		"flushed again and again": func(r *rig) {
			for at := 0; at < events; at += 20 {
				r.load(all[at : at+20])
				r.flush()
			}
		},
		"opened again in the middle": func(r *rig) {
			for at := 0; at < events; at += 10 {
				r.load(all[at : at+10])
				if at%70 == 0 {
					r.flush()
					r.reopen()
				}
			}
		},
		"replayed in the middle, in other batches": func(r *rig) {
			for at := 0; at < events; at += 10 {
				r.load(all[at : at+10])
				if at == 120 {
					r.flush()
				}
				if at == 300 {
					r.reopen()
					from := r.engine.Position()
					must(r.t, r.engine.Append(r.t.Context(), store.Batch{From: from, To: r.position(), Events: all[from:r.position()]}))
				}
			}
		},
		"merged in the middle": func(r *rig) {
			for at := 0; at < events; at += 20 {
				r.load(all[at : at+20])
				r.flush()
				r.settle()
			}
		},
	}
	var first []store.Result
	var firstWay string
	for way, load := range ways {
		r := newRig(t, t.TempDir(), day.UTC().Add(22*time.Hour), segments.Options{MaxValues: maxValues})
		load(r)
		ask := func(when string) {
			t.Helper()
			var results []store.Result
			for _, q := range panels(junkWebsite, day, day+1) {
				got, err := r.engine.Run(t.Context(), q)
				must(t, err)
				results = append(results, got)
			}
			for _, row := range results[0].Answers[1:] {
				if row.Total > maxValues+1 {
					t.Errorf("%s, %s: an answer has %d rows", way, when, row.Total)
				}
			}
			if first == nil {
				first, firstWay = results, way
			}
			for i := range results {
				if !same(first[i], results[i]) {
					t.Errorf("answers differ between %q and %q, %s: the pages are %d and %d", firstWay, way, when,
						first[i].Answers[1].Total, results[i].Answers[1].Total)
				}
			}
		}
		ask("as loaded")
		r.clock.set(day.UTC().AddDate(0, 0, 10))
		r.settle()
		ask("sealed")
	}
}

// A thousand small websites lie in the files of one large one.
func TestManyWebsitesShareFiles(t *testing.T) {
	dir := t.TempDir()
	begin := event.NewDay(2026, 2, 20)
	clock := clockAt(begin.UTC())
	e := openEngine(t, dir, segments.Options{Now: clock.now, MemoryEvents: 20_000})
	position, perDay := uint64(0), figure(20_000, 4_000, 100_000)
	for d := range event.Day(4) {
		clock.set((begin + d).UTC().Add(20 * time.Hour))
		must(t, e.Settle(t.Context()))
		for n := 0; n < perDay; n += 1000 {
			var batch []event.Event
			for k := range 1000 {
				ev := junkEvent(n+k, begin+d)
				ev.Website = int64(n+k)%1000 + 1
				batch = append(batch, ev)
			}
			must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: batch}))
			position++
		}
	}
	later := uniform(1, begin+40, 0, 1) // a month is whole when a later day is sealed
	must(t, e.Append(t.Context(), store.Batch{From: position, To: position + 1, Events: later}))
	clock.set(begin.UTC().AddDate(0, 2, 0))
	must(t, e.Settle(t.Context()))
	r, err := e.Run(t.Context(), totals(77, begin, begin+10))
	must(t, err)
	if got := r.Answers[0].Rows[0].Metrics[2] + r.Answers[0].Rows[0].Metrics[3]; got != float64(4*perDay/1000) {
		t.Errorf("website 77 has %v events, want %d", got, 4*perDay/1000)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	must(t, err)
	if len(files) != 3+2 { // visits, events and roll-up of February; visits and events of the day in April
		t.Errorf("%d files after compaction: %q", len(files), files)
	}
}

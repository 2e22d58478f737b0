package segments_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
	"footfall/internal/store/storetest"
)

// figure is how often a test does something: usually, under the race detector, and if FOOTFALL_TEST_LONG is set.
func figure(quick, race, long int) int {
	switch {
	case os.Getenv("FOOTFALL_TEST_LONG") != "":
		return long
	case raceEnabled:
		return race
	}
	return quick
}

// A fakeClock is the time of an engine under test.
type fakeClock struct{ ms atomic.Int64 }

func clockAt(t time.Time) *fakeClock {
	c := new(fakeClock)
	c.set(t)
	return c
}

func (c *fakeClock) now() time.Time  { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *fakeClock) set(t time.Time) { c.ms.Store(t.UnixMilli()) }

// must stops the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openEngine(t testing.TB, dir string, o segments.Options) *segments.Engine {
	t.Helper()
	e, err := segments.Open(dir, o)
	must(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

// traffic makes events of a website that looks like others: few values, visits of some events, all kinds.
type traffic struct {
	*rand.Rand
	ids uint64
}

func newTraffic(seed uint64) *traffic { return &traffic{Rand: rand.New(rand.NewPCG(seed, 7))} }

func choose[T any](r *traffic, all ...T) T { return all[r.IntN(len(all))] }

// visitor is a hash that no other visitor has.
func (r *traffic) visitor() uint64 { return r.Uint64() | 1<<62 }

// visit is what one visitor does in a while on a day in UTC, in the order of time.
func (r *traffic) visit(website int64, day event.Day, visitor uint64) []event.Event {
	at := day.UTC().Add(time.Duration(1+r.IntN(20*3600000)) * time.Millisecond)
	var all []event.Event
	var of event.Event
	of.Website, of.Visitor = website, visitor
	f := &of.Fields
	f[event.Hostname] = "example.com"
	f[event.Referrer] = choose(r, "", "google.com", "bing.com")
	f[event.Source] = choose(r, "", "Google", "Bing")
	f[event.Channel] = choose(r, "Direct", "Organic Search")
	f[event.UTMCampaign] = choose(r, "", "", "spring")
	f[event.Browser] = choose(r, "Firefox", "Chrome", "Safari")
	f[event.BrowserVersion] = choose(r, "128", "129")
	f[event.OS] = choose(r, "Windows", "macOS", "iOS")
	f[event.Device] = choose(r, "Desktop", "Mobile")
	f[event.Language] = choose(r, "German", "English")
	f[event.Country] = choose(r, "Germany", "France", "Japan")
	f[event.City] = choose(r, "Berlin, Germany", "東京, Japan", "")
	for range 1 + r.IntN(4) {
		e := of
		r.ids++
		e.ID = r.ids<<20 | 0x5eed
		e.Kind = choose(r, event.Pageview, event.Pageview, event.Custom, event.Engagement)
		e.Fields[event.Page] = choose(r, "/", "/pricing", "/about", "/blog/1", "/blog/2", "/über-uns")
		switch e.Kind {
		case event.Custom:
			e.Fields[event.Name] = choose(r, "Signup", "Purchase")
			e.Value = choose[int64](r, 0, 1_000_000, 12_500_000)
			e.Fields[event.Unit] = choose(r, "EUR", "USD")
			e.Fields[event.Props] = event.JoinProps(map[string]string{"plan": choose(r, "free", "pro")})
		case event.Engagement:
			e.Engaged = choose[int32](r, 500, 9_999, 60_000)
			e.Scroll = choose[uint8](r, 10, 50, 100)
		}
		e.At(at, time.UTC)
		all = append(all, e)
		at = at.Add(time.Duration(1+r.IntN(40*60000)) * time.Millisecond)
	}
	return slices.DeleteFunc(all, func(e event.Event) bool { return e.Day != day })
}

// day is the events of some visits of a website on a day, in the order of time.
func (r *traffic) day(website int64, day event.Day, visits int) []event.Event {
	var all []event.Event
	for range visits {
		all = append(all, r.visit(website, day, r.visitor())...)
	}
	slices.SortStableFunc(all, func(a, b event.Event) int { return cmp.Compare(a.Time, b.Time) })
	return all
}

// A rig is an engine with its clock and its journal, and an oracle that gets the same.
type rig struct {
	t       testing.TB
	dir     string
	options segments.Options
	clock   *fakeClock
	engine  *segments.Engine
	oracle  *storetest.Oracle
	journal []store.Batch
}

func newRig(t testing.TB, dir string, begin time.Time, o segments.Options) *rig {
	t.Helper()
	r := &rig{t: t, dir: dir, options: o, clock: clockAt(begin)}
	r.options.Now = r.clock.now
	r.engine = openEngine(t, dir, r.options)
	r.oracle = storetest.NewOracle(r.clock.now)
	return r
}

// position is the journal record that comes next.
func (r *rig) position() uint64 {
	if len(r.journal) == 0 {
		return 0
	}
	return r.journal[len(r.journal)-1].To
}

// take puts events into the journal and hands them to the oracle.
func (r *rig) take(events []event.Event) store.Batch {
	from := r.position()
	b := store.Batch{From: from, To: from + uint64(max(len(events), 1)), Events: events}
	r.journal = append(r.journal, b)
	must(r.t, r.oracle.Append(r.t.Context(), b))
	return b
}

// load takes events and appends them to the engine.
func (r *rig) load(events []event.Event) {
	r.t.Helper()
	must(r.t, r.engine.Append(r.t.Context(), cloneBatch(r.take(events))))
}

func cloneBatch(b store.Batch) store.Batch {
	b.Events = slices.Clone(b.Events)
	return b
}

// replay appends what the journal has beyond the engine's position.
func replay(t testing.TB, e *segments.Engine, journal []store.Batch) {
	t.Helper()
	must(t, tryReplay(t, e, journal))
}

func tryReplay(t testing.TB, e *segments.Engine, journal []store.Batch) error {
	for _, b := range journal {
		if err := e.Append(t.Context(), cloneBatch(b)); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) flush()  { r.t.Helper(); must(r.t, r.engine.Flush(r.t.Context())) }
func (r *rig) settle() { r.t.Helper(); must(r.t, r.engine.Settle(r.t.Context())) }

// reopen closes the engine and opens it again.
func (r *rig) reopen() {
	r.t.Helper()
	must(r.t, r.engine.Close())
	r.engine = openEngine(r.t, r.dir, r.options)
}

// panels ask about a website and a period in every way that reads other columns.
func panels(website int64, from, to event.Day) []store.Query {
	all := []store.Metric{
		store.Visitors, store.Visits, store.Pageviews, store.Events, store.BounceRate, store.VisitDuration, store.EngagedTime,
		store.ScrollDepth, store.Revenue,
	}
	plain := store.Query{Website: website, From: from, To: to, Questions: []store.Question{{Metrics: all}}}
	few := all[:3]
	for _, name := range []string{
		"page", "landing_page", "exit_page", "event", "browser", "country", "city", "campaign", "hour_of_day", "day", "prop:plan",
	} {
		d, _ := store.DimensionNamed(name)
		plain.Questions = append(plain.Questions, store.Question{Dimension: d, Metrics: few})
	}
	country, _ := store.DimensionNamed("country")
	page, _ := store.DimensionNamed("page")
	filtered := plain
	filtered.Filter = store.Filter{Op: store.AllOf, Filters: []store.Filter{
		{Op: store.Is, Dimension: country, Values: []string{"Germany"}},
		{Op: store.Contains, Dimension: page, Values: []string{"/"}},
	}}
	filtered.Questions = slices.Clone(plain.Questions[:3])
	return []store.Query{plain, filtered}
}

// totals ask for the numbers of a website in a period, and for its pages.
func totals(website int64, from, to event.Day) store.Query {
	page, _ := store.DimensionNamed("page")
	return store.Query{Website: website, From: from, To: to, Questions: []store.Question{
		{Metrics: []store.Metric{store.Visitors, store.Visits, store.Pageviews, store.Events, store.Revenue}},
		{Dimension: page, Metrics: []store.Metric{store.Pageviews, store.Visitors}},
	}}
}

// differ tells how an answer differs from that of the oracle, "" if it does not.
func differ(want, got store.Result) string {
	return gocmp.Diff(want.Answers, got.Answers, cmpopts.EquateEmpty())
}

// same tells whether two results have the same answers. It is far faster than differ.
func same(a, b store.Result) bool {
	return slices.EqualFunc(a.Answers, b.Answers, func(a, b store.Answer) bool {
		return a.Total == b.Total && slices.EqualFunc(a.Rows, b.Rows, func(a, b store.Row) bool {
			return a.Value == b.Value && slices.Equal(a.Metrics, b.Metrics) && slices.Equal(a.Revenue, b.Revenue)
		})
	})
}

// sameAnswers compares the engine with an oracle on some queries. No answer may be partial.
func sameAnswers(t testing.TB, e store.Engine, oracle store.Engine, queries ...store.Query) {
	t.Helper()
	for _, q := range queries {
		want, err := oracle.Run(t.Context(), q)
		must(t, err)
		got, err := e.Run(t.Context(), q)
		must(t, err)
		if got.Partial {
			t.Fatalf("website %d from %s to %s: the answer is partial, damaged are %q", q.Website, q.From, q.To, e.Status().Damaged)
		}
		if !same(want, got) {
			t.Fatalf("website %d from %s to %s (-want +got):\n%s", q.Website, q.From, q.To, differ(want, got))
		}
	}
}

// history is a directory with data in all states: January and February are months, the first of March are days, what follows
// are parts, and some events of January and March came late. Nothing is in memory only.
type history struct {
	files   map[string][]byte // path in the directory → content
	journal []store.Batch
	oracle  *storetest.Oracle
	clock   *fakeClock
	events  []event.Event
}

const historyDir = "data"

var (
	historyFrom = event.NewDay(2026, 1, 1)
	historyTo   = event.NewDay(2026, 3, 13)
	websites    = []int64{1, 2, 1<<40 + 3}
)

// makeHistory builds a history on a file system in memory. Each cell has up to visits visits.
func makeHistory(t testing.TB, visits int) *history {
	t.Helper()
	fsys := disktest.NewRecorder()
	r := newRig(t, historyDir, historyFrom.UTC().Add(8*time.Hour), segments.Options{FS: fsys})
	random := newTraffic(1)
	for d := historyFrom; d < historyTo; d++ {
		r.clock.set(d.UTC().Add(23 * time.Hour))
		for _, w := range websites {
			if events := random.day(w, d, 1+random.IntN(visits)); len(events) > 0 {
				r.load(events)
			}
		}
		if d%5 == 0 {
			r.settle()
		}
		if d%3 == 0 || d > historyTo-5 {
			r.flush()
		}
	}
	r.settle()
	for _, d := range []event.Day{historyFrom + 3, historyFrom + 20, event.NewDay(2026, 3, 2)} {
		r.load(random.day(websites[0], d, visits))
	}
	r.flush()
	h := &history{files: map[string][]byte{}, journal: r.journal, oracle: r.oracle, clock: r.clock}
	for _, b := range r.journal {
		h.events = append(h.events, b.Events...)
	}
	must(t, r.engine.Close())
	for _, path := range fsys.Files() {
		data, err := fsys.ReadFile(path)
		must(t, err)
		h.files[path] = data
	}
	return h
}

// names are the files of the history whose names begin with a prefix, A to Z, without their folders.
func (h *history) names(prefix string) []string {
	var names []string
	for path := range h.files {
		if strings.HasPrefix(filepath.Base(path), prefix) {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	return names
}

// onto writes the files of the history, with changes, to a file system in memory. A nil content is a missing file.
func (h *history) onto(t testing.TB, changed map[string][]byte) *disktest.Recorder {
	t.Helper()
	fsys := disktest.NewRecorder()
	for path, data := range h.files {
		if other, ok := changed[path]; ok {
			data = other
		}
		if data != nil {
			must(t, fsys.WriteFile(path, data))
		}
	}
	return fsys
}

// ondisk writes the files of the history to a directory.
func (h *history) ondisk(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for path, data := range h.files {
		to := filepath.Join(dir, path)
		must(t, os.MkdirAll(filepath.Dir(to), 0o700))
		must(t, os.WriteFile(to, data, 0o600))
	}
	return filepath.Join(dir, historyDir)
}

func (h *history) open(t testing.TB, fsys disk.FS) *segments.Engine {
	t.Helper()
	return openEngine(t, historyDir, segments.Options{FS: fsys, Now: h.clock.now})
}

// wholePeriod asks everything about all websites: all of the time, a whole month, and a period with ragged ends.
func wholePeriod() []store.Query {
	var all []store.Query
	for _, w := range websites {
		all = append(all, panels(w, historyFrom-5, historyTo+5)...)
		all = append(all, panels(w, event.NewDay(2026, 1, 1), event.NewDay(2026, 2, 1))...)
		all = append(all, panels(w, event.NewDay(2026, 1, 9), event.NewDay(2026, 3, 5))...)
	}
	return all
}

func TestHistoryOfTheTestsHasEveryKindOfFile(t *testing.T) {
	h := makeHistory(t, 4)
	for _, prefix := range []string{"part-", "late-", "day-", "month-", "MANIFEST"} {
		if len(h.names(prefix)) == 0 {
			t.Errorf("no file %s…", prefix)
		}
	}
	sameAnswers(t, h.open(t, h.onto(t, nil)), h.oracle, wholePeriod()...)
	if t.Failed() {
		t.Log(fmt.Sprint(h.names("")))
	}
}

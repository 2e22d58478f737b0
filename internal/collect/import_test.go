package collect_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/journal"
	"footfall/internal/port"
)

// A book remembers imports as accounts do.
type book struct {
	mu  sync.Mutex
	all map[collect.ImportKey]collect.Progress
}

func (b *book) Import(_ context.Context, k collect.ImportKey) (collect.Progress, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.all[k]
	return p, ok, nil
}

func (b *book) SaveImports(_ context.Context, all map[collect.ImportKey]collect.Progress) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, p := range all {
		if was := b.all[k]; p.Run > was.Run || p.Run == was.Run && !was.Done && p.Lines >= was.Lines {
			b.all[k] = p
		}
	}
	return nil
}

// noDrops is a ledger that nobody reads.
type noDrops struct{}

func (noDrops) Position(context.Context) (uint64, error)           { return 0, nil }
func (noDrops) Add(context.Context, uint64, []collect.Count) error { return nil }

// A harbour is an importer on a disk that can be restarted.
type harbour struct {
	t    *testing.T
	fs   *disktest.Recorder
	book *book
	*rig
	importer *collect.Importer
	stop     func()
}

// newHarbour starts an importer for website 1. It has to run in a bubble: the tally looks once a second.
func newHarbour(t *testing.T, change func(*collect.Website)) *harbour {
	h := &harbour{t: t, fs: disktest.NewRecorder(), book: &book{all: make(map[collect.ImportKey]collect.Progress)}}
	h.start(site(change))
	return h
}

func (h *harbour) start(w *collect.Website) {
	h.rig = newRigOn(h.t, "/journal", journal.Options{FS: h.fs}, w)
	tally := &collect.Tally{Journal: h.Journal, Ledger: noDrops{}, Imports: h.book}
	h.importer = &collect.Importer{Collector: h.Collector, Store: &fakeStore{}, Tally: tally, Book: h.book}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- tally.Run(ctx) }()
	h.stop = sync.OnceFunc(func() { cancel(); <-ended })
	h.t.Cleanup(h.stop)
}

// restart is what a crash leaves: the journal alone. The book knows nothing of what is in it.
func (h *harbour) restart() {
	h.stop()
	h.Journal.Close()
	h.book.all = make(map[collect.ImportKey]collect.Progress)
	h.start(site(nil))
}

func keyOf(format port.Format, text string) collect.ImportKey {
	sum := sha256.Sum256([]byte(text))
	return collect.ImportKey{Website: 1, Format: format, Digest: hex.EncodeToString(sum[:])}
}

func (h *harbour) take(format port.Format, text string) (collect.Report, error) {
	return h.importer.Import(context.Background(), keyOf(format, text), strings.NewReader(text))
}

// events are those in the journal, without marks.
func (h *harbour) events() []event.Event {
	var events []event.Event
	h.reader = h.Journal.Reader(0)
	for _, e := range h.journalled() {
		if e.Kind != event.Mark {
			events = append(events, e)
		}
	}
	return events
}

func wantFault(t *testing.T, err error, code fault.Code, part string) {
	t.Helper()
	if f := fault.Of(err); f == nil || f.Code != code || !strings.Contains(f.Message()+fmt.Sprint(f.Fields), part) {
		t.Errorf("got %v, want %s: %s", err, code, part)
	}
}

const accessLog = `203.0.113.7 - - [09/Feb/2026:10:00:00 +0100] "GET /a?utm_campaign=spring&token=x HTTP/1.1" 200 512 "https://www.google.com/" "` + firefox + `"
203.0.113.7 - - [09/Feb/2026:10:01:00 +0100] "GET /b HTTP/1.1" 200 512 "https://example.com/a" "` + firefox + `"
203.0.113.8 - - [09/Feb/2026:10:02:00 +0100] "GET /b HTTP/1.1" 200 512 "-" "` + firefox + `"
203.0.113.7 - - [10/Feb/2026:10:02:00 +0100] "GET /b HTTP/1.1" 200 512 "-" "` + firefox + `"
203.0.113.9 - - [09/Feb/2026:10:03:00 +0100] "GET / HTTP/1.1" 200 512 "-" "Googlebot/2.1 (+http://www.google.com/bot.html)"
203.0.113.9 - - [09/Feb/2026:10:03:00 +0100] "GET / HTTP/1.1" 200 512 "-" "-"
198.51.100.1 - - [09/Feb/2026:10:03:00 +0100] "GET / HTTP/1.1" 200 512 "-" "` + firefox + `"
203.0.113.7 - - [09/Feb/2026:10:03:00 +0100] "GET /logo.png HTTP/1.1" 200 512 "-" "` + firefox + `"
other.example 203.0.113.7 - - [09/Feb/2026:10:03:00 +0100] "GET / HTTP/1.1" 200 512 "-" "` + firefox + `"
this is no line of a log
203.0.113.7 - - [09/Feb/2036:10:03:00 +0100] "GET / HTTP/1.1" 200 512 "-" "` + firefox + `"
`

func TestAccessLogGoesThroughTheStepsOfAHit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, func(w *collect.Website) {
			w.ExcludedIPs, w.ExcludedParams = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}, []string{"token"}
			w.Zone = time.FixedZone("", -10*3600)
		})
		r, err := h.take(port.Log, accessLog)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"bot": 2, "excluded_ip": 1, "not_a_page": 1, "other_website": 1}
		if r.Lines != 11 || r.Events != 4 || r.Dropped != 5 || r.Bad != 2 || !maps.Equal(r.Reasons, want) {
			t.Errorf("%+v", r)
		}
		if len(r.Errors) != 2 || r.Errors[0].Line != 10 || r.Errors[1].Line != 11 || !strings.Contains(r.Errors[1].Message, "future") {
			t.Errorf("%+v", r.Errors)
		}
		all := h.events()
		if len(all) != 4 {
			t.Fatalf("%d events", len(all))
		}
		e := all[0]
		for f, want := range map[event.Field]string{
			event.Page: "/a", event.Hostname: "example.com", event.UTMCampaign: "spring", event.Source: "Google", event.Browser: "Firefox", event.OS: "Linux", event.Device: "Desktop",
		} {
			if e.Fields[f] != want {
				t.Errorf("%s is %q, want %q", f, e.Fields[f], want)
			}
		}
		if e.Day != event.NewDay(2026, 2, 8) || e.Offset != -600 || e.Kind != event.Pageview || e.ID == 0 {
			t.Errorf("%+v", e)
		}
		if all[1].Fields[event.Source] != "" || all[0].Visitor != all[1].Visitor || all[0].Visitor == all[2].Visitor || all[0].Visitor == all[3].Visitor {
			t.Errorf("visitors are %x %x %x %x", all[0].Visitor, all[1].Visitor, all[2].Visitor, all[3].Visitor)
		}
	})
}

// A log in the common format tells no agents: that makes nobody a bot.
func TestCommonLogHasNoBots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		r, err := h.take(port.Log, `203.0.113.7 - - [09/Feb/2026:10:00:00 +0100] "GET / HTTP/1.1" 200 512`+"\n")
		if err != nil || r.Events != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestImportLeavesNothingPersonalInTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		if _, err := h.take(port.Log, accessLog); err != nil {
			t.Fatal(err)
		}
		for _, path := range h.fs.Files() {
			data, err := h.fs.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, canary := range []string{"203.0.113.7", "Gecko/20100101", "\xcb\x00\x71\x07", "cb007107"} {
				if bytes.Contains(data, []byte(canary)) {
					t.Errorf("%s holds %q", path, canary)
				}
			}
		}
	})
}

func TestGoatCounterBecomesEvents(t *testing.T) {
	const file = "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date\n" +
		"/,Home,false,,Chrome 99,Mac OS 10.15,s1,0,www.reddit.com/r/go,h,\"1440,900,2\",DE-BE,true,2024-03-09T01:00:00Z\n" +
		"/docs,,false,,Chrome 99,Mac OS 10.15,s1,0,Google,g,,DE,false,2024-03-09T01:05:00Z\n" +
		"download,,true,,Safari,iOS,s2,0,,,,JP,true,2024-03-09T02:00:00Z\n" +
		"/,,false,,,,s3,3,,,,,true,2024-03-09T03:00:00Z\n"
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		r, err := h.take(port.GoatCounter, file)
		if err != nil || r.Events != 3 || r.Reasons["bot"] != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		all := h.events()
		type fields map[event.Field]string
		for i, want := range []fields{
			{event.Page: "/", event.Browser: "Chrome", event.BrowserVersion: "99", event.OS: "macOS", event.OSVersion: "10.15", event.Source: "Reddit",
				event.Resolution: "1440x900", event.Country: "Germany", event.Continent: "Europe", event.City: ""},
			{event.Page: "/docs", event.Source: "Google", event.Channel: "Organic Search", event.UTMSource: "", event.Country: "Germany"},
			{event.Page: "", event.Name: "download", event.OS: "iOS", event.Country: "Japan"},
		} {
			for f, text := range want {
				if all[i].Fields[f] != text {
					t.Errorf("%s of event %d is %q, want %q", f, i, all[i].Fields[f], text)
				}
			}
		}
		if all[0].Visitor != all[1].Visitor || all[1].Visitor == all[2].Visitor {
			t.Error("sessions are not visitors")
		}
	})
}

// manyLines is our own format, with some lines that are bad.
func manyLines(n int) string {
	var b strings.Builder
	b.WriteString("time,visitor,kind,page\n")
	for i := range n {
		if i%50 == 7 {
			b.WriteString("no time,1,pageview,/\n")
			continue
		}
		fmt.Fprintf(&b, "2026-01-%02dT10:%02d:00Z,%d,pageview,/%d/%s\n", 1+i%28, i%60, i%40, i, strings.Repeat("x", 200))
	}
	return b.String()
}

func TestOnlyTheFirstBadLinesAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		r, err := h.take(port.CSV, manyLines(1000))
		if err != nil || r.Lines != 1000 || r.Bad != 20 || r.Events != 980 || len(r.Errors) != 10 || r.Errors[0].Line != 9 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestFileCountsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		file := manyLines(100)
		for i := range 3 {
			_, err := h.take(port.CSV, file)
			if i == 0 && err != nil {
				t.Fatal(err)
			}
			if i > 0 {
				wantFault(t, err, fault.Conflict, "was imported before, on 2026-03-10: 98 events")
			}
			if i == 1 {
				h.restart()
			}
		}
		if n := len(h.events()); n != 98 {
			t.Errorf("%d events", n)
		}
	})
}

// Of a file that is read in the wrong way nothing counts, and it may be tried again.
func TestFileOfWhichNothingCountsMayBeReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		const file = `{"time":"2026-03-12T10:00:00Z"}` + "\n" // the day after tomorrow
		r, err := h.take(port.JSONL, file)
		if err != nil || r.Bad != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		h.clock.pass(72 * time.Hour)
		if r, err = h.take(port.JSONL, file); err != nil || r.Events != 1 || r.Lines != 1 || r.Resumed != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		_, err = h.take(port.JSONL, file)
		wantFault(t, err, fault.Conflict, "1 events")
	})
}

// torn is a file that breaks off, or a disk or a sender that does.
type torn struct {
	io.Reader
	err error
}

func (r *torn) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err == io.EOF {
		err = r.err
	}
	return n, err
}

// Whatever an import is cut at, and however much of its last write the disk has kept, sent again it counts every line once.
func TestInterruptedImportGoesOnWhereItWas(t *testing.T) {
	file := manyLines(6000) // more than two batches
	for _, kept := range []int{0, 10, 40_000, 600_000, 700_000, len(file) - 1} {
		for name, crash := range map[string]bool{"the sender is gone": false, "the service is killed": true} {
			t.Run(fmt.Sprintf("%d bytes, %s", kept, name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newHarbour(t, nil)
					_, err := h.importer.Import(context.Background(), keyOf(port.CSV, file), &torn{strings.NewReader(file[:kept]), errors.New("connection is gone")})
					if err == nil {
						t.Fatal("it did not notice")
					}
					if crash {
						h.restart()
					}
					had := len(h.events())
					r, err := h.take(port.CSV, file)
					if err != nil {
						t.Fatal(err)
					}
					if kept > 500_000 && (had == 0 || r.Resumed == 0) {
						t.Errorf("it began anew: %d events, %d lines resumed", had, r.Resumed)
					}
					if r.Lines != 6000 || r.Events != 5880 || r.Bad != 120 {
						t.Errorf("%+v", r.Progress)
					}
					pages, ids := make(map[string]int), make(map[uint64]bool)
					for _, e := range h.events() {
						pages[e.Fields[event.Page]]++
						ids[e.ID] = true
					}
					if len(pages) != 5880 || len(ids) != 5880 {
						t.Errorf("%d pages, %d ids", len(pages), len(ids))
					}
					for page, n := range pages {
						if n != 1 {
							t.Fatalf("%s counts %d times", page, n)
						}
					}
				})
			})
		}
	}
}

func TestVisitorsStayTheSameAfterAnInterruption(t *testing.T) {
	file := manyLines(6000)
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		dir := h.dir
		h.importer.Import(context.Background(), keyOf(port.CSV, file), &torn{strings.NewReader(file[:700_000]), errors.New("gone")})
		h.stop()
		h.Journal.Close()
		h.start(site(nil))
		h.dir = dir
		h.Collector.Salts = h.salts()
		if _, err := h.take(port.CSV, file); err != nil {
			t.Fatal(err)
		}
		who := make(map[event.Day]map[uint64]bool)
		for _, e := range h.events() {
			if who[e.Day] == nil {
				who[e.Day] = make(map[uint64]bool)
			}
			who[e.Day][e.Visitor] = true
		}
		for day, visitors := range who {
			if len(visitors) > 10 { // lines of a day repeat every 28, and visitors every 40: that makes 10
				t.Errorf("%s has %d visitors", day, len(visitors))
			}
		}
	})
}

func TestFileThatIsNotTheOneItIsSaidToBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		k := keyOf(port.CSV, "something else")
		_, err := h.importer.Import(context.Background(), k, strings.NewReader(manyLines(5)))
		wantFault(t, err, fault.Invalid, "sha256")
		if p := h.book.all[k]; p.Done {
			t.Error("it counts as imported")
		}
		_, err = h.take(port.CSV, "a,b\n1,2\n")
		wantFault(t, err, fault.Invalid, "time")
	})
}

func TestFileIsImportedOnceAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		in, out := io.Pipe()
		file := manyLines(5)
		ended := make(chan error)
		go func() {
			_, err := h.importer.Import(context.Background(), keyOf(port.CSV, file), in)
			ended <- err
		}()
		synctest.Wait()
		_, err := h.take(port.CSV, file)
		wantFault(t, err, fault.Conflict, "is being imported")
		io.WriteString(out, file)
		out.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Hits must find room in the journal while a file is read that is larger than that.
func TestImportWaitsWhileTheJournalIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		flushed := &flushes{}
		h.importer.Store, h.importer.MaxBacklog = flushed, 600_000
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		file := manyLines(8000)
		if _, err := h.importer.Import(ctx, keyOf(port.CSV, file), strings.NewReader(file)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if n := h.Journal.Stats().Bytes; n > 1_300_000 {
			t.Errorf("the journal has %d bytes", n)
		}
		if flushed.n == 0 {
			t.Error("the store was not asked to write what it has in memory")
		}
	})
}

type flushes struct {
	fakeStore
	n int
}

func (f *flushes) Flush(context.Context) error { f.n++; return nil }

// What an import left in the journal is for the loader events, and nothing else.
func TestLoaderTakesTheEventsOfAnImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarbour(t, nil)
		if _, err := h.take(port.CSV, manyLines(300)); err != nil {
			t.Fatal(err)
		}
		s := &fakeStore{}
		l := &collect.Loader{Journal: h.Journal, Store: s}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- l.Run(ctx) }()
		synctest.Wait()
		stop()
		if err := <-ended; err != nil || l.Unreadable() > 0 {
			t.Errorf("%v, %d unreadable", err, l.Unreadable())
		}
		n := 0
		for _, b := range s.batches {
			n += len(b.Events)
			for _, e := range b.Events {
				if e.Kind != event.Pageview {
					t.Fatalf("%+v", e)
				}
			}
		}
		if n != 294 {
			t.Errorf("%d events", n)
		}
	})
}

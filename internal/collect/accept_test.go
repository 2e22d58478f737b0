package collect_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"footfall/internal/collect"
	"footfall/internal/disk/disktest"
	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/journal"
)

func TestAnArrayIsTakenInOrder(t *testing.T) {
	r := newRig(t, site(nil))
	var body strings.Builder
	for i := range 500 {
		url := fmt.Sprintf("https://example.com/%d?%s", i, strings.Repeat("x", 500))
		switch {
		case i%10 == 3:
			url = "https://unknown.example/"
		case i%10 == 7:
			fmt.Fprintf(&body, `{"u":%q,"wd":1},`, url)
			continue
		}
		fmt.Fprintf(&body, `{"u":%q},`, url)
	}
	drops, events := r.accept(visitor(), "["+strings.TrimSuffix(body.String(), ",")+"]")
	if len(drops) != 500 || len(events) != 500 {
		t.Fatalf("%d drops, %d events", len(drops), len(events))
	}
	for i, e := range events {
		switch {
		case i%10 == 3:
			if drops[i] != collect.UnknownWebsite || e.Kind != event.Dropped || e.Website != 0 {
				t.Errorf("event %d: %q %+v", i, drops[i], e)
			}
		case i%10 == 7:
			if drops[i] != collect.Bot || e.Kind != event.Dropped || e.Website != 1 {
				t.Errorf("event %d: %q %+v", i, drops[i], e)
			}
		case drops[i] != "" || !strings.HasPrefix(e.Fields[event.Page], fmt.Sprintf("/%d?", i)):
			t.Errorf("event %d: %q %+v", i, drops[i], e)
		}
	}
}

// The records of events that count and of those that do not have different readers.
func TestRecordsHoldOneKind(t *testing.T) {
	r := newRig(t, site(nil))
	reader := r.Journal.Reader(0)
	r.accept(visitor(), `[{"u":"https://example.com/1"},{"u":"https://example.com/2"},{"u":"https://x.example/"},{"u":"https://x.example/"},{"u":"https://example.com/3"}]`)
	var kinds []string
	for {
		_, data, err := reader.TryNext()
		if err != nil {
			break
		}
		kind := ""
		for rest := string(data); rest != ""; {
			var e event.Event
			if rest, err = e.Decode(rest); err != nil {
				t.Fatal(err)
			}
			kind += fmt.Sprint(e.Kind)
		}
		kinds = append(kinds, kind)
	}
	if got := strings.Join(kinds, " "); got != "11 44 1" {
		t.Errorf("records are %s", got)
	}
}

// R6: what the disk does not take is never answered as if it had been.
func TestWhatTheJournalDoesNotTakeIsUnavailable(t *testing.T) {
	faulty := disktest.NewFaulty(disktest.NewRecorder())
	r := newRigOn(t, "/journal", journal.Options{FS: faulty, MaxBytes: 4096}, site(nil))
	hits, err := collect.Parse([]byte(`{"u":"https://example.com/"}`))
	if err != nil {
		t.Fatal(err)
	}
	faulty.Fail(disktest.Fault{Op: disktest.Sync, N: 0, Err: syscall.EIO})
	_, err = r.Accept(t.Context(), visitor(), hits)
	if f := fault.Of(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter == 0 || !errors.Is(err, journal.ErrDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
	if _, err := r.Accept(t.Context(), visitor(), hits); err != nil {
		t.Errorf("a disk that works again: %v", err)
	}
	for range 100 {
		if _, err = r.Accept(t.Context(), visitor(), hits); err != nil {
			break
		}
	}
	if f := fault.Of(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter < time.Second || !errors.Is(err, journal.ErrFull) {
		t.Errorf("a full journal: %v", err)
	}
	if err := r.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err = r.Accept(t.Context(), visitor(), hits); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a closed journal: %v", err)
	}
}

func TestManyAtOnceAreAllTaken(t *testing.T) {
	r := newRig(t, site(nil))
	var senders sync.WaitGroup
	for i := range 50 {
		senders.Go(func() {
			for n := range 20 {
				hits, err := collect.Parse([]byte(fmt.Sprintf(`{"u":"https://example.com/%d/%d"}`, i, n)))
				if err == nil {
					_, err = r.Accept(t.Context(), visitor(), hits)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	senders.Wait()
	pages := make(map[string]bool)
	visitors := make(map[uint64]bool)
	for _, e := range r.journalled() {
		pages[e.Fields[event.Page]] = true
		visitors[e.Visitor] = true
	}
	if len(pages) != 1000 || len(visitors) != 1 {
		t.Errorf("%d pages of %d visitors", len(pages), len(visitors))
	}
}

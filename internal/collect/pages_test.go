package collect_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
)

// What is remembered of an address is what it says under the same rules, and nothing else.
func TestRememberedPagesReadAsTheyDidFirst(t *testing.T) {
	two := func(w *collect.Website) { w.ID, w.Domain, w.ExcludedParams = 2, "two.example", []string{"page"} }
	r := newRig(t, site(nil), site(two))
	cases := []struct{ body, page, source string }{
		{`{"d":"example.com","u":"https://example.com/a?page=2#b","r":"https://www.google.com/"}`, "/a?page=2", "Google"},
		{`{"d":"two.example","u":"https://example.com/a?page=2#b","r":"https://www.google.com/"}`, "/a", "Google"},
		{`{"d":"example.com","u":"https://example.com/a?page=2#b","r":"https://www.bing.com/"}`, "/a?page=2", "Bing"},
		{`{"d":"example.com","u":"https://example.com/a?page=2#b","h":true,"r":"https://www.google.com/"}`, "/a?page=2#b", "Google"},
		{`{"d":"example.com","u":"https://example.com/a?page=2&utm_source=news#b","r":"https://www.google.com/"}`, "/a?page=2", "news"},
		{`{"d":"example.com","u":"https://example.com/a?page=2#b"}`, "/a?page=2", ""},
	}
	for range 3 {
		for _, c := range cases {
			e := r.one(visitor(), c.body)
			if e.Fields[event.Page] != c.page || e.Fields[event.Source] != c.source {
				t.Errorf("%s is %q from %q, want %q from %q", c.body, e.Fields[event.Page], e.Fields[event.Source], c.page, c.source)
			}
		}
	}
}

func TestChangedExclusionsCountAtOnce(t *testing.T) {
	r := newRig(t, site(nil))
	body := `{"u":"https://example.com/?size=1"}`
	if got := r.one(visitor(), body).Fields[event.Page]; got != "/?size=1" {
		t.Errorf("page is %s", got)
	}
	r.register.websites, r.register.version = []*collect.Website{site(func(w *collect.Website) { w.ExcludedParams = []string{"siz*"} })}, 1
	if err := r.Websites.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := r.one(visitor(), body).Fields[event.Page]; got != "/" {
		t.Errorf("page is %s", got)
	}
}

// S10: addresses that never come again take no more memory than they are given.
func TestPagesAreRememberedInBoundedMemory(t *testing.T) {
	r := newRigOn(t, t.TempDir(), journal.Options{MaxBytes: 1}, site(nil)) // which takes nothing, so all that is left is what is remembered
	send := func(from, to int) {
		for i := from; i < to; i++ {
			hit := collect.Hit{Kind: event.Pageview, Domain: "example.com", URL: fmt.Sprintf("https://example.com/%d/%s", i, strings.Repeat("x", i%2000))}
			if _, err := r.Accept(t.Context(), visitor(), []collect.Hit{hit}); err == nil {
				t.Fatal("the journal is not full")
			}
		}
	}
	send(0, 100)
	before := heapBytes()
	send(100, 40_000) // 40 MB
	if grown := heapBytes() - before; grown > 10<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
	runtime.KeepAlive(r)
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

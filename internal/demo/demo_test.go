package demo_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/demo"
	"footfall/internal/event"
)

var (
	last     = event.NewDay(2025, time.December, 31)
	midnight = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
)

// A summary is what a year comes to.
type summary struct {
	events int
	kinds  map[event.Kind]int
	days   map[event.Day]int // visits
	values map[event.Field]map[string]int
}

// years are the whole years of the websites, made once: that takes its time under the race detector.
var years = sync.OnceValue(func() (all []summary) {
	for _, w := range demo.Websites() {
		all = append(all, year(w, midnight))
	}
	return all
})

func year(w *demo.Website, before time.Time) summary {
	s := summary{kinds: map[event.Kind]int{}, days: map[event.Day]int{}, values: map[event.Field]map[string]int{}}
	for f := range event.Field(event.NumFields) {
		s.values[f] = map[string]int{}
	}
	for visit := range w.Year(7, last, before) {
		s.days[visit[0].Day]++
		for _, e := range visit {
			s.events++
			s.kinds[e.Kind]++
			for f, value := range e.Fields {
				s.values[event.Field(f)][value]++
			}
		}
	}
	return s
}

func TestAYearIsTheSizeOfADemo(t *testing.T) {
	total := 0
	for i, w := range demo.Websites() {
		s := years()[i]
		total += s.events
		t.Logf("%s: %d events, %v by kind", w.Domain, s.events, s.kinds)
		if len(s.days) != demo.Days || s.days[last] == 0 {
			t.Errorf("%s has visits on %d days, %d on the last", w.Domain, len(s.days), s.days[last])
		}
	}
	if total < 300_000 || total > 400_000 {
		t.Errorf("there are %d events, want 300,000 to 400,000", total)
	}
}

func TestAYearHasEverythingThereIsToAskFor(t *testing.T) {
	for i, w := range demo.Websites() {
		s := years()[i]
		for _, k := range []event.Kind{event.Pageview, event.Custom, event.Engagement} {
			if s.kinds[k] == 0 {
				t.Errorf("%s has no events of kind %d", w.Domain, k)
			}
		}
		for f, values := range s.values {
			least := 3
			if f == event.Hostname || f == event.Unit {
				least = 1
			}
			if len(values) < least {
				t.Errorf("%s has the values %v of %s", w.Domain, values, f)
			}
		}
		for _, f := range []event.Field{event.Page, event.Hostname, event.Browser, event.OS, event.Device, event.Resolution, event.Language, event.Continent, event.Country, event.City} {
			if n := s.values[f][""]; n > 0 {
				t.Errorf("%s has %d events without %s", w.Domain, n, f)
			}
		}
	}
}

func TestTrafficGrowsRestsAtWeekendsAndSurges(t *testing.T) {
	s := years()[0]
	weeks := func(from event.Day) (n int) {
		for d := from; d < from+28; d++ {
			n += s.days[d]
		}
		return n
	}
	if first, end := weeks(last-demo.Days+1), weeks(last-27); end < 3*first {
		t.Errorf("the first four weeks have %d visits, the last %d", first, end)
	}
	if tuesday, sunday := s.days[last-1], s.days[last-3]; tuesday < 3*sunday/2 {
		t.Errorf("a Tuesday has %d visits, the Sunday before it %d", tuesday, sunday)
	}
	launch := last - demo.Days + 1 + 214
	if s.days[launch] < 3*s.days[launch-7] {
		t.Errorf("the launch brings %d visits, a week before there were %d", s.days[launch], s.days[launch-7])
	}
}

func TestTheSameYearIsTheSame(t *testing.T) {
	w, whole := demo.Websites()[1], years()[1]
	if diff := cmp.Diff(whole, year(w, midnight), cmp.AllowUnexported(summary{})); diff != "" {
		t.Errorf("a second time it differs (-first +second):\n%s", diff)
	}
	half := year(w, time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC))
	for d, n := range half.days {
		if d < event.NewDay(2025, 6, 30) && n != whole.days[d] {
			t.Errorf("%s has %d visits, and %d if asked for on its own", d, whole.days[d], n)
		}
	}
	if half.days[event.NewDay(2025, 7, 1)] != 0 {
		t.Error("there are visits that have not happened yet")
	}
}

func TestLiveEventsComeInOrderAndGoOn(t *testing.T) {
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	n, before := 0, from.UnixMilli()
	for e := range demo.Websites()[0].Live(7, from, 6*time.Second) {
		if e.Time < before || e.Website != 7 || e.Fields[event.Page] == "" {
			t.Fatalf("event %d is %+v, after %d", n, e, before)
		}
		before = e.Time
		if n++; n == 5000 {
			break
		}
	}
	if lasted := time.UnixMilli(before).Sub(from); lasted < time.Hour || lasted > 4*time.Hour {
		t.Errorf("5000 events take %s", lasted)
	}
}

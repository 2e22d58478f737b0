package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// clockZones are thirty zones that set their clocks in clockYear: by an hour, by half an hour and by two, at night, at
// midnight and in the evening before, in the north and in the south, and in the weeks of Ramadan.
var clockZones = []string{
	"Africa/Cairo", "Africa/Casablanca", "America/Anchorage", "America/Chicago", "America/Halifax", "America/Havana",
	"America/Los_Angeles", "America/Miquelon", "America/New_York", "America/Nuuk", "America/Port-au-Prince",
	"America/Santiago", "America/St_Johns", "Antarctica/Troll", "Asia/Beirut", "Asia/Gaza", "Asia/Jerusalem",
	"Asia/Nicosia", "Atlantic/Azores", "Australia/Adelaide", "Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin",
	"Europe/Chisinau", "Europe/Dublin", "Europe/Lisbon", "Europe/London", "Pacific/Auckland", "Pacific/Chatham",
	"Pacific/Norfolk",
}

const clockYear = 2026

// Clocks puts events around every time at which the clocks of thirty zones are set in a year, while the engine's own
// clock jumps forward and back. Each event must be on the day and in the hour that its zone's calendar says, and the
// days must sum up to the period.
func Clocks(t *testing.T, subject Subject) {
	m := newMachine(t, subject, time.Date(clockYear, 1, 1, 0, 0, 0, 0, time.UTC))
	var events []event.Event
	want := make([]calendar, len(clockZones))
	for i, name := range clockZones {
		location, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = calendar{zone: location, counts: map[store.Source]map[string]float64{}}
		for _, at := range aroundChanges(location) {
			e := event.Event{Website: int64(i + 1), Visitor: uint64(len(events)), Kind: event.Pageview}
			e.Fields[event.Page] = "/"
			e.At(at, location)
			events = append(events, e)
			want[i].add(at)
		}
	}
	loadWithJumps(t, m, events)
	for i, name := range clockZones {
		t.Run(name, func(t *testing.T) { want[i].check(t, m, int64(i+1)) })
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
}

// aroundChanges are times before, at and after each change of a zone's offset in clockYear.
func aroundChanges(location *time.Location) []time.Time {
	var times []time.Time
	for _, change := range changes(location) {
		for minutes := -26 * 60; minutes <= 26*60; minutes += 30 {
			times = append(times, change.Add(time.Duration(minutes)*time.Minute))
		}
		times = append(times, change.Add(-time.Millisecond), change.Add(time.Millisecond))
	}
	return times
}

// changes are the times at which the offset of a zone changes.
func changes(location *time.Location) []time.Time {
	var found []time.Time
	t := time.Date(clockYear, 1, 1, 0, 0, 0, 0, time.UTC).In(location)
	for {
		_, next := t.ZoneBounds()
		if next.IsZero() || next.UTC().Year() > clockYear {
			return found
		}
		_, before := t.Zone()
		if _, after := next.Zone(); before != after {
			found = append(found, next)
		}
		t = next
	}
}

// loadWithJumps loads the events in a random order. Their visitors differ, so it does not matter which of them are late.
func loadWithJumps(t *testing.T, m *machine, events []event.Event) {
	random := rand.New(rand.NewPCG(clockYear, 0))
	events = slices.Clone(events)
	random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	for part := range slices.Chunk(events, len(events)/12+1) {
		m.clock.set(time.Date(clockYear, 1, 1+random.IntN(365), random.IntN(24), 0, 0, 0, time.UTC))
		if err := m.load(part); err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 0 {
			if err := m.settle(); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.disturb(random); err != nil {
			t.Fatal(err)
		}
	}
}

// A calendar counts times by what a clock on the wall shows.
type calendar struct {
	zone   *time.Location
	total  float64
	counts map[store.Source]map[string]float64
}

// wallFormats are the dimensions that a clock shows.
var wallFormats = map[store.Source]string{
	store.FromDay:       "2006-01-02",
	store.FromHour:      "2006-01-02T15:00",
	store.FromHourOfDay: "15",
	store.FromMonth:     "2006-01",
}

func (c *calendar) add(t time.Time) {
	c.total++
	for source, format := range wallFormats {
		if c.counts[source] == nil {
			c.counts[source] = map[string]float64{}
		}
		c.counts[source][t.In(c.zone).Format(format)]++
	}
}

func (c *calendar) check(t *testing.T, m *machine, website int64) {
	if len(c.counts) == 0 {
		t.Fatalf("%s does not set its clocks in %d", c.zone, clockYear)
	}
	from, to := event.NewDay(clockYear-1, 12, 1), event.NewDay(clockYear+1, 2, 1)
	for source, want := range c.counts {
		i := slices.IndexFunc(store.Dimensions, func(d store.Dimension) bool { return d.Source == source })
		rows := count(t, m, store.Query{Website: website, From: from, To: to}, store.Dimensions[i])
		if !maps.Equal(rows, want) {
			t.Errorf("by %s, got %s", store.Dimensions[i].Name, differences(rows, want))
		}
	}
	sum := 0.0
	for d := from; d < to; d++ {
		n := count(t, m, store.Query{Website: website, From: d, To: d + 1}, store.Dimension{})[""]
		if want := c.counts[store.FromDay][d.String()]; n != want {
			t.Errorf("%s has %v events, want %v", d, n, want)
		}
		sum += n
	}
	total := count(t, m, store.Query{Website: website, From: from, To: to}, store.Dimension{})[""]
	if sum != total || total != c.total {
		t.Errorf("days sum up to %v, the period has %v, and %v were loaded", sum, total, c.total)
	}
}

// count asks for pageviews by a dimension, which must be as many as visitors and visits, for every event has its own.
func count(t *testing.T, m *machine, q store.Query, d store.Dimension) map[string]float64 {
	t.Helper()
	q.Questions = []store.Question{{Dimension: d, Metrics: []store.Metric{store.Pageviews, store.Visitors, store.Visits}}}
	result, err := runQuery(m, q)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]float64{}
	for _, r := range result.Answers[0].Rows {
		if r.Metrics[0] != r.Metrics[1] || r.Metrics[0] != r.Metrics[2] {
			t.Errorf("%q has %v pageviews of %v visitors in %v visits, want as many", r.Value, r.Metrics[0], r.Metrics[1], r.Metrics[2])
		}
		rows[r.Value] = r.Metrics[0]
	}
	return rows
}

func differences(got, want map[string]float64) (text string) {
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, v := range slices.Sorted(maps.Keys(all)) {
		if got[v] != want[v] {
			text += fmt.Sprintf("\n  %s: %v, want %v", v, got[v], want[v])
		}
	}
	return text
}

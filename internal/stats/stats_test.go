package stats_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/stats"
	"footfall/internal/store"
	"footfall/internal/store/storetest"
)

// now is Wednesday afternoon in UTC; in Tokyo it is Thursday.
var now = time.Date(2026, 3, 4, 15, 30, 0, 0, time.UTC)

var scope = stats.Scope{Website: 1, Now: now}

// A checked querier asks an oracle, and only what Check lets pass.
type checked struct {
	*storetest.Oracle
	t       testing.TB
	queries []store.Query
}

func (c *checked) Run(ctx context.Context, q store.Query) (store.Result, error) {
	if err := q.Check(); err != nil {
		c.t.Errorf("Check refuses a query: %v", err)
	}
	c.queries = append(c.queries, q)
	return c.Oracle.Run(ctx, q)
}

func load(t testing.TB, events ...event.Event) *checked {
	t.Helper()
	o := storetest.NewOracle(func() time.Time { return now })
	if err := o.Append(t.Context(), store.Batch{To: 1, Events: events}); err != nil {
		t.Fatal(err)
	}
	return &checked{Oracle: o, t: t}
}

type fields = map[event.Field]string

// at makes an event of website 1.
func at(when string, visitor uint64, kind event.Kind, page string, with fields) event.Event {
	t, err := time.Parse("2006-01-02 15:04", when)
	if err != nil {
		panic(err)
	}
	e := event.Event{Website: 1, Visitor: visitor, Kind: kind}
	e.At(t, time.UTC)
	e.Fields[event.Page] = page
	for f, text := range with {
		e.Fields[f] = text
	}
	return e
}

func purchase(when string, visitor uint64, value int64, with fields) event.Event {
	e := at(when, visitor, event.Custom, "/", with)
	e.Fields[event.Name], e.Fields[event.Unit], e.Value = "Purchase", "EUR", value
	return e
}

// shop is three visits, of which the third told nothing about itself, and a visit of another website.
func shop(t testing.TB) *checked {
	berlin := fields{
		event.Hostname: "example.com", event.Referrer: "google.com", event.Source: "Google",
		event.Channel: "Organic Search", event.UTMCampaign: "spring", event.UTMSource: "letter", event.UTMMedium: "email",
		event.UTMTerm: "shoes", event.UTMContent: "top", event.Browser: "Firefox", event.BrowserVersion: "128",
		event.OS: "Windows", event.OSVersion: "11", event.Device: "Desktop", event.Resolution: "1920x1080",
		event.Language: "German", event.Continent: "Europe", event.Country: "Germany", event.Region: "Bavaria",
		event.City: "Berlin, Germany",
	}
	tokyo := maps.Clone(berlin)
	maps.Copy(tokyo, fields{
		event.Referrer: "", event.Source: "", event.Channel: "", event.UTMCampaign: "", event.Browser: "Chrome",
		event.Language: "Japanese", event.Continent: "Asia", event.Country: "Japan", event.City: "Tokyo, Japan",
		event.Device: "Mobile",
	})
	other := at("2026-03-01 10:00", 9, event.Pageview, "/secret", berlin)
	other.Website = 2
	return load(t,
		at("2026-03-01 10:00", 1, event.Pageview, "/", berlin),
		at("2026-03-01 10:05", 1, event.Pageview, "/pricing", berlin),
		at("2026-03-01 11:00", 2, event.Pageview, "/pricing", tokyo),
		at("2026-03-02 10:30", 3, event.Pageview, "/", nil),
		purchase("2026-03-02 10:31", 3, 12_500_000, nil),
		purchase("2026-03-02 10:32", 3, 2_250_000, nil),
		other,
	)
}

// wrong is what a fault says of each field.
func wrong(t *testing.T, err error) map[string]string {
	t.Helper()
	f := fault.Of(err)
	if f == nil || f.Code != fault.Invalid {
		t.Fatalf("error is %v, want an invalid fault", err)
	}
	said := map[string]string{}
	for field, sentences := range f.Fields {
		said[field] = strings.Join(sentences, "; ")
	}
	return said
}

// wantWrong compares what a fault says with what it should begin with.
func wantWrong(t *testing.T, err error, want map[string]string) {
	t.Helper()
	got := wrong(t, err)
	for _, field := range slices.Sorted(maps.Keys(want)) {
		if !strings.HasPrefix(got[field], want[field]) || got[field] == "" {
			t.Errorf("%s: %q, want %q", field, got[field], want[field])
		}
		delete(got, field)
	}
	if len(got) > 0 {
		t.Errorf("also wrong: %v", got)
	}
}

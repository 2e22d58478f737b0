package report_test

import (
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/mail/mailtest"
	"footfall/internal/report"
)

// A crowd is visitors that came the same way.
type crowd struct {
	source, page, country string
	before, now           int
}

func TestStoryTellsWhatChangedMostAndWhy(t *testing.T) {
	cases := map[string]struct {
		crowds []crowd
		views  int // of each visitor, in the second week
		en, de string
	}{
		"nobody": {nil, 1, "Nobody was counted last week. If that surprises you, look whether the tracker is still on the pages.",
			"In der letzten Woche wurde niemand gezählt. Falls Sie das überrascht: Ist das Skript noch auf den Seiten?"},
		"nobody before": {[]crowd{{"", "/", "Germany", 0, 30}}, 1, "30 visitors came. The week before, nobody was counted.",
			"In der letzten Woche kamen 30 Besucher, in der Woche davor wurde niemand gezählt."},
		"too few": {[]crowd{{"", "/", "Germany", 3, 1}}, 1, "1 visitor came, and 3 the week before.", "In der letzten Woche: 1 Besucher, in der Woche davor 3."},
		// 108 of 100 is less than the 14.4 that chance makes of both together.
		"chance": {[]crowd{{"", "/", "Germany", 100, 108}}, 1, "108 visitors came, about as many as the week before.",
			"In der letzten Woche kamen 108 Besucher, etwa so viele wie in der Woche davor."},
		"one source grew": {[]crowd{{"Google", "/a", "France", 50, 50}, {"Newsletter", "/b", "France", 10, 60}}, 1,
			"Visitors rose by 83% to 110, most of all from Newsletter (+50) and on /b (+50).",
			"83\u00a0% mehr Besucher als in der Woche davor, vor allem über Newsletter (+50) und auf /b (+50)."},
		"one source went away": {[]crowd{{"", "/a", "United States", 60, 60}, {"Reddit", "/b", "United States", 60, 0}}, 1,
			"Visitors fell by 50% to 60, most of all from Reddit (−60) and on /b (−60).",
			"50\u00a0% weniger Besucher als in der Woche davor, vor allem über Reddit (−60) und auf /b (−60)."},
		"a country came, without a referrer": {[]crowd{{"Google", "/a", "Germany", 50, 50}, {"", "/a", "United States", 0, 50}}, 1,
			"Visitors rose by 100% to 100, most of all from direct visits (+50) and in the United States (+50).",
			"100\u00a0% mehr Besucher als in der Woche davor, vor allem über direkte Aufrufe (+50) und aus den Vereinigten Staaten (+50)."},
		"everything grew alike": {[]crowd{{"Google", "/a", "Germany", 50, 100}, {"Bing", "/b", "France", 50, 100}}, 1,
			"Visitors rose by 100% to 200, spread over many sources and pages.", "100\u00a0% mehr Besucher als in der Woche davor, verteilt auf viele Quellen und Seiten."},
		"the same visitors view more": {[]crowd{{"Google", "/a", "Germany", 50, 50}, {"Google", "/b", "Germany", 50, 50}}, 3,
			"Pageviews rose by 200% to 300, spread over many sources and pages.", "200\u00a0% mehr Seitenaufrufe als in der Woche davor, verteilt auf viele Quellen und Seiten."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "", mailtest.Options{})
			w := r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
			views := c.views
			for _, c := range c.crowds {
				with := map[event.Field]string{event.Source: c.source, event.Page: c.page, event.Country: c.country}
				r.load(visits(w.ID, "2026-03-04", c.before, with)...)
				now := visits(w.ID, "2026-03-11", c.now, with)
				for range views {
					r.load(now...)
				}
			}
			made, err := report.Last(t.Context(), r.store, w, report.Week, time.Date(2026, 3, 16, 6, 0, 0, 0, time.UTC))
			must(t, err)
			if got := made.Sentence("en"); got != c.en {
				t.Errorf("it says %q, want %q", got, c.en)
			}
			if got := made.Sentence("de"); got != c.de {
				t.Errorf("it says %q, want %q", got, c.de)
			}
		})
	}
}

func TestCausesCanBeMoreThanTheyShow(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	w := r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
	for i, source := range []string{"A", "B", "C"} {
		r.load(visits(w.ID, "2026-03-11", 100-i, map[event.Field]string{event.Source: source})...)
	}
	r.load(visits(w.ID, "2026-03-04", 30, nil)...)
	r.load(visits(w.ID, "2026-03-11", 30, nil)...)
	made, err := report.Last(t.Context(), r.store, w, report.Week, time.Date(2026, 3, 16, 6, 0, 0, 0, time.UTC))
	must(t, err)
	want := "Visitors rose by 990% to 327, most of all from A (+100) and B (+99)."
	if got := made.Sentence("en"); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

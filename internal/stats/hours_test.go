package stats_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"footfall/internal/event"
	"footfall/internal/stats"
	"footfall/internal/store"

	"github.com/google/go-cmp/cmp"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// hoursAsked are those of the period 24h and of the one that it is compared with, as a store is asked for them.
func hoursAsked(t testing.TB, s stats.Scope, compare string) (hours, compared []string, a stats.Answer) {
	t.Helper()
	from := load(t)
	asked, err := stats.Parse(s, stats.Params{
		Period: stats.PeriodParams{Name: "24h"}, Compare: &stats.PeriodParams{Name: compare}, Questions: []stats.QuestionParams{{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, err = asked.Run(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	for i, q := range from.queries {
		first, last := q.Filter.Values[0], q.Filter.Values[len(q.Filter.Values)-1]
		if q.Filter.Op != store.Is || q.Filter.Dimension.Name != "hour" || first[:10] != q.From.String() || last[:10] != (q.To-1).String() {
			t.Errorf("%s: query %d asks from %s to %s where %+v", s.Now, i, q.From, q.To, q.Filter)
		}
	}
	return from.queries[0].Filter.Values, from.queries[1].Filter.Values, a
}

// ends are the first and the last hour, and how many there are.
func ends(hours []string) string {
	return fmt.Sprintf("%s to %s, %d", hours[0], hours[len(hours)-1], len(hours))
}

func TestTheLastHoursAreThoseThatPassed(t *testing.T) {
	for name, c := range map[string]struct{ zone, now, hours, before, yearBefore string }{
		"a day like any other": {"UTC", "2026-03-04T15:30:00Z",
			"2026-03-03T16:00 to 2026-03-04T15:00, 24", "2026-03-02T16:00 to 2026-03-03T15:00, 24", "2025-03-03T16:00 to 2025-03-04T15:00, 24"},
		"the last hour of a day": {"UTC", "2026-03-04T23:59:59Z",
			"2026-03-04T00:00 to 2026-03-04T23:00, 24", "2026-03-03T00:00 to 2026-03-03T23:00, 24", "2025-03-04T00:00 to 2025-03-04T23:00, 24"},
		"the first moment of a day": {"UTC", "2026-03-01T00:00:00Z",
			"2026-02-28T01:00 to 2026-03-01T00:00, 24", "2026-02-27T01:00 to 2026-02-28T00:00, 24", "2025-02-28T01:00 to 2025-03-01T00:00, 24"},
		"a leap day": {"UTC", "2028-02-29T13:30:00Z",
			"2028-02-28T14:00 to 2028-02-29T13:00, 24", "2028-02-27T14:00 to 2028-02-28T13:00, 24", "2027-02-27T14:00 to 2027-02-28T13:00, 24"},
		"half an hour off": {"Asia/Kolkata", "2026-03-04T15:45:00Z", // 21:15
			"2026-03-03T22:00 to 2026-03-04T21:00, 24", "2026-03-02T22:00 to 2026-03-03T21:00, 24", "2025-03-03T22:00 to 2025-03-04T21:00, 24"},
		"Berlin's clock was set forward": {"Europe/Berlin", "2026-03-29T10:30:00Z", // 12:30, and 23 hours before it was 12:30 too
			"2026-03-28T12:00 to 2026-03-29T12:00, 24", "2026-03-27T12:00 to 2026-03-28T11:00, 24", "2025-03-28T13:00 to 2025-03-29T12:00, 24"},
		"Berlin's clock was set back": {"Europe/Berlin", "2026-10-25T11:30:00Z", // 12:30, and 23 hours before it was 14:30
			"2026-10-24T14:00 to 2026-10-25T12:00, 23", "2026-10-23T14:00 to 2026-10-24T13:00, 24", "2025-10-24T13:00 to 2025-10-25T12:00, 24"},
		"in the hour that comes twice, for the first time": {"Europe/Berlin", "2026-10-25T00:30:00Z",
			"2026-10-24T03:00 to 2026-10-25T02:00, 24", "2026-10-23T03:00 to 2026-10-24T02:00, 24", "2025-10-24T03:00 to 2025-10-25T02:00, 24"},
		"in the hour that comes twice, for the second time": {"Europe/Berlin", "2026-10-25T01:30:00Z",
			"2026-10-24T04:00 to 2026-10-25T02:00, 23", "2026-10-23T04:00 to 2026-10-24T03:00, 24", "2025-10-24T03:00 to 2025-10-25T02:00, 24"},
		"beginning with the hour that came twice": {"Europe/Berlin", "2026-10-26T00:30:00Z", // 01:30
			"2026-10-25T02:00 to 2026-10-26T01:00, 24", "2026-10-24T02:00 to 2026-10-25T01:00, 24", "2025-10-25T02:00 to 2025-10-26T01:00, 24"},
		"St John's clock was set forward": {"America/St_Johns", "2026-03-08T15:00:00Z", // 12:30
			"2026-03-07T12:00 to 2026-03-08T12:00, 24", "2026-03-06T12:00 to 2026-03-07T11:00, 24", "2025-03-07T13:00 to 2025-03-08T12:00, 24"},
		"St John's clock was set back": {"America/St_Johns", "2026-11-01T16:00:00Z", // 12:30
			"2026-10-31T14:00 to 2026-11-01T12:00, 23", "2026-10-30T14:00 to 2026-10-31T13:00, 24", "2025-10-31T13:00 to 2025-11-01T12:00, 24"},
	} {
		t.Run(name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, c.now)
			if err != nil {
				t.Fatal(err)
			}
			s := stats.Scope{Website: 1, Zone: zone(t, c.zone), Now: now}
			hours, before, _ := hoursAsked(t, s, "previous_period")
			_, yearBefore, _ := hoursAsked(t, s, "previous_year")
			if diff := cmp.Diff([]string{c.hours, c.before, c.yearBefore}, []string{ends(hours), ends(before), ends(yearBefore)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if slices.Contains(hours, "2026-03-29T02:00") || slices.Contains(hours, "2026-03-08T02:00") {
				t.Errorf("an hour that did not exist is among %v", hours)
			}
		})
	}
}

// Whenever it is, all of the last 23 hours lies in an hour of the period, the first of these has what was 23 hours ago, and the
// period before ends with the hour before it.
func TestTheLastHoursLeaveNoGap(t *testing.T) {
	const format = "2006-01-02T15:00"
	for _, name := range []string{"UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe", "America/Havana"} {
		z := zone(t, name)
		for _, day := range []time.Time{
			time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC),
		} {
			for now := day; now.Before(day.AddDate(0, 0, 4)); now = now.Add(67 * time.Minute) {
				hours, before, _ := hoursAsked(t, stats.Scope{Website: 1, Zone: z, Now: now}, "previous_period")
				if !slices.IsSorted(hours) || len(slices.Compact(slices.Clone(hours))) != len(hours) || len(hours) < 23 || len(hours) > 25 {
					t.Fatalf("%s at %s: %d hours %v", name, now, len(hours), hours)
				}
				var passed []string
				at := now.In(z).Add(-23 * time.Hour)
				for ; !at.After(now); at = at.Add(5 * time.Minute) {
					passed = append(passed, at.Format(format))
				}
				if diff := cmp.Diff(slices.Compact(passed), hours); diff != "" {
					t.Fatalf("%s at %s (-passed +asked):\n%s", name, now, diff)
				}
				at = now.In(z).Add(-23 * time.Hour)
				for at.Format(format) == hours[0] {
					at = at.Add(-5 * time.Minute)
				}
				if last := before[len(before)-1]; last != at.Format(format) {
					t.Fatalf("%s at %s: the hours before end with %s and these begin with %s", name, now, last, hours[0])
				}
			}
		}
	}
}

// ticks is a pageview of another visitor in each hour that passed, at half past.
func ticks(t testing.TB, z *time.Location, from, to time.Time) *checked {
	var events []event.Event
	for at := from.Add(30 * time.Minute); at.Before(to); at = at.Add(time.Hour) {
		e := event.Event{Website: 1, Visitor: uint64(at.Unix()), Kind: event.Pageview}
		e.At(at, z)
		e.Fields[event.Page] = "/"
		events = append(events, e)
	}
	return load(t, events...)
}

func TestTheLastHoursCountWhatHappenedInThem(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for name, now := range map[string]time.Time{
		"a day like any other": time.Date(2026, 3, 4, 11, 50, 0, 0, time.UTC),
		"set forward":          time.Date(2026, 3, 29, 10, 50, 0, 0, time.UTC),
		"set back":             time.Date(2026, 10, 25, 11, 50, 0, 0, time.UTC),
	} {
		from := ticks(t, berlin, now.Truncate(time.Hour).AddDate(0, 0, -4), now.Add(time.Hour))
		a := ask(t, stats.Scope{Website: 1, Zone: berlin, Now: now}, from, `{"period": "24h", "compare": "previous_period", "questions": [
			{"dimension": "hour", "metrics": ["pageviews"]}, {"dimension": "day", "metrics": ["pageviews"]}, {"dimension": "page", "metrics": ["pageviews"]}]}`)
		if n, was := a.Totals.Now.Number("pageviews"), a.Totals.Previous.Number("pageviews"); n != 24 || was != 24 {
			t.Errorf("%s: %v pageviews, %v in the hours before; want one for each hour", name, n, was)
		}
		for i, q := range a.Answers {
			sum, was := 0.0, 0.0
			for _, r := range q.Rows {
				sum += r.Now.Number("pageviews")
				was += r.Previous.Number("pageviews")
			}
			// The last of the 24 hours before has no counterpart among 23 rows.
			if sum != 24 || was != 24 && !(i == 0 && len(q.Rows) == 23 && was == 23) {
				t.Errorf("%s: %d rows by %s have %v pageviews, and had %v", name, len(q.Rows), q.Dimension, sum, was)
			}
		}
	}
}

func TestTheLastHoursAreRows(t *testing.T) {
	from := load(t,
		at("2026-03-02 15:59", 1, event.Pageview, "/too-old", nil),
		at("2026-03-02 16:00", 2, event.Pageview, "/before", nil),
		at("2026-03-03 15:59", 3, event.Pageview, "/before", nil),
		at("2026-03-03 16:00", 4, event.Pageview, "/", nil),
		purchase("2026-03-03 16:10", 4, 2_000_000, nil),
		at("2026-03-04 15:10", 5, event.Pageview, "/", fields{event.Country: "Japan"}),
		at("2026-03-04 15:12", 5, event.Pageview, "/pricing", nil),
	)
	a := ask(t, scope, from, `{"period": "24h", "compare": "previous_period", "questions": [
		{"dimension": "hour", "metrics": ["visitors", "revenue"]}, {"dimension": "day"}, {"dimension": "page", "metrics": ["pageviews"]}, {"dimension": "hour_of_day"}]}`)
	if got, want := asJSON(t, a.Period), `{"from":"2026-03-03","from_hour":"2026-03-03T16:00","to":"2026-03-04","to_hour":"2026-03-04T15:00"}`; got != want {
		t.Errorf("period is %s, want %s", got, want)
	}
	if got, want := asJSON(t, a.Comparison), `{"from":"2026-03-02","from_hour":"2026-03-02T16:00","to":"2026-03-03","to_hour":"2026-03-03T15:00"}`; got != want {
		t.Errorf("comparison is %s, want %s", got, want)
	}
	if got, want := asJSON(t, a.Totals), `{"visitors":2,"revenue":{"EUR":2},"pageviews":3,"previous":{"visitors":2,"revenue":{},"pageviews":2},`+
		`"change":{"visitors":0,"revenue":{"EUR":null},"pageviews":50}}`; got != want {
		t.Errorf("totals are %s, want %s", got, want)
	}
	hours := a.Answers[0]
	if hours.Total != 24 || len(hours.Rows) != 24 {
		t.Fatalf("%d hours: %v", hours.Total, values(hours))
	}
	if got, want := asJSON(t, hours.Rows[0]), `{"value":"2026-03-03T16:00","visitors":1,"revenue":{"EUR":2},`+
		`"previous":{"value":"2026-03-02T16:00","visitors":1,"revenue":{}},"change":{"visitors":0,"revenue":{"EUR":null}}}`; got != want {
		t.Errorf("the first is %s, want %s", got, want)
	}
	if r := hours.Rows[23]; r.Value != "2026-03-04T15:00" || r.PreviousValue != "2026-03-03T15:00" || r.Now.Number("visitors") != 1 || r.Previous.Number("visitors") != 1 {
		t.Errorf("the last is %+v", r)
	}
	for i, want := range []string{
		`[{"value":"2026-03-03","visitors":1,"previous":{"value":"2026-03-02","visitors":1},"change":{"visitors":0}},` + "\n" +
			`{"value":"2026-03-04","visitors":1,"previous":{"value":"2026-03-03","visitors":1},"change":{"visitors":0}}]`,
		`[{"value":"/","pageviews":2,"previous":{"pageviews":0},"change":{"pageviews":null}},` + "\n" +
			`{"value":"/pricing","pageviews":1,"previous":{"pageviews":0},"change":{"pageviews":null}}]`,
	} {
		if diff := cmp.Diff(want, asJSON(t, a.Answers[i+1].Rows)); diff != "" {
			t.Errorf("question %d (-want +got):\n%s", i+1, diff)
		}
	}
	if ofDay := a.Answers[3]; ofDay.Total != 24 || ofDay.Rows[0].Value != "00" || ofDay.Rows[16].Now.Number("visitors") != 1 {
		t.Errorf("hours of the day: %v", values(ofDay))
	}
	csv := string(ask(t, scope, from, `{"period": "24h", "questions": [{"dimension": "page", "metrics": ["pageviews"]}]}`).AppendCSV(nil))
	if want := "\"page\",\"pageviews\"\r\n\"/\",2\r\n\"/pricing\",1\r\n"; csv != want {
		t.Errorf("as CSV it is %q, want %q", csv, want)
	}
}

func TestNoFilterLeadsOutOfTheLastHours(t *testing.T) {
	from := load(t,
		at("2026-03-03 15:59", 1, event.Pageview, "/old", fields{event.Country: "Japan"}),
		at("2026-03-04 14:00", 2, event.Pageview, "/new", fields{event.Country: "Japan"}),
		at("2026-03-04 14:00", 3, event.Pageview, "/new", nil),
	)
	everything := `{"dimension":"page","op":"matches","values":["*"]}`
	for filter, want := range map[string]string{
		everything: "[/new] 2",
		`{"dimension":"country","op":"is","values":["Japan"]}`:                                             "[/new] 1",
		`{"or":[` + everything + `,{"dimension":"country","op":"is","values":["Unknown"]}]}`:               "[/new] 2",
		`{"dimension":"page","op":"is","values":["/old"]}`:                                                 "[] 0",
		`[` + everything + `,{"or":[{"and":[` + everything + `,` + everything + `]},` + everything + `]}]`: "[/new] 2",
	} {
		a := ask(t, scope, from, `{"period": "24h", "filters": `+filter+`, "questions": [{"dimension": "page"}]}`)
		if got := fmt.Sprint(values(a.Answers[0]), " ", a.Totals.Now.Number("visitors")); got != want {
			t.Errorf("%s keeps %s, want %s", filter, got, want)
		}
	}
	_, err := stats.Parse(scope, params(t, `{"period": "24h", "filters": {"dimension": "hour", "op": "is", "values": ["2026-03-01T10:00"]}, "questions": [{}]}`))
	if said := wrong(t, err)["filters.dimension"]; !strings.HasPrefix(said, "must be one of page,") {
		t.Errorf("a filter on hours is told %q", said)
	}
}

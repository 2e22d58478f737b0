package stats_test

import (
	"fmt"
	"slices"
	"testing"

	"footfall/internal/event"
	"footfall/internal/stats"

	"github.com/google/go-cmp/cmp"
)

// sent is a custom event with properties.
func sent(when string, visitor uint64, name string, value int64, props map[string]string) event.Event {
	e := at(when, visitor, event.Custom, "/", fields{event.Name: name, event.Props: event.JoinProps(props)})
	if e.Value = value; value != 0 {
		e.Fields[event.Unit] = "EUR"
	}
	return e
}

func withProps(t testing.TB) *checked {
	return load(t,
		at("2026-03-02 10:00", 1, event.Pageview, "/", nil),
		sent("2026-03-02 10:01", 1, "Signup", 0, map[string]string{"plan": "pro", "Team": "yes"}),
		sent("2026-03-02 10:02", 1, "Signup", 0, map[string]string{"plan": "free"}),
		sent("2026-03-02 10:00", 2, "Purchase", 3_000_000, map[string]string{"plan": "pro", "color": "red"}),
		sent("2026-03-02 10:01", 2, "Purchase", 500_000, map[string]string{"color": "blue", "plan": ""}),
		sent("2026-03-02 10:00", 3, "Play", 0, nil),
		sent("2026-03-01 10:00", 4, "Signup", 0, map[string]string{"Team": "no"}),
	)
}

func TestPropertiesAreListedByName(t *testing.T) {
	for name, c := range map[string]struct{ question, want string }{
		"how often each was sent": {`{"dimension": "prop"}`, `[{"value":"plan","events":3},{"value":"color","events":2},{"value":"Team","events":1}]`},
		"with revenue": {`{"dimension": "prop", "metrics": ["events", "revenue"], "order": {"by": "revenue"}}`,
			`[{"value":"color","events":2,"revenue":{"EUR":3.5}},{"value":"plan","events":3,"revenue":{"EUR":3}},{"value":"Team","events":1,"revenue":{}}]`},
		"by name":                      {`{"dimension": "prop", "order": {"by": "value"}}`, `[{"value":"Team","events":1},{"value":"color","events":2},{"value":"plan","events":3}]`},
		"the least first":              {`{"dimension": "prop", "order": {"by": "events", "dir": "asc"}}`, `[{"value":"Team","events":1},{"value":"color","events":2},{"value":"plan","events":3}]`},
		"a search":                     {`{"dimension": "prop", "search": "TEA"}`, `[{"value":"Team","events":1}]`},
		"a search of what no name has": {`{"dimension": "prop", "search": ":"}`, `[]`},
		"a page":                       {`{"dimension": "prop", "limit": 2, "page": 2}`, `[{"value":"Team","events":1}]`},
		"a page after the last":        {`{"dimension": "prop", "limit": 2, "page": 3}`, `[]`},
	} {
		t.Run(name, func(t *testing.T) {
			a := ask(t, scope, withProps(t), `{"period": {"from": "2026-03-02", "to": "2026-03-02"}, "questions": [`+c.question+`]}`)
			var got string
			for _, r := range a.Answers[0].Rows {
				if got != "" {
					got += ","
				}
				got += asJSON(t, r)
			}
			if diff := cmp.Diff(c.want, "["+got+"]"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	a := ask(t, scope, withProps(t), `{"period": "7d", "questions": [{"dimension": "prop", "limit": 1}]}`)
	if total, events := a.Answers[0].Total, a.Totals.Now.Number("events"); total != 3 || events != 6 {
		t.Errorf("%d names of %v events", total, events)
	}
}

func TestPropertiesAreFilteredAndComparedByName(t *testing.T) {
	a := ask(t, scope, withProps(t), `{"period": {"from": "2026-03-02", "to": "2026-03-02"}, "compare": "previous_period",
		"filters": {"dimension": "event", "op": "is", "values": ["Signup"]}, "questions": [{"dimension": "prop"}]}`)
	want := `[{"value":"plan","events":2,"previous":{"events":0},"change":{"events":null}},` + "\n" +
		`{"value":"Team","events":1,"previous":{"events":1},"change":{"events":0}}]`
	if diff := cmp.Diff(want, rows(t, a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	csv := string(a.AppendCSV(nil))
	if want := "\"prop\",\"events\",\"previous_events\"\r\n\"plan\",2,0\r\n\"Team\",1,1\r\n"; csv != want {
		t.Errorf("as CSV it is %q, want %q", csv, want)
	}
}

func TestANameThatWasFarDownIsComparedToo(t *testing.T) {
	var events []event.Event
	for i := range 5001 {
		events = append(events, sent("2026-03-01 10:00", uint64(i), "Play", 0, map[string]string{fmt.Sprintf("p%05d", i): "x"}))
	}
	events = append(events, sent("2026-03-02 10:00", 1, "Play", 0, map[string]string{"p05000": "x"}))
	a := ask(t, scope, load(t, events...), `{"period": {"from": "2026-03-02", "to": "2026-03-02"}, "compare": "previous_period", "questions": [{"dimension": "prop"}]}`)
	if want := `[{"value":"p05000","events":1,"previous":{"events":1},"change":{"events":0}}]`; rows(t, a) != want {
		t.Errorf("%s, want %s", rows(t, a), want)
	}
}

func TestPagesOfNamesMakeTheWholeList(t *testing.T) {
	var events []event.Event
	for i := range 25 {
		props := map[string]string{"every": "x"}
		for k := range i % 5 {
			props[fmt.Sprint("p", (i+k*7)%11)] = "x"
		}
		events = append(events, sent("2026-03-01 10:00", uint64(i), "Play", 0, props))
	}
	from := load(t, events...)
	page := func(limit, page int) []string {
		a := ask(t, scope, from, fmt.Sprintf(`{"period": "7d", "questions": [{"dimension": "prop", "limit": %d, "page": %d}]}`, limit, page))
		return values(a.Answers[0])
	}
	whole := page(100, 1)
	for limit := 1; limit < 13; limit++ {
		var joined []string
		for n := 1; n <= len(whole)+1; n++ {
			joined = append(joined, page(limit, n)...)
		}
		if !slices.Equal(joined, whole) || whole[0] != "every" {
			t.Errorf("pages of %d are %v, whole %v", limit, joined, whole)
		}
	}
}

func TestOnlyWhatAddsUpIsAskedByName(t *testing.T) {
	_, err := stats.Parse(scope, params(t, `{"period": "7d", "filters": {"dimension": "prop", "op": "is", "values": ["plan"]},
		"questions": [{"dimension": "prop", "metrics": ["visitors", "events", "bounce_rate"]}]}`))
	const say = "must be events or revenue: others do not add up by the names of properties"
	wantWrong(t, err, map[string]string{
		"filters.dimension": "must be one of page,", "questions[0].metrics[0]": say, "questions[0].metrics[2]": say,
	})
}

package stats_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/stats"
	"footfall/internal/store"

	"github.com/google/go-cmp/cmp"
)

func ask(t *testing.T, s stats.Scope, from stats.Querier, question string) stats.Answer {
	t.Helper()
	asked, err := stats.Parse(s, params(t, question))
	if err != nil {
		t.Fatalf("%v of %s", err, question)
	}
	answer, err := asked.Run(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func params(t testing.TB, question string) stats.Params {
	t.Helper()
	var p stats.Params
	if err := json.Unmarshal([]byte(question), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// asJSON is a value as JSON, a member of a list on each line.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "},{", "},\n{")
}

// rows are those of the first answer, as JSON.
func rows(t *testing.T, a stats.Answer) string { return asJSON(t, a.Answers[0].Rows) }

func values(a stats.Table) (all []string) {
	for _, r := range a.Rows {
		all = append(all, r.Value)
	}
	return all
}

func TestAQueryIsAnsweredInOneShape(t *testing.T) {
	got := asJSON(t, ask(t, scope, shop(t), `{
		"website_id": 1,
		"period": {"from": "2026-03-01", "to": "2026-03-02"},
		"questions": [
			{"dimension": "country", "metrics": ["visitors", "pageviews", "bounce_rate"], "order": {"by": "pageviews"}, "limit": 2},
			{"metrics": ["views_per_visit", "revenue"]}
		]}`))
	want := `{"period":{"from":"2026-03-01","to":"2026-03-02"},` +
		`"totals":{"visitors":3,"pageviews":4,"bounce_rate":33.33,"views_per_visit":1.33,"revenue":{"EUR":14.75}},` +
		`"answers":[{"dimension":"country","metrics":["visitors","pageviews","bounce_rate"],"rows":[` +
		`{"value":"Germany","code":"DE","visitors":1,"pageviews":2,"bounce_rate":0},` + "\n" +
		`{"value":"Unknown","visitors":1,"pageviews":1,"bounce_rate":0}],"total":3},` + "\n" +
		`{"metrics":["views_per_visit","revenue"],"rows":[{"views_per_visit":1.33,"revenue":{"EUR":14.75}}],"total":1}],"partial":false}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSeveralQuestionsAreOnePass(t *testing.T) {
	from := shop(t)
	ask(t, scope, from, `{"period": "7d", "questions": [
		{"dimension": "page"}, {"dimension": "day"}, {"dimension": "referrer", "search": "direct"}, {}]}`)
	if len(from.queries) != 1 {
		t.Errorf("asked %d times", len(from.queries))
	}
}

func TestTimesWithoutEventsHaveRowsOfZeros(t *testing.T) {
	const none = `"visitors":0}`
	for name, c := range map[string]struct{ question, want string }{
		"days": {`{"period": {"from": "2026-02-28", "to": "2026-03-03"}, "questions": [{"dimension": "day"}]}`,
			`[{"value":"2026-02-28","visitors":0},{"value":"2026-03-01","visitors":2},{"value":"2026-03-02","visitors":1},{"value":"2026-03-03",` + none + `]`},
		"days, last first": {`{"period": {"from": "2026-03-01", "to": "2026-03-03"}, "questions": [{"dimension": "day", "order": {"dir": "desc"}}]}`,
			`[{"value":"2026-03-03","visitors":0},{"value":"2026-03-02","visitors":1},{"value":"2026-03-01","visitors":2}]`},
		"days that have not begun have no numbers": {`{"period": {"from": "2026-03-04", "to": "2026-03-05"}, "questions": [{"dimension": "day"}]}`,
			`[{"value":"2026-03-04","visitors":0},{"value":"2026-03-05"}]`},
		"a page of days": {`{"period": {"from": "2026-02-28", "to": "2026-03-03"}, "questions": [{"dimension": "day", "limit": 3, "page": 2}]}`,
			`[{"value":"2026-03-03","visitors":0}]`},
		"weeks": {`{"period": {"from": "2026-02-20", "to": "2026-03-03"}, "questions": [{"dimension": "week"}]}`,
			`[{"value":"2026-02-16","visitors":0},{"value":"2026-02-23","visitors":2},{"value":"2026-03-02","visitors":1}]`},
		"months": {`{"period": {"from": "2026-02-20", "to": "2026-03-03"}, "questions": [{"dimension": "month"}]}`,
			`[{"value":"2026-02","visitors":0},{"value":"2026-03","visitors":3}]`},
		"days by number": {`{"period": {"from": "2026-02-28", "to": "2026-03-03"}, "questions": [{"dimension": "day", "order": {"by": "visitors"}}]}`,
			`[{"value":"2026-03-01","visitors":2},{"value":"2026-03-02","visitors":1}]`},
		"days, not filled": {`{"period": {"from": "2026-02-28", "to": "2026-03-03"}, "questions": [{"dimension": "day", "fill": false}]}`,
			`[{"value":"2026-03-01","visitors":2},{"value":"2026-03-02","visitors":1}]`},
		"days that a search finds": {`{"period": {"from": "2026-02-28", "to": "2026-03-03"}, "questions": [{"dimension": "day", "search": "03-02"}]}`,
			`[{"value":"2026-03-02","visitors":1}]`},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.ReplaceAll(rows(t, ask(t, scope, shop(t), c.question)), "\n", "")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHoursFollowTheClockOfTheWebsite(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s := stats.Scope{Website: 1, Zone: zone, Now: time.Date(2026, 3, 29, 12, 30, 0, 0, zone)}
	a := ask(t, s, load(t), `{"period": "today", "compare": "previous_period", "questions": [{"dimension": "hour"}, {"dimension": "hour_of_day"}]}`)
	hours := a.Answers[0]
	if hours.Total != 23 || hours.Rows[1].Value != "2026-03-29T01:00" || hours.Rows[2].Value != "2026-03-29T03:00" {
		t.Errorf("%d hours: %v", hours.Total, values(hours))
	}
	if r := hours.Rows[2]; r.PreviousValue != "2026-03-28T03:00" || r.Now == nil {
		t.Errorf("hour %s is compared with %s", r.Value, r.PreviousValue)
	}
	for _, r := range hours.Rows {
		if begun := r.Value <= "2026-03-29T12:00"; begun != (r.Now != nil) {
			t.Errorf("hour %s has numbers: %t", r.Value, r.Now != nil)
		}
	}
	if day := a.Answers[1]; day.Total != 24 || day.Rows[23].Value != "23" || day.Rows[23].Now == nil || day.Rows[23].PreviousValue != "" {
		t.Errorf("%d hours of the day: %v", day.Total, values(day))
	}
}

func TestRowsAreComparedByValueAndTimesByPosition(t *testing.T) {
	const question = `{"period": {"from": "2026-03-02", "to": "2026-03-03"}, "compare": {"from": "2026-03-01", "to": "2026-03-01"}, "questions": [
		{"dimension": "page", "metrics": ["pageviews", "visitors", "revenue"]},
		{"dimension": "day", "metrics": ["pageviews", "bounce_rate"]},
		{"dimension": "referrer"}]}`
	a := ask(t, scope, shop(t), question)
	for i, want := range []string{
		`[{"value":"/","pageviews":1,"visitors":1,"revenue":{"EUR":14.75},"previous":{"pageviews":1,"visitors":1,"revenue":{}},` +
			`"change":{"pageviews":0,"visitors":0,"revenue":{"EUR":null}}}]`,
		`[{"value":"2026-03-02","pageviews":1,"bounce_rate":0,"previous":{"value":"2026-03-01","pageviews":3,"bounce_rate":50},` +
			`"change":{"pageviews":-66.67,"bounce_rate":-50}},` + "\n" + `{"value":"2026-03-03","pageviews":0,"bounce_rate":0}]`,
		`[{"value":"Direct / None","visitors":1,"previous":{"visitors":1},"change":{"visitors":0}}]`,
	} {
		if diff := cmp.Diff(want, asJSON(t, a.Answers[i].Rows)); diff != "" {
			t.Errorf("question %d (-want +got):\n%s", i, diff)
		}
	}
	want := `{"pageviews":1,"visitors":1,"revenue":{"EUR":14.75},"bounce_rate":0,` +
		`"previous":{"pageviews":3,"visitors":2,"revenue":{},"bounce_rate":50},` +
		`"change":{"pageviews":-66.67,"visitors":-50,"revenue":{"EUR":null},"bounce_rate":-50}}`
	if diff := cmp.Diff(want, asJSON(t, a.Totals)); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	if got := asJSON(t, a.Comparison); got != `{"from":"2026-03-01","to":"2026-03-01"}` {
		t.Errorf("compared with %s", got)
	}
}

func TestARowThatWasFarDownIsFoundByItsValue(t *testing.T) {
	var events []event.Event
	for i := range 5001 {
		events = append(events, at("2026-03-01 10:00", uint64(i), event.Pageview, fmt.Sprintf("/%05d", i), nil))
	}
	events = append(events, at("2026-03-02 10:00", 1, event.Pageview, "/05000", nil), at("2026-03-02 10:01", 1, event.Pageview, "/new", nil))
	from := load(t, events...)
	a := ask(t, scope, from, `{"period": {"from": "2026-03-02", "to": "2026-03-02"}, "compare": "previous_period", "questions": [{"dimension": "page"}]}`)
	want := `[{"value":"/05000","visitors":1,"previous":{"visitors":1},"change":{"visitors":0}},` + "\n" +
		`{"value":"/new","visitors":1,"previous":{"visitors":0},"change":{"visitors":null}}]`
	if diff := cmp.Diff(want, rows(t, a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(from.queries) != 3 {
		t.Errorf("asked %d times", len(from.queries))
	}
}

func TestPagesWithTheEmptyValueMakeTheWholeList(t *testing.T) {
	var events []event.Event
	for i, browser := range []string{"", "", "Arc", "Chrome", "Unkempt", "Unknown One", "Zen", "Zen"} {
		events = append(events, at("2026-03-01 10:00", uint64(i), event.Pageview, "/", fields{event.Browser: browser}))
	}
	from := load(t, events...)
	for _, search := range []string{"", "un", "e", "zen", "unknown"} {
		for _, order := range []string{`{"by":"value"}`, `{"by":"value","dir":"desc"}`, `{"by":"visitors"}`, `{"by":"visitors","dir":"asc"}`} {
			question := func(limit, page int) stats.Table {
				return ask(t, scope, from, fmt.Sprintf(`{"period": "7d", "questions": [
					{"dimension": "browser", "search": %q, "order": %s, "limit": %d, "page": %d}]}`, search, order, limit, page)).Answers[0]
			}
			whole := question(100, 1)
			if found := slices.Contains(values(whole), "Unknown"); found != strings.Contains("unknown", search) {
				t.Errorf("search %q order %s finds %v", search, order, values(whole))
			}
			if sorted := slices.IsSorted(values(whole)); order == `{"by":"value"}` && !sorted {
				t.Errorf("search %q: %v is not in order", search, values(whole))
			}
			for limit := 1; limit <= 8; limit++ {
				var joined []string
				for page := 1; page <= 9; page++ {
					part := question(limit, page)
					if len(part.Rows) > limit || part.Total != len(whole.Rows) {
						t.Fatalf("%d rows of %d with limit %d", len(part.Rows), part.Total, limit)
					}
					joined = append(joined, values(part)...)
				}
				if !slices.Equal(joined, values(whole)) {
					t.Errorf("search %q order %s limit %d: pages %v, whole %v", search, order, limit, joined, values(whole))
				}
			}
		}
	}
}

// A failing store answers some queries, and then no more.
type failing struct {
	*checked
	after int
	err   error
}

func (f *failing) Run(ctx context.Context, q store.Query) (store.Result, error) {
	if f.after--; f.after < 0 {
		return store.Result{}, f.err
	}
	return f.checked.Run(ctx, q)
}

func TestATroubleOfTheStoreIsNoFault(t *testing.T) {
	trouble := errors.New("disk on fire")
	asked, err := stats.Parse(scope, params(t, `{"period": "7d", "compare": "previous_period", "questions": [{}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for after := range 2 {
		from := &failing{shop(t), after, trouble}
		if _, err := asked.Run(t.Context(), from); !errors.Is(err, trouble) || fault.Of(err) != nil {
			t.Errorf("error is %v after %d queries", err, after)
		}
	}
	list, err := stats.ParseStatistic(scope, stats.StatisticParams{Name: "page", From: "2026-03-01", To: "2026-03-01"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := list.Run(t.Context(), &failing{shop(t), 0, trouble}); !errors.Is(err, trouble) || fault.Of(err) != nil {
		t.Errorf("error is %v", err)
	}
}

func TestRevenueIsExactAndSorts(t *testing.T) {
	from := load(t,
		purchase("2026-03-01 10:00", 1, 1, fields{event.Country: "Japan"}),
		purchase("2026-03-01 10:00", 2, -12_345_678_900_000, fields{event.Country: "Germany"}),
		purchase("2026-03-01 10:00", 3, 500_000, nil),
		at("2026-03-01 10:00", 4, event.Pageview, "/", fields{event.Country: "Unkown Islands"}),
	)
	a := ask(t, scope, from, `{"period": "7d", "questions": [
		{"dimension": "country", "metrics": ["visitors", "revenue"], "order": {"by": "revenue"}, "search": "n"}]}`)
	want := `[{"value":"Unknown","visitors":1,"revenue":{"EUR":0.5}},
{"value":"Japan","code":"JP","visitors":1,"revenue":{"EUR":0.000001}},
{"value":"Unkown Islands","visitors":1,"revenue":{}},
{"value":"Germany","code":"DE","visitors":1,"revenue":{"EUR":-12345678.9}}]`
	if diff := cmp.Diff(want, rows(t, a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := a.Answers[0].Rows[0].Now; n.Number("visitors") != 1 || n.Number("visits") != 0 {
		t.Errorf("numbers are %+v", n)
	}
}

func TestAPartialResultIsAPartialAnswer(t *testing.T) {
	from := damaged{shop(t)}
	if a := ask(t, scope, from, `{"period": "7d", "questions": [{"dimension": "page"}]}`); !a.Partial {
		t.Error("answer is not partial")
	}
	if _, list := list(t, from, stats.StatisticParams{Name: "page", From: "2026-03-01", To: "2026-03-01"}); !list.Partial {
		t.Error("list is not partial")
	}
}

// A damaged store left out a file.
type damaged struct{ *checked }

func (d damaged) Run(ctx context.Context, q store.Query) (store.Result, error) {
	r, err := d.checked.Run(ctx, q)
	r.Partial = true
	return r, err
}

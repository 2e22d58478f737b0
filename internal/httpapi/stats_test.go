package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/event"
	"footfall/internal/store"
)

// visit is a small history of website 1: three visitors on two days.
func (s *service) visits() {
	s.t.Helper()
	at := func(day, clock string, visitor uint64, page string, country string) event.Event {
		moment, err := time.Parse(time.DateTime, day+" "+clock)
		if err != nil {
			s.t.Fatal(err)
		}
		e := event.Event{Website: 1, Visitor: visitor, Kind: event.Pageview}
		e.At(moment, time.UTC)
		for field, text := range map[event.Field]string{
			event.Page: page, event.Country: country, event.Continent: "Europe", event.City: "Berlin, Germany", event.Browser: "Firefox", event.OS: "Linux",
			event.Device: "Desktop", event.Language: "German", event.Resolution: "1920x1080", event.Referrer: "news.example", event.UTMCampaign: "spring",
		} {
			e.Fields[field] = text
		}
		return e
	}
	signup := at("2026-03-02", "10:06:00", 3, "/", "Germany")
	signup.Kind, signup.Value = event.Custom, 49_900_000
	signup.Fields[event.Name], signup.Fields[event.Unit] = "signup", "EUR"
	events := []event.Event{
		at("2026-03-01", "10:00:00", 1, "/", "Germany"), at("2026-03-01", "10:01:00", 1, "/pricing", "Germany"), at("2026-03-01", "23:00:00", 2, "/", "France"),
		at("2026-03-02", "10:05:00", 3, "/", "Germany"), signup,
	}
	if err := s.engine.Append(s.t.Context(), store.Batch{From: 1, To: 6, Events: events}); err != nil {
		s.t.Fatal(err)
	}
}

func newServiceWithVisits(t *testing.T, newService starter) (s *service, key string) {
	s = newService(t, nil)
	key = s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example"))
	s.visits()
	return s, key
}

func TestEachOfTheSeventeenStatistics(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		want := map[string]string{
			"browser":         `[{"value":"Firefox","count":3}]`,
			"campaign":        `[{"value":"spring","count":3}]`,
			"city":            `[{"value":"Berlin, Germany","count":3}]`,
			"continent":       `[{"value":"Europe","code":"EU","count":3}]`,
			"country":         `[{"value":"Germany","code":"DE","count":2},{"value":"France","code":"FR","count":1}]`,
			"device":          `[{"value":"Desktop","count":3}]`,
			"event":           `[{"value":"signup","count":1,"revenue":{"EUR":49.9}}]`,
			"landing_page":    `[{"value":"/","count":3}]`,
			"language":        `[{"value":"German","code":"de","count":3}]`,
			"os":              `[{"value":"Linux","count":3}]`,
			"page":            `[{"value":"/","count":3},{"value":"/pricing","count":1}]`,
			"pageviews":       `[{"value":"2026-03-01","count":3},{"value":"2026-03-02","count":1}]`,
			"pageviews_hours": `[{"value":"10","count":3},{"value":"23","count":1}]`,
			"referrer":        `[{"value":"news.example","count":3}]`,
			"resolution":      `[{"value":"1920x1080","count":3}]`,
			"visitors":        `[{"value":"2026-03-01","count":2},{"value":"2026-03-02","count":1}]`,
			"visitors_hours":  `[{"value":"10","count":2},{"value":"23","count":1}]`,
		}
		if len(want) != 17 {
			t.Fatalf("there are %d statistics here", len(want))
		}
		for name, rows := range want {
			r := s.want(200, s.get(key, "/api/v1/stats/1?from=2026-03-01&to=2026-03-31&name="+name))
			var body struct{ Data []map[string]any }
			var wantRows []map[string]any
			if err := json.Unmarshal(r.body, &body); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(rows), &wantRows); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(wantRows, body.Data); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
	})
}

func TestStatisticParameters(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		const page = "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-02"
		cases := map[string]struct{ query, want string }{
			"default order is count, descending": {"", "/ /pricing"},
			"sort=asc":                           {"&sort=asc", "/pricing /"},
			"sort_by=value":                      {"&sort_by=value&sort=asc", "/ /pricing"},
			"sort_by=value, desc":                {"&sort_by=value", "/pricing /"},
			"search":                             {"&search=PRI", "/pricing"},
			"search_by=url":                      {"&search=pri&search_by=url", "/pricing"},
			"search_by=value":                    {"&search=pri&search_by=value", "/pricing"},
			"nothing found":                      {"&search=none", ""},
			"a page after the last":              {"&page=2", ""},
			"filters":                            {`&filters={"dimension":"country","op":"is","values":["France"]}`, "/"},
			"unknown parameters are ignored":     {"&colour=red", "/ /pricing"},
		}
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				var values []string
				for _, record := range data[[]struct{ Value string }](t, s.want(200, s.get(key, page+strings.NewReplacer(`"`, "%22", "{", "%7B", "}", "%7D").Replace(c.query)))) {
					values = append(values, record.Value)
				}
				if got := strings.Join(values, " "); got != c.want {
					t.Errorf("rows are %q, want %q", got, c.want)
				}
			})
		}
	})
}

func TestStatisticMistakesAreNamedAllAtOnce(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		cases := map[string]struct {
			query  string
			fields []string
		}{
			"nothing sent":          {"", []string{"from", "name", "to"}},
			"no such day":           {"?name=page&from=2026-02-30&to=2026-03-01", []string{"from"}},
			"from after to":         {"?name=page&from=2026-03-02&to=2026-03-01", []string{"to"}},
			"another format":        {"?name=page&from=01.03.2026&to=2026-3-1", []string{"from", "to"}},
			"all the others":        {"?name=page&from=2026-03-01&to=2026-03-01&search_by=x&sort_by=x&sort=x&per_page=20&page=x&filters=x", []string{"filters", "page", "per_page", "search_by", "sort", "sort_by"}},
			"a name in other case":  {"?name=Page&from=2026-03-01&to=2026-03-01", []string{"name"}},
			"a name with something": {"?name=page;drop&from=2026-03-01&to=2026-03-01", nil},
		}
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				r := s.get(key, "/api/v1/stats/1"+c.query)
				if c.fields == nil {
					s.want(400, r)
					return
				}
				p := problemOf(t, s.want(422, r))
				var got []string
				for field := range p.Errors {
					got = append(got, field)
				}
				slices.Sort(got)
				if d := cmp.Diff(c.fields, got); d != "" {
					t.Errorf("%s: %s", p.Message, d)
				}
			})
		}
	})
}

func TestQueryAnswersSeveralQuestions(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		r := s.want(200, s.ask(key, "POST", "/api/v1/query", map[string]any{
			"website_id": 1, "period": map[string]string{"from": "2026-03-01", "to": "2026-03-02"}, "compare": "previous_period",
			"questions": []any{
				map[string]any{"dimension": "country", "metrics": []string{"visitors", "pageviews"}},
				map[string]any{"dimension": "day", "metrics": []string{"visitors"}},
			},
		}))
		type answer struct {
			Answers []struct {
				Rows []map[string]any
			}
		}
		got := data[answer](t, r)
		if len(got.Answers) != 2 || len(got.Answers[0].Rows) != 2 || got.Answers[0].Rows[0]["visitors"] != 2.0 || len(got.Answers[1].Rows) != 2 {
			t.Errorf("answer is %s", r.body)
		}
		for name, body := range map[string]any{
			"no website":  map[string]any{"period": "7d", "questions": []any{map[string]any{}}},
			"no question": map[string]any{"website_id": 1, "period": "7d"},
			"no period":   map[string]any{"website_id": 1, "period": "8d", "questions": []any{map[string]any{"dimension": "nose"}}},
		} {
			if r := s.ask(key, "POST", "/api/v1/query", body); r.status != 422 {
				t.Errorf("%s is %s", name, r.text())
			}
		}
		s.want(404, s.ask(key, "POST", "/api/v1/query", map[string]any{"website_id": 2, "period": "7d", "questions": []any{map[string]any{}}}))
		s.want(415, s.ask(key, "POST", "/api/v1/query", "website_id=1"))
	})
}

func TestQueryAboutTheLastHoursAndTheNamesOfProperties(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		now := s.clock.time()
		var events []event.Event
		for i, age := range []time.Duration{25 * time.Hour, 23 * time.Hour, 0} {
			e := event.Event{Website: 1, Visitor: uint64(100 + i), Kind: event.Custom}
			e.At(now.Add(-age), time.UTC)
			e.Fields[event.Page], e.Fields[event.Name] = fmt.Sprint("/", age), "Play"
			e.Fields[event.Props] = event.JoinProps(map[string]string{"plan": "pro", fmt.Sprint("p", i): "x"})
			events = append(events, e)
		}
		if err := s.engine.Append(t.Context(), store.Batch{From: 6, To: 9, Events: events}); err != nil {
			t.Fatal(err)
		}
		question := map[string]any{"website_id": 1, "period": "24h", "compare": "previous_period", "questions": []any{
			map[string]any{"dimension": "prop", "metrics": []string{"events"}}, map[string]any{"dimension": "hour", "metrics": []string{"events"}},
		}}
		r := s.want(200, s.ask(key, "POST", "/api/v1/query", question))
		type answer struct {
			Period, Comparison map[string]string
			Totals             map[string]any
			Answers            []struct{ Rows []map[string]any }
		}
		got := data[answer](t, r)
		const hour = "2006-01-02T15:00"
		for i, ends := range []struct {
			of    map[string]string
			first time.Duration
		}{{got.Period, 23 * time.Hour}, {got.Comparison, 47 * time.Hour}} {
			from, to := now.Add(-ends.first), now.Add(23*time.Hour-ends.first)
			if ends.of["from_hour"] != from.Format(hour) || ends.of["to_hour"] != to.Format(hour) {
				t.Errorf("period %d is %v, want from %s to %s", i, ends.of, from, to)
			}
		}
		if got.Totals["events"] != 2.0 || len(got.Answers[1].Rows) != 24 {
			t.Errorf("answer is %s", r.body)
		}
		delete(question, "compare")
		question["questions"] = question["questions"].([]any)[:1]
		file := s.do(request{method: "POST", path: "/api/v1/query", key: key, body: question, headers: map[string]string{"Accept": "text/csv"}})
		if want := "\"prop\",\"events\"\r\n\"plan\",2\r\n\"p1\",1\r\n\"p2\",1\r\n"; string(s.want(200, file).body) != want {
			t.Errorf("as CSV it is %s, want %s", file.body, want)
		}
		question["questions"] = []any{map[string]any{"dimension": "prop", "metrics": []string{"visitors"}}}
		if p := problemOf(t, s.want(422, s.ask(key, "POST", "/api/v1/query", question))); len(p.Errors["questions[0].metrics[0]"]) == 0 {
			t.Errorf("visitors by prop: %+v", p)
		}
	})
}

func TestRealtimeTellsWhoIsThereNow(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s, key := newServiceWithVisits(t, newService)
		var events []event.Event
		for i, page := range []string{"/", "/", "/pricing"} {
			e := event.Event{Website: 1, Visitor: uint64(100 + i), Kind: event.Pageview}
			e.At(s.clock.time().Add(-time.Minute), time.UTC)
			e.Fields[event.Page] = page
			e.Fields[event.Country] = []string{"Germany", "", "Germany"}[i]
			events = append(events, e)
		}
		if err := s.engine.Append(t.Context(), store.Batch{From: 6, To: 9, Events: events}); err != nil {
			t.Fatal(err)
		}
		r := s.want(200, s.get(key, "/api/v1/websites/1/realtime"))
		want := fmt.Sprintln(`{"data":{"visitors":3,"seconds":300,"pages":[{"value":"/","visitors":2},{"value":"/pricing","visitors":1}],` +
			`"countries":[{"value":"Germany","code":"DE","visitors":2}]}}`)
		if string(r.body) != want {
			t.Errorf("answer is %s, want %s", r.body, want)
		}
		s.clock.pass(10 * time.Minute)
		if got := string(s.want(200, s.get(key, "/api/v1/websites/1/realtime")).body); got != fmt.Sprintln(`{"data":{"visitors":0,"seconds":300,"pages":[],"countries":[]}}`) {
			t.Errorf("ten minutes later it is %s", got)
		}
	})
}

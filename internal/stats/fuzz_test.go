package stats_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"footfall/internal/fault"
	"footfall/internal/stats"
)

// readable tells whether an error is a fault that a caller can read.
func readable(t *testing.T, err error) {
	t.Helper()
	f := fault.Of(err)
	if f == nil || f.Code != fault.Invalid || len(f.Fields) == 0 {
		t.Fatalf("error is %v, want an invalid fault with fields", err)
	}
	if !utf8.ValidString(f.Message()) {
		t.Errorf("message %q is no text", f.Message())
	}
}

// Whatever is asked, the answer is a fault or comes from queries that the store lets pass.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, `{"period": "all", "compare": "previous_year", "questions": [{"dimension": "month", "metrics": ["revenue"]}]}`,
		`{"website_id": 1, "period": {"from": "2026-03-01", "to": "2026-03-02"}, "compare": "previous_period",
			"filters": {"and": [{"dimension": "country", "op": "matches", "values": ["*n*", ""]}, {"or": [{"dimension": "prop:x", "op": "is_not", "values": ["Unknown"]}]}]},
			"questions": [{"dimension": "referrer", "search": "DIRECT", "order": {"by": "value", "dir": "desc"}, "limit": 1, "page": 2, "fill": false},
				{"dimension": "hour", "metrics": ["visitors", "bounce_rate", "scroll_depth"]}, {"dimension": "hour_of_day", "search": "1"}]}`,
		`{"period": "today", "filters": [{"dimension": "browser", "op": "not_contains", "values": ["Unk"]}], "questions": [{}, {"dimension": "week", "limit": 1000, "page": 1000000}]}`,
		`{"period": "24h", "compare": "previous_year", "filters": {"or": [{"dimension": "page", "op": "is", "values": ["/"]}]},
			"questions": [{"dimension": "hour"}, {"dimension": "prop", "metrics": ["events", "revenue"], "search": "p", "limit": 2, "page": 2}]}`,
		`{"period": {"from": "1970-01-01", "to": "1979-12-31"}, "compare": "previous_period", "questions": [{"dimension": "day"}]}`,
	} {
		f.Add([]byte(seed))
	}
	from := shop(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p stats.Params
		if json.Unmarshal(data, &p) != nil {
			return
		}
		asked, err := stats.Parse(scope, p)
		if err != nil {
			readable(t, err)
			return
		}
		querier := &checked{Oracle: from.Oracle, t: t}
		answer, err := asked.Run(t.Context(), querier)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(answer)
		if err != nil || len(answer.Answers) != len(p.Questions) {
			t.Errorf("%d answers to %d questions: %s, %v", len(answer.Answers), len(p.Questions), text, err)
		}
		for _, q := range querier.queries {
			if q.Website != scope.Website || q.From >= q.To {
				t.Errorf("asked of website %d from %s to %s", q.Website, q.From, q.To)
			}
		}
	})
}

func FuzzStatistic(f *testing.F) {
	f.Add("page", "2026-03-01", "2026-03-31", "", "", "", "", "", "", "")
	f.Add("referrer", "2026-03-01", "2026-03-31", "direct", "url", "value", "asc", "25", "2", `{"dimension":"page","op":"is","values":["/"]}`)
	f.Add("", "2026-02-30", "0000-00-00", "\xff", "x", "x", "x", "0", "-1", `[{"or":[]}]`)
	f.Add("visitors_hours", "1970-01-01", "1979-12-31", "1", "value", "count", "desc", "100", "1000000", `[null]`)
	from := shop(f)
	f.Fuzz(func(t *testing.T, name, first, last, search, searchBy, sortBy, sort, perPage, page, filters string) {
		asked, err := stats.ParseStatistic(scope, stats.StatisticParams{
			Name: name, From: first, To: last, Search: search, SearchBy: searchBy, SortBy: sortBy, Sort: sort,
			PerPage: perPage, Page: page, Filters: filters,
		})
		if err != nil {
			readable(t, err)
			return
		}
		querier := &checked{Oracle: from.Oracle, t: t}
		list, err := asked.Run(t.Context(), querier)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Records) > list.PerPage || list.Page < 1 {
			t.Errorf("%d records on page %d of %d", len(list.Records), list.Page, list.PerPage)
		}
		if q := querier.queries[0]; q.Website != scope.Website || q.From >= q.To {
			t.Errorf("asked of website %d from %s to %s", q.Website, q.From, q.To)
		}
	})
}

package stats_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"footfall/internal/event"
	"footfall/internal/stats"
)

func TestEverythingWrongWithAQueryIsNamedAtOnce(t *testing.T) {
	const object = `must be {"dimension"`
	many := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	deep := func(n int) string {
		return strings.Repeat(`{"and":[`, n) + `{"dimension":"page","op":"is","values":["/"]}` + strings.Repeat(`]}`, n)
	}
	for name, c := range map[string]struct {
		question string
		want     map[string]string
	}{
		"not an object":  {`[]`, map[string]string{"query": "must be an object", "period": "must be one of", "questions": "must be a list of 1 to 20"}},
		"an empty one":   {`{}`, map[string]string{"period": "must be one of today, yesterday, 24h, 7d,", "questions": "must be a list of 1 to 20"}},
		"null":           {`{"period": null, "questions": null}`, map[string]string{"period": "must be one of", "questions": "must be a list"}},
		"a misspelt key": {`{"period": "7d", "filter": {}, "questions": [{"metric": "visitors"}]}`, map[string]string{"filter": "is not known here: known are website_id, period", "questions[0].metric": "is not known here"}},
		"types": {`{"website_id": "1", "period": 7, "compare": [], "filters": "x", "questions": [{"dimension": 1, "metrics": "visitors",
			"search": {}, "order": "visitors", "limit": 1.5, "page": "1", "fill": "yes"}, null]}`, map[string]string{
			"website_id": "must be a whole number", "period": "must be text or an object", "compare": "must be text or an object",
			"filters": "must be an object", "questions[0].dimension": "must be text", "questions[0].metrics": "must be a list",
			"questions[0].search": "must be text", "questions[0].order": "must be an object",
			"questions[0].limit": "must be a whole number from 1 to 1000", "questions[0].page": "must be a whole number from 1 to 1000000",
			"questions[0].fill": "must be true or false", "questions[1]": "must not be null",
		}},
		"values": {`{"period": "fortnight", "compare": "last_year", "filters": {"and": [{"dimension": "colour", "op": "like", "values": []},
			{"or": []}, {}, {"and": [], "dimension": "page"}, {"dimension": "page", "op": "contains", "values": ["", "x"]}]},
			"questions": [{"dimension": "colour", "metrics": ["visitors", "clicks", "visitors"], "order": {"by": "pageviews", "dir": "up"}, "limit": 0, "page": -1}]}`,
			map[string]string{
				"period": "must be one of today", "compare": "must be previous_period or previous_year, or have from and to",
				"filters.and[0].dimension": "must be one of page,", "filters.and[0].op": "must be one of is,",
				"filters.and[0].values": "must be a list of 1 to 100 texts", "filters.and[1].or": "must have at least one filter",
				"filters.and[2]": object, "filters.and[3]": object, "filters.and[4].values[0]": "must not be empty",
				"questions[0].dimension": "must be one of page,", "questions[0].metrics[1]": "must be one of visitors, visits,",
				"questions[0].metrics[2]": "must not be there twice", "questions[0].order.by": "must be value or a metric of the question",
				"questions[0].order.dir": "must be asc or desc", "questions[0].limit": "must be a whole number", "questions[0].page": "must be a whole number",
			}},
		"dates": {`{"period": {"from": "2026-02-30"}, "compare": {"from": "2026-03-02", "to": "2026-03-01"}, "questions": [{}]}`, map[string]string{
			"period.from": "must be a date that exists", "period.to": "is required", "compare.to": "must not be before from",
		}},
		"a period without dates": {`{"period": {}, "questions": [{}]}`, map[string]string{"period": "must be one of"}},
		"too many questions":     {`{"period": "7d", "questions": [` + many(21, "{}") + `]}`, map[string]string{"questions": "must have at most 20 members"}},
		"too many metrics":       {`{"period": "7d", "questions": [{"metrics": [` + many(11, `"visitors"`) + `]}]}`, map[string]string{"questions[0].metrics": "must have at most 10 members"}},
		"too many rows":          {`{"period": "7d", "questions": [{"limit": 1001}]}`, map[string]string{"questions[0].limit": "must be a whole number from 1 to 1000"}},
		"too many values":        {`{"period": "7d", "filters": {"dimension": "page", "op": "is", "values": [` + many(101, `"/"`) + `]}, "questions": [{}]}`, map[string]string{"filters.values": "must have at most 100 members"}},
		"a value too long":       {`{"period": "7d", "filters": {"dimension": "page", "op": "is", "values": ["` + strings.Repeat("x", 4097) + `"]}, "questions": [{}]}`, map[string]string{"filters.values[0]": "must not be longer than 4096 bytes"}},
		"too many filters":       {`{"period": "7d", "filters": [{"or": [` + many(50, deep(0)) + `]}], "questions": [{}]}`, map[string]string{"filters[0].or[48]": "is one filter too many"}},
		"filters too deep":       {`{"period": "7d", "filters": ` + deep(4) + `, "questions": [{}]}`, map[string]string{"filters.and[0].and[0].and[0].and[0]": "must not be nested deeper than 4"}},
		"filters far too deep":   {`{"period": "7d", "filters": ` + deep(2000) + `, "questions": [{}]}`, map[string]string{"filters.and[0].and[0].and[0].and[0]": "must not be nested deeper than 4"}},
		"a filter on time":       {`{"period": "7d", "filters": {"dimension": "day", "op": "is", "values": ["2026-03-01"]}, "questions": [{}]}`, map[string]string{"filters.dimension": "must be one of"}},
		"too many hours":         {`{"period": "12mo", "questions": [{"dimension": "hour"}]}`, map[string]string{"questions[0].dimension": "makes 8112 rows of this period, more than 4000"}},
		"too many compared hours": {`{"period": "7d", "compare": {"from": "2025-01-01", "to": "2025-12-31"}, "questions": [{"dimension": "hour"}]}`, map[string]string{
			"compare": "must be shorter for rows by hour",
		}},
		"a search of nothing":   {`{"period": "7d", "questions": [{"search": "x"}]}`, map[string]string{"questions[0].search": "needs a dimension"}},
		"a search too long":     {`{"period": "7d", "questions": [{"dimension": "page", "search": "` + strings.Repeat("x", 501) + `"}]}`, map[string]string{"questions[0].search": "must not be longer than 500 bytes"}},
		"filling what has gaps": {`{"period": "7d", "questions": [{"dimension": "page", "fill": true}, {"dimension": "day", "order": {"by": "visitors"}, "fill": true}]}`, map[string]string{"questions[0].fill": "needs a dimension of time", "questions[1].fill": "needs a dimension of time"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := params(t, c.question)
			_, err := stats.Parse(scope, p)
			wantWrong(t, err, c.want)
			_, again := stats.Parse(scope, p)
			wantWrong(t, again, c.want)
		})
	}
}

func TestAQueryMadeInGoIsCheckedToo(t *testing.T) {
	_, err := stats.Parse(scope, stats.Params{
		Period:  stats.PeriodParams{From: "2026-03-01", To: "2026-03-31"},
		Compare: &stats.PeriodParams{},
		Filter:  &stats.FilterParams{Dimension: "page", Op: "is", Values: []string{"\xff"}},
		Questions: []stats.QuestionParams{
			{Metrics: strings.Split(strings.Repeat("visitors ", 11), " "), Limit: -1, Page: 1_000_001, Search: "\xff"},
		},
	})
	wantWrong(t, err, map[string]string{
		"compare": "must be previous_period", "filters.values[0]": "must be text in UTF-8",
		"questions[0].metrics": "must have at most 10", "questions[0].limit": "must be a whole number",
		"questions[0].page": "must be a whole number", "questions[0].search": "must be text in UTF-8",
	})
}

func TestWhatIsSaidAboutAQueryIsBounded(t *testing.T) {
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf(`"%04d%s": 1`, i, strings.Repeat("x", 100)))
	}
	question := `{"dimension": 1, "metrics": [` + strings.TrimSuffix(strings.Repeat("1,", 10), ",") + `]}`
	_, err := stats.Parse(scope, params(t, `{`+strings.Join(keys, ",")+`, "questions": [`+
		strings.TrimSuffix(strings.Repeat(question+",", 20), ",")+`]}`))
	if said := wrong(t, err); len(said) > 400 {
		t.Errorf("%d fields are wrong", len(said))
	}
}

func TestAQueryNeedsAWebsiteThatTheCallerMaySee(t *testing.T) {
	p := params(t, `{"website_id": 7, "period": "7d", "questions": [{}]}`)
	if p.Website != 7 {
		t.Errorf("website %d was sent", p.Website)
	}
	_, err := stats.Parse(stats.Scope{Now: now}, p)
	wantWrong(t, err, map[string]string{"website_id": "must be the id of a website"})

	from := load(t)
	ask(t, scope, from, `{"website_id": 7, "period": "7d", "questions": [{}]}`)
	if from.queries[0].Website != 1 {
		t.Errorf("website %d was asked, though the scope is 1", from.queries[0].Website)
	}
}

func TestPeriodsEndWithTheDayOfTheWebsite(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	first := event.NewDay(2026, 1, 15)
	for period, c := range map[string]struct {
		scope stats.Scope
		want  string
	}{
		`"today"`:     {scope, "2026-03-04 2026-03-05"},
		`"yesterday"`: {scope, "2026-03-03 2026-03-04"},
		`"24h"`:       {scope, "2026-03-03 2026-03-05"},
		`"7d"`:        {scope, "2026-02-26 2026-03-05"},
		`"30d"`:       {scope, "2026-02-03 2026-03-05"},
		`"month"`:     {scope, "2026-03-01 2026-03-05"},
		`"6mo"`:       {scope, "2025-10-01 2026-03-05"},
		`"12mo"`:      {scope, "2025-04-01 2026-03-05"},
		`"year"`:      {scope, "2026-01-01 2026-03-05"},
		`"all"`:       {scope, "2016-03-05 2026-03-05"},
		`"all" `:      {stats.Scope{Website: 1, Now: now, First: first}, "2026-01-15 2026-03-05"},
		` "all"`:      {stats.Scope{Website: 1, Now: now, First: first + 900}, "2026-03-04 2026-03-05"},
		`"today" `:    {stats.Scope{Website: 1, Now: now, Zone: tokyo}, "2026-03-05 2026-03-06"},
		`{"from": "2026-03-01", "to": "2026-03-01"}`: {scope, "2026-03-01 2026-03-02"},
	} {
		from := load(t)
		ask(t, c.scope, from, `{"period": `+period+`, "questions": [{}]}`)
		if got := fmt.Sprint(from.queries[0].From, " ", from.queries[0].To); got != c.want {
			t.Errorf("%s is %s, want %s", period, got, c.want)
		}
	}
}

func TestComparisonsComeBefore(t *testing.T) {
	for name, c := range map[string]struct{ from, to, compare, want string }{
		"the days before":           {"2026-03-01", "2026-03-31", `"previous_period"`, "2026-01-29 2026-03-01"},
		"the day before":            {"2026-03-01", "2026-03-01", `"previous_period"`, "2026-02-28 2026-03-01"},
		"a year before":             {"2026-03-01", "2026-03-31", `"previous_year"`, "2025-03-01 2025-04-01"},
		"a year before a leap day":  {"2024-02-29", "2024-02-29", `"previous_year"`, "2023-02-28 2023-03-01"},
		"a year before a February":  {"2024-02-01", "2024-02-29", `"previous_year"`, "2023-02-01 2023-03-01"},
		"another period altogether": {"2026-03-01", "2026-03-31", `{"from": "2020-01-01", "to": "2020-01-02"}`, "2020-01-01 2020-01-03"},
	} {
		from := load(t)
		ask(t, scope, from, fmt.Sprintf(`{"period": {"from": %q, "to": %q}, "compare": %s, "questions": [{}]}`, c.from, c.to, c.compare))
		if got := fmt.Sprint(from.queries[1].From, " ", from.queries[1].To); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

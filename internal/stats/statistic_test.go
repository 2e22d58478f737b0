package stats_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/stats"
	"footfall/internal/store"

	"github.com/google/go-cmp/cmp"
)

// list asks for a statistic and writes its rows as "value[ code] count".
func list(t *testing.T, from stats.Querier, p stats.StatisticParams) (rows []string, all stats.StatisticList) {
	t.Helper()
	asked, err := stats.ParseStatistic(scope, p)
	if err != nil {
		t.Fatal(err)
	}
	all, err = asked.Run(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all.Records {
		row := r.Value
		if r.Code != "" {
			row += " " + r.Code
		}
		rows = append(rows, fmt.Sprint(row, " ", r.Count))
	}
	return rows, all
}

func TestEveryStatisticCountsWhatItSays(t *testing.T) {
	want := map[string][]string{
		"browser":         {"Unknown 1", "Chrome 1", "Firefox 1"},
		"campaign":        {"spring 1"},
		"city":            {"Unknown 1", "Berlin, Germany 1", "Tokyo, Japan 1"},
		"continent":       {"Unknown 1", "Asia AS 1", "Europe EU 1"},
		"country":         {"Unknown 1", "Germany DE 1", "Japan JP 1"},
		"device":          {"Unknown 1", "Desktop 1", "Mobile 1"},
		"event":           {"Purchase 2"},
		"landing_page":    {"/ 2", "/pricing 1"},
		"language":        {"Unknown 1", "German de 1", "Japanese ja 1"},
		"os":              {"Windows 2", "Unknown 1"},
		"page":            {"/ 2", "/pricing 2"},
		"pageviews":       {"2026-03-01 3", "2026-03-02 1"},
		"pageviews_hours": {"10 3", "11 1"},
		"referrer":        {"Direct / None 2", "google.com 1"},
		"resolution":      {"1920x1080 2", "Unknown 1"},
		"visitors":        {"2026-03-01 2", "2026-03-02 1"},
		"visitors_hours":  {"10 2", "11 1"},

		"browser_version": {"128 2", "Unknown 1"},
		"channel":         {"Direct 2", "Organic Search 1"},
		"exit_page":       {"/pricing 2", "/ 1"},
		"hostname":        {"example.com 2", "Unknown 1"},
		"os_version":      {"11 2", "Unknown 1"},
		"region":          {"Bavaria 2", "Unknown 1"},
		"source":          {"Direct / None 2", "Google 1"},
		"utm_content":     {"top 2"},
		"utm_medium":      {"email 2"},
		"utm_source":      {"letter 2"},
		"utm_term":        {"shoes 2"},
	}
	from := shop(t)
	for _, s := range stats.Statistics {
		rows, all := list(t, from, stats.StatisticParams{Name: s.Name, From: "2026-02-28", To: "2026-03-02"})
		if diff := cmp.Diff(want[s.Name], rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.Name, diff)
		}
		if all.Total != len(rows) || all.Page != 1 || all.PerPage != 10 {
			t.Errorf("%s: %d rows in all, page %d of %d", s.Name, all.Total, all.Page, all.PerPage)
		}
	}
}

func TestEventsCarryTheSumsOfTheirValues(t *testing.T) {
	_, all := list(t, shop(t), stats.StatisticParams{Name: "event", From: "2026-03-01", To: "2026-03-02"})
	got, err := json.Marshal(all.Records)
	if err != nil || string(got) != `[{"value":"Purchase","count":2,"revenue":{"EUR":14.75}}]` {
		t.Errorf("records are %s, %v", got, err)
	}
}

func TestBothDaysOfAPeriodBelongToIt(t *testing.T) {
	for period, want := range map[[2]string][]string{
		{"2026-03-01", "2026-03-01"}: {"2026-03-01 3"},
		{"2026-03-02", "2026-03-02"}: {"2026-03-02 1"},
		{"2026-03-03", "2026-03-03"}: nil,
	} {
		rows, all := list(t, shop(t), stats.StatisticParams{Name: "pageviews", From: period[0], To: period[1]})
		if !slices.Equal(rows, want) || all.Records == nil {
			t.Errorf("%v has %v", period, rows)
		}
	}
}

func TestParametersChooseAndSortRows(t *testing.T) {
	for name, c := range map[string]struct {
		statistic string
		p         stats.StatisticParams
		want      []string
	}{
		"count, least first":                {"referrer", stats.StatisticParams{Sort: "asc"}, []string{"google.com 1", "Direct / None 2"}},
		"count by name, greatest first":     {"referrer", stats.StatisticParams{SortBy: "count", Sort: "desc"}, []string{"Direct / None 2", "google.com 1"}},
		"value, Z to A by default":          {"country", stats.StatisticParams{SortBy: "value"}, []string{"Unknown 1", "Japan JP 1", "Germany DE 1"}},
		"value, A to Z":                     {"country", stats.StatisticParams{SortBy: "value", Sort: "asc"}, []string{"Germany DE 1", "Japan JP 1", "Unknown 1"}},
		"search in any case":                {"country", stats.StatisticParams{Search: " gERM "}, []string{"Germany DE 1"}},
		"search by value":                   {"country", stats.StatisticParams{Search: "germ", SearchBy: "value"}, []string{"Germany DE 1"}},
		"search by url":                     {"country", stats.StatisticParams{Search: "germ", SearchBy: "url"}, []string{"Germany DE 1"}},
		"search finds the empty value":      {"referrer", stats.StatisticParams{Search: "direct"}, []string{"Direct / None 2"}},
		"search finds it among others":      {"country", stats.StatisticParams{Search: "n"}, []string{"Germany DE 1", "Japan JP 1", "Unknown 1"}},
		"search in days":                    {"visitors", stats.StatisticParams{Search: "-02"}, []string{"2026-03-02 1"}},
		"second page, which does not exist": {"country", stats.StatisticParams{Page: "2"}, nil},
		"far page":                          {"country", stats.StatisticParams{Page: "1000000", PerPage: "100"}, nil},
		"a filter":                          {"page", stats.StatisticParams{Filters: `{"dimension":"country","op":"is","values":["Japan"]}`}, []string{"/pricing 1"}},
		"a filter on the empty value":       {"page", stats.StatisticParams{Filters: `[{"dimension":"country","op":"is","values":["Unknown"]}]`}, []string{"/ 1"}},
		"no filter":                         {"campaign", stats.StatisticParams{Filters: `[]`}, []string{"spring 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.p.Name, c.p.From, c.p.To = c.statistic, "2026-03-01", "2026-03-02"
			rows, _ := list(t, shop(t), c.p)
			if diff := cmp.Diff(c.want, rows); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPagesFollowEachOther(t *testing.T) {
	var events []event.Event
	for i := range 30 {
		events = append(events, at("2026-03-01 10:00", uint64(i), event.Pageview, "/", fields{event.Browser: fmt.Sprintf("%02d", i)}))
	}
	events = append(events, at("2026-03-01 10:00", 99, event.Pageview, "/", nil))
	from := load(t, events...)
	p := stats.StatisticParams{Name: "browser", From: "2026-03-01", To: "2026-03-01", SortBy: "value", Sort: "asc"}
	for page, want := range map[string][2]string{
		"1": {"00 1", "09 1"}, "2": {"10 1", "19 1"}, "3": {"20 1", "29 1"}, "4": {"Unknown 1", "Unknown 1"},
	} {
		p.Page = page
		rows, all := list(t, from, p)
		if all.Total != 31 || rows[0] != want[0] || rows[len(rows)-1] != want[1] {
			t.Errorf("page %s of %d is %v", page, all.Total, rows)
		}
	}
	for _, n := range []string{"10", "25", "50", "100"} {
		p.Page, p.PerPage = "", n
		if rows, all := list(t, from, p); fmt.Sprint(all.PerPage) != n || len(rows) != min(31, all.PerPage) {
			t.Errorf("%d rows of %s on a page of %d", len(rows), n, all.PerPage)
		}
	}
}

func TestEverythingWrongWithAStatisticIsNamedAtOnce(t *testing.T) {
	const date = "must be a date that exists"
	ok := stats.StatisticParams{Name: "page", From: "2026-03-01", To: "2026-03-31"}
	for name, c := range map[string]struct {
		p    stats.StatisticParams
		want map[string]string
	}{
		"nothing sent": {stats.StatisticParams{}, map[string]string{
			"name": "must be one of browser, campaign, city,", "from": "is required", "to": "is required",
		}},
		"everything wrong": {stats.StatisticParams{
			Name: "pages", From: "2026-02-30", To: "31.3.2026", Search: "\xff", SearchBy: "domain", SortBy: "id", Sort: "up",
			PerPage: "11", Page: "0", Filters: "{",
		}, map[string]string{
			"name": "must be one of", "from": date, "to": date, "search": "must be text in UTF-8",
			"search_by": "must be value or url", "sort_by": "must be count or value", "sort": "must be desc or asc",
			"per_page": "must be one of 10, 25, 50, 100", "page": "must be a whole number from 1 to 1000000",
			"filters": "must be JSON",
		}},
		"from after to": {stats.StatisticParams{Name: "page", From: "2026-03-02", To: "2026-03-01"}, map[string]string{
			"to": "must not be before from",
		}},
		"ten years and a day": {stats.StatisticParams{Name: "page", From: "2016-03-01", To: "2026-03-01"}, map[string]string{
			"to": "must be less than 10 years after from",
		}},
		"dates beyond all calendars": {stats.StatisticParams{Name: "page", From: "0000-01-01", To: "9999-12-31"}, map[string]string{
			"from": date, "to": date,
		}},
		"search too long": {with(ok, func(p *stats.StatisticParams) { p.Search = strings.Repeat("x", 501) }), map[string]string{
			"search": "must not be longer than 500 bytes",
		}},
		"page as text": {with(ok, func(p *stats.StatisticParams) { p.Page = "two" }), map[string]string{"page": "must be a whole number"}},
		"page too far": {with(ok, func(p *stats.StatisticParams) { p.Page = "1000001" }), map[string]string{"page": "must be a whole number"}},
		"filters too long": {with(ok, func(p *stats.StatisticParams) { p.Filters = strings.Repeat(" ", 17000) }), map[string]string{
			"filters": "must not be longer than",
		}},
		"filters of a wrong form": {with(ok, func(p *stats.StatisticParams) {
			p.Filters = `[{"dimension":"page","op":"is","values":"/"},{"dimension":"day","op":"like","value":["/"]}]`
		}), map[string]string{
			"filters[0].values": "must be a list", "filters[1].dimension": "must be one of page,",
			"filters[1].op": "must be one of is, is_not,", "filters[1].value": "is not known here", "filters[1].values": "must be a list",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := stats.ParseStatistic(scope, c.p)
			wantWrong(t, err, c.want)
		})
	}
	_, err := stats.ParseStatistic(stats.Scope{}, ok)
	wantWrong(t, err, map[string]string{"website_id": "must be the id"})
}

func with(p stats.StatisticParams, change func(*stats.StatisticParams)) stats.StatisticParams {
	change(&p)
	return p
}

func TestTenYearsAreAPeriod(t *testing.T) {
	from := load(t)
	if rows, _ := list(t, from, stats.StatisticParams{Name: "page", From: "2016-03-01", To: "2026-02-28"}); rows != nil {
		t.Errorf("rows of nothing: %v", rows)
	}
	q := from.queries[0]
	if q.From.String() != "2016-03-01" || q.To.String() != "2026-03-01" || q.Website != 1 {
		t.Errorf("asked of website %d from %s to %s", q.Website, q.From, q.To)
	}
}

func TestAPlainListIsOneQuestion(t *testing.T) {
	from := shop(t)
	list(t, from, stats.StatisticParams{Name: "referrer", From: "2026-03-01", To: "2026-03-02", Search: "google"})
	if n := len(from.queries[0].Questions); n != 1 || from.queries[0].Filter.Op != store.Everything {
		t.Errorf("%d questions with filter %v", n, from.queries[0].Filter.Op)
	}
}

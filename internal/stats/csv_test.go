package stats_test

import (
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/stats"
)

// file asks a question as JSON, and returns the answer as CSV.
func file(t *testing.T, from stats.Querier, asked string) string {
	t.Helper()
	p := stats.Params{File: true}
	if err := json.Unmarshal([]byte(asked), &p); err != nil {
		t.Fatal(err)
	}
	a, err := stats.Parse(scope, p)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := a.Run(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer.AppendCSV(nil))
}

func TestAnswersAsCSV(t *testing.T) {
	shop := shop(t)
	for name, c := range map[string]struct{ asked, want string }{
		"a dimension": {`{"period": "30d", "questions": [{"dimension": "page", "metrics": ["visitors", "pageviews", "bounce_rate"]}]}`,
			"\"page\",\"visitors\",\"pageviews\",\"bounce_rate\"\r\n\"/\",2,2,0\r\n\"/pricing\",2,2,50\r\n"},
		"none": {`{"period": "30d", "questions": [{"metrics": ["visitors", "views_per_visit"]}]}`,
			"\"visitors\",\"views_per_visit\"\r\n3,1.33\r\n"},
		"codes": {`{"period": "30d", "questions": [{"dimension": "country"}]}`,
			"\"country\",\"code\",\"visitors\"\r\n\"Unknown\",\"\",1\r\n\"Germany\",\"DE\",1\r\n\"Japan\",\"JP\",1\r\n"},
		"revenue": {`{"period": "30d", "questions": [{"dimension": "event", "metrics": ["events", "revenue"]}]}`,
			"\"event\",\"events\",\"revenue_EUR\"\r\n\"Purchase\",2,14.75\r\n"},
		"a comparison": {`{"period": {"from": "2026-03-02", "to": "2026-03-02"}, "compare": "previous_period", "questions": [{"dimension": "day", "metrics": ["visitors", "revenue"]}]}`,
			"\"day\",\"visitors\",\"revenue_EUR\",\"previous_day\",\"previous_visitors\",\"previous_revenue_EUR\"\r\n\"2026-03-02\",1,14.75,\"2026-03-01\",2,0\r\n"},
		"a time that has not come": {`{"period": {"from": "2026-03-04", "to": "2026-03-05"}, "questions": [{"dimension": "day"}]}`,
			"\"day\",\"visitors\"\r\n\"2026-03-04\",0\r\n\"2026-03-05\",\"\"\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := file(t, shop, c.asked); got != c.want {
				t.Errorf("it is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// S2: whatever a visitor sent, no cell begins as a formula does, in whatever way a spreadsheet cuts the line, and no text
// is lost.
func TestNoCellRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"=", "+", "-", "@", "\t", "\r", "\n", " ", "'", `"`, `""`, ",", ";", "|", "cmd|'/c calc'!A0", "HYPERLINK(\"http://evil\")", "1", "a", "ü", "＝", "\u00a0", "\ufeff", "\\"}
	values := map[string]bool{"=1+1": true, "-5": true, "+49 30": true, "@SUM(A1)": true, ";=1": true, "\";=1": true, " =1": true, "＝1": true, "\n=1": true}
	for len(values) < 2000 {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		values[b.String()] = true
	}
	var events []event.Event
	for v := range values {
		e := at("2026-03-03 10:00", uint64(len(events)+1), event.Custom, v, fields{event.Name: v, event.Unit: v})
		e.Value = -1_000_000
		events = append(events, e)
	}
	text := file(t, load(t, events...), `{"period": "7d", "questions": [{"dimension": "page", "metrics": ["visitors"], "limit": 10000}]}`)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, row := range rows[1:] {
		if cell := row[0]; runs(cell) {
			t.Fatalf("a spreadsheet runs %q", cell)
		}
		if _, err := strconv.Atoi(row[1]); err != nil {
			t.Fatalf("%q is no number", row[1])
		}
		// encoding/csv reads \r\n in a cell as \n; that is the reader's doing.
		for _, original := range []string{row[0], strings.TrimPrefix(row[0], "'")} {
			if values[original] || strings.Contains(original, "\n") {
				found++
				break
			}
		}
	}
	if found != len(rows)-1 || len(rows) < 1900 {
		t.Errorf("%d of %d rows of %d values are found again", found, len(rows)-1, len(values))
	}
	for _, separator := range []rune{';', '\t', '|'} {
		for _, cell := range cut(text, separator) {
			if runs(cell) {
				t.Fatalf("cut at %q, a spreadsheet runs %q", separator, cell)
			}
		}
	}
	sums := file(t, load(t, events...), `{"period": "7d", "questions": [{"metrics": ["revenue"]}]}`)
	head, numbers, _ := strings.Cut(strings.TrimSpace(sums), "\r\n")
	for _, name := range strings.Split(head, ",") {
		if strings.Trim(name, `"_`+"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ü") != "" {
			t.Fatalf("a column is named %s", name)
		}
	}
	for _, n := range strings.Split(numbers, ",") {
		if n != "-1" { // a number stays one, also below zero
			t.Fatalf("a sum is %q", n)
		}
	}
}

// cut is the cells of a text in a spreadsheet that separates them by another character: a quote opens a cell at its beginning
// only, and what follows the closing one belongs to the cell.
func cut(text string, separator rune) (cells []string) {
	var cell strings.Builder
	fresh, quoted := true, false
	letters := []rune(text)
	for i := 0; i < len(letters); i++ {
		switch r := letters[i]; {
		case r == '"' && fresh:
			fresh, quoted = false, true
		case r == '"' && quoted && i+1 < len(letters) && letters[i+1] == '"':
			cell.WriteRune(r)
			i++
		case r == '"' && quoted:
			quoted = false
		case !quoted && (r == separator || r == '\n'):
			cells = append(cells, strings.TrimSuffix(cell.String(), "\r"))
			cell.Reset()
			fresh = true
		default:
			cell.WriteRune(r)
			fresh = false
		}
	}
	return cells
}

// runs tells whether a spreadsheet takes a cell for a formula.
func runs(cell string) bool {
	if strings.IndexAny(cell, "\t\r\n") == 0 {
		return true
	}
	return strings.IndexAny(strings.TrimLeft(cell, " \t\r\n\u00a0\ufeff"), "=+-@＝＋－＠") == 0
}

func TestFileHasMoreRowsAndOneQuestion(t *testing.T) {
	var events []event.Event
	for i := range 1500 {
		events = append(events, at("2026-03-03 10:00", uint64(i+1), event.Pageview, "/"+strconv.Itoa(i), nil))
	}
	all := file(t, load(t, events...), `{"period": "7d", "questions": [{"dimension": "page"}]}`)
	if n := strings.Count(all, "\r\n"); n != 1501 {
		t.Errorf("a file has %d lines, want 1501", n)
	}
	for name, c := range map[string]struct {
		file  bool
		asked string
		want  map[string]string
	}{
		"two questions":        {true, `{"period": "7d", "questions": [{}, {}]}`, map[string]string{"questions": "must be one question for a file"}},
		"too many rows":        {true, `{"period": "7d", "questions": [{"dimension": "page", "limit": 10001}]}`, map[string]string{"questions[0].limit": "must be a whole number from 1 to 10000"}},
		"as many without file": {false, `{"period": "7d", "questions": [{"dimension": "page", "limit": 1001}]}`, map[string]string{"questions[0].limit": "must be a whole number from 1 to 1000"}},
	} {
		p := stats.Params{File: c.file}
		if err := json.Unmarshal([]byte(c.asked), &p); err != nil {
			t.Fatal(err)
		}
		_, err := stats.Parse(scope, p)
		if got := wrong(t, err); len(got) != 1 || got["questions"] != c.want["questions"] || got["questions[0].limit"] != c.want["questions[0].limit"] {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestStatisticAsCSV(t *testing.T) {
	for name, want := range map[string]string{
		"country": "\"value\",\"code\",\"count\"\r\n\"Unknown\",\"\",1\r\n\"Germany\",\"DE\",1\r\n\"Japan\",\"JP\",1\r\n",
		"event":   "\"value\",\"count\",\"revenue_EUR\"\r\n\"Purchase\",2,14.75\r\n",
		"page":    "\"value\",\"count\"\r\n\"/\",2\r\n\"/pricing\",2\r\n",
	} {
		a, err := stats.ParseStatistic(scope, stats.StatisticParams{Name: name, From: "2026-03-01", To: "2026-03-31", File: true})
		if err != nil {
			t.Fatal(err)
		}
		list, err := a.Run(t.Context(), shop(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(list.AppendCSV(nil)); got != want || list.PerPage != 10_000 {
			t.Errorf("%s, %d rows a page:\n%s\nwant\n%s", name, list.PerPage, got, want)
		}
	}
}

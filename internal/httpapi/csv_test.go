package httpapi_test

import (
	"mime"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/store"
)

func TestAnswersAsFiles(t *testing.T) {
	s, key := newServiceWithVisits(t, newService)
	pages := map[string]any{"website_id": 1, "period": map[string]any{"from": "2026-03-01", "to": "2026-03-02"},
		"questions": []any{map[string]any{"dimension": "page", "metrics": []any{"visitors", "pageviews"}}}}
	csv := map[string]string{"Accept": "text/csv"}
	for name, c := range map[string]struct {
		r          request
		file, want string
	}{
		"a question": {request{method: "POST", path: "/api/v1/query", body: pages},
			"footfall-a.example-page-2026-03-01-2026-03-02.csv", "\"page\",\"visitors\",\"pageviews\"\r\n\"/\",3,3\r\n\"/pricing\",1,1\r\n"},
		"a statistic": {request{method: "GET", path: "/api/v1/stats/1?name=country&from=2026-03-01&to=2026-03-31"},
			"footfall-a.example-country-2026-03-01-2026-03-31.csv", "\"value\",\"code\",\"count\"\r\n\"Germany\",\"DE\",2\r\n\"France\",\"FR\",1\r\n"},
		"a page of a statistic": {request{method: "GET", path: "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-31&search=pri&per_page=10"},
			"footfall-a.example-page-2026-03-01-2026-03-31.csv", "\"value\",\"count\"\r\n\"/pricing\",1\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c.r.key, c.r.headers = key, csv
			got := s.want(200, s.do(c.r))
			if string(got.body) != c.want || got.header.Get("Content-Type") != "text/csv; charset=utf-8" {
				t.Errorf("it is %s\n%s\nwant\n%s", got.header.Get("Content-Type"), got.body, c.want)
			}
			disposition, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
			if err != nil || disposition != "attachment" || params["filename"] != c.file {
				t.Errorf("its name is %s", got.header.Get("Content-Disposition"))
			}
		})
	}
	pages["questions"] = []any{map[string]any{}, map[string]any{}}
	if got := s.do(request{method: "POST", path: "/api/v1/query", body: pages, key: key, headers: csv}); got.status != 422 || len(problemOf(t, got).Errors["questions"]) == 0 {
		t.Errorf("two questions are %s", got.text())
	}
	s.want(401, s.do(request{method: "GET", path: "/api/v1/stats/1?name=country&from=2026-03-01&to=2026-03-31", headers: csv}))
}

func TestFileIsAnsweredToThoseWhoWantOne(t *testing.T) {
	s, key := newServiceWithVisits(t, newService)
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "text/html,*/*;q=0.8": "application/json", "application/json": "application/json",
		"text/csv": "text/csv", "Text/CSV; charset=utf-8": "text/csv", "text/csv, application/json": "text/csv", "application/json, text/csv": "application/json",
		"text/csv;q=0.5, application/json": "application/json", "application/json;q=0.5, text/csv;q=0.9": "text/csv", "text/csv;q=0": "application/json",
		"text/csv;q=junk": "application/json", ",;,=": "application/json",
	} {
		got := s.do(request{method: "GET", path: "/api/v1/stats/1?name=page&from=2026-03-01&to=2026-03-31", key: key, headers: map[string]string{"Accept": accept}})
		if kind, _, _ := strings.Cut(got.header.Get("Content-Type"), ";"); kind != want {
			t.Errorf("Accept: %s gets %s, want %s", accept, kind, want)
		}
	}
}

// S2: neither what a visitor sent nor what was asked for becomes more than letters and digits in the name of a file.
func TestFileHasAHarmlessName(t *testing.T) {
	s, key := newServiceWithVisits(t, newService)
	for _, name := range []string{"../../etc/passwd", "a\";filename=\"evil.exe", "=cmd", "x\r\nSet-Cookie: a=b", "日本", strings.Repeat("a", 190)} {
		body := map[string]any{"website_id": 1, "period": "30d", "questions": []any{map[string]any{"dimension": "prop:" + name}}}
		got := s.do(request{method: "POST", path: "/api/v1/query", key: key, body: body, headers: map[string]string{"Accept": "text/csv"}})
		if got.status == 422 {
			continue
		}
		_, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		file := params["filename"]
		if err != nil || !strings.HasPrefix(file, "footfall-a.example-prop-") || !strings.HasSuffix(file, ".csv") || strings.Contains(file, "/") ||
			len(params) != 1 || len(file) > 150 || got.header.Get("Set-Cookie") != "" || strings.Trim(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") != "" {
			t.Errorf("%q is in a file named %q, %v", name, got.header.Get("Content-Disposition"), err)
		}
	}
}

func TestPeriodAllBeginsWithTheFirstEvent(t *testing.T) {
	s, key := newServiceWithVisits(t, newService)
	ask := func(website int) string {
		return string(s.ask(key, "POST", "/api/v1/query", map[string]any{"website_id": website, "period": "all", "questions": []any{map[string]any{}}}).body)
	}
	if got := ask(1); !strings.Contains(got, `"period":{"from":"2026-03-01","to":"2026-04-01"}`) || !strings.Contains(got, `"visitors":3`) {
		t.Errorf("all is %s", got)
	}
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=empty.example"))
	if got := ask(2); !strings.Contains(got, `"period":{"from":"2026-04-01","to":"2026-04-01"}`) {
		t.Errorf("all of nothing is %s", got)
	}
}

func TestOverviewOfManyWebsites(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key, other := s.account("anna@example.com"), s.account("ben@example.com")
		var events []event.Event
		for i, c := range []struct {
			key, domain, zone string
			hits              []string
		}{
			{key, "a.example", "UTC", []string{"2026-03-29T10:00:00Z", "2026-03-31T10:00:00Z", "2026-03-31T11:00:00Z", "2026-04-01T10:00:00Z"}},
			{key, "b.example", "Pacific/Kiritimati", []string{"2026-04-01T09:00:00Z", "2026-04-01T11:00:00Z"}}, // there the 2nd began at ten
			{other, "c.example", "UTC", []string{"2026-04-01T10:00:00Z"}},
		} {
			s.want(201, s.ask(c.key, "POST", "/api/v1/websites", form(map[string]any{"domain": c.domain, "timezone": c.zone})))
			for n, hit := range c.hits {
				events = append(events, eventAt(t, int64(i+1), uint64(n+1), hit, c.zone))
			}
		}
		if err := s.engine.Append(t.Context(), store.Batch{From: 1, To: 9, Events: events}); err != nil {
			t.Fatal(err)
		}
		r := s.want(200, s.ask(key, "POST", "/api/v1/overview", map[string]any{"ids": []any{2, 1, 3, 2, 99}, "days": 2}))
		want := `{"data":[{"id":2,"today":1,"yesterday":1,"visitors":2,"previous":0,"series":[1,1]},` +
			`{"id":1,"today":1,"yesterday":2,"visitors":3,"previous":1,"series":[2,1]}]}` + "\n"
		if string(r.body) != want {
			t.Errorf("it is %s, want %s", r.body, want)
		}
		all := data[[]struct{ Series []int64 }](t, s.want(200, s.ask(key, "POST", "/api/v1/overview", map[string]any{"ids": []any{1}})))
		if len(all[0].Series) != 30 {
			t.Errorf("it has %d days", len(all[0].Series))
		}
		for name, body := range map[string]any{
			"no ids": map[string]any{}, "too many": map[string]any{"ids": make([]int, 101)}, "no days": map[string]any{"ids": []any{1}, "days": 0},
			"too many days": map[string]any{"ids": []any{1}, "days": 91}, "no numbers": map[string]any{"ids": []any{"x"}}, "no list": map[string]any{"ids": 1},
		} {
			if got := s.ask(key, "POST", "/api/v1/overview", body); got.status != 422 {
				t.Errorf("%s: %s", name, got.text())
			}
		}
	})
}

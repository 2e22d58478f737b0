package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type website struct {
	ID             int64
	Domain         string
	Privacy        int
	Email          int
	ExcludeBots    int    `json:"exclude_bots"`
	ExcludeParams  string `json:"exclude_params"`
	ExcludeIPs     string `json:"exclude_ips"`
	RespectSignals int    `json:"respect_signals"`
	Timezone       string
	CreatedAt      string `json:"created_at"`
	UpdatedAt      string `json:"updated_at"`
}

func TestWebsiteIsCreatedWithDefaults(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		r := s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=https%3A%2F%2FWWW.Example.com%2Fabout"))
		want := website{
			ID: 1, Domain: "example.com", Privacy: 1, ExcludeBots: 1, Timezone: "UTC", CreatedAt: "2026-04-01T12:00:00Z", UpdatedAt: "2026-04-01T12:00:00Z",
		}
		if d := cmp.Diff(want, data[website](t, r)); d != "" {
			t.Error(d)
		}
		if got, want := r.header.Get("Location"), s.url+"/api/v1/websites/1"; got != want {
			t.Errorf("Location is %s, want %s", got, want)
		}
		if shown := s.want(200, s.get(key, "/api/v1/websites/1")); string(shown.body) != string(r.body) {
			t.Errorf("shown is %s, created was %s", shown.body, r.body)
		}
	})
}

func TestWebsiteRecordHasTheseFieldsAndNoPassword(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		r := s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example&privacy=2&password=sesame"))
		want := []string{"created_at", "domain", "email", "exclude_bots", "exclude_ips", "exclude_params", "id", "privacy", "respect_signals", "timezone", "updated_at"}
		record := data[map[string]any](t, r)
		var got []string
		for name := range record {
			got = append(got, name)
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if strings.Contains(string(r.body), "sesame") {
			t.Error("the password is in the answer")
		}
	})
}

func TestWebsiteFieldsAreTakenFromFormsAndFromJSON(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		fields := map[string]any{
			"domain": "a.example", "privacy": 2, "password": "p", "email": 1, "exclude_bots": 0, "exclude_params": "utm_*,ref", "exclude_ips": "192.0.2.1, 2001:db8::/32",
			"timezone": "Europe/Berlin", "unknown": "ignored",
		}
		texts := make(map[string]any)
		for name, value := range fields {
			texts[name] = fmt.Sprint(value)
		}
		truths := map[string]any{"domain": "a.example", "privacy": "2", "password": "p", "email": true, "exclude_bots": false, "exclude_params": "utm_*,ref",
			"exclude_ips": "192.0.2.1, 2001:db8::/32", "timezone": "Europe/Berlin", "unknown": []int{1}}
		for name, body := range map[string]any{"form": form(fields), "numbers": fields, "texts": texts, "truths": truths} {
			t.Run(name, func(t *testing.T) {
				s := newService(t, nil)
				got := data[website](t, s.want(201, s.ask(s.account("anna@example.com"), "POST", "/api/v1/websites", body)))
				if got.Privacy != 2 || got.Email != 1 || got.ExcludeBots != 0 || got.Timezone != "Europe/Berlin" {
					t.Errorf("website is %+v", got)
				}
				if !strings.Contains(got.ExcludeParams, "utm_*") || !strings.Contains(got.ExcludeIPs, "2001:db8::/32") {
					t.Errorf("exclusions are %q and %q", got.ExcludeParams, got.ExcludeIPs)
				}
			})
		}
	})
}

func TestWebsiteUpdateChangesOnlyWhatIsSent(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example&email=1&exclude_params=ref"))
		got := data[website](t, s.want(200, s.ask(key, "PUT", "/api/v1/websites/1", "exclude_bots=0&respect_signals=1")))
		if got.Email != 1 || got.RespectSignals != 1 || got.ExcludeParams != "ref" || got.ExcludeBots != 0 || got.Privacy != 1 {
			t.Errorf("website is %+v", got)
		}
		s.want(200, s.ask(key, "PUT", "/api/v1/websites/1", nil))
		s.want(200, s.ask(key, "PUT", "/api/v1/websites/1", "password=kept"))
		s.want(200, s.ask(key, "PUT", "/api/v1/websites/1", "privacy=2"))
	})
}

func TestWebsiteMistakesAreNamedAllAtOnce(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=taken.example"))
		cases := map[string]struct {
			method, path string
			body         any
			status       int
			fields       []string
		}{
			"nothing sent":            {"POST", "/api/v1/websites", nil, 422, []string{"domain"}},
			"all wrong":               {"POST", "/api/v1/websites", "domain=!&privacy=3&email=2&exclude_bots=x&exclude_ips=z&timezone=Mars&respect_signals=2", 422, []string{"domain", "email", "exclude_bots", "exclude_ips", "privacy", "respect_signals", "timezone"}},
			"no password":             {"POST", "/api/v1/websites", "domain=a.example&privacy=2", 422, []string{"password"}},
			"domain taken":            {"POST", "/api/v1/websites", "domain=www.taken.example", 409, []string{"domain"}},
			"domain on update":        {"PUT", "/api/v1/websites/1", "domain=b.example", 422, []string{"domain"}},
			"privacy becomes 2":       {"PUT", "/api/v1/websites/1", "privacy=2", 422, []string{"password"}},
			"empty privacy":           {"PUT", "/api/v1/websites/1", "privacy=", 422, []string{"privacy"}},
			"sent twice":              {"PUT", "/api/v1/websites/1", "privacy=0&privacy=1", 422, []string{"privacy"}},
			"a list in JSON":          {"PUT", "/api/v1/websites/1", map[string]any{"privacy": []int{1}}, 422, []string{"privacy"}},
			"list: all wrong":         {"GET", "/api/v1/websites?search_by=id&sort_by=x&sort=up&per_page=11&page=0", nil, 422, []string{"page", "per_page", "search_by", "sort", "sort_by"}},
			"list: per_page no digit": {"GET", "/api/v1/websites?per_page=ten", nil, 422, []string{"per_page"}},
			"list: sent twice":        {"GET", "/api/v1/websites?page=1&page=2", nil, 422, []string{"page"}},
		}
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				r := s.want(c.status, s.ask(key, c.method, c.path, c.body))
				p := problemOf(t, r)
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

func TestWebsiteIsDeletedForGood(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example"))
		r := s.want(200, s.ask(key, "DELETE", "/api/v1/websites/1", nil))
		if got, want := string(r.body), `{"data":{"id":1,"deleted":true}}`+"\n"; got != want {
			t.Errorf("answer is %s, want %s", got, want)
		}
		s.want(404, s.get(key, "/api/v1/websites/1"))
		s.want(404, s.ask(key, "DELETE", "/api/v1/websites/1", nil))
		if got := data[website](t, s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=a.example"))); got.ID != 2 {
			t.Errorf("the next id is %d, want 2", got.ID)
		}
	})
}

func TestWebsiteListHasPages(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		key := s.account("anna@example.com")
		for i := range 25 {
			s.want(201, s.ask(key, "POST", "/api/v1/websites", fmt.Sprintf("domain=site%02d.example", i)))
		}
		type list struct {
			Data  []website
			Links map[string]*string
			Meta  map[string]any
		}
		read := func(query string) list {
			t.Helper()
			var l list
			if err := json.Unmarshal(s.want(200, s.get(key, "/api/v1/websites"+query)).body, &l); err != nil {
				t.Fatal(err)
			}
			return l
		}
		first := read("")
		if len(first.Data) != 10 || first.Data[0].Domain != "site24.example" {
			t.Errorf("the default is %d websites from %s, want 10 from the newest", len(first.Data), first.Data[0].Domain)
		}
		want := map[string]any{"current_page": 1.0, "from": 1.0, "last_page": 3.0, "path": s.url + "/api/v1/websites", "per_page": 10.0, "to": 10.0, "total": 25.0}
		if d := cmp.Diff(want, first.Meta); d != "" {
			t.Error(d)
		}
		if first.Links["prev"] != nil || *first.Links["next"] != s.url+"/api/v1/websites?page=2" {
			t.Errorf("links are %v", first.Links)
		}
		last := read("?page=3&sort_by=domain&sort=asc&extra=kept")
		if len(last.Data) != 5 || last.Data[4].Domain != "site24.example" || last.Links["next"] != nil {
			t.Errorf("the last page is %v", last.Data)
		}
		u, err := url.Parse(*last.Links["prev"])
		if err != nil {
			t.Fatal(err)
		}
		wantQuery := url.Values{"page": {"2"}, "sort_by": {"domain"}, "sort": {"asc"}, "extra": {"kept"}}
		if d := cmp.Diff(wantQuery, u.Query()); d != "" {
			t.Errorf("links do not keep the parameters: %s", d)
		}
		if beyond := read("?page=9"); len(beyond.Data) != 0 || beyond.Meta["from"] != nil || *beyond.Links["prev"] != s.url+"/api/v1/websites?page=3" {
			t.Errorf("a page after the last is %+v", beyond)
		}
		for _, n := range []int{10, 25, 50, 100} {
			if got := len(read(fmt.Sprintf("?per_page=%d", n)).Data); got != min(n, 25) {
				t.Errorf("per_page=%d shows %d", n, got)
			}
		}
		if found := read("?search=SITE1&search_by=domain&per_page=25"); len(found.Data) != 10 {
			t.Errorf("search finds %d, want 10", len(found.Data))
		}
		if none := read("?search=%25"); len(none.Data) != 0 || none.Meta["total"] != 0.0 {
			t.Errorf("search for %% finds %d", len(none.Data))
		}
	})
}

package httpapi_test

import (
	"context"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/httpapi"
)

// eventAt is a pageview at a moment, by the clock of a zone.
func eventAt(t *testing.T, website int64, visitor uint64, moment, zone string) event.Event {
	t.Helper()
	when, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		t.Fatal(err)
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	e := event.Event{Website: website, Visitor: visitor, Kind: event.Pageview}
	e.At(when, location)
	e.Fields[event.Page] = "/"
	return e
}

func TestInstallation(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		var ailing []string
		s := newService(t, func(o *httpapi.Options) {
			o.Ready = func(context.Context) []string { return ailing }
			o.Facts = func() httpapi.Facts {
				return httpapi.Facts{Version: "1.2.3", Bytes: 2000, JournalBytes: 100, Events: 40, NoMail: "no server is set"}
			}
		})
		key, member := s.account("root@example.com"), s.account("anna@example.com")
		s.want(201, s.ask(member, "POST", "/api/v1/websites", "domain=a.example"))
		drops := []accounts.DropCount{{Website: 0, Day: "2026-03-30", Reason: "unknown_website", Hits: 5}, {Website: 0, Day: "2026-02-01", Reason: "unknown_website", Hits: 7}}
		if err := s.db.AddDrops(t.Context(), "node", 1, drops); err != nil {
			t.Fatal(err)
		}
		s.clock.pass(90 * time.Minute)
		want := `{"data":{"name":"Footfall","default_timezone":"UTC","version":"1.2.3","uptime_seconds":5400,` +
			`"data":{"bytes":2000,"journal_bytes":100,"events":40},"health":{"ready":true,"reasons":[]},` +
			`"mail":{"configured":false,"why":"no server is set"},"accounts":2,"websites":1,"unknown_website_hits":5}}` + "\n"
		if got := s.get(key, "/api/v1/installation"); string(got.body) != want {
			t.Errorf("it is %s, want %s", got.body, want)
		}
		ailing = []string{"journal"}
		s.want(200, s.ask(key, "PUT", "/api/v1/installation", map[string]any{"name": "Numbers", "default_timezone": "Asia/Tokyo"}))
		got := data[struct {
			Name            string
			DefaultTimezone string `json:"default_timezone"`
			Health          struct {
				Ready   bool
				Reasons []string
			}
		}](t, s.get(key, "/api/v1/installation"))
		if got.Name != "Numbers" || got.DefaultTimezone != "Asia/Tokyo" || got.Health.Ready || len(got.Health.Reasons) != 1 {
			t.Errorf("it is %+v", got)
		}
		made := s.want(201, s.ask(member, "POST", "/api/v1/websites", "domain=b.example"))
		if zone := data[struct{ Timezone string }](t, made).Timezone; zone != "Asia/Tokyo" {
			t.Errorf("a new website is in %s", zone)
		}
		s.want(422, s.ask(key, "PUT", "/api/v1/installation", "default_timezone=Mars"))
		s.want(403, s.get(member, "/api/v1/installation"))
	})
}

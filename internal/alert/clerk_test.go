package alert_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/alert"
	"footfall/internal/mail/mailtest"
)

// busy is a rig on which an alert has just fired, of an account that reads a language.
func busy(t *testing.T, kind, locale string) (*rig, accounts.Website, accounts.Alert) {
	t.Helper()
	r := newRig(t)
	r.anna = r.account(locale + "@example.com")
	w := r.website("example.com", "Europe/Berlin")
	a := r.alert(w, accounts.AlertInput{Kind: &kind})
	r.usually(w, "2026-03-04 12:30", 1000, 1000, 1000, 1000)
	if kind == "above" {
		r.visits(w, "2026-03-04 11:30", 2345)
	}
	r.Set("2026-03-04 12:05")
	must(t, r.watch(r.DB).Check(t.Context()))
	if found := r.found(); len(found) != 1 {
		t.Fatalf("found %+v", found)
	}
	return r, w, a
}

func TestEmailsTellOfAlerts(t *testing.T) {
	for name, c := range map[string]struct{ kind, locale, subject, story string }{
		"above": {"above", "en", "example.com: 2,345 visitors in an hour, usually 1,000",
			"Wednesday, 4 March 2026, 12:00–13:00: example.com had 2,345 visitors. About 1,000 are usual for this hour of the week."},
		"below": {"below", "en", "example.com: only 0 visitors in an hour, usually 1,000",
			"Wednesday, 4 March 2026, 12:00–13:00: example.com had 0 visitors. About 1,000 are usual for this hour of the week."},
		"silent": {"silent", "en", "example.com: no hits for 3 h, usually 1,000",
			"Wednesday, 4 March 2026, 10:00–13:00: example.com had no hits for 3 hours. About 1,000 are usual at this time of the week. " +
				"Is the website up, and is the script still in its pages?"},
		"above, in German": {"above", "de", "example.com: 2.345 Besucher in einer Stunde, üblich sind 1.000",
			"Mittwoch, 4.3.2026, 12:00–13:00 Uhr: example.com hatte 2.345 Besucher. Üblich sind zu dieser Stunde der Woche etwa 1.000."},
		"silent, in German": {"silent", "de", "example.com: keine Aufrufe seit 3 Std., üblich sind 1.000",
			"Mittwoch, 4.3.2026, 10:00–13:00 Uhr: example.com hatte seit 3 Stunden keine Aufrufe. Üblich sind zu dieser Zeit der Woche etwa 1.000. " +
				"Ist die Website erreichbar, und steht das Skript noch in ihren Seiten?"},
	} {
		t.Run(name, func(t *testing.T) {
			r, _, _ := busy(t, c.kind, c.locale)
			server := mailtest.Start(t, mailtest.Options{})
			must(t, r.postman(server).Send(t.Context()))
			must(t, r.postman(server).Send(t.Context()))
			mails := server.Mails()
			if len(mails) != 1 {
				t.Fatalf("%d emails were sent", len(mails))
			}
			m := mailtest.Parse(t, mails[0].Data)
			if m.Subject != c.subject || m.Header.Get("To") != "<"+c.locale+"@example.com>" || m.Header.Get("Auto-Submitted") != "auto-generated" {
				t.Errorf("header is %v", m.Header)
			}
			link := "https://stats.example.com/example.com?from=2026-03-04&to=2026-03-04"
			for _, want := range []string{c.story, link, "https://stats.example.com/example.com/settings"} {
				if !strings.Contains(m.Text, want) {
					t.Errorf("text lacks %q:\n%s", want, m.Text)
				}
				if !strings.Contains(m.HTML, strings.ReplaceAll(want, "&", "&amp;")) {
					t.Errorf("HTML lacks %q:\n%s", want, m.HTML)
				}
			}
			if !strings.Contains(m.HTML, `lang="`+c.locale+`"`) {
				t.Error("the HTML does not say its language")
			}
		})
	}
}

func TestAlertsThatNobodyWantsAreNotSent(t *testing.T) {
	for name, change := range map[string]func(r *rig, w accounts.Website, a accounts.Alert) error{
		"email switched off": func(r *rig, w accounts.Website, a accounts.Alert) error {
			_, err := r.DB.UpdateAlert(t.Context(), r.anna, w.ID, a.ID, accounts.AlertInput{Email: new("0")})
			return err
		},
		"alert deleted": func(r *rig, w accounts.Website, a accounts.Alert) error {
			return r.DB.DeleteAlert(t.Context(), r.anna, w.ID, a.ID)
		},
		"website deleted": func(r *rig, w accounts.Website, a accounts.Alert) error {
			return r.DB.DeleteWebsite(t.Context(), r.anna, w.ID)
		},
		"a day later": func(r *rig, w accounts.Website, a accounts.Alert) error {
			r.Pass(24*time.Hour + time.Minute)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, w, a := busy(t, "above", "en")
			must(t, change(r, w, a))
			server := mailtest.Start(t, mailtest.Options{})
			must(t, r.postman(server).Send(t.Context()))
			if n := len(server.Mails()); n != 0 {
				t.Errorf("%d emails were sent", n)
			}
			list, err := r.DB.Deliveries(t.Context(), alert.Kind, 10)
			must(t, err)
			for _, d := range list {
				if d.State != accounts.Dropped && d.State != accounts.Failed {
					t.Errorf("delivery is %+v", d)
				}
			}
		})
	}
}

// The server is away at first. Each attempt comes later after the last than that did after the one before.
func TestEmailWaitsForTheServer(t *testing.T) {
	r, _, _ := busy(t, "above", "en")
	server := mailtest.Start(t, mailtest.Options{})
	postman := r.postman(server)
	right := postman.Mail
	postman.Mail.Port = 1 // where nobody listens
	for range 3 {
		if err := postman.Send(t.Context()); err == nil {
			t.Fatal("it was sent")
		}
		must(t, postman.Send(t.Context())) // not yet
		r.Pass(time.Hour)
	}
	postman.Mail = right
	must(t, postman.Send(t.Context()))
	list, err := r.DB.Deliveries(t.Context(), alert.Kind, 10)
	must(t, err)
	if len(server.Mails()) != 1 || list[0].State != accounts.Sent || list[0].Attempts != 4 {
		t.Errorf("%d emails, delivery %+v", len(server.Mails()), list[0])
	}
}

func TestWebhookIsToldOfAnAlert(t *testing.T) {
	r := newRig(t)
	w := r.website("example.com", "Europe/Berlin")
	h, _, err := r.DB.AddWebhook(t.Context(), r.anna, w.ID, "https://example.com/in")
	must(t, err)
	a := r.alert(w, accounts.AlertInput{Kind: new("above"), Email: new("0"), Webhook: new(fmt.Sprint(h.ID))})
	r.usually(w, "2026-03-04 12:30", calm...)
	r.visits(w, "2026-03-04 11:30", 500)
	r.Set("2026-03-04 12:05")
	must(t, r.watch(r.DB).Check(t.Context()))
	list, err := r.DB.Deliveries(t.Context(), accounts.WebhookKind, 10)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("%d messages", len(list))
	}
	var got accounts.Posting
	must(t, json.Unmarshal([]byte(list[0].Payload), &got))
	body := fmt.Sprintf(`{"alert":{"id":%d,"kind":"above","from":"2026-03-04T12:00:00+01:00","to":"2026-03-04T13:00:00+01:00","visitors":500,"usual":100},`+
		`"website":{"domain":"example.com","id":%d}}`, a.ID, w.ID)
	if got.Webhook != h.ID || got.Kind != "alert" || string(got.Body) != body {
		t.Errorf("message is %s, want %s", list[0].Payload, body)
	}
}

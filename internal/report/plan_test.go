package report_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/mail/mailtest"
)

// Six o'clock on a Monday or a first, on the website's clock, also on the Monday after the clock was changed.
func TestReportsAreDueAtSixOnTheWebsitesClock(t *testing.T) {
	cases := map[string]struct {
		zone string
		due  string // UTC
		want []string
	}{
		"UTC":                                              {"UTC", "2026-03-09 06:00", []string{"week 2026-03-02"}},
		"Berlin in winter":                                 {"Europe/Berlin", "2026-03-23 05:00", []string{"week 2026-03-16"}},
		"Berlin after the clock went ahead":                {"Europe/Berlin", "2026-03-30 04:00", []string{"week 2026-03-23"}},
		"Berlin after the clock went back":                 {"Europe/Berlin", "2026-10-26 05:00", []string{"week 2026-10-19"}},
		"New York after it went ahead":                     {"America/New_York", "2026-03-09 10:00", []string{"week 2026-03-02"}},
		"New York after it went back":                      {"America/New_York", "2026-11-02 11:00", []string{"week 2026-10-26"}},
		"Lord Howe after half an hour ahead":               {"Australia/Lord_Howe", "2026-10-04 19:00", []string{"week 2026-09-28"}},
		"Lord Howe after half an hour back":                {"Australia/Lord_Howe", "2026-04-05 19:30", []string{"week 2026-03-30"}},
		"Kathmandu, a quarter off":                         {"Asia/Kathmandu", "2026-03-09 00:15", []string{"week 2026-03-02"}},
		"Kiritimati, where it is Monday first":             {"Pacific/Kiritimati", "2026-03-08 16:00", []string{"week 2026-03-02"}},
		"Pago Pago, where it is Monday last":               {"Pacific/Pago_Pago", "2026-03-09 17:00", []string{"week 2026-03-02"}},
		"a first that is a Wednesday":                      {"Europe/Berlin", "2026-04-01 04:00", []string{"month 2026-03-01"}},
		"a first that is a Monday":                         {"Europe/Berlin", "2026-06-01 04:00", []string{"month 2026-05-01", "week 2026-05-25"}},
		"the first of the year":                            {"Asia/Tokyo", "2026-12-31 21:00", []string{"month 2026-12-01"}},
		"a week over the end of the year":                  {"Asia/Tokyo", "2027-01-03 21:00", []string{"week 2026-12-28"}},
		"February":                                         {"UTC", "2026-03-01 06:00", []string{"month 2026-02-01"}},
		"February of a leap year":                          {"UTC", "2028-03-01 06:00", []string{"month 2028-02-01"}},
		"a week over the 29th of February":                 {"UTC", "2028-03-06 06:00", []string{"week 2028-02-28"}},
		"Azores, on the day that the clock skips midnight": {"Atlantic/Azores", "2026-03-30 06:00", []string{"week 2026-03-23"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "", mailtest.Options{})
			r.Set(c.due)
			r.Pass(-18 * time.Hour) // after all that is due before
			anna := r.Account("anna@example.com", "en")
			r.website(anna, "example.com", c.zone)
			n := r.node("one", r.DB)
			r.Set(c.due)
			r.Pass(-time.Millisecond)
			must(t, n.Plan(t.Context()))
			if got := names(t, r.DB); len(got) != 0 {
				t.Errorf("before it is due, %v", got)
			}
			r.Pass(time.Millisecond)
			for range 3 { // the same however often
				must(t, n.Plan(t.Context()))
			}
			if diff := cmp.Diff(c.want, spans(names(t, r.DB))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// spans are the spans and first days of names such as week/1/1/2026-03-02 waiting, sorted.
func spans(names []string) []string {
	var all []string
	for _, name := range names {
		name, _, _ = strings.Cut(name, " ")
		parts := strings.Split(name, "/")
		all = append(all, parts[0]+" "+parts[3])
	}
	slices.Sort(all)
	return all
}

func TestYearHasEveryWeekAndMonthOnce(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	r.Set("2026-01-01 12:00")
	anna := r.Account("anna@example.com", "en")
	r.website(anna, "example.com", "America/Santiago")
	n := r.node("one", r.DB)
	var year []string
	for r.Now().Before(time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)) {
		must(t, n.Plan(t.Context()))
		for {
			d, ok, err := r.DB.TakeDelivery(t.Context(), "report", "one")
			must(t, err)
			if !ok {
				break
			}
			must(t, r.DB.EndDelivery(t.Context(), d, "sent", ""))
			// Deliveries are forgotten after a while, so they are counted as they come.
			year = append(year, spans([]string{d.Name})...)
		}
		r.Pass(5 * time.Hour)
	}
	var want []string
	for monday := time.Date(2025, 12, 29, 0, 0, 0, 0, time.UTC); monday.Before(time.Date(2026, 12, 27, 0, 0, 0, 0, time.UTC)); monday = monday.AddDate(0, 0, 7) {
		want = append(want, "week "+monday.Format(time.DateOnly))
	}
	for month := range 12 {
		want = append(want, fmt.Sprintf("month 2026-%02d-01", month+1))
	}
	slices.Sort(want)
	slices.Sort(year)
	if diff := cmp.Diff(want, year); diff != "" {
		t.Error(diff)
	}
}

func TestMissedReportsComeLateOnce(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	anna := r.Account("anna@example.com", "en")
	w := r.website(anna, "example.com", "Europe/Berlin")
	r.load(visits(w.ID, "2026-05-12", 3, nil)...)
	n := r.node("one", r.DB)
	r.Set("2026-05-21 13:00") // a Thursday, eleven weeks later
	n.work(t)
	if diff := cmp.Diff([]string{"month 2026-04-01", "week 2026-05-11"}, spans(names(t, r.DB))); diff != "" {
		t.Error(diff)
	}
	if got := len(r.mails()); got != 2 {
		t.Errorf("%d mails, want 2", got)
	}
	n.work(t)
	r.Set("2026-05-25 05:00")
	n.work(t)
	if diff := cmp.Diff([]string{"month 2026-04-01", "week 2026-05-11", "week 2026-05-18"}, spans(names(t, r.DB))); diff != "" {
		t.Error(diff)
	}
	ids(t, r.mail.Mails())
}

func TestReportsBeginWhenTheyAreSwitchedOn(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	anna := r.Account("anna@example.com", "en")
	w, err := r.DB.CreateWebsite(t.Context(), anna, newWebsite("example.com"))
	must(t, err)
	n := r.node("one", r.DB)
	n.work(t)
	r.Set("2026-03-18 12:00")
	_, err = r.DB.UpdateWebsite(t.Context(), anna, w.ID, emailOn())
	must(t, err)
	n.work(t)
	if got := names(t, r.DB); len(got) != 0 {
		t.Errorf("of weeks before, %v", got)
	}
	r.Set("2026-03-23 06:00")
	n.work(t)
	if diff := cmp.Diff([]string{"week 2026-03-16"}, spans(names(t, r.DB))); diff != "" {
		t.Error(diff)
	}
}

// A zone that is there today may have another name in the next version.
func TestUnknownZoneKeepsNoOtherReportWaiting(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	anna := r.Account("anna@example.com", "en")
	lost := r.website(anna, "example.com", "UTC")
	r.website(anna, "example.org", "UTC")
	raw, err := sql.Open("sqlite", r.URL)
	must(t, err)
	defer raw.Close()
	_, err = raw.Exec(`UPDATE websites SET timezone = 'Europe/Nowhere' WHERE id = $1`, lost.ID)
	must(t, err)
	n := r.node("one", r.DB)
	r.Set("2026-03-09 06:00")
	if err := n.Plan(t.Context()); err == nil || !strings.Contains(err.Error(), "Nowhere") {
		t.Errorf("error is %v", err)
	}
	if got := names(t, r.DB); !slices.Equal(got, []string{"week/2/1/2026-03-02 waiting"}) {
		t.Errorf("outbox is %v", got)
	}
}

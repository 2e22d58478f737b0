package event_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"footfall/internal/event"
)

func TestAtPlacesAnEventOnTheWebsitesClock(t *testing.T) {
	cases := map[string]struct {
		zone, at, day string
		offset        int16
		hour          int
	}{
		"in UTC":                             {"UTC", "2026-03-01T23:59:59.999Z", "2026-03-01", 0, 23},
		"ahead of UTC":                       {"Europe/Berlin", "2026-03-01T23:30:00Z", "2026-03-02", 60, 0},
		"behind UTC":                         {"America/New_York", "2026-03-01T03:00:00Z", "2026-02-28", -300, 22},
		"half an hour":                       {"Asia/Kolkata", "2026-02-28T18:30:00Z", "2026-03-01", 330, 0},
		"three quarters":                     {"Asia/Kathmandu", "2026-02-28T18:14:59Z", "2026-02-28", 345, 23},
		"half an hour behind":                {"America/St_Johns", "2026-01-01T03:29:59Z", "2025-12-31", -210, 23},
		"before the clock is set forward":    {"Europe/Berlin", "2026-03-29T00:59:59.999Z", "2026-03-29", 60, 1},
		"after the clock is set forward":     {"Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29", 120, 3},
		"before the clock is set back":       {"Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25", 120, 2},
		"after the clock is set back":        {"Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25", 60, 2},
		"the first place to begin a day":     {"Pacific/Kiritimati", "2026-03-01T10:00:00Z", "2026-03-02", 840, 0},
		"the last place to end one":          {"Etc/GMT+12", "2026-03-02T11:59:59.999Z", "2026-03-01", -720, 23},
		"midnight that the clock jumps over": {"America/Havana", "2026-03-08T05:00:00Z", "2026-03-08", -240, 1},
		"before 1970":                        {"UTC", "1969-12-31T22:15:00Z", "1969-12-31", 0, 22},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			var e event.Event
			e.At(at, zone)
			if e.Time != at.UnixMilli() || e.Day.String() != c.day || e.Offset != c.offset || e.Hour() != c.hour {
				t.Errorf("time %d, day %s, offset %d, hour %d; want %d, %s, %d, %d",
					e.Time, e.Day, e.Offset, e.Hour(), at.UnixMilli(), c.day, c.offset, c.hour)
			}
		})
	}
}

func TestFieldsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for f := range event.Field(event.NumFields) {
		if f.String() == "" || seen[f.String()] {
			t.Errorf("field %d is called %q", f, f)
		}
		seen[f.String()] = true
		if f.OfVisit() != (f > event.Props) {
			t.Errorf("%s belongs to the visit: %t", f, f.OfVisit())
		}
	}
}

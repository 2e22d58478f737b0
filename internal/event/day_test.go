package event_test

import (
	"testing"
	"time"

	"footfall/internal/event"
)

func TestDayIsADateOfTheCalendar(t *testing.T) {
	cases := map[string]struct {
		text                     string
		day                      event.Day
		monday, month, nextMonth string
	}{
		"first of all":            {"1970-01-01", 0, "1969-12-29", "1970-01-01", "1970-02-01"},
		"a Thursday":              {"2026-01-01", 20454, "2025-12-29", "2026-01-01", "2026-02-01"},
		"a Sunday":                {"2026-03-01", 20513, "2026-02-23", "2026-03-01", "2026-04-01"},
		"a Monday":                {"2026-03-02", 20514, "2026-03-02", "2026-03-01", "2026-04-01"},
		"end of a year":           {"2025-12-31", 20453, "2025-12-29", "2025-12-01", "2026-01-01"},
		"leap day":                {"2028-02-29", 21243, "2028-02-28", "2028-02-01", "2028-03-01"},
		"no leap day in 2100":     {"2100-02-28", 47540, "2100-02-22", "2100-02-01", "2100-03-01"},
		"last before four digits": {"9999-12-31", 2932896, "9999-12-27", "9999-12-01", "10000-01-01"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			day, err := event.ParseDay(c.text)
			if err != nil || day != c.day {
				t.Fatalf("day of %s is %d (%v), want %d", c.text, day, err, c.day)
			}
			got := [...]string{day.String(), day.Monday().String(), day.Month().String(), day.NextMonth().String()}
			if want := [...]string{c.text, c.monday, c.month, c.nextMonth}; got != want {
				t.Errorf("day, Monday, month and next month are %v, want %v", got, want)
			}
		})
	}
}

func TestParseDayRefusesWhatIsNoDate(t *testing.T) {
	for _, text := range []string{"", "2026", "2026-3-1", "2026-02-29", "2026-13-01", "01.03.2026", "2026-03-01T00:00:00Z", " 2026-03-01"} {
		if day, err := event.ParseDay(text); err == nil {
			t.Errorf("%q is the day %s, want an error", text, day)
		}
	}
}

func TestNewDayCarriesOver(t *testing.T) {
	for want, got := range map[string]event.Day{
		"2026-01-01": event.NewDay(2025, 13, 1),
		"2026-03-03": event.NewDay(2026, 2, 31),
		"2025-12-31": event.NewDay(2026, 1, 0),
	} {
		if got.String() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDaysFollowEachOther(t *testing.T) {
	from, _ := event.ParseDay("1969-12-01")
	for d := from; d < from+80_000; d++ {
		date := time.Date(1969, 12, 1, 23, 59, 59, 0, time.UTC).AddDate(0, 0, int(d-from))
		if event.DayOf(date) != d || d.UTC() != date.Truncate(24*time.Hour) {
			t.Fatalf("%s is day %d and begins at %s, want %d", date, event.DayOf(date), d.UTC(), d)
		}
		if d.Monday().UTC().Weekday() != time.Monday || d-d.Monday() < 0 || d-d.Monday() > 6 {
			t.Fatalf("the Monday of %s is %s", d, d.Monday())
		}
	}
}

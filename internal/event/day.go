package event

import (
	"fmt"
	"time"
)

// A Day is a calendar date, counted in days since 1970-01-01. It has no zone: whose calendar it is, the event knows.
type Day int32

const dayFormat = "2006-01-02"

// DayOf is the date that t shows in its own location.
func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return NewDay(y, m, d)
}

// NewDay is the date y-m-d; values outside their range are carried over, as in time.Date.
func NewDay(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// ParseDay reads a date written as 2006-01-02.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(dayFormat, s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a date of the form 2006-01-02", s)
	}
	return DayOf(t), nil
}

// UTC is the start of the day in UTC.
func (d Day) UTC() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func (d Day) String() string { return d.UTC().Format(dayFormat) }

// Monday is the first day of the week that d is in.
func (d Day) Monday() Day { return d - Day((int(d.UTC().Weekday())+6)%7) }

// Month is the first day of the month that d is in.
func (d Day) Month() Day {
	t := d.UTC()
	return NewDay(t.Year(), t.Month(), 1)
}

// NextMonth is the first day of the month after the one that d is in.
func (d Day) NextMonth() Day {
	t := d.UTC()
	return NewDay(t.Year(), t.Month()+1, 1)
}

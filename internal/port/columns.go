package port

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
)

// Columns of our own formats, in the order in which they are written. They have the names that they have in the files of the
// store.
const (
	colDay = iota
	colVisitor
	colTime
	colOffset
	colKind
	colScroll
	colEngaged
	colValue
	colFields  // the first of event.NumFields
	numColumns = colFields + event.NumFields
)

// Columns are the names of the columns.
var Columns = func() []string {
	names := []string{"day", "visitor", "time", "offset", "kind", "scroll", "engaged", "value"}
	for f := range event.NumFields {
		names = append(names, event.Field(f).String())
	}
	return names
}()

// kinds are the names of what happened, by event.Kind.
var kinds = [...]string{event.Pageview: "pageview", event.Custom: "event", event.Engagement: "engagement"}

const timeForm = "2006-01-02T15:04:05.000Z07:00"

// A row is the values of a line, by column; "" is none.
type row [numColumns]string

// entry reads the values.
func (r *row) entry(e *Entry) {
	*e = Entry{Line: e.Line, Visitor: r[colVisitor], Event: event.Event{Kind: event.Pageview}}
	ev := &e.Event
	if r[colKind] != "" {
		if ev.Kind = kindOf(r[colKind]); ev.Kind == 0 {
			e.Bad = "has a kind other than pageview, event and engagement"
			return
		}
	}
	at, ok := moment(r[colTime])
	if !ok {
		e.Bad = "has no time such as 2006-01-02T15:04:05Z"
		return
	}
	ev.Time = at.UnixMilli()
	ev.Offset = int16(e.number(r, colOffset, -18*60, 18*60))
	ev.Scroll = uint8(e.number(r, colScroll, 0, 100))
	ev.Engaged = int32(e.number(r, colEngaged, 0, event.MaxEngaged))
	ev.Value = e.number(r, colValue, math.MinInt64, math.MaxInt64)
	copy(ev.Fields[:], r[colFields:])
	if ev.Kind == event.Custom && ev.Fields[event.Name] == "" {
		e.Bad = "is an event without a name in the column event"
	}
	if e.Bad == "" && r[colOffset] != "" {
		e.place(r[colDay])
	}
}

func kindOf(name string) event.Kind {
	for k, n := range kinds {
		if n == name {
			return event.Kind(k)
		}
	}
	return 0
}

// number is a whole number in a column. One that is none, or too small or large, makes the entry bad.
func (e *Entry) number(r *row, col int, least, most int64) int64 {
	if r[col] == "" {
		return 0
	}
	n, err := strconv.ParseInt(r[col], 10, 64)
	if err != nil || n < least || n > most {
		if e.Bad == "" {
			e.Bad = fmt.Sprintf("has in the column %s no whole number from %d to %d", Columns[col], least, most)
		}
		return 0
	}
	return n
}

// place finds the day by the clock that the file says. Where it says a day too, that has to be the same.
func (e *Entry) place(day string) {
	ev := &e.Event
	ev.Day = event.DayOf(time.UnixMilli(ev.Time).UTC().Add(time.Duration(ev.Offset) * time.Minute))
	e.Placed = true
	if day == "" {
		return
	}
	if d, err := event.ParseDay(day); err != nil || d != ev.Day {
		e.Bad = "has a day that is not the one of its time and offset"
	}
}

// moment reads a time in the form of RFC 3339, also with a space in it, or in Unix milliseconds.
func moment(s string) (time.Time, bool) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && len(s) > 8 {
		return time.UnixMilli(ms), true
	}
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(s))
	return t, err == nil && t.Year() > 0 && t.Year() < 10000
}

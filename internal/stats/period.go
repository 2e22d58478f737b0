package stats

import (
	"encoding/json"
	"time"

	"footfall/internal/event"
)

// A Period is the days From ≤ d < To.
type Period struct{ From, To event.Day }

// MarshalJSON writes the first and the last day.
func (p Period) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"from": p.From.String(), "to": (p.To - 1).String()})
}

// PeriodParams are a period as it was sent: a name, or the first and the last day.
type PeriodParams struct {
	Name     string
	From, To string // Y-m-d
}

// periods are those with a name. All of them end with today or before it.
var periods = []struct {
	name string
	days func(s Scope, today event.Day) Period
}{
	{"today", func(_ Scope, today event.Day) Period { return Period{today, today + 1} }},
	{"yesterday", func(_ Scope, today event.Day) Period { return Period{today - 1, today} }},
	{"7d", func(_ Scope, today event.Day) Period { return Period{today - 6, today + 1} }},
	{"30d", func(_ Scope, today event.Day) Period { return Period{today - 29, today + 1} }},
	{"month", func(_ Scope, today event.Day) Period { return Period{today.Month(), today + 1} }},
	{"6mo", func(_ Scope, today event.Day) Period { return Period{months(today.Month(), -5), today + 1} }},
	{"12mo", func(_ Scope, today event.Day) Period { return Period{months(today.Month(), -11), today + 1} }},
	{"year", func(_ Scope, today event.Day) Period {
		return Period{event.NewDay(today.UTC().Year(), 1, 1), today + 1}
	}},
	{All, func(s Scope, today event.Day) Period {
		earliest := years(today+1, -maxYears)
		if s.First > earliest {
			earliest = min(s.First, today)
		}
		return Period{earliest, today + 1}
	}},
}

func periodNames() []string {
	names := make([]string, len(periods))
	for i, p := range periods {
		names[i] = p.name
	}
	return names
}

// period is the one that was sent.
func (c *checker) period(field string, s Scope, p PeriodParams) Period {
	if p.Name == "" && (p.From != "" || p.To != "") {
		return c.days(field+".", p.From, p.To)
	}
	for _, named := range periods {
		if named.name == p.Name {
			return named.days(s, s.today())
		}
	}
	c.Add(field, `must be %s, or have from and to`, oneOf(periodNames()))
	return Period{}
}

// The ways to compare that have a name.
const (
	previousPeriod = "previous_period"
	previousYear   = "previous_year"
)

// comparison is the period that another one is compared with.
func (c *checker) comparison(field string, of Period, p PeriodParams) Period {
	switch {
	case p.Name == previousPeriod:
		return Period{of.From - (of.To - of.From), of.From}
	case p.Name == previousYear:
		return Period{years(of.From, -1), years(of.To-1, -1) + 1}
	case p.Name == "" && (p.From != "" || p.To != ""):
		return c.days(field+".", p.From, p.To)
	}
	c.Add(field, "must be %s or %s, or have from and to", previousPeriod, previousYear)
	return Period{}
}

// days is the period from a first to a last day. prefix leads to the fields from and to.
func (c *checker) days(prefix, from, to string) Period {
	first, last := c.day(prefix+"from", from), c.day(prefix+"to", to)
	if c.Has(prefix+"from") || c.Has(prefix+"to") {
		return Period{}
	}
	switch {
	case last < first:
		c.Add(prefix+"to", "must not be before from")
		return Period{}
	case last >= years(first, maxYears):
		c.Add(prefix+"to", "must be less than %d years after from", maxYears)
		return Period{}
	}
	return Period{first, last + 1}
}

// Beyond these lie typing errors, and years that four digits do not hold.
var firstDay, lastDay = event.NewDay(1970, 1, 1), event.NewDay(2999, 12, 31)

func (c *checker) day(field, s string) event.Day {
	if s == "" {
		c.Add(field, "is required: a date such as 2026-03-01")
		return 0
	}
	d, err := event.ParseDay(s)
	if err != nil || d < firstDay || d > lastDay {
		c.Add(field, "must be a date that exists, from %s to %s, written as Y-m-d", firstDay, lastDay)
		return 0
	}
	return d
}

// months is the same day n months later; for the first of a month.
func months(d event.Day, n int) event.Day {
	t := d.UTC()
	return event.NewDay(t.Year(), t.Month()+time.Month(n), t.Day())
}

// years is the same day n years later. The 29th of February becomes the 28th where there is none.
func years(d event.Day, n int) event.Day {
	t := d.UTC()
	shifted := event.NewDay(t.Year()+n, t.Month(), t.Day())
	if shifted.UTC().Day() != t.Day() {
		shifted--
	}
	return shifted
}

package stats

import (
	"encoding/json"
	"time"

	"footfall/internal/event"
)

// A Period is the days From ≤ d < To, or only some hours of them.
type Period struct {
	From, To event.Day

	hours []string // in the order of time; nil is all
}

// MarshalJSON writes the first and the last day, and if it is one of hours the first and the last of these.
func (p Period) MarshalJSON() ([]byte, error) {
	ends := map[string]string{"from": p.From.String(), "to": (p.To - 1).String()}
	if p.hours != nil {
		ends["from_hour"], ends["to_hour"] = p.hours[0], p.hours[len(p.hours)-1]
	}
	return json.Marshal(ends)
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
	{"today", func(_ Scope, today event.Day) Period { return Period{From: today, To: today + 1} }},
	{"yesterday", func(_ Scope, today event.Day) Period { return Period{From: today - 1, To: today} }},
	{"24h", func(s Scope, _ event.Day) Period { return lastHours(s.now()) }},
	{"7d", func(_ Scope, today event.Day) Period { return Period{From: today - 6, To: today + 1} }},
	{"30d", func(_ Scope, today event.Day) Period { return Period{From: today - 29, To: today + 1} }},
	{"month", func(_ Scope, today event.Day) Period { return Period{From: today.Month(), To: today + 1} }},
	{"6mo", func(_ Scope, today event.Day) Period { return Period{From: months(today.Month(), -5), To: today + 1} }},
	{"12mo", func(_ Scope, today event.Day) Period { return Period{From: months(today.Month(), -11), To: today + 1} }},
	{"year", func(_ Scope, today event.Day) Period {
		return Period{From: event.NewDay(today.UTC().Year(), 1, 1), To: today + 1}
	}},
	{All, func(s Scope, today event.Day) Period {
		earliest := years(today+1, -maxYears)
		if s.First > earliest {
			earliest = min(s.First, today)
		}
		return Period{From: earliest, To: today + 1}
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
func (c *checker) comparison(field string, s Scope, of Period, p PeriodParams) Period {
	switch {
	case p.Name == previousPeriod && of.hours != nil:
		return hoursBefore(s.now())
	case p.Name == previousPeriod:
		return Period{From: of.From - (of.To - of.From), To: of.From}
	case p.Name == previousYear && of.hours != nil:
		return lastHours(yearBefore(s.now()))
	case p.Name == previousYear:
		return Period{From: years(of.From, -1), To: years(of.To-1, -1) + 1}
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
	return Period{From: first, To: last + 1}
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

package storetest

import (
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// value is what an event of a visit has in a dimension.
func value(d store.Dimension, v *visit, e *event.Event) string {
	local := time.UnixMilli(e.Time).UTC().Add(time.Duration(e.Offset) * time.Minute)
	switch d.Source {
	case store.FromField:
		if d.Field.OfVisit() {
			return v.first().Fields[d.Field]
		}
		return e.Fields[d.Field]
	case store.FromProp:
		return event.SplitProps(e.Fields[event.Props])[d.Prop]
	case store.FromPropNames:
		names := map[string]string{}
		for name, text := range event.SplitProps(e.Fields[event.Props]) {
			if text != "" {
				names[name] = ""
			}
		}
		return event.JoinProps(names)
	case store.FromLanding:
		return v.landingPage()
	case store.FromExit:
		return v.exitPage()
	case store.FromHourOfDay:
		return local.Format("15")
	case store.FromHour:
		return local.Format("2006-01-02T15:00")
	case store.FromDay:
		return local.Format("2006-01-02")
	case store.FromWeek:
		for local.Weekday() != time.Monday {
			local = local.AddDate(0, 0, -1)
		}
		return local.Format("2006-01-02")
	case store.FromMonth:
		return local.Format("2006-01")
	}
	return ""
}

// keeps tells whether a filter lets an event of a visit pass. It does not call store.Filter.Keep, which engines use.
func keeps(f *store.Filter, v *visit, e *event.Event) bool {
	switch f.Op {
	case store.Everything:
		return true
	case store.AllOf:
		for i := range f.Filters {
			if !keeps(&f.Filters[i], v, e) {
				return false
			}
		}
		return true
	case store.AnyOf:
		for i := range f.Filters {
			if keeps(&f.Filters[i], v, e) {
				return true
			}
		}
		return false
	}
	found := false
	has := value(f.Dimension, v, e)
	for _, want := range f.Values {
		switch f.Op {
		case store.Is, store.IsNot:
			found = found || has == want
		case store.Contains, store.NotContains:
			found = found || strings.Contains(has, want)
		case store.Matches:
			found = found || wildcard(want, has)
		}
	}
	if f.Op == store.IsNot || f.Op == store.NotContains {
		return !found
	}
	return found
}

// wildcard tells whether s is pattern, in which * stands for any text, by trying every text.
func wildcard(pattern, s string) bool {
	if pattern == "" {
		return s == ""
	}
	if pattern[0] != '*' {
		return s != "" && s[0] == pattern[0] && wildcard(pattern[1:], s[1:])
	}
	for i := 0; i <= len(s); i++ {
		if wildcard(pattern[1:], s[i:]) {
			return true
		}
	}
	return false
}

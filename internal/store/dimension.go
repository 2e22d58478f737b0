package store

import (
	"slices"
	"strings"

	"footfall/internal/event"
)

// A Dimension is what a question groups by or a filter looks at. The zero Dimension is none.
type Dimension struct {
	Name   string
	Source Source
	Field  event.Field // of FromField, FromProp and FromPropNames
	Prop   string      // of FromProp: the name of the property
	Empty  bool        // whether events and visits without a value make a row of their own, with the value ""
}

// A Source is where a dimension's values come from.
type Source uint8

// The sources.
const (
	FromNothing   Source = iota
	FromField            // a text of the event or its visit
	FromProp             // a property in the field Props
	FromPropNames        // the names of all properties in it
	FromLanding          // page of the visit's first pageview
	FromExit             // page of the visit's last pageview
	FromHourOfDay        // "00" to "23"
	FromHour             // "2006-01-02T15:00", website time
	FromDay              // "2006-01-02"
	FromWeek             // the Monday, "2006-01-02"
	FromMonth            // "2006-01"
)

// OfVisit tells whether all events of a visit have the same value.
func (d Dimension) OfVisit() bool {
	switch d.Source {
	case FromField:
		return d.Field.OfVisit()
	case FromLanding, FromExit, FromDay, FromWeek, FromMonth:
		return true
	}
	return false
}

// OfField tells whether the values are made of the texts in Field, by Value.
func (d Dimension) OfField() bool {
	return d.Source == FromField || d.Source == FromProp || d.Source == FromPropNames
}

// OfTime tells whether the values are times rather than texts of events.
func (d Dimension) OfTime() bool { return d.Source >= FromHourOfDay }

// PropPrefix begins the name of a dimension that is a property of custom events.
const PropPrefix = "prop:"

// Dimensions are all dimensions but those of properties.
var Dimensions = []Dimension{
	field(event.Page, false),
	{Name: "landing_page", Source: FromLanding},
	{Name: "exit_page", Source: FromExit},
	field(event.Hostname, true),
	field(event.Name, false),
	field(event.Unit, false),
	{Name: "prop", Source: FromPropNames, Field: event.Props},
	field(event.Referrer, true),
	field(event.Source, true),
	field(event.Channel, true),
	field(event.UTMCampaign, false),
	field(event.UTMSource, false),
	field(event.UTMMedium, false),
	field(event.UTMTerm, false),
	field(event.UTMContent, false),
	field(event.Browser, true),
	field(event.BrowserVersion, true),
	field(event.OS, true),
	field(event.OSVersion, true),
	field(event.Device, true),
	field(event.Resolution, true),
	field(event.Language, true),
	field(event.Continent, true),
	field(event.Country, true),
	field(event.Region, true),
	field(event.City, true),
	{Name: "hour_of_day", Source: FromHourOfDay},
	{Name: "hour", Source: FromHour},
	{Name: "day", Source: FromDay},
	{Name: "week", Source: FromWeek},
	{Name: "month", Source: FromMonth},
}

func field(f event.Field, empty bool) Dimension {
	return Dimension{Name: f.String(), Source: FromField, Field: f, Empty: empty}
}

// DimensionNamed finds a dimension by its name; "prop:NAME" is that property.
func DimensionNamed(name string) (Dimension, bool) {
	if prop, ok := strings.CutPrefix(name, PropPrefix); ok && prop != "" {
		return Dimension{Name: name, Source: FromProp, Field: event.Props, Prop: prop}, true
	}
	i := slices.IndexFunc(Dimensions, func(d Dimension) bool { return d.Name == name })
	if i < 0 {
		return Dimension{}, false
	}
	return Dimensions[i], true
}

// Value is what dimension d makes of the text in its field: the text itself, the property that it names, or the names of
// all properties that have a value. These are as event.JoinProps writes them, with empty texts for values.
func (d Dimension) Value(text string) string {
	switch d.Source {
	case FromProp:
		return event.SplitProps(text)[d.Prop]
	case FromPropNames:
		names := make(map[string]string)
		for name, value := range event.SplitProps(text) {
			if value != "" {
				names[name] = ""
			}
		}
		return event.JoinProps(names)
	}
	return text
}

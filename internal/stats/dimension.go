package stats

import (
	"unicode/utf8"

	"footfall/internal/atlas"
	"footfall/internal/store"
)

// A Dimension is what can be grouped by and, as filters tells, filtered by. The zero Dimension is none.
type Dimension struct {
	store.Dimension
	Label string                    // what people read where there is no value; "" if that makes no row
	Code  func(value string) string // the standard code of a value, or ""; nil if no value has one
	Help  string
}

const (
	direct  = "Direct / None"
	unknown = "Unknown"
)

// Dimensions are all dimensions but those of properties.
var Dimensions = []Dimension{
	{named("page"), "", nil, "Path of the page, with what is left of its query string."},
	{named("landing_page"), "", nil, "First page of the visit."},
	{named("exit_page"), "", nil, "Last page of the visit."},
	{named("hostname"), unknown, nil, "Host name that the page was viewed on."},
	{named("event"), "", nil, "Name of the custom event."},
	{named("unit"), "", nil, "Unit of the custom event's value."},
	{named("prop"), "", nil, "Name of a property of the custom event, which is in the row of each that it has."},
	{named("referrer"), direct, nil, "Website that the visit came from."},
	{named("source"), direct, nil, "Name of where the visit came from, such as Google or Newsletter."},
	{named("channel"), "Direct", nil, "Kind of source, such as Organic Search or Email."},
	{named("campaign"), "", nil, "utm_campaign of the visit."},
	{named("utm_source"), "", nil, "utm_source of the visit."},
	{named("utm_medium"), "", nil, "utm_medium of the visit."},
	{named("utm_term"), "", nil, "utm_term of the visit."},
	{named("utm_content"), "", nil, "utm_content of the visit."},
	{named("browser"), unknown, nil, "Browser."},
	{named("browser_version"), unknown, nil, "Version of the browser."},
	{named("os"), unknown, nil, "Operating system."},
	{named("os_version"), unknown, nil, "Version of the operating system."},
	{named("device"), unknown, nil, "Kind of device, such as Desktop or Mobile."},
	{named("resolution"), unknown, nil, "Width and height of the screen."},
	{named("language"), unknown, atlas.LanguageCode, "Language of the browser."},
	{named("continent"), unknown, atlas.ContinentCode, "Continent."},
	{named("country"), unknown, atlas.CountryCode, "Country."},
	{named("region"), unknown, nil, "Region, such as a state."},
	{named("city"), unknown, nil, "City with its country."},
	{named("hour_of_day"), "", nil, "Hour of the day, 00 to 23, website time."},
	{named("hour"), "", nil, "Hour, such as 2026-03-01T15:00, website time."},
	{named("day"), "", nil, "Day, such as 2026-03-01, website time."},
	{named("week"), "", nil, "Week by its Monday, such as 2026-03-02."},
	{named("month"), "", nil, "Month, such as 2026-03."},
}

func named(name string) store.Dimension {
	d, ok := store.DimensionNamed(name)
	if !ok {
		panic("no dimension " + name)
	}
	return d
}

// DimensionNamed finds a dimension by its name; "prop:NAME" is that property of custom events.
func DimensionNamed(name string) (Dimension, bool) {
	for _, d := range Dimensions {
		if d.Name == name {
			return d, true
		}
	}
	d, ok := store.DimensionNamed(name)
	if !ok || !utf8.ValidString(name) || len(d.Prop) > maxPropBytes {
		return Dimension{}, false
	}
	return Dimension{Dimension: d, Help: "Property of custom events."}, true
}

// filters tells whether filters look at it. Time is the period's, and an event has several names of properties.
func (d Dimension) filters() bool { return !d.OfTime() && !d.ofNames() }

// dimensionNames are those that keep says yes to.
func dimensionNames(keep func(Dimension) bool) []string {
	var names []string
	for _, d := range Dimensions {
		if keep(d) {
			names = append(names, d.Name)
		}
	}
	return append(names, store.PropPrefix+"NAME")
}

// text is what people read for a value.
func (d Dimension) text(value string) string {
	if value == "" {
		return d.Label
	}
	return value
}

// code is the standard code of a value, or "".
func (d Dimension) code(value string) string {
	if d.Code == nil {
		return ""
	}
	return d.Code(value)
}

package storetest

import (
	"slices"

	"footfall/internal/event"
)

var pageNames = []string{
	"/", "/pricing", "/Pricing", "/about", "/über-uns", "/search?q=a&b=c", "/50%", "/a_b", "/a*b", "/it's", `/"quoted"`, "/日本",
}

// fieldValues are what the fields of a visit can have; the empty text more often than others.
var fieldValues = map[event.Field][]string{
	event.Referrer:       {"", "", "google.com", "bing.com", "news.example.org", "GOOGLE.com"},
	event.Source:         {"", "Google", "Bing", "Newsletter"},
	event.Channel:        {"Direct", "Organic Search", "Referral", "Email"},
	event.UTMCampaign:    {"", "", "", "spring", "Spring", "100% off"},
	event.UTMSource:      {"", "", "newsletter", "partner"},
	event.UTMMedium:      {"", "", "email", "cpc"},
	event.UTMTerm:        {"", "", "", "shoes"},
	event.UTMContent:     {"", "", "", "top", "bottom"},
	event.Browser:        {"", "Firefox", "Chrome", "Safari"},
	event.BrowserVersion: {"", "128", "129", "17"},
	event.OS:             {"", "Windows", "macOS", "iOS"},
	event.OSVersion:      {"", "10", "11"},
	event.Device:         {"Desktop", "Mobile", "Tablet"},
	event.Resolution:     {"", "1920x1080", "390x844"},
	event.Language:       {"", "German", "English", "Ελληνικά"},
	event.Continent:      {"", "Europe", "Asia"},
	event.Country:        {"", "Germany", "France", "Japan", "Côte d'Ivoire"},
	event.Region:         {"", "Bavaria", "Brittany"},
	event.City:           {"", "Berlin, Germany", "München, Germany", "Москва, Russia", "東京, Japan"},
}

var (
	hostNames  = []string{"", "example.com", "shop.example.com"}
	eventNames = []string{"Signup", "Purchase", "Play", "404", "Überraschung"}
	unitNames  = []string{"EUR", "USD", ""}
	propNames  = []string{"plan", "color", "with space"}
	propValues = []string{"pro", "free", "Pro", "x y", "", `a"b`}
)

// visitFields are the fields of a visit.
func (w *world) visitFields() map[event.Field]string {
	fields := map[event.Field]string{}
	for f := event.Field(event.NumEventFields); int(f) < event.NumFields; f++ {
		fields[f] = pick(w, fieldValues[f])
	}
	return fields
}

// fill gives an event its kind and texts. Now and then it tells other things about the visit than the first event did.
func (w *world) fill(e *event.Event, s site, visit map[event.Field]string) {
	if w.chance(15) {
		visit = w.visitFields()
	}
	for f, text := range visit {
		e.Fields[f] = text
	}
	e.Fields[event.Hostname] = pick(w, hostNames)
	e.Fields[event.Page] = pick(w, s.pages)
	e.Kind = pick(w, []event.Kind{event.Pageview, event.Pageview, event.Pageview, event.Custom, event.Engagement})
	switch e.Kind {
	case event.Custom:
		w.fillCustom(e)
	case event.Engagement:
		e.Engaged = pick(w, []int32{0, 1, 500, 4999, 5000, 9999, 10000, 10001, 600000})
		e.Scroll = pick(w, []uint8{0, 1, 25, 50, 99, 100})
	}
}

func (w *world) fillCustom(e *event.Event) {
	if w.chance(30) {
		e.Fields[event.Page] = ""
	}
	e.Fields[event.Name] = pick(w, eventNames)
	if w.chance(50) {
		e.Value = pick(w, []int64{1, 12_500_000, 12_500_000, 3_000_000, -12_500_000, 999_999_999_999})
		e.Fields[event.Unit] = pick(w, unitNames)
	}
	props := map[string]string{}
	for _, name := range propNames {
		if w.chance(40) {
			props[name] = pick(w, propValues)
		}
	}
	e.Fields[event.Props] = event.JoinProps(props)
}

// values are those that a filter on a dimension could ask for.
func (w *world) values(name string) []string {
	if values, ok := map[string][]string{
		"page": w.sites[0].pages, "landing_page": w.sites[0].pages, "exit_page": w.sites[0].pages,
		"hostname": hostNames, "event": append([]string{""}, eventNames...), "unit": unitNames,
		"prop": {"", `{"plan":""}`, `{"color":"","plan":""}`},
	}[name]; ok {
		return values
	}
	for f, values := range fieldValues {
		if f.String() == name {
			return values
		}
	}
	return slices.Clone(propValues)
}

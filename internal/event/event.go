// Package event is the record that travels: from the door through the journal into a store.
//
// An event is a hit that counts. It names nobody: the address and the user agent ended in collect, and what is left of
// the person is Visitor, a keyed hash that means something for one website on one day only. Day, Time and Offset are
// fixed when the event is accepted, so that nothing behind the door ever asks what time zone a website is in.
//
// The texts are for people ("Germany", "German", "Berlin, Germany", "Desktop"): what is stored is what is shown,
// searched and sorted.
package event

import "time"

// Kind says what happened.
type Kind uint8

// The kinds of event. A visit needs no pageview: any event makes one.
const (
	Pageview   Kind = 1
	Custom     Kind = 2 // has a Name; may have Value, Unit and Props
	Engagement Kind = 3 // has Engaged and Scroll, and the Page they belong to

	// Dropped is a hit that does not count. It travels in the journal, so that it is counted as exactly as events are, and
	// no store ever sees it. It has a Name, which is the reason, and else only Website (0 if none is known), Day and Time.
	Dropped Kind = 4

	// Mark is how far an import has come. It begins a record of the journal that holds events of the import, so that both are
	// on disk or neither is, and no store ever sees it. It has a Website, a Name, which is the import's, and Props, which
	// only who imports can read.
	Mark Kind = 5
)

// Field is one of the texts of an event.
type Field uint8

// The fields up to lastEventField belong to the event itself. The others belong to the visit: a visit has those of its
// first event, whatever later events say.
const (
	Page     Field = iota // path, with the query string that is left after exclusions
	Hostname              //
	Name                  // name of a custom event
	Unit                  // unit of Value, for example "EUR"
	Props                 // properties of a custom event, made by JoinProps
	Referrer              // referring site, "" for none
	Source
	Channel
	UTMCampaign
	UTMSource
	UTMMedium
	UTMTerm
	UTMContent
	Browser
	BrowserVersion
	OS
	OSVersion
	Device
	Resolution
	Language
	Continent
	Country
	Region
	City

	NumFields      = int(City) + 1
	NumEventFields = int(Props) + 1 // fields below this belong to the event
)

// fieldNames are the names of the columns in files, and of the dimensions where one exists.
var fieldNames = [NumFields]string{
	"page", "hostname", "event", "unit", "props",
	"referrer", "source", "channel", "campaign", "utm_source", "utm_medium", "utm_term", "utm_content",
	"browser", "browser_version", "os", "os_version", "device", "resolution", "language",
	"continent", "country", "region", "city",
}

func (f Field) String() string { return fieldNames[f] }

// OfVisit tells whether the field belongs to the visit rather than to the single event.
func (f Field) OfVisit() bool { return int(f) >= NumEventFields }

// An Event is one thing that happened on a website.
type Event struct {
	ID      uint64 // chosen by the tracker: the same ID from the same visitor is the same event, counted once; 0 is no ID
	Website int64
	Visitor uint64 // who, on this website and this day
	Day     Day    // the website's calendar day
	Time    int64  // Unix milliseconds
	Offset  int16  // minutes that the website's clock was ahead of UTC
	Kind    Kind
	Scroll  uint8 // percent of the page, 0 to 100
	Engaged int32 // milliseconds
	Value   int64 // millionths of Unit
	Fields  [NumFields]string
}

// Limits on one event. Decode refuses what is beyond them, so collect cuts before it encodes.
const (
	MaxText    = 4 << 10      // bytes of one field
	MaxEngaged = 24 * 3600000 // milliseconds
)

// At places an event at a moment on the clock of a website: Time, Day and Offset.
func (e *Event) At(t time.Time, zone *time.Location) {
	local := t.In(zone)
	_, seconds := local.Zone()
	e.Time = t.UnixMilli()
	e.Offset = int16(seconds / 60)
	e.Day = DayOf(local)
}

// Hour is the hour of the day, 0 to 23, on the website's clock. On the day the clock is set back one hour happens
// twice; both are that hour.
func (e *Event) Hour() int { return HourOf(e.Time, e.Offset) }

// HourOf is the hour of the day at a time in Unix milliseconds, on a clock that is offset minutes ahead of UTC.
func HourOf(ms int64, offset int16) int {
	const hour, day = 3600000, 24 * 3600000
	local := (ms + int64(offset)*60000) % day
	if local < 0 {
		local += day
	}
	return int(local / hour)
}

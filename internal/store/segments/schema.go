package segments

import (
	"slices"

	"footfall/internal/event"
)

// A column of a file. docs/files.md describes them for people; a test compares.
type column struct {
	name string
	typ  columnType
}

type columnType uint8

const (
	text  columnType = iota // string, as codes into a dictionary
	plain                   // string that seldom repeats
	coded                   // int32 or int64 with few values in long runs, as codes into a dictionary
	int32s
	int64s
)

// kindNames are the values of the column kind. Their order is that of event.Kind.
var kindNames = [...]string{event.Pageview: "pageview", event.Custom: "event", event.Engagement: "engagement"}

// Columns that begin every schema: the cell.
const (
	colWebsite = iota
	colDay
)

// Columns of a part: events as they arrived, sorted by website, day, visitor and time.
const (
	partVisitor = iota + 2
	partTime
	partID
	partOffset
	partKind
	partScroll
	partEngaged
	partValue
	partFields // the first of event.NumFields
)

// Columns of the events of a sealed cell, sorted by website, day, visit and time.
const (
	eventVisit = iota + 2
	eventTime
	eventOffset
	eventKind
	eventScroll
	eventEngaged
	eventValue
	eventFields     // the first of event.NumEventFields
	numEventColumns = eventFields + event.NumEventFields
)

// Columns of the visits of a sealed cell, sorted by website, day and visit.
const (
	visitVisit   = iota + 2 // counts from 0 in its cell
	visitVisitor            // likewise
	visitDuration
	visitPageviews
	visitEvents
	visitEngaged
	visitBounced    // 1 or 0
	visitFields     // the first of the fields that belong to a visit
	numVisitColumns = visitFields + event.NumFields - event.NumEventFields
)

// Columns of roll-ups, sorted by website, dimension and visitors.
const (
	rollupDimension = iota + 2 // colDay is the month
	rollupValue
	rollupCounts // the first of the sums in store.Counts
	numCounts    = 9
)

var cellColumns = []column{{"website", coded}, {"day", coded}}

var partColumns = slices.Concat(cellColumns, []column{
	{"visitor", int64s}, {"time", int64s}, {"id", int64s}, {"offset", coded}, {"kind", text},
	{"scroll", int32s}, {"engaged", int32s}, {"value", int64s},
}, fieldColumns(0, event.NumFields))

var eventColumns = slices.Concat(cellColumns, []column{
	{"visit", int32s}, {"time", int64s}, {"offset", coded}, {"kind", text},
	{"scroll", int32s}, {"engaged", int32s}, {"value", int64s},
}, fieldColumns(0, event.NumEventFields))

var visitColumns = slices.Concat(cellColumns, []column{
	{"visit", int32s}, {"visitor", int32s}, {"duration", int64s}, {"pageviews", int32s}, {"events", int32s},
	{"engaged", int64s}, {"bounced", int32s},
}, fieldColumns(event.NumEventFields, event.NumFields))

var rollupColumns = slices.Concat(cellColumns, []column{
	{"dimension", text}, {"value", plain},
	{"visitors", int64s}, {"visits", int64s}, {"pageviews", int64s}, {"events", int64s}, {"bounces", int64s},
	{"duration", int64s}, {"engaged", int64s}, {"scroll", int64s}, {"scrolls", int64s},
})

func fieldColumns(from, to int) []column {
	var columns []column
	for f := from; f < to; f++ {
		columns = append(columns, column{event.Field(f).String(), text})
	}
	return columns
}

package segments

import (
	"slices"

	"footfall/internal/event"
)

// A column of a file. docs/files.md describes them for people; a test compares.
type column struct {
	name string
	typ  columnType
	hot  bool // read by most questions: its rows are never packed
	rare bool // numbers that are mostly 0: written as they are, which packs better than their differences
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
	eventFields // the first of event.NumEventFields
)

// Columns of the visits of a sealed cell, sorted by website, day and visit.
const (
	visitVisit   = iota + 2 // counts from 0 in its cell
	visitVisitor            // likewise
	visitDuration
	visitPageviews
	visitEvents
	visitEngaged
	visitBounced // 1 or 0
	visitFields  // the first of the fields that belong to a visit
)

// Columns of roll-ups, sorted by website, dimension and visitors.
const (
	rollupDimension = iota + 2 // colDay is the month
	rollupValue
	rollupCounts // the first of the sums in store.Counts
	numCounts    = 9
)

var cellColumns = []column{{name: "website", typ: coded}, {name: "day", typ: coded}}

var partColumns = slices.Concat(cellColumns, []column{
	{name: "visitor", typ: int64s}, {name: "time", typ: int64s}, {name: "id", typ: int64s},
	{name: "offset", typ: coded}, {name: "kind", typ: text}, {name: "scroll", typ: int32s},
	{name: "engaged", typ: int32s}, {name: "value", typ: int64s},
}, fieldColumns(0, event.NumFields))

var eventColumns = slices.Concat(cellColumns, []column{
	{name: "visit", typ: int32s, hot: true}, {name: "time", typ: int64s}, {name: "offset", typ: coded},
	{name: "kind", typ: text}, {name: "scroll", typ: int32s, rare: true}, {name: "engaged", typ: int32s, rare: true},
	{name: "value", typ: int64s, rare: true},
}, fieldColumns(0, event.NumEventFields))

var visitColumns = slices.Concat(cellColumns, []column{
	{name: "visit", typ: int32s, hot: true}, {name: "visitor", typ: int32s, hot: true},
	{name: "duration", typ: int64s}, {name: "pageviews", typ: int32s}, {name: "events", typ: int32s},
	{name: "engaged", typ: int64s, rare: true}, {name: "bounced", typ: int32s},
}, fieldColumns(event.NumEventFields, event.NumFields))

var rollupColumns = slices.Concat(cellColumns, []column{
	{name: "dimension", typ: text}, {name: "value", typ: plain}, {name: "visitors", typ: int64s},
	{name: "visits", typ: int64s}, {name: "pageviews", typ: int64s}, {name: "events", typ: int64s},
	{name: "bounces", typ: int64s}, {name: "duration", typ: int64s}, {name: "engaged", typ: int64s},
	{name: "scroll", typ: int64s}, {name: "scrolls", typ: int64s},
})

func fieldColumns(from, to int) []column {
	var columns []column
	for f := from; f < to; f++ {
		columns = append(columns, column{name: event.Field(f).String(), typ: text})
	}
	return columns
}

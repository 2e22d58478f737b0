// Package store says what an engine must do: keep the events that the loader hands it, and answer questions about them.
//
// The one thing to know is the cell: all events of one website on one day. Visitors and visits live within a cell, so
// every count is a function of one cell, and the count of a period is the sum of its days. The rules:
//
//   - A visitor's events with no gap longer than 30 minutes are a visit. Every event makes a visitor and a visit,
//     whatever its kind. Events with the same visitor and the same ID (not 0) are one event, the earliest. Events
//     with the same time follow each other as they arrived.
//   - Nobody does 32,768 things on a day. A machine does, and so do all who come through a proxy that does not say for whom
//     it asks. So many events of a visitor are one, the next so many count as another; what was repeated is found if fewer
//     than so many events lie between.
//   - A visit has the fields of its first event (event.Field.OfVisit). Its landing and exit page are the pages of its
//     first and last pageview; a visit without pageviews has none.
//   - A visit bounced if it has one pageview, no custom event and less than 10 s engaged. It lasted from its first to
//     its last event, or as long as it was engaged if that is longer.
//   - A filter is asked of each event together with its visit. Pageviews, events, engaged time, scroll depth and revenue are
//     of the events that pass; visitors and visits are those with at least one such event, and bounce and duration are
//     those of the whole visit.
//   - In a row of a dimension stand the events that have its value, and by them their visits and visitors. So a
//     visitor can be in several rows, and the rows need not sum up to the total.
//   - Scroll depth is the greatest of a visit on a page, averaged over visits and pages that sent one.
//
// Engines differ in how they find an answer, never in the answer; storetest holds them to it.
package store

import (
	"context"
	"errors"
	"time"

	"footfall/internal/event"
)

// The rules of counting that are numbers.
const (
	VisitGap   = 30 * time.Minute // a longer gap begins a new visit
	BounceTime = 10 * time.Second // a visit engaged for less may have bounced
	MaxVisitor = 32 << 10         // events of a visitor; more are those of another
)

// Other is the value that stands for those beyond an engine's limit on the number of different values in a cell.
const Other = "(other)"

// ErrClosed is what a closed engine answers.
var ErrClosed = errors.New("store is closed")

// A Batch is a run of the journal: all events of the records From ≤ n < To.
type Batch struct {
	From, To uint64
	Events   []event.Event // belongs to the caller again when Append returns; the texts stay shared
}

// An Engine keeps events and answers questions about them. All methods may be called at the same time, except that
// Append has one caller: the loader.
type Engine interface {
	// Append adds a batch; when it returns, questions see it. A batch that ends at or before Position was seen before:
	// nothing happens. Batches come in order; a gap before From means that the journal lost those records.
	Append(ctx context.Context, b Batch) error

	// Position is the journal record that the next batch should begin with.
	Position() uint64

	// Durable is the journal record up to which the engine needs no journal any more, whatever happens.
	Durable() uint64

	// Run answers the questions of a query in one pass.
	Run(ctx context.Context, q Query) (Result, error)

	// Realtime tells who was on a website in the last minutes.
	Realtime(ctx context.Context, website int64, window time.Duration) (Live, error)

	// Delete removes a website: from answers at once, from the disk by and by (Maintain) or before Flush returns.
	// Its events are not taken any more.
	Delete(ctx context.Context, website int64) error

	// Recount counts the cells of a website on the days from ≤ d < to again, from their events, by the rules of today.
	Recount(ctx context.Context, website int64, from, to event.Day) error

	// Status tells what the engine holds and how it is.
	Status() Status

	// Maintain does the engine's housekeeping until ctx is done.
	Maintain(ctx context.Context) error

	// Flush makes all that was appended durable, and carries out deletions, before it returns.
	Flush(ctx context.Context) error

	// Close lets go of everything. What is not durable is taken from the journal again by the next engine.
	Close() error
}

// Live is what happens on a website now.
type Live struct {
	Visitors  int
	Pages     []LivePage    // most visitors first, then by page; each visitor on the page of their last event that has one
	Countries []LiveCountry // likewise
}

// A LivePage is a page with the number of visitors on it.
type LivePage struct {
	Page     string
	Visitors int
}

// A LiveCountry is a country, as events name it, with the number of visitors in it.
type LiveCountry struct {
	Country  string
	Visitors int
}

// Status is what an engine holds and how it is.
type Status struct {
	Events  int64    // held, counted or not
	Bytes   int64    // on disk
	Files   int      //
	Memory  int64    // bytes of events that are in memory only; the journal has them
	Damaged []string // files that could not be read; answers leave out what they hold
	Err     error    // why the engine cannot make events durable now; nil if it can
}

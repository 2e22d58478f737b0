package segments_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// exported are the events of a website on the days from ≤ d < to.
func exported(t testing.TB, e *segments.Engine, website int64, from, to event.Day) (all []event.Event, damaged []string) {
	t.Helper()
	damaged, err := e.Export(t.Context(), website, from, to, func(e *event.Event) error {
		all = append(all, *e)
		return nil
	})
	must(t, err)
	return all, damaged
}

// everyDimension asks for all that can be asked of a website in a period.
func everyDimension(website int64, from, to event.Day) store.Query {
	q := panels(website, from, to)[0]
	for _, d := range store.Dimensions {
		q.Questions = append(q.Questions, store.Question{Dimension: d, Metrics: q.Questions[0].Metrics})
	}
	return q
}

// A history in all states, with events in memory and some that were sent twice, is exported and loaded into another store.
func TestExportedEventsGiveTheSameAnswers(t *testing.T) {
	h := makeHistory(t, 12)
	e := h.open(t, h.onto(t, nil))
	today := newTraffic(9).day(websites[0], historyTo-1, 20)
	today = append(today, today[:5]...) // a tracker that sends again
	b := store.Batch{From: e.Position(), To: e.Position() + uint64(len(today)), Events: today}
	must(t, h.oracle.Append(t.Context(), b))
	must(t, e.Append(t.Context(), cloneBatch(b)))
	for _, w := range websites {
		events, damaged := exported(t, e, w, 0, 1<<30)
		if len(events) == 0 || len(damaged) > 0 {
			t.Fatalf("website %d: %d events, damaged are %v", w, len(events), damaged)
		}
		again := openEngine(t, t.TempDir(), segments.Options{Now: h.clock.now})
		for i := range events {
			events[i].Visitor += uint64(events[i].Day) << 32
		}
		for from := 0; from < len(events); from += 100 {
			to := min(from+100, len(events))
			must(t, again.Append(t.Context(), store.Batch{From: uint64(from), To: uint64(to), Events: events[from:to]}))
		}
		queries := append(panels(w, historyFrom-5, historyTo+5), everyDimension(w, historyFrom-5, historyTo+5), everyDimension(w, historyFrom+10, historyFrom+50))
		sameAnswers(t, again, h.oracle, queries...)
	}
}

func TestExportIsInOrderAndNumbersVisitorsOfADay(t *testing.T) {
	h := makeHistory(t, 6)
	from, to := historyFrom+5, historyTo-3
	events, _ := exported(t, h.open(t, h.onto(t, nil)), websites[0], from, to)
	hashes := make(map[uint64]bool)
	for _, e := range h.events {
		hashes[e.Visitor] = true
	}
	last := event.Event{}
	for _, e := range events {
		if e.Day < from || e.Day >= to || e.ID != 0 || e.Website != websites[0] || hashes[e.Visitor] {
			t.Fatalf("%+v", e)
		}
		next := e.Day == last.Day && (e.Visitor == last.Visitor && e.Time >= last.Time || e.Visitor == last.Visitor+1)
		if !next && (e.Day <= last.Day || e.Visitor != 1) {
			t.Fatalf("%s visitor %d after %s visitor %d", e.Day, e.Visitor, last.Day, last.Visitor)
		}
		last = e
	}
}

func TestExportNamesDamagedFilesAndGivesTheRest(t *testing.T) {
	h := makeHistory(t, 6)
	whole, _ := exported(t, h.open(t, h.onto(t, nil)), websites[0], 0, 1<<30)
	for _, path := range append(h.names("month-2026-01"), h.names("late-")[0], h.names("part-")[0]) {
		if strings.Contains(path, "rollups") {
			continue // an export reads none
		}
		torn := slices.Clone(h.files[path])
		for i := 4; i < 200; i++ {
			torn[i] ^= 0xff
		}
		some, damaged := exported(t, h.open(t, h.onto(t, map[string][]byte{path: torn})), websites[0], 0, 1<<30)
		if len(damaged) != 1 || len(some) >= len(whole) || len(some) == 0 {
			t.Errorf("%s: damaged are %v, %d of %d events", path, damaged, len(some), len(whole))
		}
	}
}

func TestExportStopsWhenNobodyTakesEvents(t *testing.T) {
	h := makeHistory(t, 3)
	full := errors.New("disk is full")
	_, err := h.open(t, h.onto(t, nil)).Export(t.Context(), websites[0], 0, 1<<30, func(*event.Event) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestDeletedWebsiteHasNothingToExport(t *testing.T) {
	h := makeHistory(t, 3)
	e := h.open(t, h.onto(t, nil))
	must(t, e.Delete(t.Context(), websites[0]))
	if events, _ := exported(t, e, websites[0], 0, 1<<30); len(events) > 0 {
		t.Errorf("%d events", len(events))
	}
}

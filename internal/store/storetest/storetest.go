// Package storetest is one suite that holds every engine to package store.
//
// An engine's test makes a Subject and hands it to Run, Generated, Clocks and Contract:
//
//   - Run plays the scripts in testdata/scripts, each on data in every state that an engine can have it in.
//   - Generated compares the engine with the Oracle on random events and random questions.
//   - Clocks puts events around the days on which clocks are set forward and back, in thirty zones.
//   - Contract asks for what store.Engine promises besides numbers.
//
// The one thing to know: the numbers in the scripts were worked out by hand from the rules in package store, and the
// Oracle was written from the same rules without looking at an engine. Where an engine differs from either, the engine
// is wrong or the rules are unclear; neither is mended by changing a number. The language of the scripts is described
// in testdata/README.md.
package storetest

import (
	"context"
	"embed"
	"path"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the scripts, on machines that have none

	"footfall/internal/event"
	"footfall/internal/store"
)

// A Subject is an engine under test.
type Subject struct {
	// Open opens an engine on a directory, which it makes if there is none. An engine opened on the directory of one
	// that was flushed and closed shows the same data. now is the engine's only clock. Tests call Open in parallel,
	// each with a directory of its own.
	Open func(t *testing.T, dir string, now func() time.Time) store.Engine

	// Settle does all housekeeping that is due by the clock, such as sealing days, before it returns. It is nil for
	// an engine that has none.
	Settle func(ctx context.Context, e store.Engine) error
}

// SealAge is how long after its end in UTC a day is sealed: 12 hours until it has ended everywhere on earth, and two
// days for what is late. Events that come after that bring visitors of their own.
const SealAge = 60 * time.Hour

// Sealed tells whether a day is sealed at a time.
func Sealed(day event.Day, now time.Time) bool {
	return !now.Before((day + 1).UTC().Add(SealAge))
}

//go:embed testdata/scripts/*.txt
var scripts embed.FS

// Run plays every script on the subject, in every state of the data that the script allows.
func Run(t *testing.T, subject Subject) {
	for _, c := range readScripts(t) {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			for _, s := range c.states() {
				t.Run(s.name, func(t *testing.T) { c.play(t, subject, s) })
			}
		})
	}
}

func readScripts(t *testing.T) []script {
	t.Helper()
	const dir = "testdata/scripts"
	files, err := scripts.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []script
	for _, f := range files {
		text, err := scripts.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := parse(f.Name(), string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cases...)
	}
	return all
}

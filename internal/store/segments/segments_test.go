package segments_test

import (
	"context"
	"testing"
	"time"

	"footfall/internal/store"
	"footfall/internal/store/segments"
	"footfall/internal/store/storetest"
)

var subject = storetest.Subject{
	Open: func(t *testing.T, dir string, now func() time.Time) store.Engine {
		t.Helper()
		e, err := segments.Open(dir, segments.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return e
	},
	Settle: func(ctx context.Context, e store.Engine) error { return e.(*segments.Engine).Settle(ctx) },
}

func TestScripts(t *testing.T) { storetest.Run(t, subject) }

func TestGeneratedQuestionsHaveTheOraclesAnswers(t *testing.T) { storetest.Generated(t, subject) }

func TestEventsAroundClockChanges(t *testing.T) { storetest.Clocks(t, subject) }

func TestContract(t *testing.T) { storetest.Contract(t, subject) }

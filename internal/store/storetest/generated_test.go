package storetest_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/storetest"
)

func TestGeneratedScriptsPlayOnTheOracle(t *testing.T) {
	storetest.Generated(t, storetest.OracleSubject())
}

// A forgetful engine loses some of the events.
type forgetful struct {
	*storetest.Oracle
	loses func(event.Event) bool
}

func (f forgetful) Append(ctx context.Context, b store.Batch) error {
	b.Events = slices.DeleteFunc(b.Events, f.loses)
	return f.Oracle.Append(ctx, b)
}

func TestGeneratedShowsAFaultInAShortScript(t *testing.T) {
	for name, loses := range map[string]func(event.Event) bool{
		"events named 404":                      func(e event.Event) bool { return e.Fields[event.Name] == "404" },
		"the visitor with the hash 0":           func(e event.Event) bool { return e.Visitor == 0 },
		"pageviews in the last hour of the day": func(e event.Event) bool { return e.Kind == event.Pageview && e.Hour() == 23 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oracle := storetest.OracleSubject()
			faulty := storetest.Subject{Open: func(t *testing.T, dir string, now func() time.Time) store.Engine {
				return forgetful{oracle.Open(t, dir, now).(*storetest.Oracle), loses}
			}}
			script := storetest.Reduced(t, faulty, 1)
			if n := strings.Count(script, "\n"); script == "" || n > 40 {
				t.Fatalf("the script has %d lines, want a few:\n%s", n, script)
			}
			if !storetest.Differs(t, faulty, script) {
				t.Errorf("the script, read again, does not show the fault:\n%s", script)
			}
			if storetest.Differs(t, oracle, script) {
				t.Errorf("the oracle fails its own script:\n%s", script)
			}
			t.Log("\n" + script)
		})
	}
}

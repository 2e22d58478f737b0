package storetest_test

import (
	"testing"

	"footfall/internal/store"
	"footfall/internal/store/storetest"
)

func TestOracleFollowsTheScripts(t *testing.T) { storetest.Run(t, storetest.OracleSubject()) }

func TestScriptsAskForEveryDimensionMetricAndOperation(t *testing.T) {
	dimensions, filtered := map[string]bool{}, map[string]bool{}
	metrics, ordered := map[store.Metric]bool{}, map[store.Metric]bool{}
	ops := map[store.Op]bool{}
	var look func(f *store.Filter)
	look = func(f *store.Filter) {
		ops[f.Op] = true
		filtered[f.Dimension.Name] = true
		for i := range f.Filters {
			look(&f.Filters[i])
		}
	}
	for _, q := range storetest.Queries(t) {
		look(&q.Filter)
		for _, question := range q.Questions {
			dimensions[question.Dimension.Name] = true
			for _, m := range question.Metrics {
				metrics[m] = true
			}
			ordered[question.Metrics[question.Order.Metric]] = true
		}
	}
	for _, d := range store.Dimensions {
		if !dimensions[d.Name] {
			t.Errorf("no script asks for rows by %s", d.Name)
		}
	}
	for m := range store.Metric(store.NumMetrics) {
		if !metrics[m] {
			t.Errorf("no script asks for %s", m)
		}
	}
	for op := store.Everything; op <= store.Matches; op++ {
		if !ops[op] {
			t.Errorf("no script filters by operation %d", op)
		}
	}
	for _, name := range []string{"page", "landing_page", "exit_page", "hostname", "event", "country", "prop:plan"} {
		if !filtered[name] {
			t.Errorf("no script filters on %s", name)
		}
	}
}

func TestScriptsAreManyAndDifferent(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range storetest.Rules(t) {
		if seen[rule] {
			t.Errorf("two scripts state the rule %q", rule)
		}
		seen[rule] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d scripts, want at least 100", len(seen))
	}
	t.Logf("%d scripts", len(seen))
}

func TestOracleKnowsTheClocksOfThirtyZones(t *testing.T) {
	storetest.Clocks(t, storetest.OracleSubject())
}

func TestOracleKeepsTheContract(t *testing.T) { storetest.Contract(t, storetest.OracleSubject()) }

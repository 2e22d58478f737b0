package store_test

import (
	"reflect"
	"testing"

	"footfall/internal/store"
)

func TestMetricsAreMadeOfCounts(t *testing.T) {
	counts := store.Counts{
		Visitors: 3, Visits: 4, Pageviews: 6, Events: 2, Bounces: 1,
		Duration: 276_000, Engaged: 36_500, Scroll: 250, Scrolls: 3,
	}
	for m, want := range map[store.Metric]float64{
		store.Visitors:      3,
		store.Visits:        4,
		store.Pageviews:     6,
		store.Events:        2,
		store.ViewsPerVisit: 1.5,
		store.BounceRate:    25,
		store.VisitDuration: 69,
		store.EngagedTime:   9.125,
		store.ScrollDepth:   250.0 / 3,
		store.Revenue:       0,
	} {
		if got := counts.Metric(m); got != want {
			t.Errorf("%s is %v, want %v", m, got, want)
		}
		if got := new(store.Counts).Metric(m); got != 0 {
			t.Errorf("%s of nothing is %v, want 0", m, got)
		}
	}
}

func TestCountsAddUpInEveryField(t *testing.T) {
	var sum, part store.Counts
	fields := reflect.ValueOf(&part).Elem()
	for i := range fields.NumField() {
		fields.Field(i).SetInt(int64(i + 1))
	}
	sum.Add(&part)
	sum.Add(&part)
	for i := range fields.NumField() {
		if got, want := reflect.ValueOf(sum).Field(i).Int(), int64(2*(i+1)); got != want {
			t.Errorf("%s is %d, want %d", fields.Type().Field(i).Name, got, want)
		}
	}
}

func TestMetricsHaveNames(t *testing.T) {
	for m := range store.Metric(store.NumMetrics) {
		if got, ok := store.MetricNamed(m.String()); !ok || got != m {
			t.Errorf("%q names metric %d, want %d", m, got, m)
		}
	}
	for _, name := range []string{"", "Visitors", "visitor"} {
		if m, ok := store.MetricNamed(name); ok {
			t.Errorf("%q names %s", name, m)
		}
	}
}

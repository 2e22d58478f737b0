package stats_test

import (
	"slices"
	"strings"
	"testing"

	"footfall/internal/stats"
	"footfall/internal/store"
)

func TestEveryMetricOfTheStoreHasARow(t *testing.T) {
	if len(stats.Metrics) != store.NumMetrics {
		t.Errorf("%d metrics, a store has %d", len(stats.Metrics), store.NumMetrics)
	}
	for i, m := range stats.Metrics {
		if int(m.Metric) != i || m.Format == "" || !strings.HasSuffix(m.Help, ".") {
			t.Errorf("row %d is %+v", i, m)
		}
		if found, ok := stats.MetricNamed(m.Name()); !ok || found != m {
			t.Errorf("%s names %v", m.Name(), found)
		}
	}
}

func TestEveryDimensionOfTheStoreHasARow(t *testing.T) {
	if len(stats.Dimensions) != len(store.Dimensions) {
		t.Fatalf("%d dimensions, a store has %d", len(stats.Dimensions), len(store.Dimensions))
	}
	for i, d := range stats.Dimensions {
		if d.Dimension != store.Dimensions[i] || !strings.HasSuffix(d.Help, ".") {
			t.Errorf("row %d is %s, want %s with help", i, d.Name, store.Dimensions[i].Name)
		}
		if d.Empty != (d.Label != "") {
			t.Errorf("%s makes a row of the empty value: %t, and calls it %q", d.Name, d.Empty, d.Label)
		}
	}
}

func TestAPropertyIsADimension(t *testing.T) {
	for name, want := range map[string]bool{
		"prop:plan": true, "prop:with space": true, "prop:": false, "prop:\xff": false, "plan": false,
		"prop:" + strings.Repeat("x", 201): false,
	} {
		if _, ok := stats.DimensionNamed(name); ok != want {
			t.Errorf("%.20q is a dimension: %t", name, ok)
		}
	}
}

func TestValuesWithAStandardCodeHaveIt(t *testing.T) {
	for name, want := range map[string][2]string{
		"country": {"Germany", "DE"}, "language": {"German", "de"}, "continent": {"Europe", "EU"},
	} {
		d, _ := stats.DimensionNamed(name)
		if got := d.Code(want[0]); got != want[1] {
			t.Errorf("%s %s has code %q", name, want[0], got)
		}
	}
}

// The interface names these seventeen.
var seventeen = []string{
	"browser", "campaign", "city", "continent", "country", "device", "event", "landing_page", "language", "os", "page",
	"pageviews", "pageviews_hours", "referrer", "resolution", "visitors", "visitors_hours",
}

func TestTheSeventeenStatisticsExist(t *testing.T) {
	var names []string
	for _, s := range stats.Statistics {
		names = append(names, s.Name)
		if _, ok := stats.DimensionNamed(s.Dimension); !ok || !strings.HasSuffix(s.Help, ".") {
			t.Errorf("%+v has no dimension or no help", s)
		}
	}
	if !slices.Equal(names[:17], seventeen) {
		t.Errorf("statistics begin with %v", names[:17])
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(stats.Statistics) {
		t.Error("two statistics have one name")
	}
}

package store_test

import (
	"testing"

	"footfall/internal/event"
	"footfall/internal/store"
)

func TestDimensionsHaveNames(t *testing.T) {
	for _, d := range store.Dimensions {
		if got, ok := store.DimensionNamed(d.Name); !ok || got != d {
			t.Errorf("%q names %+v, want %+v", d.Name, got, d)
		}
	}
	for _, name := range []string{"", "Page", "prop:", "props", "visitors"} {
		if d, ok := store.DimensionNamed(name); ok {
			t.Errorf("%q names %+v", name, d)
		}
	}
}

func TestEveryFieldButPropsIsADimension(t *testing.T) {
	for f := range event.Field(event.NumFields) {
		d, ok := store.DimensionNamed(f.String())
		if f == event.Props {
			if ok {
				t.Errorf("%s is a dimension", f)
			}
			continue
		}
		if !ok || d.Source != store.FromField || d.Field != f || d.OfVisit() != f.OfVisit() || d.OfTime() {
			t.Errorf("%s is the dimension %+v", f, d)
		}
	}
}

func TestDimensionsOfVisitsAndTimes(t *testing.T) {
	for name, want := range map[string]struct{ ofVisit, ofTime bool }{
		"page": {false, false}, "event": {false, false}, "prop:plan": {false, false}, "prop": {false, false}, "country": {true, false},
		"landing_page": {true, false}, "exit_page": {true, false},
		"hour_of_day": {false, true}, "hour": {false, true}, "day": {true, true}, "week": {true, true}, "month": {true, true},
	} {
		d := dimension(t, name)
		if d.OfVisit() != want.ofVisit || d.OfTime() != want.ofTime {
			t.Errorf("%s is of the visit: %t, of time: %t; want %t, %t", name, d.OfVisit(), d.OfTime(), want.ofVisit, want.ofTime)
		}
	}
	var none store.Dimension
	if none.OfVisit() || none.OfTime() {
		t.Error("no dimension is of the visit or of time")
	}
}

func TestAPropertyIsReadFromTheText(t *testing.T) {
	text := event.JoinProps(map[string]string{"plan": "pro", "a b": "x", "empty": ""})
	for name, want := range map[string]string{"prop:plan": "pro", "prop:a b": "x", "prop:none": "", "page": text, "prop": `{"a b":"","plan":""}`} {
		if got := dimension(t, name).Value(text); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

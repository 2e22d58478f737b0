package event_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/event"
)

func pageview() event.Event {
	e := event.Event{Website: 1, Visitor: 0xfeedface, Day: 20513, Time: 1772359200000, Offset: 60, Kind: event.Pageview}
	e.Fields[event.Page] = "/"
	return e
}

func TestEventsReadAsTheyWereWritten(t *testing.T) {
	full := pageview()
	full.ID, full.Website, full.Visitor = math.MaxUint64, math.MaxInt64, math.MaxUint64
	full.Kind, full.Value, full.Offset = event.Custom, math.MinInt64, -720
	for f := range full.Fields {
		full.Fields[f] = strings.Repeat("ü", f+1)
	}
	full.Fields[event.City] = strings.Repeat("x", event.MaxText)
	engagement := pageview()
	engagement.Kind, engagement.Engaged, engagement.Scroll = event.Engagement, event.MaxEngaged, 100
	empty := event.Event{Website: 1, Kind: event.Pageview}
	old := pageview()
	old.Time = -1
	late := pageview()
	late.Time, late.Day, late.Value = math.MaxInt64, math.MaxInt32, math.MaxInt64

	dropped := event.Event{Kind: event.Dropped, Day: 20513, Time: 1772359200000}
	dropped.Fields[event.Name] = "unknown_website"

	want := []event.Event{pageview(), full, engagement, empty, old, late, dropped}
	var bytes []byte
	for i := range want {
		bytes = want[i].Append(bytes)
	}
	var got []event.Event
	for rest := string(bytes); rest != ""; {
		e := event.Event{ID: 99} // what was there before must not show
		var err error
		if rest, err = e.Decode(rest); err != nil {
			t.Fatalf("event %d: %v", len(got), err)
		}
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events differ (-written +read):\n%s", diff)
	}
}

func TestDecodeRefusesWhatIsBeyondTheLimits(t *testing.T) {
	for name, spoil := range map[string]func(*event.Event){
		"no kind":          func(e *event.Event) { e.Kind = 0 },
		"unknown kind":     func(e *event.Event) { e.Kind = event.Mark + 1 },
		"no website":       func(e *event.Event) { e.Website = 0 },
		"negative website": func(e *event.Event) { e.Website = -1 },
		"day before 1970":  func(e *event.Event) { e.Day = -1 },
		"engaged too long": func(e *event.Event) { e.Engaged = event.MaxEngaged + 1 },
		"engaged negative": func(e *event.Event) { e.Engaged = -1 },
		"scroll too far":   func(e *event.Event) { e.Scroll = 101 },
		"text too long":    func(e *event.Event) { e.Fields[event.Page] = strings.Repeat("x", event.MaxText+1) },
	} {
		t.Run(name, func(t *testing.T) {
			e := pageview()
			spoil(&e)
			if _, err := e.Decode(string(e.Append(nil))); !errors.Is(err, event.ErrEncoding) {
				t.Errorf("decoding gives %v, want %v", err, event.ErrEncoding)
			}
		})
	}
}

func TestDroppedHitsAreToldApartWithoutReadingThem(t *testing.T) {
	e := pageview()
	cases := map[string]struct {
		bytes []byte
		want  bool
	}{
		"a pageview":    {e.Append(nil), false},
		"a dropped hit": {(&event.Event{Kind: event.Dropped}).Append(nil), true},
		"nothing":       {nil, false},
		"rubbish":       {[]byte("\x02\x04"), false},
	}
	for name, c := range cases {
		if got := event.IsDropped(c.bytes); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestDecodeRefusesCutEvents(t *testing.T) {
	e := pageview()
	bytes := string(e.Append(nil))
	for n := range len(bytes) {
		if _, err := e.Decode(bytes[:n]); !errors.Is(err, event.ErrEncoding) {
			t.Errorf("%d of %d bytes give %v, want %v", n, len(bytes), err, event.ErrEncoding)
		}
	}
}

func TestDecodeRefusesFieldsOutOfOrder(t *testing.T) {
	e := pageview()
	e.Fields[event.Hostname] = "h"
	good := e.Append(nil)
	for name, end := range map[string]string{
		"swapped": "\x02\x01h\x01\x01/\x00",
		"doubled": "\x01\x01/\x01\x01/\x00",
		"unknown": "\x01\x01/\xff\x01h\x00",
	} {
		bytes := string(good[:len(good)-len("\x01\x01/\x02\x01h\x00")]) + end
		if _, err := e.Decode(bytes); !errors.Is(err, event.ErrEncoding) {
			t.Errorf("fields %s: %v, want %v", name, err, event.ErrEncoding)
		}
	}
}

func FuzzDecode(f *testing.F) {
	e := pageview()
	f.Add(string(e.Append(nil)))
	e.Kind, e.Value, e.Fields[event.Props] = event.Custom, -5, event.JoinProps(map[string]string{"plan": "pro"})
	f.Add(string(e.Append(nil)))
	f.Add(string((&event.Event{Kind: event.Dropped, Day: 1}).Append(nil)))
	f.Fuzz(func(t *testing.T, bytes string) {
		var first, second event.Event
		rest, err := first.Decode(bytes)
		if err != nil {
			if !errors.Is(err, event.ErrEncoding) {
				t.Fatalf("error is %v, want %v", err, event.ErrEncoding)
			}
			return
		}
		if !strings.HasSuffix(bytes, rest) {
			t.Fatal("what follows the event is not the end of the bytes")
		}
		again := string(first.Append(nil))
		if rest, err := second.Decode(again + "rest"); err != nil || rest != "rest" {
			t.Fatalf("written again, it reads with %v and leaves %q", err, rest)
		}
		if first != second {
			t.Fatalf("written again, it reads as\n%+v, want\n%+v", second, first)
		}
	})
}

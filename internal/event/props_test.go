package event_test

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/event"
)

func TestPropsReadAsTheyWereWritten(t *testing.T) {
	cases := map[string]struct {
		props map[string]string
		text  string
	}{
		"none":         {nil, ""},
		"one":          {map[string]string{"plan": "pro"}, `{"plan":"pro"}`},
		"in order":     {map[string]string{"b": "1", "a": "2", "B": "3"}, `{"B":"3","a":"2","b":"1"}`},
		"markup":       {map[string]string{"<b>": "a&b"}, `{"<b>":"a&b"}`},
		"quotes":       {map[string]string{`"`: `\`}, `{"\"":"\\"}`},
		"beyond ASCII": {map[string]string{"größe": "日本"}, `{"größe":"日本"}`},
		"empty texts":  {map[string]string{"": ""}, `{"":""}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := event.JoinProps(c.props); got != c.text {
				t.Errorf("joined they are %s, want %s", got, c.text)
			}
			if diff := cmp.Diff(c.props, event.SplitProps(c.text)); diff != "" {
				t.Errorf("split they differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTextsThatAreNoPropsHaveNone(t *testing.T) {
	for _, text := range []string{"x", "{", "[]", `"a"`, `{"a":1}`, `{"a":"b"} x`, "null"} {
		if props := event.SplitProps(text); len(props) != 0 {
			t.Errorf("%s has properties %v", text, props)
		}
	}
}

func FuzzProps(f *testing.F) {
	f.Add("plan", "pro", "", "\u2028")
	f.Add("a", "<b>", `"`, `\`)
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		if !utf8.ValidString(k1 + " " + v1 + " " + k2 + " " + v2) {
			return // JSON has no way to keep such bytes
		}
		text := event.JoinProps(map[string]string{k1: v1, k2: v2})
		props := event.SplitProps(text)
		if props[k2] != v2 || k1 != k2 && props[k1] != v1 {
			t.Fatalf("%s has properties %q, want %q=%q and %q=%q", text, props, k1, v1, k2, v2)
		}
		if again := event.JoinProps(props); again != text {
			t.Errorf("joined again they are %s, want %s", again, text)
		}
	})
}

package port_test

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"footfall/internal/event"
	"footfall/internal/port"
)

// readAll reads a file to its end.
func readAll(t testing.TB, f port.Format, text string) []port.Entry {
	t.Helper()
	r, err := port.NewReader(f, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []port.Entry
	for {
		var e port.Entry
		err := r.Next(&e)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
}

// full is an event that has everything.
func full() event.Event {
	e := event.Event{
		Visitor: 7, Day: event.NewDay(2026, 3, 9), Time: time.Date(2026, 3, 8, 23, 30, 0, 123e6, time.UTC).UnixMilli(), Offset: 60,
		Kind: event.Custom, Scroll: 80, Engaged: 12000, Value: -49900000,
	}
	for f := range e.Fields {
		e.Fields[f] = event.Field(f).String() + ` "quoted", with; =1+1`
	}
	e.Fields[event.Props] = event.JoinProps(map[string]string{"plan": `<pro> "x"`, "=a": "b"})
	return e
}

func TestWhatIsWrittenIsReadAsItWas(t *testing.T) {
	hostile := []string{
		"=1+1", "'=1+1", "''", "'", "-2", "+3", "@x", " =1", "\u00a0=1", "＝1", "a;=1", "a;'=1", "a;;b", ";", ";'", "a\tb", "line\nbreak", "\r\n=x",
		`"`, `""`, `",`, `,`, "ü☃", "\u202e", "x'y;z'", "<script>alert(1)</script>", strings.Repeat("ü", 2000),
	}
	for _, format := range port.Written {
		events := []event.Event{full(), {Day: event.NewDay(1999, 12, 31), Time: 946684799000, Kind: event.Pageview}, {Kind: event.Engagement, Engaged: 1}}
		for _, text := range hostile {
			e := event.Event{Kind: event.Pageview}
			e.Fields[event.Page], e.Fields[event.City] = text, text
			events = append(events, e)
		}
		var b bytes.Buffer
		w, err := port.NewWriter(format, &b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range events {
			if err := w.Write(&events[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := readAll(t, format, b.String())
		if len(got) != len(events) {
			t.Fatalf("%s: %d entries of %d events", format, len(got), len(events))
		}
		for i, want := range events {
			e := got[i].Event
			e.Fields[event.Props] = event.JoinProps(event.SplitProps(e.Fields[event.Props]))
			want.Visitor = 0
			if got[i].Bad != "" || !got[i].Placed || e != want {
				t.Errorf("%s: %s\n%s", format, got[i].Bad, cmp.Diff(want, e))
			}
		}
	}
}

// A spreadsheet may end a cell at other characters than the comma, and does not see our quotes then.
func TestNoCellIsAFormulaWhateverSeparatesCells(t *testing.T) {
	texts := []string{"=1+1", " =1", "a;=1", "a; +1", "a\t@x", "a\n-1", "＝x", "'=x", `";=1`, `a";"=1`}
	for _, text := range texts {
		e := event.Event{Kind: event.Pageview}
		for f := range e.Fields {
			e.Fields[f] = text
		}
		var b bytes.Buffer
		w, _ := port.NewWriter(port.CSV, &b)
		if err := errors.Join(w.Write(&e), w.Flush()); err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(b.String(), "\r\n")
		for _, cell := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			if bare := strings.TrimSpace(strings.TrimLeft(cell, `"`)); strings.IndexAny(bare, "=+-@＝") == 0 {
				t.Errorf("%q has the cell %q", text, cell)
			}
		}
		for _, cell := range strings.Split(line, `,"`)[1:] {
			if bare := strings.TrimSpace(cell); strings.IndexAny(bare, "=+-@＝") == 0 {
				t.Errorf("%q has the cell %q", text, cell)
			}
		}
	}
}

func TestLinesThatMakeNoSenseAreNamed(t *testing.T) {
	const head = "time,kind,visitor,scroll,offset,day,event\n"
	const good = "2026-03-09T10:00:00Z,pageview,1,0,0,2026-03-09,\n"
	cases := map[string]struct {
		line string
		want string // part of what is said; "" is nothing
	}{
		"good":                       {good, ""},
		"time with a space":          {"2026-03-09 10:00:00+01:00,pageview,1,,,,\n", ""},
		"time in milliseconds":       {"1773050400000,pageview,1,,,,\n", ""},
		"no time":                    {",pageview,1,0,0,,\n", "no time"},
		"a kind that is none":        {"2026-03-09T10:00:00Z,click,1,0,0,,\n", "kind"},
		"an event without a name":    {"2026-03-09T10:00:00Z,event,1,0,0,,\n", "without a name"},
		"scroll beyond the end":      {"2026-03-09T10:00:00Z,pageview,1,101,0,,\n", "column scroll"},
		"offset of another planet":   {"2026-03-09T10:00:00Z,pageview,1,0,9999,,\n", "column offset"},
		"day of another clock":       {"2026-03-09T10:00:00Z,pageview,1,0,0,2026-03-10,\n", "a day that is not"},
		"too few cells":              {"2026-03-09T10:00:00Z\n", "has 1 cells, and the first line has 7"},
		"a quote in the wrong place": {"\"2026\"x,pageview,1,0,0,,\n", "quote in the wrong place"},
		"longer than may be":         {strings.Repeat("x", 3<<20) + "\n", "longer than 1 MiB"},
		"a quote that never ends":    {"\"2026-03-09T10:00:00Z,pageview,1,0,0,,\n", "does not end"},
		"no text at all":             {"\x00\x01\xff,,,,,,\n", "no time"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			all := readAll(t, port.CSV, head+"\n"+c.line+good)
			if len(all) != 2 {
				t.Fatalf("%d entries, want 2", len(all))
			}
			if first := all[0]; first.Line != 3 || (first.Bad == "") != (c.want == "") || !strings.Contains(first.Bad, c.want) {
				t.Errorf("line %d: %q, want %q", first.Line, first.Bad, c.want)
			}
			if all[1].Bad != "" || all[1].Line != 4 {
				t.Errorf("the line after it is %d: %q", all[1].Line, all[1].Bad)
			}
		})
	}
}

func TestHeadSaysWhetherAFileIsOfItsFormat(t *testing.T) {
	for name, c := range map[string]struct {
		format port.Format
		text   string
	}{
		"empty":                           {port.CSV, ""},
		"no column time":                  {port.CSV, "a,b\n1,2\n"},
		"a log":                           {port.CSV, `192.0.2.1 - - [x] "GET /"` + "\n"},
		"not of GoatCounter":              {port.GoatCounter, "time,kind\n"},
		"of a GoatCounter to come":        {port.GoatCounter, "9Path,Date\n"},
		"of a GoatCounter without a date": {port.GoatCounter, "2Path,Title\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var head port.HeadError
			if _, err := port.NewReader(c.format, strings.NewReader(c.text)); !errors.As(err, &head) {
				t.Errorf("got %v", err)
			}
		})
	}
}

const goatCounter = "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date\n" +
	"/,Home,false,,Chrome 99.1,Mac OS,s1,0,www.reddit.com/r/go,h,\"1440,900,2\",DE-BE,true,2026-03-09T01:00:00Z\n" +
	"/docs?a=1,\"Docs, all\nof them\",false,,Firefox,Linux,s1,0,Google,g,,US,false,2026-03-09T01:05:00Z\n" +
	"download,,true,,Safari 17,iOS 17.1,s2,0,,,390,JP,true,2026-03-09T02:00:00Z\n" +
	"/,,false,,,,s3,1,,,,,true,2026-03-09T03:00:00Z\n" +
	"/,,false,,,,s4,0,,,,,true,yesterday\n"

func TestGoatCounterIsRead(t *testing.T) {
	all := readAll(t, port.GoatCounter, goatCounter)
	if len(all) != 5 {
		t.Fatalf("%d entries", len(all))
	}
	first := port.Entry{Line: 2, Visitor: "s1", Seen: &port.Seen{Target: "/", Referrer: "https://www.reddit.com/r/go"}}
	first.Event = event.Event{Kind: event.Pageview, Time: time.Date(2026, 3, 9, 1, 0, 0, 0, time.UTC).UnixMilli()}
	f := &first.Event.Fields
	f[event.Browser], f[event.BrowserVersion], f[event.OS], f[event.Resolution], f[event.Country] = "Chrome", "99.1", "Mac OS", "1440x900", "DE"
	if d := cmp.Diff(first, all[0], cmpopts.EquateComparable(netip.Addr{})); d != "" {
		t.Error(d)
	}
	if s := all[1].Seen; s.Source != "Google" || s.Target != "/docs?a=1" || s.Referrer != "" {
		t.Errorf("%+v", s)
	}
	if e := all[2]; e.Event.Kind != event.Custom || e.Event.Fields[event.Name] != "download" || e.Seen.Target != "" || e.Line != 5 {
		t.Errorf("%+v", e)
	}
	if !all[3].Seen.Bot || all[4].Bad == "" {
		t.Errorf("%+v, %+v", all[3], all[4])
	}
}

func TestAccessLogsAreRead(t *testing.T) {
	const at = ` - - [09/Mar/2026:10:00:00 +0100] `
	type seen = port.Seen
	a := netip.MustParseAddr("192.0.2.7")
	cases := map[string]struct {
		line string
		want *seen // nil is a bad line
	}{
		"combined": {`192.0.2.7` + at + `"GET /a?b=c HTTP/1.1" 200 512 "https://www.google.com/" "Mozilla/5.0"`,
			&seen{Target: "/a?b=c", Referrer: "https://www.google.com/", Address: a, UserAgent: "Mozilla/5.0", HasAgent: true}},
		"common": {`192.0.2.7` + at + `"GET / HTTP/1.0" 304 -`, &seen{Target: "/", Address: a}},
		"with a host": {`shop.example.com:443 192.0.2.7` + at + `"GET / HTTP/2.0" 200 1 "-" "-"`,
			&seen{Target: "/", Host: "shop.example.com:443", Address: a, HasAgent: true}},
		"quotes in the agent": {`192.0.2.7` + at + `"GET / HTTP/1.1" 200 1 "-" "a \"b\" \x41\\"`,
			&seen{Target: "/", Address: a, UserAgent: `a "b" A\`, HasAgent: true}},
		"a name instead of an address": {`host.example` + at + `"GET / HTTP/1.1" 200 1`, &seen{Target: "/"}},
		"a whole address as target": {`192.0.2.7` + at + `"GET http://example.com/x HTTP/1.1" 200 1`,
			&seen{Target: "/x", Host: "example.com", Address: a}},
		"mapped address":        {`::ffff:192.0.2.7` + at + `"GET / HTTP/1.1" 200 1`, &seen{Target: "/", Address: a}},
		"a picture":             {`192.0.2.7` + at + `"GET /logo.PNG?v=2 HTTP/1.1" 200 1`, &seen{Target: "/logo.PNG?v=2", Address: a, NoPage: true}},
		"a form":                {`192.0.2.7` + at + `"POST / HTTP/1.1" 200 1`, &seen{Address: a, NoPage: true}},
		"a redirect":            {`192.0.2.7` + at + `"GET /old HTTP/1.1" 301 1`, &seen{Target: "/old", Address: a, NoPage: true}},
		"what was not found":    {`192.0.2.7` + at + `"GET /wp-login.php HTTP/1.1" 404 1`, &seen{Target: "/wp-login.php", Address: a, NoPage: true}},
		"TLS on the wrong port": {`192.0.2.7` + at + `"\x16\x03\x01" 400 1`, &seen{Address: a, NoPage: true}},
		"no log":                {"hello", nil},
		"no time":               {`192.0.2.7 - - [now] "GET / HTTP/1.1" 200 1`, nil},
		"no end":                {`192.0.2.7` + at + `"GET / HTTP/1.1`, nil},
		"no status":             {`192.0.2.7` + at + `"GET / HTTP/1.1"`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := readAll(t, port.Log, c.line)[0]
			if (e.Bad == "") != (c.want != nil) {
				t.Fatalf("bad: %q", e.Bad)
			}
			if c.want == nil {
				return
			}
			if d := cmp.Diff(c.want, e.Seen, cmpopts.EquateComparable(netip.Addr{})); d != "" {
				t.Error(d)
			}
			if want := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC).UnixMilli(); e.Event.Time != want {
				t.Errorf("at %d, want %d", e.Event.Time, want)
			}
		})
	}
}

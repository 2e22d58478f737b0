package port_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/port"
)

// fuzz reads junk: a reader ends, its lines go forward, and what it calls good can be written.
func fuzz(f *testing.F, format port.Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := port.NewReader(format, bytes.NewReader(b))
		if err != nil {
			return
		}
		last := int64(0)
		for n := 0; ; n++ {
			var e port.Entry
			err := r.Next(&e)
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Line <= last || n > len(b) {
				t.Fatalf("line %d after %d", e.Line, last)
			}
			last = e.Line
			if ev := e.Event; e.Bad == "" && (ev.Kind < event.Pageview || ev.Kind > event.Engagement || ev.Scroll > 100 || ev.Engaged < 0) {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func FuzzCSV(f *testing.F) {
	fuzz(f, port.CSV, "", "time\n2026-03-09T10:00:00Z\n", strings.Join(port.Columns, ",")+"\n,,,,", "time,page\n\"2026\",\"a\"\"b\nc\"\n\"", "\ufefftime\n\n\n1773050400000")
}

func FuzzJSONL(f *testing.F) {
	fuzz(f, port.JSONL, "{}\n", `{"time":"2026-03-09T10:00:00Z","props":{"a":"b"}}`, "[[[[[[", `{"time":1773050400000,"value":1e400}`)
}

func FuzzGoatCounter(f *testing.F) { fuzz(f, port.GoatCounter, goatCounter, "1Path,Date\n,\n") }

func FuzzLog(f *testing.F) {
	fuzz(f, port.Log, `192.0.2.7 - - [09/Mar/2026:10:00:00 +0100] "GET / HTTP/1.1" 200 1 "-" "a\x4"`, `a b c [] "" "`, "\\\n\"")
}

// What is written is read as it was, whatever it was.
func FuzzRoundTrip(f *testing.F) {
	f.Add("=1", ";'")
	f.Add("\"", "a\r\nb")
	f.Fuzz(func(t *testing.T, page, city string) {
		if len(page)+len(city) > 8<<10 || page != strings.ToValidUTF8(page, "") || city != strings.ToValidUTF8(city, "") {
			return
		}
		for _, format := range port.Written {
			e := event.Event{Kind: event.Pageview}
			e.Fields[event.Page], e.Fields[event.City] = page, city
			var b bytes.Buffer
			w, _ := port.NewWriter(format, &b)
			w.Write(&e)
			w.Flush()
			if got := readAll(t, format, b.String()); len(got) != 1 || got[0].Bad != "" || got[0].Event.Fields != e.Fields {
				t.Fatalf("%s: %q", format, b.String())
			}
		}
	})
}

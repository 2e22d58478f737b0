package collect_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"footfall/internal/collect"
	"footfall/internal/collect/agent"
	"footfall/internal/event"
	"footfall/internal/fault"
	"footfall/internal/journal"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

var hitsAreEqual = cmp.Options{cmpopts.EquateComparable(netip.Addr{}), cmpopts.EquateEmpty()}

func TestBodiesOfAllTrackersAreRead(t *testing.T) {
	const page = "https://example.com/a"
	cases := map[string]struct {
		body string
		want collect.Hit
	}{
		"a pageview of ours": {
			`{"n":"pageview","u":"https://example.com/a","r":"https://google.com/","s":"1920x1080","l":"de","t":5,"h":1,"a":1500,
			  "ch":{"b":[["Chromium","141.0.1"],["Google Chrome","141"]],"p":"Windows","pv":"15.0.0","m":"Pixel","mo":1}}`,
			collect.Hit{Kind: event.Pageview, URL: page, Referrer: "https://google.com/", Screen: "1920x1080", Language: "de", Hash: true, Age: 1500 * time.Millisecond,
				Hints: agent.Hints{Brands: []agent.Brand{{Name: "Chromium", Version: "141.0.1"}, {Name: "Google Chrome", Version: "141"}},
					Platform: "Windows", PlatformVersion: "15.0.0", Model: "Pixel", Mobile: true, TouchPoints: 5}},
		},
		"a custom event of ours": {
			`{"n":"Signup","u":"https://example.com/a","v":49.9,"c":"EUR","p":{"plan":"pro","seats":3,"trial":true,"none":null,"deep":{"a":1}}}`,
			collect.Hit{Kind: event.Custom, URL: page, Name: "Signup", Value: 49_900_000, Unit: "EUR", Props: `{"plan":"pro","seats":"3","trial":"true"}`},
		},
		"with the long names": {
			`{"name":"Signup","url":"https://example.com/a","domain":"example.com","referrer":"https://a.example/","props":{"a":"b"},"value":"-1.5","unit":"kg",
			  "screen":"800x600","language":"fr","hash":true,"age":7,"automation":1}`,
			collect.Hit{Kind: event.Custom, URL: page, Domain: "example.com", Referrer: "https://a.example/", Name: "Signup", Value: -1_500_000, Unit: "kg",
				Props: `{"a":"b"}`, Screen: "800x600", Language: "fr", Hash: true, Age: 7 * time.Millisecond, Robot: true},
		},
		"an engagement of ours": {
			`{"n":"engagement","u":"https://example.com/a","e":12345,"sd":80}`,
			collect.Hit{Kind: event.Engagement, URL: page, Engaged: 12345, Scroll: 80},
		},
		"an engagement beyond all bounds": {
			`{"n":"engagement","u":"https://example.com/a","e":1e300,"sd":-5}`,
			collect.Hit{Kind: event.Engagement, URL: page, Engaged: event.MaxEngaged},
		},
		// As plausible-tracker and script.js send them.
		"Plausible's pageview": {
			`{"n":"pageview","v":34,"u":"https://example.com/a","d":"example.com","r":null}`,
			collect.Hit{Kind: event.Pageview, URL: page, Domain: "example.com"},
		},
		"Plausible's event with the version of its script": {
			`{"n":"Signup","v":34,"u":"https://example.com/a","d":"example.com","r":"https://google.com/","p":{"a":"b"},"i":false}`,
			collect.Hit{Kind: event.Custom, URL: page, Domain: "example.com", Referrer: "https://google.com/", Name: "Signup", Props: `{"a":"b"}`},
		},
		"our event with domain, referrer and value": {
			`{"n":"Signup","v":34,"u":"https://example.com/a","d":"example.com","r":"https://google.com/","s":"800x600"}`,
			collect.Hit{Kind: event.Custom, URL: page, Domain: "example.com", Referrer: "https://google.com/", Name: "Signup", Value: 34_000_000, Screen: "800x600"},
		},
		"Plausible's older pageview": {
			`{"n":"pageview","u":"https://example.com/a","d":"example.com","r":"https://google.com/","w":1536,"h":0}`,
			collect.Hit{Kind: event.Pageview, URL: page, Domain: "example.com", Referrer: "https://google.com/"},
		},
		"Plausible's event with properties as a text": {
			`{"n":"Download","u":"https://example.com/a","d":"example.com","r":null,"m":"{\"url\":\"https://example.com/f.pdf\"}"}`,
			collect.Hit{Kind: event.Custom, URL: page, Domain: "example.com", Name: "Download", Props: `{"url":"https://example.com/f.pdf"}`},
		},
		"Plausible's revenue": {
			`{"n":"Purchase","u":"https://example.com/a","d":"example.com","p":{"a":"b"},"$":{"amount":"10.29","currency":"USD"}}`,
			collect.Hit{Kind: event.Custom, URL: page, Domain: "example.com", Name: "Purchase", Props: `{"a":"b"}`, Value: 10_290_000, Unit: "USD"},
		},
		"Plausible's engagement": {
			`{"n":"engagement","sd":67,"d":"example.com","u":"https://example.com/a","e":9200,"v":34}`,
			collect.Hit{Kind: event.Engagement, URL: page, Domain: "example.com", Engaged: 9200, Scroll: 67},
		},
		"Plausible's interface for servers": {
			`{"name":"pageview","url":"https://example.com/a","domain":"example.com","referrer":"","screen_width":1440}`,
			collect.Hit{Kind: event.Pageview, URL: page, Domain: "example.com"},
		},
		"phpAnalytics' pageview": {
			`{"page":"https://example.com/a","referrer":"https://google.com/","screen_resolution":"1920x1080"}`,
			collect.Hit{Kind: event.Pageview, URL: page, Referrer: "https://google.com/", Screen: "1920x1080"},
		},
		"phpAnalytics' event": {
			`{"page":"https://example.com/a","referrer":"","screen_resolution":"1920x1080","event":{"name":"Order","value":"12.50","unit":"EUR"}}`,
			collect.Hit{Kind: event.Custom, URL: page, Screen: "1920x1080", Name: "Order", Value: 12_500_000, Unit: "EUR"},
		},
		"phpAnalytics' event without a value": {
			`{"page":"https://example.com/a","event":{"name":"Order"}}`,
			collect.Hit{Kind: event.Custom, URL: page, Name: "Order"},
		},
		"a claim": {
			`{"u":"https://example.com/a","ip":"::ffff:192.0.2.1","ua":"agent","time":1772359200000}`,
			collect.Hit{Kind: event.Pageview, URL: page, Claim: collect.Claim{Address: netip.MustParseAddr("192.0.2.1"), UserAgent: "agent", Time: time.UnixMilli(1772359200000)}},
		},
		"a screen that is none":   {`{"u":"https://example.com/a","s":"axb"}`, collect.Hit{Kind: event.Pageview, URL: page}},
		"a screen without height": {`{"u":"https://example.com/a","s":"0x10"}`, collect.Hit{Kind: event.Pageview, URL: page}},
		"values of other kinds":   {`{"u":"https://example.com/a","n":{},"d":[],"r":{},"s":5,"l":{},"ch":[1],"p":3,"i":[],"a":"x","ip":1,"time":[]}`, collect.Hit{Kind: event.Pageview, URL: page}},
		"control characters":      {"{\"u\":\" https://example.com/a\\n\",\"n\":\" Sign\\u0000\\u001b up\\u2028 \"}", collect.Hit{Kind: event.Custom, URL: page, Name: "Sign up"}},
	}
	for name, c := range cases {
		got, err := collect.Parse([]byte(c.body))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d hits, %v", name, len(got), err)
			continue
		}
		if diff := cmp.Diff(c.want, got[0], hitsAreEqual); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsNoEventIsAFault(t *testing.T) {
	object := `{"u":"https://example.com/"}`
	cases := map[string]struct {
		body string
		code fault.Code
	}{
		"nothing":               {"", fault.Unreadable},
		"spaces":                {"  \n", fault.Unreadable},
		"no JSON":               {"n=pageview&u=x", fault.Unreadable},
		"half of it":            {`{"u":"https://example.com/"`, fault.Unreadable},
		"two of them":           {object + object, fault.Unreadable},
		"a text":                {`"https://example.com/"`, fault.Unreadable},
		"a number":              {`1`, fault.Unreadable},
		"null":                  {`null`, fault.Unreadable},
		"no page":               {`{"n":"pageview"}`, fault.Unreadable},
		"an empty page":         {`{"u":""}`, fault.Unreadable},
		"a page that is none":   {`{"u":{}}`, fault.Unreadable},
		"an empty array":        {`[]`, fault.Unreadable},
		"an array of numbers":   {`[1]`, fault.Unreadable},
		"an array of arrays":    {`[[` + object + `]]`, fault.Unreadable},
		"one of several":        {`[` + object + `,{}]`, fault.Unreadable},
		"an array of 501":       {`[` + strings.Repeat(object+",", 500) + object + `]`, fault.Unreadable},
		"a value of words":      {`{"u":"https://example.com/","n":"x","v":"many"}`, fault.Unreadable},
		"a value beyond bounds": {`{"u":"https://example.com/","n":"x","v":1e30}`, fault.Unreadable},
		"a value that is none":  {`{"u":"https://example.com/","n":"x","v":"NaN"}`, fault.Unreadable},
		"very deep":             {strings.Repeat(`{"u":`, 1000) + "1" + strings.Repeat("}", 1000), fault.Unreadable},
		"deep arrays":           {strings.Repeat(`[`, 100_000), fault.Unreadable},
		"many values":           {`{"u":"https://example.com/","p":{` + strings.Repeat(`"a":1,`, 5000) + `"b":1}}`, fault.Unreadable},
		"very many values":      {`[` + strings.Repeat(`0,`, 200_000) + `0]`, fault.Unreadable},
		"too long":              {`{"u":"https://example.com/` + strings.Repeat("a", 64<<10) + `"}`, fault.TooLarge},
		"an array too long":     {`[{"u":"` + strings.Repeat("a", 1<<20) + `"}]`, fault.TooLarge},
	}
	for name, c := range cases {
		hits, err := collect.Parse([]byte(c.body))
		if !fault.Is(err, c.code) {
			t.Errorf("%s: %d hits, %v, want %s", name, len(hits), err, c.code)
		}
		if err != nil && strings.Contains(fault.Of(err).Message(), "example.com") {
			t.Errorf("%s: the answer repeats what was sent: %v", name, err)
		}
	}
	if hits, err := collect.Parse([]byte(`[` + strings.Repeat(object+",", 499) + object + `]`)); err != nil || len(hits) != 500 {
		t.Errorf("500 events: %d, %v", len(hits), err)
	}
}

func TestTextsAreCutToTheirLimits(t *testing.T) {
	long := strings.Repeat("ü", 5000)
	var props strings.Builder
	for i := range 50 {
		fmt.Fprintf(&props, `"p%02d%s":%q,`, i, strings.Repeat("n", 10), strings.Repeat("v", 100))
	}
	hits, err := collect.Parse([]byte(fmt.Sprintf(`{"u":"https://example.com/","n":%q,"c":%[1]q,"l":%[1]q,"p":{%s"last":"x"}}`, long, props.String())))
	if err != nil {
		t.Fatal(err)
	}
	h := hits[0]
	if len(h.Name) != 200 || len(h.Unit) != 32 || len(h.Language) != 64 || !utf8.ValidString(h.Name) {
		t.Errorf("lengths are %d, %d, %d", len(h.Name), len(h.Unit), len(h.Language))
	}
	if n := len(event.SplitProps(h.Props)); n != 30 || len(h.Props) > event.MaxText {
		t.Errorf("%d properties in %d bytes", n, len(h.Props))
	}
	hits, err = collect.Parse([]byte(fmt.Sprintf(`{"u":"https://example.com/","n":"x","p":{"a":%q,"b":%[1]q,"c":%[1]q,"d":"fits"}}`, strings.Repeat("<", 2500))))
	if err != nil {
		t.Fatal(err)
	}
	got := event.SplitProps(hits[0].Props)
	if len(hits[0].Props) > event.MaxText || got["d"] != "fits" {
		t.Errorf("properties have %d bytes: %.50q", len(hits[0].Props), hits[0].Props)
	}
}

func TestEventIDsAreNumbersThatLast(t *testing.T) {
	of := func(id string) uint64 {
		hits, err := collect.Parse([]byte(fmt.Sprintf(`{"u":"https://example.com/","i":%q}`, id)))
		if err != nil {
			t.Fatal(err)
		}
		return hits[0].ID
	}
	if of("") != 0 || of("a") == 0 || of("a") == of("b") {
		t.Error("ids are not told apart")
	}
	if got := of("a"); got != 0xca978112ca1bbdcb { // the first bytes of its SHA-256, odd: other processes must find the same
		t.Errorf("id is %#x", got)
	}
}

func TestAnImageTakesTheSameNames(t *testing.T) {
	cases := map[string]struct {
		query, referring string
		want             collect.Hit
	}{
		"all":           {"u=https://example.com/a&n=Signup&v=2&c=EUR&d=example.com", "", collect.Hit{Kind: event.Custom, URL: "https://example.com/a", Name: "Signup", Value: 2_000_000, Unit: "EUR", Domain: "example.com"}},
		"the page only": {"", "https://example.com/b", collect.Hit{Kind: event.Pageview, URL: "https://example.com/b"}},
	}
	for name, c := range cases {
		values, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := collect.ParseQuery(values, c.referring)
		if diff := cmp.Diff(c.want, got, hitsAreEqual); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if _, err := collect.ParseQuery(nil, ""); !fault.Is(err, fault.Unreadable) {
		t.Errorf("no page: %v", err)
	}
	many := make(url.Values)
	for i := range 101 {
		many.Set(itoa(int64(i)), "x")
	}
	if _, err := collect.ParseQuery(many, "https://example.com/"); !fault.Is(err, fault.Unreadable) {
		t.Errorf("many parameters: %v", err)
	}
}

// Whatever is sent, what comes out of it can be written into the journal and read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"n":"pageview","u":"https://example.com/a","r":"https://google.com/","s":"1920x1080","l":"de","t":5,"h":1,"a":1500}`,
		`{"n":"Signup","u":"https://example.com/a","v":49.9,"c":"EUR","p":{"plan":"pro"},"i":"x"}`,
		`{"n":"Purchase","u":"https://example.com/a","m":"{\"a\":\"b\"}","$":"{\"amount\":1}"}`,
		`[{"page":"https://example.com/a","event":{"name":"Order","value":"12.50","unit":"EUR"}}]`,
		`{"u":"https://example.com/\ud800","n":"\u0000","ch":{"b":[["a"],["a","b"]]},"$":"[","p":"{"}`,
		`[[[[`, `{"u":1e999}`, "\xff\xfe",
	} {
		f.Add([]byte(seed))
	}
	r := newRigOn(f, f.TempDir(), journal.Options{SegmentBytes: 1 << 20}, site(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		r.t = t
		before := bytes.Clone(body)
		hits, err := collect.Parse(body)
		if !bytes.Equal(body, before) {
			t.Fatal("the body was changed")
		}
		if err != nil {
			if fault.Of(err) == nil {
				t.Fatalf("no fault: %v", err)
			}
			return
		}
		for i := range hits {
			hits[i].Domain = "example.com"
		}
		if _, err := r.Accept(t.Context(), visitor(), hits); err != nil {
			t.Fatal(err)
		}
		for _, e := range r.journalled() {
			for i, text := range e.Fields {
				if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || len(text) > event.MaxText {
					t.Errorf("%s is %q", event.Field(i), text)
				}
			}
		}
		if err := r.Journal.Drop(r.Journal.Stats().Next); err != nil {
			t.Fatal(err)
		}
	})
}

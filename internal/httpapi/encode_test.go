package httpapi

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

// What is written by hand is what encoding/json writes.
func TestListsAreEncodedAsTheLibraryDoes(t *testing.T) {
	texts := []string{"", "a.example", "utm_*\nref", `"quoted" \ back`, "<b>&amp;</b>", "über \u2028 \x7f", "bad \xff utf-8", "\x00\t\r", "日本"}
	var records websiteRecords
	var plain []any
	for i, text := range texts {
		r := websiteRecord{
			ID: int64(i) << 40, Domain: text, Privacy: 2, Email: i % 2, ExcludeBots: 1, ExcludeParams: text, ExcludeIPs: text, Timezone: text, RespectSignals: i % 2,
			CreatedAt: stamp(time.Date(2026, 3, 1, 10, 0, i, 5e6, time.FixedZone("", 3600))),
		}
		records = append(records, r)
		type fields websiteRecord // without its methods
		plain = append(plain, fields(r))
	}
	for name, l := range map[string]list{
		"full":  {records, links{"http://x/?a=1&page=1", "http://x/?q=%22", new("p<"), nil}, meta{CurrentPage: 1, From: new(1), Path: "http://x"}},
		"empty": {websiteRecords{}, links{}, meta{}},
	} {
		t.Run(name, func(t *testing.T) {
			type fields list
			byLibrary := fields(l)
			if name == "full" {
				byLibrary.Data = plain
			}
			var want, got bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			if err := e.Encode(byLibrary); err != nil {
				t.Fatal(err)
			}
			if err := encode(&got, l); err != nil || got.String() != want.String() {
				t.Errorf("%v\n got %s\nwant %s", err, got.String(), want.String())
			}
		})
	}
}

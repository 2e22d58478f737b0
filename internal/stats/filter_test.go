package stats_test

import (
	"fmt"
	"testing"

	"footfall/internal/event"
)

func TestFiltersLookAtWhatPeopleRead(t *testing.T) {
	from := load(t,
		at("2026-03-01 10:00", 1, event.Pageview, "/none", nil),
		at("2026-03-01 10:00", 2, event.Pageview, "/germany", fields{event.Country: "Germany"}),
		at("2026-03-01 10:00", 3, event.Pageview, "/japan", fields{event.Country: "Japan"}),
	)
	for filter, want := range map[string]string{
		`{"dimension":"country","op":"is","values":["Germany"]}`:                                                         `["/germany"]`,
		`{"dimension":"country","op":"is","values":["Unknown"]}`:                                                         `["/none"]`,
		`{"dimension":"country","op":"is","values":[""]}`:                                                                `["/none"]`,
		`{"dimension":"country","op":"is","values":["Unknown","Japan"]}`:                                                 `["/japan" "/none"]`,
		`{"dimension":"country","op":"is_not","values":["Unknown"]}`:                                                     `["/germany" "/japan"]`,
		`{"dimension":"country","op":"is_not","values":[""]}`:                                                            `["/germany" "/japan"]`,
		`{"dimension":"country","op":"is_not","values":["Germany"]}`:                                                     `["/japan" "/none"]`,
		`{"dimension":"country","op":"contains","values":["an"]}`:                                                        `["/germany" "/japan"]`,
		`{"dimension":"country","op":"contains","values":["now","Jap"]}`:                                                 `["/japan" "/none"]`,
		`{"dimension":"country","op":"not_contains","values":["an"]}`:                                                    `["/none"]`,
		`{"dimension":"country","op":"not_contains","values":["now"]}`:                                                   `["/germany" "/japan"]`,
		`{"dimension":"country","op":"matches","values":["U*n"]}`:                                                        `["/none"]`,
		`{"dimension":"country","op":"matches","values":["*"]}`:                                                          `["/germany" "/japan" "/none"]`,
		`{"dimension":"country","op":"matches","values":["G*"]}`:                                                         `["/germany"]`,
		`{"dimension":"page","op":"matches","values":["/*n*"]}`:                                                          `["/germany" "/japan" "/none"]`,
		`{"dimension":"campaign","op":"is","values":[""]}`:                                                               `["/germany" "/japan" "/none"]`,
		`{"dimension":"prop:plan","op":"is_not","values":["pro"]}`:                                                       `["/germany" "/japan" "/none"]`,
		`[{"dimension":"country","op":"is_not","values":["Japan"]},{"dimension":"page","op":"contains","values":["n"]}]`: `["/germany" "/none"]`,
		`{"and":[{"or":[{"dimension":"country","op":"is","values":["Japan"]},{"dimension":"country","op":"is","values":["Unknown"]}]},
			{"dimension":"page","op":"is_not","values":["/japan"]}]}`: `["/none"]`,
	} {
		a := ask(t, scope, from, `{"period": "7d", "filters": `+filter+`, "questions": [{"dimension": "page", "order": {"by": "value"}}]}`)
		if got := fmt.Sprintf("%q", values(a.Answers[0])); got != want {
			t.Errorf("%s keeps %s, want %s", filter, got, want)
		}
	}
}

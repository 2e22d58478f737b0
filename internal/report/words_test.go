package report_test

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"footfall/internal/event"
	"footfall/internal/report"
	"footfall/internal/stats"
)

func TestNumbersAreWrittenAsPeopleDo(t *testing.T) {
	for _, c := range [][2]string{
		{report.Counted("en", 0), "0"}, {report.Counted("en", 999), "999"}, {report.Counted("en", 1000), "1,000"}, {report.Counted("de", 1234567), "1.234.567"},
		{report.Counted("en", -1234), "−1,234"},
		{report.Lasted("en", 0), "0s"}, {report.Lasted("en", 59.6), "1m 00s"}, {report.Lasted("en", 192), "3m 12s"}, {report.Lasted("de", 3725), "1:02\u00a0h"},
		{report.Called("en", report.Week, stats.Period{From: event.NewDay(2026, 3, 9), To: event.NewDay(2026, 3, 16)}), "9–15 March 2026"},
		{report.Called("en", report.Week, stats.Period{From: event.NewDay(2026, 3, 30), To: event.NewDay(2026, 4, 6)}), "30 March – 5 April 2026"},
		{report.Called("de", report.Week, stats.Period{From: event.NewDay(2026, 12, 28), To: event.NewDay(2027, 1, 4)}), "28. Dezember 2026 – 3. Januar 2027"},
		{report.Called("de", report.Month, stats.Period{From: event.NewDay(2026, 2, 1), To: event.NewDay(2026, 3, 1)}), "Februar 2026"},
		{report.Named("de", "country", "United States", "US"), "Vereinigte Staaten"}, {report.Named("en", "country", "United States", "US"), "United States"},
		{report.Named("de", "country", "Unknown", ""), "Unbekannt"}, {report.Named("de", "page", "Unknown", ""), "Unknown"},
	} {
		if c[0] != c[1] {
			t.Errorf("it is written %q, want %q", c[0], c[1])
		}
	}
}

func TestChangesSayWhetherTheyAreGood(t *testing.T) {
	cases := map[string]struct {
		metric     string
		is, was    float64
		text, mood string
	}{
		"more visitors":        {"visitors", 112, 100, "↑ 12%", "good"},
		"a few more":           {"visitors", 1042, 1000, "↑ 4.2%", "good"},
		"fewer visitors":       {"visitors", 88, 100, "↓ 12%", "bad"},
		"as many":              {"visitors", 100, 100, "±0", "flat"},
		"none and none":        {"visitors", 0, 0, "±0", "flat"},
		"some of none":         {"visitors", 5, 0, "new", "flat"},
		"none of some":         {"visitors", 0, 5, "↓ 100%", "bad"},
		"very many more":       {"visitors", 50000, 10, "↑ 999%+", "good"},
		"a higher bounce rate": {"bounce_rate", 42.5, 40, "↑ 2.5\u00a0pp", "bad"},
		"a lower bounce rate":  {"bounce_rate", 40, 60, "↓ 20\u00a0pp", "good"},
	}
	for name, c := range cases {
		if text, mood := report.Shifted("en", c.metric, c.is, c.was); text != c.text || mood != c.mood {
			t.Errorf("%s: %q and %s, want %q and %s", name, text, mood, c.text, c.mood)
		}
	}
}

func TestTokensAreOfOneWebsiteAndAccount(t *testing.T) {
	signer := report.NewSigner([]byte("a key"))
	token := signer.Token(3, 5)
	if w, a, ok := signer.Read(token); w != 3 || a != 5 || !ok {
		t.Errorf("it is read as %d, %d, %v", w, a, ok)
	}
	if token == signer.Token(5, 3) || token == report.NewSigner([]byte("another key")).Token(3, 5) {
		t.Error("tokens are alike")
	}
	for i := range token {
		for _, r := range "Aa0_" {
			if forged := token[:i] + string(r) + token[i+1:]; forged != token {
				if _, _, ok := signer.Read(forged); ok {
					t.Errorf("%s is taken for %s", forged, token)
				}
			}
		}
	}
	if _, _, ok := (*report.Signer)(nil).Read(token); ok {
		t.Error("a token is read without a key")
	}
}

func FuzzToken(f *testing.F) {
	signer := report.NewSigner([]byte("a key"))
	f.Add(signer.Token(1, 2))
	f.Add("")
	f.Add("AAAA")
	f.Add(strings.Repeat("A", 1000))
	f.Fuzz(func(t *testing.T, token string) {
		if w, a, ok := signer.Read(token); ok && signer.Token(w, a) != token {
			t.Errorf("%q is a token of %d and %d, and not the one", token, w, a)
		}
	})
}

func TestChartShowsTheDays(t *testing.T) {
	days := []report.Day{{Is: 100, Was: 50}, {Is: 0, Was: 100}, {Is: 1, Was: 0}, {Is: 0, Was: 0}}
	picture, err := report.Chart(days, true)
	must(t, err)
	img, err := png.Decode(bytes.NewReader(picture))
	must(t, err)
	slot := report.ChartWidth / len(days) // nearly: there is some room beside the bars
	is, was, ground := color.NRGBA{0x0b, 0x6b, 0x6b, 0xff}, color.NRGBA{0xcd, 0xdf, 0xdc, 0xff}, color.NRGBA{0xf4, 0xf7, 0xf6, 0xff}
	for name, c := range map[string]struct {
		x, y int
		want color.NRGBA
	}{
		"a day's bar, nearly at the top":     {slot / 2, 40, is},
		"beside it, at half, the day before": {slot/2 + slot/4, 200, was},
		"beside it, above that, nothing":     {slot/2 + slot/4, 80, ground},
		"a day of nobody":                    {slot + slot/2, 100, was},
		"a day of one, at the bottom":        {2*slot + slot/2, 274, is},
		"a day of one, above":                {2*slot + slot/2, 240, ground},
		"nothing":                            {3*slot + slot/2, 274, ground},
		"a round corner":                     {0, 0, color.NRGBA{0xf4, 0xf7, 0xf6, 0}},
	} {
		if got := color.NRGBAModel.Convert(img.At(c.x, c.y)); got != c.want {
			t.Errorf("%s is %v, want %v", name, got, c.want)
		}
	}
	if len(picture) > 20_000 {
		t.Errorf("it has %d bytes", len(picture))
	}
}

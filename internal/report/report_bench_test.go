package report_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/report"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

// BenchmarkThousandReports builds the weekly reports on a thousand websites, of which one in a hundred is large: 1.2 M events
// in two weeks. The goal is 20 s on two cores.
func BenchmarkThousandReports(b *testing.B) {
	const websites = 1000
	monday := time.Date(2026, 3, 16, 6, 0, 0, 0, time.UTC)
	engine, err := segments.Open(b.TempDir(), segments.Options{Now: func() time.Time { return monday }})
	must(b, err)
	b.Cleanup(func() { engine.Close() })
	events := fill(b, engine, websites)
	must(b, engine.Flush(b.Context()))
	must(b, engine.Settle(b.Context()))
	before := used(b)
	for b.Loop() {
		bytes := 0
		for id := range websites {
			w := accounts.Website{ID: int64(id + 1), Domain: fmt.Sprintf("w%d.example", id), Timezone: "Europe/Berlin"}
			r, err := report.Last(b.Context(), engine, w, report.Week, monday)
			must(b, err)
			letter, err := r.Write(b.Context(), report.Envelope{Base: base, Locale: "en", Unsubscribe: base + "/unsubscribe/x", ChartID: "chart@example.com"})
			must(b, err)
			bytes += len(letter.HTML) + len(letter.Text) + len(letter.Chart)
		}
		b.ReportMetric(float64(bytes)/websites, "bytes/report")
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/1000reports")
	b.ReportMetric((used(b)-before).Seconds()/float64(b.N), "cpu-s/1000reports") // of both cores: what counts where others work too
	b.ReportMetric(float64(events), "events")
}

// used is the time that this process had a processor.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// fill makes two weeks of traffic, and tells how many events that are.
func fill(b *testing.B, engine *segments.Engine, websites int) (events int) {
	chance := rand.New(rand.NewPCG(1, 2))
	sources, countries := []string{"", "Google", "Bing", "GitHub", "Newsletter", "Reddit"}, []string{"Germany", "France", "United States", "Japan", "Brazil"}
	position := uint64(0)
	for day := event.NewDay(2026, 3, 2); day < event.NewDay(2026, 3, 16); day++ {
		var batch []event.Event
		for id := range websites {
			n := 60
			if id%100 == 0 {
				n = 2600
			}
			for i := range n {
				e := event.Event{Website: int64(id + 1), Visitor: uint64(i/3 + 1), Day: day, Kind: event.Pageview, Time: day.UTC().UnixMilli() + int64(i)*20_000}
				e.Fields[event.Page] = fmt.Sprintf("/page/%d", int(chance.ExpFloat64()*20))
				e.Fields[event.Source], e.Fields[event.Country] = sources[chance.IntN(len(sources))], countries[chance.IntN(len(countries))]
				if i%20 == 0 {
					e.Kind, e.Fields[event.Name] = event.Custom, "Signup"
				}
				batch = append(batch, e)
			}
		}
		must(b, engine.Append(b.Context(), store.Batch{From: position, To: position + 1, Events: batch}))
		position++
		events += len(batch)
		must(b, engine.Flush(b.Context()))
	}
	return events
}

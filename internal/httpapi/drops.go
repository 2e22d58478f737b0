package httpapi

import (
	"context"
	"net/http"
	"strings"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/fault"
	"footfall/internal/stats"
)

// dropCount is how many hits were dropped for a reason.
type dropCount struct {
	Reason string `json:"reason"`
	Text   string `json:"text"`
	Count  int64  `json:"count"`
}

// dropDay is what came of the hits of a day, or of all days.
type dropDay struct {
	Day      string      `json:"day,omitempty"`
	Received int64       `json:"received"`
	Counted  int64       `json:"counted"`
	Dropped  []dropCount `json:"dropped"`
}

// showDrops tells how many hits of a website were counted, and why the others were not.
func (s *Server) showDrops(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuery(r)
	if err != nil {
		return err
	}
	period := stats.PeriodParams{From: q.textOr("from"), To: q.textOr("to")}
	website, err := s.visibleWebsite(r)
	if err != nil {
		return err
	}
	if err := q.err(); err != nil {
		return err
	}
	counted, err := s.countedByDay(r.Context(), website, period)
	if err != nil {
		return err
	}
	dropped, err := s.accounts.DropsOf(r.Context(), website, counted.Period.From.String(), (counted.Period.To - 1).String())
	if err != nil {
		return err
	}
	total, days := addUp(counted, dropped)
	return writeData(w, http.StatusOK, struct {
		dropDay
		Days []dropDay `json:"days"`
	}{total, days})
}

// countedByDay asks for the hits that count: pageviews and custom events. Engagements are measurements of these.
func (s *Server) countedByDay(ctx context.Context, website accounts.Website, period stats.PeriodParams) (stats.Answer, error) {
	scope, err := s.scope(website)
	if err != nil {
		return stats.Answer{}, err
	}
	if period.From == "" && period.To == "" {
		period.Name = "30d"
	}
	asked, err := stats.Parse(scope, stats.Params{Website: website.ID, Period: period, Questions: []stats.QuestionParams{
		{Dimension: "day", Metrics: []string{"pageviews", "events"}, Fill: new(true)},
	}})
	if f := fault.Of(err); f != nil && len(f.Fields) > 0 { // they have other names in a query
		var wrong fault.Fields
		for name, problems := range f.Fields {
			for _, problem := range problems {
				wrong.Add(strings.TrimPrefix(name, "period."), "%s", problem)
			}
		}
		return stats.Answer{}, wrong.As(f.Code)
	}
	if err != nil {
		return stats.Answer{}, err
	}
	return asked.Run(ctx, s.store)
}

// addUp puts together what was counted and what was dropped, for all days and for each that is not in the future.
func addUp(counted stats.Answer, dropped []accounts.DropCount) (total dropDay, days []dropDay) {
	byDay, all := make(map[string]map[string]int64), make(map[string]int64)
	for _, d := range dropped {
		if byDay[d.Day] == nil {
			byDay[d.Day] = make(map[string]int64)
		}
		byDay[d.Day][d.Reason] += d.Hits
		all[d.Reason] += d.Hits
	}
	days = []dropDay{}
	for _, row := range counted.Answers[0].Rows {
		if row.Now == nil {
			continue
		}
		day := newDropDay(row.Value, int64(row.Now.Number("pageviews")+row.Now.Number("events")), byDay[row.Value])
		total.Counted += day.Counted
		days = append(days, day)
	}
	return newDropDay("", total.Counted, all), days
}

func newDropDay(day string, counted int64, hits map[string]int64) dropDay {
	d := dropDay{Day: day, Received: counted, Counted: counted, Dropped: reasons(hits)}
	for _, r := range d.Dropped {
		d.Received += r.Count
	}
	return d
}

// reasons are drops in the order of the list of reasons.
func reasons(hits map[string]int64) []dropCount {
	list := []dropCount{}
	for _, r := range collect.Reasons {
		if n := hits[string(r.Drop)]; n > 0 {
			list = append(list, dropCount{string(r.Drop), r.Text, n})
		}
	}
	return list
}

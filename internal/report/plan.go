package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/stats"
)

// Kind is that of reports in the outbox.
const Kind = "report"

// A Planner puts reports into the outbox when they are due: once for each website, period and account, by whatever node is
// the first. After a time in which nobody did, the last week and the last month are made up for, and no earlier ones.
type Planner struct {
	Accounts *accounts.DB
	Signer   *Signer
	Domain   string           // that ids of messages end with
	Now      func() time.Time // nil is time.Now
}

// A ticket is what the outbox keeps of a report.
type ticket struct {
	Span Span   `json:"span"`
	From string `json:"from"` // the first day
}

// plansAtOnce is how many websites share a transaction.
const plansAtOnce = 100

// Plan puts into the outbox what is due. One website whose time zone nobody knows keeps no other waiting.
func (p *Planner) Plan(ctx context.Context) error {
	websites, err := p.Accounts.ReportedWebsites(ctx)
	if err != nil {
		return err
	}
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	var plans []accounts.ReportPlan
	var errs []error
	zones := make(map[string]*time.Location)
	for _, w := range websites {
		zone := zones[w.Timezone]
		if zone == nil {
			if zone, err = time.LoadLocation(w.Timezone); err != nil {
				errs = append(errs, fmt.Errorf("load the time zone of website %d: %w", w.ID, err))
				continue
			}
			zones[w.Timezone] = zone
		}
		if due := p.due(w, zone, now()); len(due) > 0 {
			plans = append(plans, accounts.ReportPlan{Website: w.ID, Reports: due})
		}
	}
	for some := range slices.Chunk(plans, plansAtOnce) {
		errs = append(errs, p.Accounts.PlanReports(ctx, some))
	}
	return errors.Join(append(errs, p.Accounts.TidyDeliveries(ctx))...)
}

// due are the reports on a website that are due and not planned, in the order of time.
func (p *Planner) due(w accounts.ReportedWebsite, zone *time.Location, now time.Time) []accounts.DueReport {
	var all []accounts.DueReport
	for _, s := range Spans {
		at, period := s.due(now, zone)
		if at.After(w.Planned) {
			all = append(all, accounts.DueReport{Due: at, Delivery: func(account int64) accounts.Delivery {
				return p.delivery(w.ID, account, s, period)
			}})
		}
	}
	slices.SortStableFunc(all, func(a, b accounts.DueReport) int { return a.Due.Compare(b.Due) })
	return all
}

func (p *Planner) delivery(website, account int64, s Span, period stats.Period) accounts.Delivery {
	payload, err := json.Marshal(ticket{s, period.From.String()})
	if err != nil {
		panic(err) // two texts always encode
	}
	series := fmt.Sprintf("%s/%d/%d", s, website, account)
	name := series + "/" + period.From.String()
	return accounts.Delivery{Kind: Kind, Name: name, Series: series, Payload: string(payload), MessageID: p.Signer.messageID(name, p.Domain)}
}

// period reads a ticket.
func (t ticket) period() (stats.Period, error) {
	from, err := event.ParseDay(t.From)
	if err != nil {
		return stats.Period{}, fmt.Errorf("read the period of a report: %w", err)
	}
	if !slices.Contains(Spans, t.Span) || t.Span.first(from) != from {
		return stats.Period{}, fmt.Errorf("no %s begins on %s", t.Span, from)
	}
	if t.Span == Month {
		return stats.Period{From: from, To: from.NextMonth()}, nil
	}
	return stats.Period{From: from, To: from + 7}, nil
}

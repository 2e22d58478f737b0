package alert

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/stats"
	"footfall/internal/store"
)

// A Watch looks whether websites are as usual. Check is called every few minutes, by one at a time.
type Watch struct {
	Accounts *accounts.DB
	Store    stats.Querier
	Mail     string           // domain that ids of emails end with; "" if none are sent
	Began    time.Time        // since when hits are taken here: hours that began earlier tell nothing
	Behind   func() bool      // tells that the store does not have all hits yet; nil is never
	Now      func() time.Time // nil is time.Now
	Log      *slog.Logger

	checked map[int64]check // by alert
}

// A check is what an alert was looked at for.
type check struct {
	hour    hour
	updated time.Time
}

// settling is how long after an hour its last hits may take to be counted.
const settling = 2 * time.Minute

// Check looks at every alert once in every hour. One website that cannot be looked at keeps no other waiting.
func (w *Watch) Check(ctx context.Context) error {
	if w.Behind != nil && w.Behind() {
		return nil
	}
	alerts, err := w.Accounts.WatchedAlerts(ctx)
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	if w.Now != nil {
		now = w.Now()
	}
	before := w.checked
	w.checked = make(map[int64]check, len(alerts)) // so that alerts which are gone are forgotten
	ctx = store.InBackground(ctx)                  // once: many alerts that are each looked at in no time breathe too
	var past *history
	var errs []error
	for _, a := range alerts {
		zone, err := time.LoadLocation(a.Timezone)
		if err != nil {
			errs = append(errs, fmt.Errorf("load the time zone of website %d: %w", a.Website, err))
			continue
		}
		from, to := lastHour(now.Add(-settling), zone)
		this := check{hourAt(from, zone), a.UpdatedAt}
		if a.Kind == accounts.Silent {
			from = to.Add(-time.Duration(a.Hours) * time.Hour)
		}
		if before[a.ID] != this && !from.Before(w.Began) {
			if past == nil || past.website != a.Website {
				past = newHistory(w.Store, a.Website, zone, now)
			}
			if err := w.look(ctx, a, past, from, to); err != nil {
				errs = append(errs, fmt.Errorf("look at alert %d: %w", a.ID, err))
				continue
			}
		}
		w.checked[a.ID] = this
	}
	return errors.Join(append(errs, w.Accounts.TidyDeliveries(ctx))...)
}

// lastHour is the last one that has ended on a website's clock.
func lastHour(now time.Time, zone *time.Location) (from, to time.Time) {
	to, _ = span(now, zone)
	return span(to.Add(-quarter), zone)
}

// look compares the last full hour, or the last full hours of a silence, with what is usual, and tells if it is not.
func (w *Watch) look(ctx context.Context, a accounts.WatchedAlert, past *history, from, to time.Time) error {
	judge := judgeHour
	if a.Kind == accounts.Silent {
		judge = judgeSilence
	}
	found, err := judge(ctx, a.Alert, past, from, to)
	switch {
	case errors.Is(err, errPartial):
		w.Log.Warn("an alert cannot be judged", "alert", a.ID, "error", err)
		return nil
	case err != nil || found == nil:
		return err
	}
	found.Alert, found.Kind = a.ID, a.Kind
	deliveries, err := w.deliveries(a, *found)
	if err != nil || len(deliveries) == 0 {
		return err
	}
	_, err = w.Accounts.FireAlert(ctx, a.ID, deliveries)
	return err
}

// judgeHour compares the visitors of an hour with those of the same hour in the weeks before. Hours that the clock made
// longer or shorter are compared with nothing.
func judgeHour(ctx context.Context, a accounts.Alert, past *history, from, to time.Time) (*Finding, error) {
	if to.Sub(from) != time.Hour {
		return nil, nil
	}
	this := hourAt(from, past.zone)
	if err := past.read(ctx, this.day, this.day); err != nil {
		return nil, err
	}
	var before []aWeek
	for k := 1; k <= weeks; k++ {
		then, ok := weeksBefore(from, k, past.zone)
		if start, end := span(then, past.zone); !ok || end.Sub(start) != time.Hour {
			continue
		}
		h := hourAt(then, past.zone)
		if err := past.read(ctx, h.day, h.day); err != nil {
			return nil, err
		}
		before = append(before, aWeek{past.at(h).visitors, past.happened(h.day, h.day)})
	}
	counted := known(before)
	if counted == nil {
		return nil, nil
	}
	is, usual := past.at(this).visitors, normOf(counted)
	if !usual.unusual(a, is) {
		return nil, nil
	}
	return &Finding{From: from.In(past.zone), To: to.In(past.zone), Is: int64(is), Usual: int64(math.Round(usual.median))}, nil
}

// judgeSilence looks for hits in the last hours, and in the time since. A silence is told once, however long it is.
func judgeSilence(ctx context.Context, a accounts.Alert, past *history, from, to time.Time) (*Finding, error) {
	if silent, err := past.silentSince(ctx, from); err != nil || !silent {
		return nil, err
	}
	if told, err := past.silentSince(ctx, a.FiredAt); err != nil || told {
		return nil, err
	}
	var before []aWeek
	for k := 1; k <= weeks; k++ {
		end, _ := weeksBefore(to, k, past.zone)
		hours := hoursUpTo(end, int(a.Hours), past.zone)
		hits, err := past.hits(ctx, hours)
		if err != nil {
			return nil, err
		}
		before = append(before, aWeek{hits, past.happened(hours[len(hours)-1].day, hours[0].day)})
	}
	counted := known(before)
	if counted == nil || !lively(a, counted) {
		return nil, nil
	}
	return &Finding{From: from.In(past.zone), To: to.In(past.zone), Usual: int64(math.Round(median(counted))), Hours: a.Hours}, nil
}

// silentSince tells whether there was no hit since a time within the weeks that are looked back.
func (h *history) silentSince(ctx context.Context, t time.Time) (bool, error) {
	if h.now.Sub(t) > weeks*7*24*time.Hour {
		return false, nil
	}
	first, today := hourAt(t, h.zone), hourAt(h.now, h.zone).day
	if err := h.read(ctx, first.day, today); err != nil {
		return false, err
	}
	for day := first.day; day <= today; day++ {
		for i := range 24 {
			if at := (hour{day, i}); !at.before(first) && h.at(at).hits > 0 {
				return false, nil
			}
		}
	}
	return true, nil
}

// deliveries are what tells of a finding.
func (w *Watch) deliveries(a accounts.WatchedAlert, f Finding) (all []accounts.Delivery, err error) {
	if a.Email && a.Account != 0 && w.Mail != "" {
		payload, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		id := strings.ToLower(rand.Text())
		all = append(all, accounts.Delivery{
			Kind: Kind, Name: strconv.FormatInt(a.ID, 10) + "/" + id, Website: a.Website, Account: a.Account, Payload: string(payload), MessageID: id + "@" + w.Mail,
		})
	}
	if a.Webhook != 0 {
		body := map[string]any{"website": map[string]any{"id": a.Website, "domain": a.Domain}, "alert": f}
		d, err := accounts.NewPosting(a.Website, a.Webhook, Kind, body)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

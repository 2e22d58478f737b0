package segments

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Realtime implements store.Engine. It looks at open cells only: the window must be shorter than the two days before
// sealing.
func (e *Engine) Realtime(ctx context.Context, website int64, window time.Duration) (store.Live, error) {
	v, err := e.acquire()
	if err != nil {
		return store.Live{}, err
	}
	defer v.release()
	if slices.Contains(v.manifest.Deleted, website) {
		return store.Live{}, nil
	}
	since := e.now().Add(-window).UnixMilli()
	var need fieldSet
	need.add(event.Page)
	need.add(event.Country)
	memory := e.borrow()
	defer e.giveBack(memory)
	readers := make([]*partReader, len(v.parts))
	for i, f := range v.parts {
		if f.part.MaxTime < since || f.part.Late {
			continue
		}
		p, err := f.asPart()
		if err == nil {
			readers[i] = newPartReader(p, need, memory)
		} else if !isDamage(err) {
			return store.Live{}, err
		}
	}
	live := make(livePeople)
	first := event.DayOf(time.UnixMilli(since).UTC()) - 1 // the website's day can be another than that of UTC
	for _, day := range v.openDays(website, first, event.DayOf(e.now().UTC())+2) {
		if err := ctx.Err(); err != nil {
			return store.Live{}, err
		}
		key := cellKey{website, day}
		for _, runs := range v.openRuns(key, need, readers) {
			for _, run := range runs {
				if err := live.add(day, run, since); err != nil {
					return store.Live{}, err
				}
			}
		}
	}
	return live.count(), nil
}

// livePeople are the visitors of the last minutes.
type livePeople map[livePerson]*livePlace

type livePerson struct {
	day     event.Day
	visitor int64
}

// A livePlace is where a visitor is.
type livePlace struct{ page, country latest }

// A latest is the text of the latest event that has one.
type latest struct {
	text string
	time int64
}

func (l *latest) add(text string, time int64) {
	if text != "" && time >= l.time {
		*l = latest{text, time}
	}
}

func (l livePeople) add(day event.Day, r run, since int64) error {
	for {
		rows, err := r.next()
		if err != nil {
			if isDamage(err) {
				continue
			}
			return err
		}
		if rows == nil {
			return nil
		}
		pages, countries := &rows.fields[event.Page], &rows.fields[event.Country]
		for i := range rows.n {
			if rows.time[i] < since {
				continue
			}
			who := livePerson{day, rows.visitor[i]}
			if l[who] == nil {
				l[who] = new(livePlace)
			}
			l[who].page.add(pages.values[pages.codes[i]], rows.time[i])
			l[who].country.add(countries.values[countries.codes[i]], rows.time[i])
		}
	}
}

func (l livePeople) count() store.Live {
	live := store.Live{Visitors: len(l)}
	pages, countries := make(map[string]int), make(map[string]int)
	for _, at := range l {
		pages[at.page.text]++
		countries[at.country.text]++
	}
	for _, page := range byVisitors(pages) {
		live.Pages = append(live.Pages, store.LivePage{Page: page, Visitors: pages[page]})
	}
	for _, country := range byVisitors(countries) {
		live.Countries = append(live.Countries, store.LiveCountry{Country: country, Visitors: countries[country]})
	}
	return live
}

// byVisitors are the texts with most visitors first, then A to Z, without the empty one.
func byVisitors(visitors map[string]int) []string {
	delete(visitors, "")
	return slices.SortedFunc(maps.Keys(visitors), func(a, b string) int {
		return cmp.Or(cmp.Compare(visitors[b], visitors[a]), cmp.Compare(a, b))
	})
}

package segments

import (
	"cmp"
	"context"
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
	readers := make([]*partReader, len(v.parts))
	for i, f := range v.parts {
		if f.part.MaxTime < since || f.part.Late {
			continue
		}
		p, err := f.asPart()
		if err == nil {
			readers[i] = newPartReader(p, need)
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
type livePeople map[livePerson]livePage

type livePerson struct {
	day     event.Day
	visitor int64
}

type livePage struct {
	page string
	time int64
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
		pages := &rows.fields[event.Page]
		for i := range rows.n {
			if rows.time[i] < since {
				continue
			}
			who := livePerson{day, rows.visitor[i]}
			now, page := l[who], pages.values[pages.codes[i]]
			if page != "" && rows.time[i] >= now.time {
				now = livePage{page, rows.time[i]}
			}
			l[who] = now
		}
	}
}

func (l livePeople) count() store.Live {
	live := store.Live{Visitors: len(l)}
	byPage := make(map[string]int)
	for _, p := range l {
		if p.page != "" {
			byPage[p.page]++
		}
	}
	for page, n := range byPage {
		live.Pages = append(live.Pages, store.LivePage{Page: page, Visitors: n})
	}
	slices.SortFunc(live.Pages, func(a, b store.LivePage) int {
		return cmp.Or(cmp.Compare(b.Visitors, a.Visitors), cmp.Compare(a.Page, b.Page))
	})
	return live
}

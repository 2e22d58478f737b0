package segments

import (
	"context"
	"maps"
	"slices"

	"footfall/internal/event"
)

// exportEvents is how many events are cut before they are handed over.
const exportEvents = 16 << 10

// Export yields the events of a website on the days from ≤ d < to, by day, visitor and time, each once, with the texts of its
// visit. Visitor is a number from 1 that means something within its day only, and ID is 0. The event is valid until yield
// returns; its texts stay. The names of files that could not be read are returned: what they hold is left out.
func (e *Engine) Export(ctx context.Context, website int64, from, to event.Day, yield func(*event.Event) error) (damaged []string, err error) {
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer v.release()
	if slices.Contains(v.manifest.Deleted, website) {
		return nil, nil
	}
	x := &export{view: v, cutter: newCutter(allFields), yield: yield, damaged: make(map[string]bool)}
	x.cutter.sorted = true
	if err := x.open(); err != nil {
		return nil, err
	}
	for _, day := range x.days(website, from, to) {
		if err := x.cell(ctx, cellKey{website, day}); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(x.damaged)), nil
}

// An export goes through cells as sealing does, and hands what is cut to somebody instead of writing it.
type export struct {
	view    *view
	cutter  *cutter
	yield   func(*event.Event) error
	parts   []*partReader   // for each of the view, nil for one that cannot be read
	sealed  []*sealedReader // likewise
	damaged map[string]bool
	event   event.Event
	offsets []int64
}

func (x *export) open() error {
	for _, f := range x.view.parts {
		p, err := f.asPart()
		if err := x.note(f, err); err != nil {
			return err
		}
		var r *partReader
		if err == nil {
			r = newPartReader(p, allFields, nil)
		}
		x.parts = append(x.parts, r)
	}
	for _, f := range x.view.sealed {
		s, err := f.asSealed()
		if err := x.note(f, err); err != nil {
			return err
		}
		var r *sealedReader
		if err == nil {
			r = newSealedReader(s)
		}
		x.sealed = append(x.sealed, r)
	}
	return nil
}

// note remembers damage; any other error is returned.
func (x *export) note(f *file, err error) error {
	if err == nil {
		return nil
	}
	if !isDamage(err) {
		return err
	}
	f.noteRead(err)
	for _, name := range f.damaged() {
		x.damaged[name] = true
	}
	return nil
}

// days are those on which a website has events.
func (x *export) days(website int64, from, to event.Day) []event.Day {
	days := x.view.openDays(website, from, to)
	for _, r := range x.sealed {
		if r != nil {
			for _, c := range r.file.find(website, from, to) {
				days = append(days, c.day)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// cell yields the events of a cell. Each sealed file has visitors of its own, and so have those who came late.
func (x *export) cell(ctx context.Context, key cellKey) error {
	var people [][]run
	for i, r := range x.sealed {
		if r == nil {
			continue
		}
		if found := r.run(key); found != nil {
			people = append(people, []run{&exportRun{found, x, x.view.sealed[i]}})
		}
	}
	for _, runs := range x.view.openRuns(key, allFields, x.parts) {
		x.watch(runs)
		people = append(people, runs)
	}
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return x.flush()
	}
	x.cutter.begin(key)
	for _, runs := range people {
		if err := x.cutter.cut(runs, exportEvents, flush); err != nil {
			return err
		}
	}
	return flush()
}

// watch lets damage in runs of parts pass. openRuns gives those of parts first, in the order of the view.
func (x *export) watch(runs []run) {
	at := 0
	for i, r := range runs {
		p, ok := r.(*partRun)
		if !ok {
			return
		}
		for x.parts[at] != p.reader {
			at++
		}
		runs[i] = &exportRun{r, x, x.view.parts[at]}
	}
}

// An exportRun leaves out pieces that are damaged.
type exportRun struct {
	run    run
	export *export
	file   *file
}

func (r *exportRun) next() (*rows, error) {
	for {
		rows, err := r.run.next()
		if err == nil {
			return rows, nil
		}
		if err := r.export.note(r.file, err); err != nil {
			return nil, err
		}
	}
}

// flush yields what was cut, and empties the cutter.
func (x *export) flush() error {
	visits, events := x.cutter.visits, x.cutter.events
	v, d := visits.data, events.data
	x.offsets = expand(x.offsets, d[eventOffset].runs, 0, events.n)
	kinds := make([]event.Kind, len(d[eventKind].dict.values))
	for code, name := range d[eventKind].dict.values {
		kinds[code] = event.Kind(slices.Index(kindNames[:], name))
	}
	key := x.cutter.cells[len(x.cutter.cells)-1].cellKey
	visit := 0
	for i := range events.n {
		for v[visitVisit].i32[visit] != d[eventVisit].i32[i] {
			visit++
		}
		e := &x.event
		*e = event.Event{
			Website: key.website, Day: key.day, Visitor: uint64(v[visitVisitor].i32[visit]) + 1, Time: d[eventTime].i64[i], Offset: int16(x.offsets[i]),
			Kind: kinds[d[eventKind].codes[i]], Scroll: uint8(d[eventScroll].i32[i]), Engaged: d[eventEngaged].i32[i], Value: d[eventValue].i64[i],
		}
		for f := range event.NumFields {
			var c *columnData
			row := i
			if f < event.NumEventFields {
				c = &d[eventFields+f]
			} else {
				c, row = &v[visitFields+f-event.NumEventFields], visit
			}
			e.Fields[f] = c.dict.values[c.codes[row]]
		}
		if err := x.yield(e); err != nil {
			return err
		}
	}
	x.cutter.reset()
	return nil
}

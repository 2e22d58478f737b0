package segments

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A view is the state of the store at one moment: files and memories that hold each event once. Questions run on the
// view they find, and keep its files alive, whatever housekeeping does meanwhile.
type view struct {
	manifest *manifest
	parts    []*file   // as in the manifest
	sealed   []*file   // likewise
	rollups  []*file   // for each of sealed, or nil
	memories []*memory // in order of arrival; the last one grows
	refs     atomic.Int32

	sealedGeneration int64 // changes with the sealed files
}

func (v *view) files() []*file {
	files := slices.Concat(v.parts, v.sealed)
	for _, f := range v.rollups {
		if f != nil {
			files = append(files, f)
		}
	}
	return files
}

func (v *view) release() {
	if v.refs.Add(-1) > 0 {
		return
	}
	for _, f := range v.files() {
		f.release()
	}
}

// active is the memory that grows.
func (v *view) active() *memory { return v.memories[len(v.memories)-1] }

// acquire is the current view; the caller releases it.
func (e *Engine) acquire() (*view, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, store.ErrClosed
	}
	e.view.refs.Add(1)
	return e.view, nil
}

// replaceView puts a view of the manifest and memories in place of the current one. mu must be held.
func (e *Engine) replaceView(m *manifest, memories []*memory) {
	next := &view{manifest: m, memories: memories}
	next.refs.Store(1)
	if old := e.view; old != nil {
		next.sealedGeneration = old.sealedGeneration
		if !slices.EqualFunc(old.manifest.Sealed, m.Sealed, func(a, b sealedEntry) bool { return a.Number == b.Number }) {
			next.sealedGeneration++
		}
	}
	known := make(map[string]*file)
	if e.view != nil {
		for _, f := range e.view.files() {
			known[f.paths[0]] = f
		}
	}
	use := func(f *file) *file {
		if old := known[f.paths[0]]; old != nil {
			f = old
			delete(known, f.paths[0])
		}
		f.refs.Add(1)
		return f
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		next.parts = append(next.parts, use(e.newFile(&file{part: p}, e.eventsPath(p.File.Name))))
	}
	for i := range m.Sealed {
		s := &m.Sealed[i]
		f := e.newFile(&file{sealed: s}, e.eventsPath(s.Visits.Name), e.eventsPath(s.Events.Name))
		next.sealed = append(next.sealed, use(f))
		var rollup *file
		if s.Rollup != nil {
			rollup = use(e.newFile(&file{rollup: s.Rollup}, e.rollupsPath(s.Rollup.Name)))
		}
		next.rollups = append(next.rollups, rollup)
	}
	for _, f := range known {
		f.dropped.Store(true)
	}
	if old := e.view; old != nil {
		defer old.release()
	}
	e.view = next
}

func (e *Engine) newFile(f *file, paths ...string) *file {
	f.fs, f.cache, f.paths, f.aside = e.fs, e.cache, paths, e.eventsPath(quarantineName)
	return f
}

func (e *Engine) eventsPath(name string) string  { return filepath.Join(e.dir, eventsName, name) }
func (e *Engine) rollupsPath(name string) string { return filepath.Join(e.dir, rollupsName, name) }

// openDays are the days that have events outside sealed files, for one website, in order.
func (v *view) openDays(website int64, from, to event.Day) []event.Day {
	days := make(map[event.Day]bool)
	for _, f := range v.parts {
		p, err := f.asPart()
		if err != nil {
			continue // the question that reads it will say so
		}
		at, _ := slices.BinarySearchFunc(p.cells, cellKey{website, from}, func(c partCell, k cellKey) int { return c.compare(k) })
		for ; at < len(p.cells) && p.cells[at].website == website && p.cells[at].day < to; at++ {
			days[p.cells[at].day] = true
		}
	}
	for _, m := range v.memories {
		m.mu.RLock()
		for k := range m.cells {
			if k.website == website && k.day >= from && k.day < to {
				days[k.day] = true
			}
		}
		m.mu.RUnlock()
	}
	list := make([]event.Day, 0, len(days))
	for d := range days {
		list = append(list, d)
	}
	slices.Sort(list)
	return list
}

// partsOf names the parts that hold events of a cell, and tells whether nothing of it is in memory.
func (v *view) partsOf(key cellKey) (parts string, rests bool) {
	for _, m := range v.memories {
		if _, rows := m.snapshot(key); len(rows) > 0 {
			return "", false
		}
	}
	var b strings.Builder
	for _, f := range v.parts {
		if p, err := f.asPart(); err == nil && len(p.find(key)) > 0 {
			fmt.Fprintf(&b, "%d ", f.part.Number)
		}
	}
	return b.String(), true
}

// openRuns are the sources of a cell outside sealed files: those of an open day, and those that came late. In each,
// the same visitor is the same person. readers has a reader for each part that can be read.
func (v *view) openRuns(key cellKey, need fieldSet, readers []*partReader) (people [2][]run) {
	for i, f := range v.parts {
		if readers[i] == nil {
			continue
		}
		if r := readers[i].run(key); r != nil {
			people[lateness(f.part.Late)] = append(people[lateness(f.part.Late)], r)
		}
	}
	for _, m := range v.memories {
		if r := m.rows(key, need, new(translations)); r != nil {
			late := lateness(key.day < m.lateBefore)
			people[late] = append(people[late], &oneRun{r})
		}
	}
	return people
}

func lateness(late bool) int {
	if late {
		return 1
	}
	return 0
}

// partNamed is the part in a file, or nil.
func (v *view) partNamed(name string) *file {
	i := slices.IndexFunc(v.parts, func(f *file) bool { return f.part.File.Name == name })
	if i < 0 {
		return nil
	}
	return v.parts[i]
}

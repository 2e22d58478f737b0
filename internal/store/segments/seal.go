package segments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"footfall/internal/event"
)

// seal seals all days before to. housekeeping must be held.
func (e *Engine) seal(ctx context.Context, to event.Day) error {
	// From here on events for these days are late; those before are brought into parts.
	if err := e.rotate(&to); err != nil {
		return err
	}
	if err := e.flushMemories(ctx); err != nil {
		return err
	}
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer v.release()
	var days []event.Day
	for _, p := range v.manifest.Parts {
		if !p.Late && p.Period < to {
			days = append(days, p.Period)
		}
	}
	slices.Sort(days)
	for _, day := range slices.Compact(days) {
		var parts []*file
		for _, f := range v.parts {
			if !f.part.Late && f.part.Period == day {
				parts = append(parts, f)
			}
		}
		if err := e.rewrite(ctx, rewriting{parts: parts, from: day, to: day + 1}, func(m *manifest) { m.SealedTo = day + 1 }); err != nil {
			return fmt.Errorf("seal %s: %w", day, err)
		}
	}
	e.appending.Lock()
	e.limits.forget(to)
	e.appending.Unlock()
	return e.newChange().commit(func(m *manifest) { m.SealedTo = to }, nil)
}

// compact makes a month of its sealed days and late parts. housekeeping must be held.
func (e *Engine) compact(ctx context.Context, v *view, month event.Day) error {
	r := rewriting{from: month, to: month.NextMonth()}
	for _, f := range v.sealed {
		if f.sealed.From.Month() == month {
			r.sealed = append(r.sealed, f)
		}
	}
	for _, f := range v.parts {
		if f.part.Late && f.part.Period == month {
			r.parts = append(r.parts, f)
		}
	}
	if err := e.rewrite(ctx, r, nil); err != nil {
		return fmt.Errorf("compact %s: %w", month, err)
	}
	return nil
}

// A rewriting makes one pair of sealed files of others and of parts.
type rewriting struct {
	sealed, parts []*file
	from, to      event.Day
}

// rewrite writes the new files and puts them in the place of the old ones. edit, if not nil, adds to the change of the
// manifest. What cannot be read is left out, and the file that holds it moved aside.
func (e *Engine) rewrite(ctx context.Context, r rewriting, edit func(*manifest)) error {
	sources, err := newSources(r)
	if err != nil {
		return err
	}
	c := e.newChange()
	defer c.abandon()
	entry, err := e.writeSealed(ctx, c, r, sources)
	if err != nil {
		return err
	}
	damaged := sources.damaged()
	if len(damaged) > 0 {
		e.log.Error("some events could not be read and are left out; the files are moved aside", "files", damaged)
	}
	return c.commit(func(m *manifest) {
		m.remove(r)
		if entry != nil {
			m.Sealed = append(m.Sealed, *entry)
			slices.SortFunc(m.Sealed, func(a, b sealedEntry) int { return int(a.From - b.From) })
		}
		m.lose(r.from, r.to, damaged)
		if edit != nil {
			edit(m)
		}
	}, nil)
}

// remove takes the inputs of a rewriting off the manifest.
func (m *manifest) remove(r rewriting) {
	m.Parts = slices.DeleteFunc(m.Parts, func(p partEntry) bool {
		return slices.ContainsFunc(r.parts, func(f *file) bool { return f.part.Number == p.Number })
	})
	m.Sealed = slices.DeleteFunc(m.Sealed, func(s sealedEntry) bool {
		return slices.ContainsFunc(r.sealed, func(f *file) bool { return f.sealed.Number == s.Number })
	})
}

// writeSealed writes the cells of all sources. It returns nil if there are none.
func (e *Engine) writeSealed(ctx context.Context, c *change, r rewriting, sources *sources) (*sealedEntry, error) {
	entry := &sealedEntry{Number: c.number(), From: r.from, To: r.to}
	visits, err := c.create(eventsName, entry.name()+".visits.parquet", visitColumns, entry.wholeMonth())
	if err != nil {
		return nil, err
	}
	events, err := c.create(eventsName, entry.name()+".events.parquet", eventColumns, entry.wholeMonth())
	if err != nil {
		return nil, err
	}
	var rollup *rollupWriter
	if entry.wholeMonth() {
		f, err := c.create(rollupsName, entry.name()+".parquet", rollupColumns, true)
		if err != nil {
			return nil, err
		}
		rollup = newRollupWriter(f, r.from)
	}
	w := newSealedWriter(visits, events, rollup)
	deleted := e.deleted()
	keys, sizes := sources.keys()
	for _, key := range keys {
		if slices.Contains(deleted, key.website) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.add(key, sizes[key.website], sources.people(key)...); err != nil {
			return nil, err
		}
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	if entry.Count = w.total; entry.Count == 0 {
		return nil, nil
	}
	if entry.Visits, err = c.finish(visits); err != nil {
		return nil, err
	}
	if entry.Events, err = c.finish(events); err != nil {
		return nil, err
	}
	if rollup != nil {
		if err := rollup.flush(); err != nil {
			return nil, err
		}
		info, err := c.finish(rollup.file)
		if err != nil {
			return nil, err
		}
		entry.Rollup = &info
	}
	return entry, nil
}

func (e *Engine) deleted() []int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.view.manifest.Deleted
}

// rebuildRollup counts a month again. housekeeping must be held.
func (e *Engine) rebuildRollup(ctx context.Context, f *file) error {
	s, err := f.asSealed()
	if err != nil {
		return err
	}
	c := e.newChange()
	defer c.abandon()
	name := fmt.Sprintf("month-%s-%d.parquet", monthName(f.sealed.From), c.number())
	out, err := c.create(rollupsName, name, rollupColumns, true)
	if err != nil {
		return err
	}
	w := newRollupWriter(out, f.sealed.From)
	for i := 0; i < len(s.cells); {
		website := s.cells[i].website
		cells := s.find(website, f.sealed.From, f.sealed.To)
		i += len(cells)
		var failed error
		eachGroup(cells, func(group int, cells []cell) {
			if failed == nil {
				if failed = ctx.Err(); failed == nil {
					failed = w.add(s.block(group, cells, nil))
				}
			}
		})
		if failed != nil {
			f.noteRead(failed)
			return failed
		}
		if err := w.endWebsite(website); err != nil {
			return err
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	info, err := c.finish(out)
	if err != nil {
		return err
	}
	return c.commit(func(m *manifest) {
		for i := range m.Sealed {
			if m.Sealed[i].Number == f.sealed.Number {
				m.Sealed[i].Rollup = &info
			}
		}
	}, nil)
}

// mergeTier merges parts into one. housekeeping must be held.
func (e *Engine) mergeTier(ctx context.Context, files []*file) error {
	first, last := files[0].part, files[len(files)-1].part
	entry := partEntry{Period: first.Period, Late: first.Late, From: first.From, To: last.To, Written: first.Written}
	for _, f := range files {
		entry.MaxTime = max(entry.MaxTime, f.part.MaxTime)
	}
	sources, err := newSources(rewriting{parts: files})
	if err != nil {
		return err
	}
	c := e.newChange()
	defer c.abandon()
	entry.Number = c.number()
	out, err := c.create(eventsName, entry.name(), partColumns, false)
	if err != nil {
		return err
	}
	w := newPartWriter(out)
	if err := e.mergeParts(ctx, sources, w); err != nil {
		return fmt.Errorf("merge %d parts of %s: %w", len(files), entry.Period, err)
	}
	if entry.File, err = c.finishPart(w); err != nil {
		return err
	}
	damaged := sources.damaged()
	entry.Events = w.total
	return c.commit(func(m *manifest) {
		at := slices.IndexFunc(m.Parts, func(p partEntry) bool { return p.Number == first.Number })
		m.remove(rewriting{parts: files})
		if entry.Events > 0 {
			m.Parts = slices.Insert(m.Parts, at, entry)
		}
		m.lose(entry.Period, entry.end(), damaged)
	}, nil)
}

// mergeParts writes the rows of parts, in order of arrival where time does not tell.
func (e *Engine) mergeParts(ctx context.Context, s *sources, w *partWriter) error {
	deleted := e.deleted()
	keys, _ := s.keys()
	for _, key := range keys {
		if slices.Contains(deleted, key.website) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var heads []head
		for _, runs := range s.people(key) {
			for order, r := range runs {
				rows, err := r.next()
				if err != nil {
					return err
				}
				if rows != nil {
					heads = append(heads, head{run: r, rows: rows, order: order})
				}
			}
		}
		if err := mergeRows(heads, func(r *rows, from, to int) error { return w.add(key, r, from, to) }); err != nil {
			return err
		}
	}
	return nil
}

// Delete implements store.Engine.
func (e *Engine) Delete(_ context.Context, website int64) error {
	err := e.newChange().commit(func(m *manifest) {
		if !slices.Contains(m.Deleted, website) {
			m.Deleted = append(m.Deleted, website)
			m.Purge = append(m.Purge, website)
		}
	}, nil)
	if err != nil {
		return fmt.Errorf("delete website %d: %w", website, err)
	}
	e.wakeUp()
	return nil
}

// emptyQuarantine removes damaged files: nobody can tell what is in them.
func (e *Engine) emptyQuarantine() error {
	dir := e.eventsPath(quarantineName)
	entries, err := e.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("empty the quarantine: %w", err)
	}
	for _, entry := range entries {
		if err := e.fs.Remove(filepath.Join(dir, entry.Name())); err != nil {
			return fmt.Errorf("empty the quarantine: %w", err)
		}
	}
	return nil
}

// purge rewrites the files that hold events of deleted websites. housekeeping must be held.
func (e *Engine) purge(ctx context.Context) error {
	e.mu.Lock()
	purge := e.view.manifest.Purge
	e.mu.Unlock()
	if len(purge) == 0 {
		return nil
	}
	// The memories may hold some; a flush leaves them out.
	if err := e.rotate(nil); err != nil {
		return err
	}
	if err := e.flushMemories(ctx); err != nil {
		return err
	}
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer func() { v.release() }()
	gone := func(k cellKey) bool { return slices.Contains(purge, k.website) }
	for _, f := range v.parts {
		p, err := f.asPart()
		if err != nil || slices.ContainsFunc(p.cells, func(c partCell) bool { return gone(c.cellKey) }) {
			if err := e.mergeTier(ctx, []*file{f}); err != nil {
				return err
			}
		}
	}
	for _, f := range v.sealed { // one that cannot be opened may hold anything
		s, err := f.asSealed()
		if err != nil || slices.ContainsFunc(s.cells, func(c sealedCell) bool { return gone(c.cellKey) }) {
			r := rewriting{sealed: []*file{f}, from: f.sealed.From, to: f.sealed.To}
			if err := e.rewrite(ctx, r, nil); err != nil {
				return err
			}
		}
	}
	v.release() // so that what was damaged is in the quarantine by now
	v, err = e.acquire()
	if err != nil {
		return err
	}
	if err := e.emptyQuarantine(); err != nil {
		return err
	}
	return e.newChange().commit(func(m *manifest) {
		m.Purge = slices.DeleteFunc(m.Purge, func(w int64) bool { return slices.Contains(purge, w) })
	}, nil)
}

// Recount implements store.Engine.
func (e *Engine) Recount(ctx context.Context, website int64, from, to event.Day) error {
	e.housekeeping.Lock()
	defer e.housekeeping.Unlock()
	v, err := e.acquire()
	if err != nil {
		return err
	}
	defer v.release()
	for _, f := range v.sealed {
		s, err := f.asSealed()
		if err != nil || len(s.find(website, from, to)) == 0 {
			continue
		}
		r := rewriting{sealed: []*file{f}, from: f.sealed.From, to: f.sealed.To}
		if err := e.rewrite(ctx, r, nil); err != nil {
			return fmt.Errorf("count website %d again: %w", website, err)
		}
	}
	return nil
}

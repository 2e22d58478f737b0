package segments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"footfall/internal/disk"
)

// A file is a live file, or pair of files, and what was read of it so far. Views hold it; when the last one lets go of
// a file that the manifest no longer names, it is removed from the disk.
type file struct {
	fs      disk.FS
	part    *partEntry   // one of these three
	sealed  *sealedEntry //
	rollup  *fileInfo    //
	paths   []string
	refs    atomic.Int32
	dropped atomic.Bool // no longer named by the manifest

	mu         sync.Mutex
	tables     []*tableFile
	cache      *cache
	openPart   *partFile
	openSealed *sealedFile
	openRollup *rollupFile
	damage     map[string]error // by name of the file
	failures   int              // of housekeeping to read it
	aside      string           // folder for damaged files
}

// openTable opens one of the file's tables. mu must be held.
func (f *file) openTable(path string, info fileInfo, columns []column) (*tableFile, error) {
	h, err := f.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open %s: %w: it is missing", info.Name, errDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", info.Name, err)
	}
	t, err := openTable(h, info, columns, f.cache)
	if err != nil {
		h.Close()
		return nil, err
	}
	f.tables = append(f.tables, t)
	return t, nil
}

// asPart is the open part.
func (f *file) asPart() (*partFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.openPart != nil {
		return f.openPart, nil
	}
	if err := f.damage[f.part.File.Name]; err != nil {
		return nil, err
	}
	t, err := f.openTable(f.paths[0], f.part.File, partColumns)
	if err == nil {
		f.openPart, err = openPart(t)
	}
	if err != nil {
		f.closeTables()
		f.note(f.part.File.Name, err)
		return nil, err
	}
	return f.openPart, nil
}

// asSealed is the open pair of sealed files.
func (f *file) asSealed() (*sealedFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.openSealed != nil {
		return f.openSealed, nil
	}
	for _, name := range []string{f.sealed.Visits.Name, f.sealed.Events.Name} {
		if err := f.damage[name]; err != nil {
			return nil, err
		}
	}
	visits, err := f.openTable(f.paths[0], f.sealed.Visits, visitColumns)
	if err != nil {
		f.note(f.sealed.Visits.Name, err)
		return nil, err
	}
	events, err := f.openTable(f.paths[1], f.sealed.Events, eventColumns)
	if err != nil {
		f.closeTables()
		f.note(f.sealed.Events.Name, err)
		return nil, err
	}
	f.openSealed, err = openSealed(visits, events)
	if err != nil {
		f.closeTables()
		f.note(nameIn(err, f.sealed.Visits.Name), err)
	}
	return f.openSealed, err
}

// closeTables closes what was opened in vain.
func (f *file) closeTables() {
	for _, t := range f.tables {
		t.close()
	}
	f.tables = nil
}

// nameIn is the file that an error tells of.
func nameIn(err error, otherwise string) string {
	var in *inFile
	if errors.As(err, &in) {
		return in.name
	}
	return otherwise
}

// asRollup is the open roll-up.
func (f *file) asRollup() (*rollupFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.openRollup != nil {
		return f.openRollup, nil
	}
	if err := f.damage[f.rollup.Name]; err != nil {
		return nil, err
	}
	t, err := f.openTable(f.paths[0], *f.rollup, rollupColumns)
	if err == nil {
		f.openRollup, err = openRollup(t)
	}
	if err != nil {
		f.closeTables()
		f.note(f.rollup.Name, err)
		return nil, err
	}
	return f.openRollup, nil
}

// note remembers that a file could not be read. mu must be held. What is not damage may pass: it is tried again.
func (f *file) note(name string, err error) {
	if !isDamage(err) {
		return
	}
	if f.damage == nil {
		f.damage = make(map[string]error)
	}
	f.damage[name] = err
}

func isDamage(err error) bool { return errors.Is(err, errDamaged) || errors.Is(err, errPage) }

// noteRead remembers that reading failed somewhere in the file.
func (f *file) noteRead(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note(nameIn(err, filepath.Base(f.paths[0])), err)
}

// maxFailures is how often housekeeping finds a file that cannot be read, and comes back, before it takes it for
// damaged. A sector that is gone must not keep all later days from being sealed.
const maxFailures = 10

// givesUp notes that housekeeping failed to read the file, and tells whether that is damage.
func (f *file) givesUp(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	f.mu.Lock()
	f.failures++
	final := f.failures >= maxFailures
	f.mu.Unlock()
	if final && !isDamage(err) {
		err = fmt.Errorf("%w: %w", errDamaged, err)
	}
	f.noteRead(err)
	return isDamage(err)
}

// damaged are the names of files that could not be read.
func (f *file) damaged() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for name := range f.damage {
		names = append(names, name)
	}
	return names
}

// isDamaged tells whether something in the file could not be read.
func (f *file) isDamaged() bool { return len(f.damaged()) > 0 }

// release lets go of the file. The last one to do so closes it, and removes it if it was dropped.
func (f *file) release() {
	if f.refs.Add(-1) > 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.tables {
		t.close()
	}
	f.tables, f.openPart, f.openSealed, f.openRollup = nil, nil, nil, nil
	if !f.dropped.Load() {
		return
	}
	for _, path := range f.paths {
		if len(f.damage) > 0 && f.part == nil { // what it holds may still be of use; parts know their visitors
			if f.fs.MkdirAll(f.aside) == nil && f.fs.Rename(path, filepath.Join(f.aside, filepath.Base(path))) == nil {
				continue
			}
		}
		f.fs.Remove(path) // if this fails, the next start removes it
	}
}

// inFile says in which file an error happened.
type inFile struct {
	name string
	err  error
}

func (e *inFile) Error() string { return e.name + ": " + e.err.Error() }
func (e *inFile) Unwrap() error { return e.err }

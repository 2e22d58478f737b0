// Package segments is the embedded engine: it keeps events in Parquet files and answers from them.
//
// The life of an event:
//
//	memory ─ part ─ sealed day ─ month
//
// Appended events go into memory, where questions see them at once. A full memory becomes part files, one for each
// day, and the journal is free to forget what they hold. Two days after a day has ended everywhere on earth its parts
// are sealed: cut into visits, the identity of visitors thrown away. Sealed days of a whole month become one month, with a
// roll-up that holds the counts of every value of every dimension. Events that come for a sealed day are late: they
// have visitors of their own, lie in parts of their own, and are worked into the month later.
//
// So every event is in one place at any moment, and a question is answered by adding up: roll-ups where it asks about whole
// months without a filter, sealed files where it does not, and the rest cut into visits on the fly.
//
//	write.go, read.go   Parquet from and to tables of codes
//	memory.go, part.go  events as they arrive
//	cut.go              events to visits, the rules of package store
//	sealed.go, rollup.go  what is finished
//	scan.go             questions, asked of one block after the other
//	vocabulary.go, cache.go  texts that were read before, as numbers
//	answers.go          what files said before
//	manifest.go, view.go  which files are live, and who still reads them
//	maintain.go         what happens by itself, and when
//
// Files are never changed. A new one is written under a temporary name, synced, renamed, and counts once the manifest
// names it; until then the old ones do. A file that turns out to be damaged is named in Status and left out.
package segments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"footfall/internal/disk"
	"footfall/internal/event"
	"footfall/internal/store"
)

// Options of an engine. The zero value is good for a small machine.
type Options struct {
	FS           disk.FS          // nil is the machine's
	Now          func() time.Time // nil is time.Now
	Log          *slog.Logger     // nil is none
	MemoryEvents int              // events in memory before they become parts; 0 is 64 Ki
	MaxValues    int              // different values of a field in a cell, the others are store.Other; 0 is 10,000
	Workers      int              // goroutines that answer one query; 0 is one for each processor, at most 4
	CacheBytes   int              // of dictionaries that are kept; 0 is 24 MiB
	AnswerBytes  int              // of answers of sealed files that are remembered, and as many of parts; 0 is 8 MiB, less is none
	NoRollups    bool             // answer from events alone; for tests and benchmarks
}

// Names in the data directory.
const (
	eventsName     = "events"
	rollupsName    = "rollups"
	quarantineName = "quarantine"
)

// An Engine is an open data directory. Only one may be open on a directory.
type Engine struct {
	dir       string
	fs        disk.FS
	now       func() time.Time
	log       *slog.Logger
	memory    int
	workers   int
	noRollups bool
	cache     *cache
	answers   *answers    // of sealed files
	resting   *answers    // of open cells of which nothing is in memory
	arenas    chan *arena // that no worker uses now

	appending sync.Mutex     // held by Append
	admitted  []*event.Event // reused by Append
	position  uint64         // journal record that comes next; guarded by mu
	limits    *limits        // guarded by appending

	rotating     sync.Mutex // held by who adds to the active memory or puts a new one in its place
	flushing     sync.Mutex // held by who turns memories into parts
	housekeeping sync.Mutex // held by who replaces files by others
	committing   sync.Mutex // held by who replaces the manifest
	nextFile     atomic.Int64
	wake         chan struct{} // for Maintain: there is something to flush
	houseWake    chan struct{} // likewise, something to do

	mu     sync.Mutex // guards what follows; held for moments only
	view   *view
	err    error // why events cannot be made durable
	closed bool
}

var _ store.Engine = (*Engine)(nil)

// Open opens the store in the folders events and rollups of dir, which are made if they are missing. Damage does not
// keep it from opening; Status tells of it.
func Open(dir string, o Options) (*Engine, error) {
	e := &Engine{
		dir: dir, fs: o.FS, now: o.Now, log: o.Log, memory: o.MemoryEvents, workers: o.Workers, noRollups: o.NoRollups,
		wake: make(chan struct{}, 1), houseWake: make(chan struct{}, 1),
	}
	if e.fs == nil {
		e.fs = disk.OS{}
	}
	if e.now == nil {
		e.now = time.Now
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.memory <= 0 {
		e.memory = 64 << 10
	}
	if e.workers <= 0 {
		e.workers = min(runtime.GOMAXPROCS(0), 4)
	}
	if o.MaxValues <= 0 {
		o.MaxValues = 10_000
	}
	if o.CacheBytes <= 0 {
		o.CacheBytes = 24 << 20
	}
	e.cache = newCache(o.CacheBytes)
	if o.AnswerBytes == 0 {
		o.AnswerBytes = 8 << 20
	}
	e.answers, e.resting = newAnswers(o.AnswerBytes), newAnswers(o.AnswerBytes)
	e.arenas = make(chan *arena, 2*e.workers) // a worker has one for what it reads, and one for what it asks
	e.limits = newLimits(o.MaxValues)
	m, err := e.openManifest()
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	e.position = m.Position
	e.nextFile.Store(m.Next)
	e.replaceView(m, []*memory{newMemory(m.Position, m.SealedTo, 0)})
	return e, nil
}

// openManifest finds the manifest, brings its copy up to date and removes what it does not name.
func (e *Engine) openManifest() (*manifest, error) {
	events, rollups := filepath.Join(e.dir, eventsName), filepath.Join(e.dir, rollupsName)
	for _, dir := range []string{events, rollups} {
		if err := e.fs.MkdirAll(dir); err != nil {
			return nil, err
		}
	}
	m, err := loadManifest(e.fs, events)
	if m == nil && err == nil && e.hasFiles(events, rollups) {
		err = errManifest // the first file came after the first manifest
	}
	if errors.Is(err, errManifest) {
		e.log.Error("both copies of the manifest are damaged; files are moved aside", "folder", quarantineName)
		m = new(manifest)
		m.Next, err = e.setAside(events, rollups)
		m.Damaged = []string{manifestName}
	}
	if err != nil {
		return nil, err
	}
	if m == nil {
		m = new(manifest)
	}
	if m.Version == 0 {
		m.Version = manifestVersion
		m.SealedTo = sealedTo(e.now())
	}
	if _, err := saveManifest(e.fs, events, m); err != nil {
		// A full or read-only disk must not keep the statistics from being read. What is not named stays for now.
		e.err = err
		e.log.Error("store cannot write", "error", err)
		return m, nil
	}
	if err := e.removeUnknown(m, events, rollups); err != nil {
		e.log.Error("files that the manifest does not name stay for now", "error", err)
	}
	return m, nil
}

// hasFiles tells whether there is a finished file.
func (e *Engine) hasFiles(dirs ...string) bool {
	for _, dir := range dirs {
		entries, _ := e.fs.ReadDir(dir)
		if slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return strings.HasSuffix(d.Name(), ".parquet") }) {
			return true
		}
	}
	return false
}

// removeUnknown removes files that the manifest does not name: what a crash left behind.
func (e *Engine) removeUnknown(m *manifest, events, rollups string) error {
	known := map[string]bool{manifestName: true, manifestCopy: true, quarantineName: true}
	for _, p := range m.Parts {
		known[p.File.Name] = true
	}
	for _, s := range m.Sealed {
		known[s.Visits.Name], known[s.Events.Name] = true, true
		if s.Rollup != nil {
			known[s.Rollup.Name] = true
		}
	}
	for _, dir := range []string{events, rollups} {
		entries, err := e.fs.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if known[entry.Name()] || entry.IsDir() {
				continue
			}
			if err := e.fs.Remove(filepath.Join(dir, entry.Name())); err != nil {
				return err
			}
			e.log.Info("removed a file that the manifest does not name", "file", entry.Name())
		}
	}
	return nil
}

// setAside moves all files into the quarantine. It returns a number that none of the files there has.
func (e *Engine) setAside(dirs ...string) (next int64, err error) {
	aside := e.eventsPath(quarantineName)
	if err := e.fs.MkdirAll(aside); err != nil {
		return 0, err
	}
	for _, dir := range dirs {
		entries, err := e.fs.ReadDir(dir)
		if err != nil {
			return 0, err
		}
		for _, entry := range entries {
			if entry.IsDir() || strings.HasSuffix(entry.Name(), tempSuffix) {
				continue
			}
			if err := e.fs.Rename(filepath.Join(dir, entry.Name()), filepath.Join(aside, entry.Name())); err != nil {
				return 0, err
			}
		}
	}
	entries, err := e.fs.ReadDir(aside)
	for _, entry := range entries {
		next = max(next, fileNumber(entry.Name())+1)
	}
	return next, err
}

// fileNumber is the number in the name of a file, or 0.
func fileNumber(name string) int64 {
	name, _, _ = strings.Cut(name, ".")
	n, _ := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	return n
}

// Position implements store.Engine.
func (e *Engine) Position() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.position
}

// Durable implements store.Engine.
func (e *Engine) Durable() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.view.manifest.Position
}

// Status implements store.Engine.
func (e *Engine) Status() store.Status {
	v, err := e.acquire()
	if err != nil {
		return store.Status{Err: err}
	}
	defer v.release()
	var s store.Status
	for _, p := range v.manifest.Parts {
		s.Events += p.Events
		s.Bytes += p.File.Size
		s.Files++
	}
	for _, f := range v.manifest.Sealed {
		s.Events += f.Count
		s.Bytes += f.Visits.Size + f.Events.Size
		s.Files += 2
		if f.Rollup != nil {
			s.Bytes += f.Rollup.Size
			s.Files++
		}
	}
	for _, m := range v.memories {
		s.Memory += m.size()
		m.mu.RLock()
		s.Events += int64(m.n)
		m.mu.RUnlock()
	}
	s.Damaged = slices.Clone(v.manifest.Damaged)
	for _, f := range v.files() {
		s.Damaged = append(s.Damaged, f.damaged()...)
	}
	slices.Sort(s.Damaged)
	s.Damaged = slices.Compact(s.Damaged)
	e.mu.Lock()
	defer e.mu.Unlock()
	s.Err = e.err
	return s
}

// Verify reads every page of every file and returns the names of those that are damaged. It reports progress as bytes
// read of all bytes, if progress is not nil.
func (e *Engine) Verify(ctx context.Context, progress func(done, total int64)) ([]string, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer v.release()
	var done, total int64
	total = e.Status().Bytes
	for _, f := range v.files() {
		for _, t := range f.openTables() {
			if err := t.verify(); err != nil {
				f.noteRead(err)
			}
			for i := range t.groups {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				g := t.group(i, nil)
				for col := range t.columns {
					if err := g.verify(col); err != nil {
						f.noteRead(err)
					}
					done += int64(t.groups[i].chunks[col].size)
				}
				if progress != nil {
					progress(done, total)
				}
			}
		}
	}
	return e.Status().Damaged, nil
}

// openTables are the tables of a file that open.
func (f *file) openTables() []*tableFile {
	switch {
	case f.part != nil:
		if p, err := f.asPart(); err == nil {
			return []*tableFile{p.tableFile}
		}
	case f.sealed != nil:
		if s, err := f.asSealed(); err == nil {
			return []*tableFile{s.visits, s.events}
		}
	default:
		if r, err := f.asRollup(); err == nil {
			return []*tableFile{r.tableFile}
		}
	}
	return nil
}

// Close implements store.Engine.
func (e *Engine) Close() error {
	for _, lock := range []*sync.Mutex{&e.flushing, &e.housekeeping, &e.committing} { // let what is under way end
		lock.Lock()
		defer lock.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	e.view.release()
	return nil
}

// sealedTo is the first day that is not sealed at a time: a day is sealed two days after it has ended everywhere on
// earth, twelve hours after it has in UTC.
func sealedTo(now time.Time) event.Day {
	const wait = (12 + 48) * 3600
	return event.Day((now.Unix() - wait) / 86400)
}

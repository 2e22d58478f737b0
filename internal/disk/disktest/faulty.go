package disktest

import (
	"io/fs"
	"slices"
	"strings"
	"sync"

	"footfall/internal/disk"
)

// A Fault is an operation that fails.
type Fault struct {
	Op      Op
	Path    string // only of paths that contain it; for Rename, of either
	N       int    // the N-th such operation after Fail; 0 and 1 are the next one
	Forever bool   // and all such operations after it
	Err     error
	Short   int // of Write: how many bytes are written all the same, at most all but one
}

// Faulty is a file system with faults. All methods may be called at the same time.
type Faulty struct {
	fsys disk.FS

	mu     sync.Mutex
	faults []*Fault
	counts [numOps]int
	hits   int
}

var _ disk.FS = (*Faulty)(nil)

// NewFaulty is fsys, without faults yet.
func NewFaulty(fsys disk.FS) *Faulty { return &Faulty{fsys: fsys} }

// Fail plans a fault.
func (f *Faulty) Fail(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, &fault)
}

// Heal forgets all faults.
func (f *Faulty) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = nil
}

// Count tells how many operations of a kind were asked for.
func (f *Faulty) Count(op Op) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[op]
}

// Hits tells how many operations failed by a fault.
func (f *Faulty) Hits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hits
}

// check counts an operation and finds the fault that it fails with, nil for none.
func (f *Faulty) check(op Op, paths ...string) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[op]++
	for i, fault := range f.faults {
		if fault.Op != op || !slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(p, fault.Path) }) {
			continue
		}
		if fault.N > 1 {
			fault.N--
			continue
		}
		if !fault.Forever {
			f.faults = slices.Delete(f.faults, i, i+1)
		}
		f.hits++
		return fault
	}
	return nil
}

func (f *Faulty) fail(op Op, path string) error {
	if fault := f.check(op, path); fault != nil {
		return &fs.PathError{Op: op.String(), Path: path, Err: fault.Err}
	}
	return nil
}

// Open implements disk.FS.
func (f *Faulty) Open(path string) (disk.File, error) { return f.open(Open, path, f.fsys.Open) }

// Create implements disk.FS.
func (f *Faulty) Create(path string) (disk.File, error) { return f.open(Create, path, f.fsys.Create) }

// Append implements disk.FS.
func (f *Faulty) Append(path string) (disk.File, error) { return f.open(Append, path, f.fsys.Append) }

func (f *Faulty) open(op Op, path string, open func(string) (disk.File, error)) (disk.File, error) {
	if err := f.fail(op, path); err != nil {
		return nil, err
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	return &faultyFile{File: file, fs: f, path: path}, nil
}

// Rename implements disk.FS.
func (f *Faulty) Rename(from, to string) error {
	if fault := f.check(Rename, from, to); fault != nil {
		return &fs.PathError{Op: Rename.String(), Path: from, Err: fault.Err}
	}
	return f.fsys.Rename(from, to)
}

// Remove implements disk.FS.
func (f *Faulty) Remove(path string) error {
	if err := f.fail(Remove, path); err != nil {
		return err
	}
	return f.fsys.Remove(path)
}

// ReadDir implements disk.FS.
func (f *Faulty) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := f.fail(ReadDir, path); err != nil {
		return nil, err
	}
	return f.fsys.ReadDir(path)
}

// MkdirAll implements disk.FS.
func (f *Faulty) MkdirAll(path string) error {
	if err := f.fail(MkdirAll, path); err != nil {
		return err
	}
	return f.fsys.MkdirAll(path)
}

// SyncDir implements disk.FS.
func (f *Faulty) SyncDir(path string) error {
	if err := f.fail(SyncDir, path); err != nil {
		return err
	}
	return f.fsys.SyncDir(path)
}

type faultyFile struct {
	disk.File
	fs   *Faulty
	path string
}

func (f *faultyFile) ReadAt(b []byte, off int64) (int, error) {
	if err := f.fs.fail(Read, f.path); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, off)
}

func (f *faultyFile) Write(b []byte) (int, error) {
	fault := f.fs.check(Write, f.path)
	if fault == nil {
		return f.File.Write(b)
	}
	n := 0
	if short := min(fault.Short, len(b)-1); short > 0 {
		n, _ = f.File.Write(b[:short])
	}
	return n, &fs.PathError{Op: Write.String(), Path: f.path, Err: fault.Err}
}

func (f *faultyFile) Sync() error {
	if err := f.fs.fail(Sync, f.path); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) Truncate(size int64) error {
	if err := f.fs.fail(Truncate, f.path); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

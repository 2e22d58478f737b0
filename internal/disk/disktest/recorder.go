package disktest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"footfall/internal/disk"
)

// Recorder is a file system in memory that remembers every operation that changes it. All methods may be called at the
// same time. The working directory and the root are the same place.
type Recorder struct {
	mu   sync.Mutex
	root *node
	log  []record
}

var _ disk.FS = (*Recorder)(nil)

// A node is a file or a directory. Its base is what it held when the recording began.
type node struct {
	data    []byte
	entries map[string]*node // nil for a file
	changed time.Time

	baseData    []byte
	baseEntries map[string]*node
}

func (n *node) isDir() bool { return n.entries != nil }

// A record is an operation on the nodes concerned, so that it can be done again whatever the names are by then.
type record struct {
	op       Op
	node     *node  // written, synced, created, renamed or removed
	dir, to  *node  // the directories of name and toName
	name     string // in dir: created, removed or renamed from
	toName   string // in to: renamed to
	data     []byte // of Write
	position int64  // of Write and Truncate
}

// NewRecorder is an empty file system.
func NewRecorder() *Recorder {
	return &Recorder{root: &node{entries: map[string]*node{}, baseEntries: map[string]*node{}}}
}

// Ops tells how many operations were recorded. Those that change nothing are not.
func (r *Recorder) Ops() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.log)
}

// Open implements disk.FS.
func (r *Recorder) Open(name string) (disk.File, error) { return r.open(Open, name) }

// Create implements disk.FS.
func (r *Recorder) Create(name string) (disk.File, error) { return r.open(Create, name) }

// Append implements disk.FS.
func (r *Recorder) Append(name string) (disk.File, error) { return r.open(Append, name) }

func (r *Recorder) open(op Op, name string) (disk.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, base, err := r.parent(op, name)
	if err != nil {
		return nil, err
	}
	n := dir.entries[base]
	switch {
	case op == Create && n != nil:
		return nil, pathError(op, name, fs.ErrExist)
	case op == Create:
		n = &node{changed: time.Now()}
		dir.entries[base] = n
		r.log = append(r.log, record{op: Create, node: n, dir: dir, name: base})
	case n == nil:
		return nil, pathError(op, name, fs.ErrNotExist)
	case n.isDir():
		return nil, pathError(op, name, syscall.EISDIR)
	}
	return &file{fs: r, node: n, name: name, mode: op}, nil
}

// Rename implements disk.FS.
func (r *Recorder) Rename(from, to string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, name, err := r.parent(Rename, from)
	if err != nil {
		return err
	}
	toDir, toName, err := r.parent(Rename, to)
	if err != nil {
		return err
	}
	n, old := dir.entries[name], toDir.entries[toName]
	switch {
	case n == nil:
		return pathError(Rename, from, fs.ErrNotExist)
	case old == n:
		return nil
	case old != nil && old.isDir() != n.isDir(), old != nil && old.isDir() && len(old.entries) > 0:
		return pathError(Rename, to, fs.ErrExist)
	}
	delete(dir.entries, name)
	toDir.entries[toName] = n
	r.log = append(r.log, record{op: Rename, node: n, dir: dir, name: name, to: toDir, toName: toName})
	return nil
}

// Remove implements disk.FS.
func (r *Recorder) Remove(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, base, err := r.parent(Remove, name)
	if err != nil {
		return err
	}
	n := dir.entries[base]
	if n == nil {
		return pathError(Remove, name, fs.ErrNotExist)
	}
	if len(n.entries) > 0 {
		return pathError(Remove, name, syscall.ENOTEMPTY)
	}
	delete(dir.entries, base)
	r.log = append(r.log, record{op: Remove, node: n, dir: dir, name: base})
	return nil
}

// ReadDir implements disk.FS.
func (r *Recorder) ReadDir(name string) ([]fs.DirEntry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, err := r.directory(ReadDir, name)
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, base := range slices.Sorted(maps.Keys(dir.entries)) {
		n := dir.entries[base]
		entries = append(entries, fs.FileInfoToDirEntry(info{base, int64(len(n.data)), n.isDir(), n.changed}))
	}
	return entries, nil
}

// MkdirAll implements disk.FS.
func (r *Recorder) MkdirAll(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir := r.root
	for _, base := range split(name) {
		n := dir.entries[base]
		if n == nil {
			n = &node{entries: map[string]*node{}, baseEntries: map[string]*node{}, changed: time.Now()}
			dir.entries[base] = n
			r.log = append(r.log, record{op: MkdirAll, node: n, dir: dir, name: base})
		}
		if !n.isDir() {
			return pathError(MkdirAll, name, syscall.ENOTDIR)
		}
		dir = n
	}
	return nil
}

// SyncDir implements disk.FS.
func (r *Recorder) SyncDir(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, err := r.directory(SyncDir, name)
	if err != nil {
		return err
	}
	r.log = append(r.log, record{op: SyncDir, node: dir})
	return nil
}

func (r *Recorder) directory(op Op, name string) (*node, error) {
	dir := r.root
	for _, base := range split(name) {
		n := dir.entries[base]
		if n == nil {
			return nil, pathError(op, name, fs.ErrNotExist)
		}
		if !n.isDir() {
			return nil, pathError(op, name, syscall.ENOTDIR)
		}
		dir = n
	}
	return dir, nil
}

func (r *Recorder) parent(op Op, name string) (dir *node, base string, err error) {
	parts := split(name)
	if len(parts) == 0 {
		return nil, "", pathError(op, name, syscall.EISDIR)
	}
	dir, err = r.directory(op, path.Join(parts[:len(parts)-1]...))
	return dir, parts[len(parts)-1], err
}

func split(name string) []string {
	clean := strings.Trim(path.Clean("/"+filepath.ToSlash(name)), "/")
	if clean == "" {
		return nil
	}
	return strings.Split(clean, "/")
}

func pathError(op Op, name string, err error) error {
	return &fs.PathError{Op: op.String(), Path: name, Err: err}
}

// ReadFile is what the file holds now. It is not an operation of the code under test: nothing is recorded.
func (r *Recorder) ReadFile(name string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir, base, err := r.parent(Open, name)
	if err != nil {
		return nil, err
	}
	n := dir.entries[base]
	if n == nil || n.isDir() {
		return nil, pathError(Open, name, fs.ErrNotExist)
	}
	return slices.Clone(n.data), nil
}

// WriteFile makes a file hold data, permanently, as if it had been so from the start. It is for setting a scene and for
// doing damage, and only on a file system that nothing was recorded on yet.
func (r *Recorder) WriteFile(name string, data []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.log) > 0 {
		return errors.New("write a file behind the back of a recording")
	}
	parts := split(name)
	dir := r.root
	for i, base := range parts {
		n := dir.entries[base]
		if n == nil {
			n = &node{changed: time.Now()}
			if i < len(parts)-1 {
				n.entries, n.baseEntries = map[string]*node{}, map[string]*node{}
			}
			dir.entries[base], dir.baseEntries[base] = n, n
		}
		if n.isDir() != (i < len(parts)-1) {
			return fmt.Errorf("write %s: %w", name, fs.ErrExist)
		}
		dir = n
	}
	dir.data, dir.baseData = slices.Clone(data), slices.Clone(data)
	return nil
}

// Files are the paths of all files, A to Z, without a leading slash.
func (r *Recorder) Files() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var files []string
	var walk func(dir *node, prefix string)
	walk = func(dir *node, prefix string) {
		for _, base := range slices.Sorted(maps.Keys(dir.entries)) {
			if n := dir.entries[base]; n.isDir() {
				walk(n, prefix+base+"/")
			} else {
				files = append(files, prefix+base)
			}
		}
	}
	walk(r.root, "")
	return files
}

type info struct {
	name    string
	size    int64
	dir     bool
	changed time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return i.changed }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

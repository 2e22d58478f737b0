package segments

import (
	"fmt"
	"path/filepath"
	"slices"

	"footfall/internal/store"
)

// A change is new files, and the edit of the manifest that makes them count. Several can be in the making at the same
// time, as long as none takes away what another one reads: flushing adds parts, and one goroutine at a time does the rest
// (Engine.housekeeping).
type change struct {
	engine  *Engine
	open    []*fileWriter   // not finished yet
	unnamed []string        // finished, and no manifest on the disk can name them
	folders map[string]bool // that have new files
}

func (e *Engine) newChange() *change { return &change{engine: e, folders: make(map[string]bool)} }

// number is the next file number. One that was used in a change that failed is not used again: the manifest on the
// disk may name it.
func (c *change) number() int64 { return c.engine.nextFile.Add(1) }

// create begins a file. One that is there to stay is packed.
func (c *change) create(folder, name string, columns []column, packed bool) (*fileWriter, error) {
	path := filepath.Join(c.engine.dir, folder, name)
	w, err := createFile(c.engine.fs, path, columns, packed)
	if err != nil {
		return nil, err
	}
	c.open = append(c.open, w)
	c.folders[filepath.Dir(path)] = true
	return w, nil
}

func (c *change) finish(w *fileWriter) (fileInfo, error) {
	info, err := w.finish()
	if err == nil {
		c.open = slices.DeleteFunc(c.open, func(o *fileWriter) bool { return o == w })
		c.unnamed = append(c.unnamed, w.path)
	}
	return info, err
}

func (c *change) finishPart(w *partWriter) (fileInfo, error) {
	if err := w.flush(); err != nil {
		return fileInfo{}, err
	}
	return c.finish(w.file)
}

// abandon removes what was not finished. After a commit there is nothing left to do.
func (c *change) abandon() {
	for _, w := range c.open {
		w.abandon()
	}
	for _, path := range c.unnamed {
		c.engine.fs.Remove(path) // if this fails, the next start removes it
	}
	c.open, c.unnamed = nil, nil
}

// commit edits the manifest, makes it permanent and shows its files to questions. The memory flushed, if not nil, is
// in these files now.
func (c *change) commit(edit func(*manifest), flushed *memory) error {
	e := c.engine
	for folder := range c.folders {
		if err := e.fs.SyncDir(folder); err != nil {
			return fmt.Errorf("sync folder: %w", err)
		}
	}
	e.committing.Lock()
	defer e.committing.Unlock()
	e.mu.Lock()
	closed, next := e.closed, e.view.manifest.clone()
	e.mu.Unlock()
	if closed {
		return store.ErrClosed
	}
	edit(next)
	next.Next = e.nextFile.Load() + 1
	named, err := saveManifest(e.fs, filepath.Join(e.dir, eventsName), next)
	if named {
		c.unnamed = slices.DeleteFunc(c.unnamed, next.names)
	}
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = nil
	e.replaceView(next, slices.DeleteFunc(slices.Clone(e.view.memories), func(m *memory) bool { return m == flushed }))
	return nil
}

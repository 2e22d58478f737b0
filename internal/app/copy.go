package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"footfall/internal/collect"
	"footfall/internal/journal"
	"footfall/internal/store/segments"
)

// copyFolders are where copies of the store lie while they are read.
const copyFolders = "copy-*.tmp"

// openCopy opens a copy of the store of a data directory as it is now, with all that is in the journal, also of one that a
// service runs on. Its files are linked, not copied: they never change. Those of the journal do, so they are copied. The copy
// goes when it is closed. It is locked, so that what a killed command left behind can be told from one that goes on.
func openCopy(ctx context.Context, c *config, log *slog.Logger) (h *house, err error) {
	dir, folder, err := newCopyFolder(c.dataDir)
	if err != nil {
		return nil, err
	}
	h = &house{closers: folder}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if err := copyStore(c.dataDir, dir); err != nil {
		return h, fmt.Errorf("copy the store: %w", err)
	}
	if h.engine, err = segments.Open(dir, segments.Options{Log: log}); err != nil {
		return h, err
	}
	h.closers = append(h.closers, h.engine)
	if h.journal, err = journal.Open(filepath.Join(dir, "journal"), journal.Options{Next: h.engine.Position(), Log: log}); err != nil {
		return h, err
	}
	h.closers = append(h.closers, h.journal)
	return h, loadAll(ctx, &collect.Loader{Journal: h.journal, Store: h.engine, Log: log})
}

// newCopyFolder makes a folder for a copy. It goes when it is closed.
func newCopyFolder(dataDir string) (dir string, closers []io.Closer, err error) {
	if err := clearCopies(dataDir); err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp(dataDir, copyFolders); err != nil {
		return "", nil, fmt.Errorf("make a folder for a copy: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, []io.Closer{removal(dir), lock}, nil
}

// loadAll moves all that is in a journal that does not grow into the store.
func loadAll(ctx context.Context, l *collect.Loader) error {
	last, err := lastRecord(l.Journal)
	if err != nil || last == 0 || last < l.Store.Position() {
		return err
	}
	loading, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- l.Run(loading) }()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for l.Store.Position() <= last {
		select {
		case err := <-ended:
			return errors.Join(err, ctx.Err())
		case <-tick.C:
		}
	}
	stop()
	return errors.Join(<-ended, ctx.Err())
}

// lastRecord is the number of the last record that can be read, 0 if there is none. The numbers after it may be left out.
func lastRecord(j *journal.Journal) (last uint64, err error) {
	r := j.Reader(0)
	defer r.Close()
	for {
		seq, _, err := r.TryNext()
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return 0, err
		}
		last = seq
	}
}

// clearCopies removes what commands left behind that were killed.
func clearCopies(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, copyFolders))
	if err != nil {
		return err
	}
	for _, folder := range left {
		info, err := os.Stat(folder)
		if err != nil || time.Since(info.ModTime()) < time.Minute { // it may not be locked yet
			continue
		}
		lock, err := lockDir(folder)
		if err != nil {
			continue // it is in use
		}
		if err := errors.Join(os.RemoveAll(folder), lock.Close()); err != nil {
			return fmt.Errorf("remove a copy that was left behind: %w", err)
		}
	}
	return nil
}

// removal is the end of a folder.
type removal string

func (r removal) Close() error { return os.RemoveAll(string(r)) }

// copyStore copies the journal first and the files of the store after it: what is in neither was accepted later.
func copyStore(from, to string) error {
	segmentPaths, err := journal.Files(filepath.Join(from, "journal"))
	if err != nil {
		return err
	}
	for _, path := range segmentPaths {
		err := copyFile(path, filepath.Join(to, "journal", filepath.Base(path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // one that is gone, the store has
			return err
		}
	}
	snapshot, err := segments.TakeSnapshot(from)
	if err != nil {
		return err
	}
	defer snapshot.Close()
	for _, f := range snapshot.Files {
		if err := linkFile(f, filepath.Join(from, f.Path), filepath.Join(to, f.Path)); err != nil {
			return err
		}
	}
	if snapshot.Manifest == nil {
		return nil
	}
	manifest := filepath.Join(to, segments.ManifestPath())
	if err := os.MkdirAll(filepath.Dir(manifest), 0o700); err != nil {
		return err
	}
	return os.WriteFile(manifest, snapshot.Manifest, 0o600)
}

// linkFile gives a file a second name, or copies what is open of it where that cannot be.
func linkFile(open io.Reader, from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	return writeNew(to, open)
}

func copyFile(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return writeNew(to, f)
}

func writeNew(path string, content io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

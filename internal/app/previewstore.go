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

	"footfall/internal/collect"
	"footfall/internal/journal"
	"footfall/internal/store/segments"
)

// openCopy opens a copy of the store of a data directory, also of one that a service runs on. Its files are linked, not
// copied: they never change. Those of the journal do, so they are copied. The copy goes when it is closed.
func openCopy(ctx context.Context, c *config, log *slog.Logger) (_ *segments.Engine, closeIt func() error, err error) {
	dir, err := os.MkdirTemp(c.dataDir, "preview-*.tmp")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder for a copy: %w", err)
	}
	house := &house{closers: []io.Closer{removal(dir)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, house.Close())
		}
	}()
	if err := copyStore(c.dataDir, dir); err != nil {
		return nil, nil, fmt.Errorf("copy the store: %w", err)
	}
	if house.engine, err = segments.Open(dir, segments.Options{Log: log}); err != nil {
		return nil, nil, err
	}
	house.closers = append(house.closers, house.engine)
	house.journal, err = journal.Open(filepath.Join(dir, "journal"), journal.Options{Next: house.engine.Position(), MaxBytes: c.journalBytes, Log: log})
	if err != nil {
		return nil, nil, err
	}
	house.closers = append(house.closers, house.journal)
	house.loader = &collect.Loader{Journal: house.journal, Store: house.engine, Log: log}
	loading, stop := context.WithCancel(ctx)
	group, loading := start(loading, []job{{"load events", house.loader.Run}, {"write files", house.engine.Maintain}})
	err = house.loaded(loading)
	stop()
	if err := errors.Join(group.Wait(), err); err != nil {
		return nil, nil, err
	}
	return house.engine, house.Close, nil
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

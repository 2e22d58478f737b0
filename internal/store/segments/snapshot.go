package segments

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"footfall/internal/disk"
)

// A Snapshot is the store of a data directory at one moment, in open files. It stays whole while the engine goes on, also
// in another process: files never change, and one that is removed lives until it is closed.
type Snapshot struct {
	Position uint64 // journal records before it are in the files
	Manifest []byte
	Files    []SnapshotFile
}

// A SnapshotFile is a file with its path in the data directory.
type SnapshotFile struct {
	Path string
	*os.File
}

// ManifestPath is where a manifest stands in a data directory.
func ManifestPath() string { return filepath.Join(eventsName, manifestName) }

// snapshotTries is how often the engine may replace files while a snapshot is taken of them. It does that every few
// seconds at most, and to open some hundred files takes milliseconds.
const snapshotTries = 20

// TakeSnapshot opens the files of the store in a data directory. Who has it closes it. A directory without a store has an
// empty one. Files that the manifest names and that are lost are left out: the manifest tells whoever opens the copy.
func TakeSnapshot(dir string) (*Snapshot, error) {
	var missing error
	for range snapshotTries {
		m, err := loadManifest(disk.OS{}, filepath.Join(dir, eventsName))
		if err != nil {
			return nil, fmt.Errorf("read the manifest: %w", err)
		}
		s := new(Snapshot)
		if m == nil {
			return s, nil
		}
		s.Position, s.Manifest = m.Position, m.encode()
		if missing, err = s.open(dir, m); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if missing == nil {
			return s, nil
		}
		again, err := loadManifest(disk.OS{}, filepath.Join(dir, eventsName))
		if err == nil && again != nil && bytes.Equal(again.encode(), s.Manifest) {
			return s, nil // the engine did not replace it: it is lost
		}
		if err := s.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the files of the store change too fast: %w", missing)
}

// open opens the files that a manifest names. It tells if one is not there.
func (s *Snapshot) open(dir string, m *manifest) (missing, err error) {
	for _, path := range m.paths() {
		f, err := os.Open(filepath.Join(dir, path))
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		s.Files = append(s.Files, SnapshotFile{path, f})
	}
	return missing, nil
}

// paths are the live files, by their paths in a data directory.
func (m *manifest) paths() []string {
	var all []string
	for _, p := range m.Parts {
		all = append(all, filepath.Join(eventsName, p.File.Name))
	}
	for _, s := range m.Sealed {
		all = append(all, filepath.Join(eventsName, s.Visits.Name), filepath.Join(eventsName, s.Events.Name))
		if s.Rollup != nil {
			all = append(all, filepath.Join(rollupsName, s.Rollup.Name))
		}
	}
	return all
}

// Close closes the files.
func (s *Snapshot) Close() error {
	var errs []error
	for _, f := range s.Files {
		errs = append(errs, f.Close())
	}
	s.Files = nil
	return errors.Join(errs...)
}

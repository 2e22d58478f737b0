package segments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"
	"slices"

	"footfall/internal/disk"
	"footfall/internal/event"
)

// The manifest is the list of all live files, with the journal position that they cover: the one commit point. It is
// replaced as a whole. A second copy follows it, and files that it no longer names are removed only after that, so that
// either copy alone opens the store. What neither names is removed on start.
const (
	manifestName    = "MANIFEST"
	manifestCopy    = "MANIFEST.copy"
	manifestVersion = 1
)

type manifest struct {
	Version  int           `json:"version"`
	Position uint64        `json:"position"`  // journal records before it are in the files
	SealedTo event.Day     `json:"sealed_to"` // days before it are sealed: events for them are late
	Next     int64         `json:"next"`      // number of the next file
	Parts    []partEntry   `json:"parts"`     // in order of arrival
	Sealed   []sealedEntry `json:"sealed"`    // in order of days
	Deleted  []int64       `json:"deleted"`   // websites that were deleted, for ever
	Purge    []int64       `json:"purge"`     // of these, the ones that files still hold
	Damaged  []string      `json:"damaged"`   // files that lost something for good
	Lost     []lostEntry   `json:"lost"`      // the days that they lost it of
}

// A partEntry names a part. An open part has the events of one day, a late one those of a month's sealed days.
type partEntry struct {
	Number  int64     `json:"number"`
	Period  event.Day `json:"period"` // the day, or the first of the month
	Late    bool      `json:"late"`
	From    uint64    `json:"from"` // journal positions
	To      uint64    `json:"to"`
	Events  int64     `json:"events"`
	MaxTime int64     `json:"max_time"` // of its events, Unix milliseconds
	Written int64     `json:"written"`  // Unix seconds
	File    fileInfo  `json:"file"`
}

// A sealedEntry names a pair of files with the sealed cells of the days From ≤ d < To, and its roll-up if it has one.
type sealedEntry struct {
	Number int64     `json:"number"`
	From   event.Day `json:"from"`
	To     event.Day `json:"to"`
	Count  int64     `json:"count"` // events
	Visits fileInfo  `json:"visits"`
	Events fileInfo  `json:"events"`
	Rollup *fileInfo `json:"rollup,omitempty"`
}

type lostEntry struct {
	From event.Day `json:"from"`
	To   event.Day `json:"to"`
}

// overlaps tells whether a part can have events of the days from ≤ d < to.
func (p *partEntry) overlaps(from, to event.Day) bool { return p.Period < to && from < p.end() }

// end is the day after the last that a part can have events of.
func (p *partEntry) end() event.Day {
	if p.Late {
		return p.Period.NextMonth()
	}
	return p.Period + 1
}

// name is the name of a part.
func (p *partEntry) name() string {
	if p.Late {
		return fmt.Sprintf("late-%s-%d.parquet", monthName(p.Period), p.Number)
	}
	return fmt.Sprintf("part-%s-%d.parquet", p.Period, p.Number)
}

// monthName is how a month stands in names.
func monthName(d event.Day) string { return d.String()[:len("2006-01")] }

// name begins the names of sealed files.
func (s *sealedEntry) name() string {
	if s.wholeMonth() {
		return fmt.Sprintf("month-%s-%d", monthName(s.From), s.Number)
	}
	return fmt.Sprintf("day-%s-%d", s.From, s.Number)
}

// wholeMonth tells whether the entry is a compacted month.
func (s *sealedEntry) wholeMonth() bool {
	return s.From == s.From.Month() && s.To == s.From.NextMonth()
}

func (m *manifest) clone() *manifest {
	c := *m
	c.Parts = slices.Clone(m.Parts)
	c.Sealed = slices.Clone(m.Sealed)
	c.Deleted = slices.Clone(m.Deleted)
	c.Purge = slices.Clone(m.Purge)
	c.Damaged = slices.Clone(m.Damaged)
	c.Lost = slices.Clone(m.Lost)
	return &c
}

// lose notes that files lost something of the days from ≤ d < to for good.
func (m *manifest) lose(from, to event.Day, files []string) {
	for _, name := range files {
		if !slices.Contains(m.Damaged, name) {
			m.Damaged = append(m.Damaged, name)
		}
	}
	if len(files) > 0 {
		m.Lost = append(m.Lost, lostEntry{from, to})
	}
}

// encode writes a line with the checksum of what follows, then JSON.
func (m *manifest) encode() []byte {
	body, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		panic(err) // plain data always encodes
	}
	return append(fmt.Appendf(nil, "footfall manifest %08x\n", crc32.Checksum(body, castagnoli)), body...)
}

var errManifest = errors.New("manifest is damaged")

func decodeManifest(b []byte) (*manifest, error) {
	head, body, ok := bytes.Cut(b, []byte("\n"))
	var sum uint32
	if n, err := fmt.Sscanf(string(head), "footfall manifest %08x", &sum); !ok || n != 1 || err != nil {
		return nil, errManifest
	}
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, errManifest
	}
	m := new(manifest)
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%w: %w", errManifest, err)
	}
	if m.Version > manifestVersion {
		return nil, fmt.Errorf("the data directory was written by a newer version of footfall (format %d, this one reads up to %d): use that version", m.Version, manifestVersion)
	}
	return m, nil
}

// loadManifest reads the manifest or its copy. A new directory has none: then it returns nil. If both are damaged, it
// returns errManifest.
func loadManifest(fsys disk.FS, dir string) (*manifest, error) {
	var damaged, unread error
	for _, name := range []string{manifestName, manifestCopy} {
		b, err := disk.ReadFile(fsys, filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			unread = fmt.Errorf("read %s: %w", name, err)
			continue
		}
		m, err := decodeManifest(b)
		if err == nil {
			return m, nil
		}
		if !errors.Is(err, errManifest) {
			return nil, err
		}
		damaged = err
	}
	if unread != nil { // it may pass: nothing is moved aside for it
		return nil, unread
	}
	return nil, damaged
}

// saveManifest makes m the manifest. When it returns without an error, both copies are m; with one, the first may be.
func saveManifest(fsys disk.FS, dir string, m *manifest) (named bool, err error) {
	b := m.encode()
	if named, err = replaceFile(fsys, dir, manifestName, b); err != nil {
		return named, err
	}
	_, err = replaceFile(fsys, dir, manifestCopy, b)
	return true, err
}

// names tells whether the manifest names the file at a path.
func (m *manifest) names(path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(m.Parts, func(p partEntry) bool { return p.File.Name == name }) ||
		slices.ContainsFunc(m.Sealed, func(s sealedEntry) bool {
			return s.Visits.Name == name || s.Events.Name == name || s.Rollup != nil && s.Rollup.Name == name
		})
}

func replaceFile(fsys disk.FS, dir, name string, b []byte) (renamed bool, err error) {
	path := filepath.Join(dir, name)
	temp := path + tempSuffix
	if err := fsys.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("remove an old %s: %w", name, err)
	}
	f, err := fsys.Create(temp)
	if err != nil {
		return false, fmt.Errorf("create %s: %w", name, err)
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if err := fsys.Rename(temp, path); err != nil {
		return true, fmt.Errorf("replace %s: %w", name, err)
	}
	if err := fsys.SyncDir(dir); err != nil {
		return true, fmt.Errorf("sync folder of %s: %w", name, err)
	}
	return true, nil
}

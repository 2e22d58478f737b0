// Package backup makes a copy of a data directory while the service runs on it, and a data directory of a copy.
//
// A copy is an exact prefix of what was acknowledged: all events up to some moment while it was made, and none after. It
// needs nothing of the service, because of the order in which things are opened: the segments of the journal first, the
// files of the store after them, and the accounts last. An event that was in neither of the first two was accepted later.
// An open file stays whole although the service removes it.
//
// The copy is a tar archive that any tool can read. Its last file has the SHA-256 sums of the others, so that one that was
// cut short or changed is refused. The salts of visitor identities are never in it: what makes hashes into people's
// addresses lives in one place, and dies there.
package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footfall/internal/journal"
	"footfall/internal/store/segments"
)

// The files of a copy that are not files of the data directory.
const (
	headName = "footfall-backup.json" // the first
	sumsName = "SHA256SUMS"           // the last
)

// version is that of the archive's form. The data in it have versions of their own.
const version = 1

const accountsName = "footfall.db"

type head struct {
	Version int       `json:"version"`
	MadeAt  time.Time `json:"made_at"`
	Program string    `json:"program"`
}

// A Source is what a copy is made of.
type Source struct {
	Dir      string                                       // the data directory
	Temp     string                                       // a folder for the copy of the accounts while it is read
	Accounts func(ctx context.Context, path string) error // writes a copy of the accounts to a new file; nil if they are elsewhere
	Program  string                                       // version of the program, for people to read
	Now      time.Time
}

// A Report is what was copied.
type Report struct {
	Files int
	Bytes int64
}

// Write writes a copy of a data directory. Progress is told how many bytes of how many are written, now and then.
func Write(ctx context.Context, w io.Writer, s Source, progress func(done, all int64)) (r Report, err error) {
	open, err := s.open(ctx, filepath.Join(s.Temp, accountsName))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, open.Close()) }()
	a := &archive{tar: tar.NewWriter(w), sums: new(strings.Builder), all: open.bytes(), progress: progress, at: s.Now}
	if err := a.writeAll(ctx, s, open); err != nil {
		return r, err
	}
	return Report{Files: a.files, Bytes: a.done}, nil
}

// sources are open files, and how much of each there is to copy.
type sources struct {
	manifest []byte
	files    []sourceFile
	closers  []io.Closer
}

type sourceFile struct {
	path string // in the data directory
	size int64
	*os.File
}

// open opens all that is copied, in the order that makes it a prefix.
func (s Source) open(ctx context.Context, accountsCopy string) (o *sources, err error) {
	o = new(sources)
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Close())
		}
	}()
	segmentPaths, err := journal.Files(filepath.Join(s.Dir, "journal"))
	if err != nil {
		return o, err
	}
	var segmentFiles []sourceFile
	for _, path := range segmentPaths {
		f, err := o.add(s.Dir, filepath.Join("journal", filepath.Base(path)))
		if errors.Is(err, os.ErrNotExist) {
			continue // the store has all of it, and so will the files that are opened next
		}
		if err != nil {
			return o, fmt.Errorf("open the journal: %w", err)
		}
		segmentFiles = append(segmentFiles, f)
	}
	snapshot, err := segments.TakeSnapshot(s.Dir)
	if err != nil {
		return o, err
	}
	o.closers = append(o.closers, snapshot)
	o.manifest = snapshot.Manifest
	for _, f := range snapshot.Files {
		info, err := f.Stat()
		if err != nil {
			return o, err
		}
		o.files = append(o.files, sourceFile{f.Path, info.Size(), f.File})
	}
	o.files = append(o.files, segmentFiles...)
	if s.Accounts == nil {
		return o, nil
	}
	if err := s.Accounts(ctx, accountsCopy); err != nil {
		return o, fmt.Errorf("copy the accounts: %w", err)
	}
	f, err := o.add(filepath.Dir(accountsCopy), accountsName)
	if err != nil {
		return o, err
	}
	o.files = append([]sourceFile{f}, o.files...)
	return o, nil
}

// add opens a file. Bytes that are added to it later are not part of the copy.
func (o *sources) add(dir, path string) (sourceFile, error) {
	f, err := os.Open(filepath.Join(dir, path))
	if err != nil {
		return sourceFile{}, err
	}
	o.closers = append(o.closers, f)
	info, err := f.Stat()
	if err != nil {
		return sourceFile{}, err
	}
	return sourceFile{path, info.Size(), f}, nil
}

func (o *sources) bytes() int64 {
	n := int64(len(o.manifest))
	for _, f := range o.files {
		n += f.size
	}
	return n
}

// Close closes the files.
func (o *sources) Close() error {
	var errs []error
	for _, c := range o.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// An archive is a copy that is being written.
type archive struct {
	tar       *tar.Writer
	sums      *strings.Builder
	files     int
	done, all int64
	progress  func(done, all int64)
	at        time.Time
}

func (a *archive) writeAll(ctx context.Context, s Source, o *sources) error {
	h, err := json.MarshalIndent(head{version, s.Now.UTC().Truncate(time.Second), s.Program}, "", "  ")
	if err != nil {
		return err
	}
	if err := a.write(ctx, headName, int64(len(h)), bytes.NewReader(h)); err != nil {
		return err
	}
	if o.manifest != nil {
		if err := a.write(ctx, segments.ManifestPath(), int64(len(o.manifest)), bytes.NewReader(o.manifest)); err != nil {
			return err
		}
	}
	for _, f := range o.files {
		if err := a.write(ctx, f.path, f.size, f); err != nil {
			return err
		}
	}
	sums := a.sums.String()
	if err := a.write(ctx, sumsName, int64(len(sums)), strings.NewReader(sums)); err != nil {
		return err
	}
	return a.tar.Close()
}

// write adds a file to the archive.
func (a *archive) write(ctx context.Context, path string, size int64, r io.Reader) error {
	h := &tar.Header{Name: filepath.ToSlash(path), Mode: 0o600, Size: size, ModTime: a.at, Typeflag: tar.TypeReg}
	if err := a.tar.WriteHeader(h); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	sum := sha256.New()
	w := io.MultiWriter(a.tar, sum, a)
	n, err := io.Copy(w, &cancelled{ctx, io.LimitReader(r, size)})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if n != size { // nothing that is copied is ever cut by the service, except an unacknowledged end of the journal
		return fmt.Errorf("%s became shorter while it was copied: start again", path)
	}
	a.files++
	fmt.Fprintf(a.sums, "%x  %s\n", sum.Sum(nil), filepath.ToSlash(path))
	return nil
}

// Write counts what is written.
func (a *archive) Write(b []byte) (int, error) {
	a.done += int64(len(b))
	if a.progress != nil {
		a.progress(a.done, a.all)
	}
	return len(b), nil
}

// cancelled reads until ctx is done.
type cancelled struct {
	ctx context.Context
	io.Reader
}

func (c *cancelled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(b)
}

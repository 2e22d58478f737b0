package backup

import (
	"archive/tar"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// known are the paths that a copy has. Others are refused: nothing is ever written outside of the new directory.
var known = regexp.MustCompile(`^(footfall\.db|events/MANIFEST|(events|rollups)/[a-z0-9][a-z0-9.-]*\.parquet|journal/[0-9a-f-]+\.seg)$`)

// ErrNoBackup is that of an archive that is no whole, unchanged copy.
var ErrNoBackup = errors.New("this is not a whole backup of footfall")

// Restore makes a data directory of a copy. The directory must not exist, or be empty. It is there as a whole, with all
// that it holds on disk, or not at all. Finish is called with the new directory before that, to bring in order what is in it.
func Restore(ctx context.Context, r io.Reader, dir string, finish func(dir string) error) (report Report, err error) {
	if err := mustBeFree(dir); err != nil {
		return report, err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return report, fmt.Errorf("make the folder of the data directory: %w", err)
	}
	temp, err := os.MkdirTemp(parent, ".restore-*.tmp")
	if err != nil {
		return report, fmt.Errorf("make a folder to restore to: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	u := &unpacking{dir: temp, sums: make(map[string]string)}
	if err := u.unpack(ctx, r); err != nil {
		return report, err
	}
	if err := finish(temp); err != nil {
		return report, err
	}
	if err := syncAll(temp); err != nil {
		return report, fmt.Errorf("bring what was restored to the disk: %w", err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return report, err
	}
	if err := os.Rename(temp, dir); err != nil {
		return report, err
	}
	return u.report, syncDir(parent)
}

func mustBeFree(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look at the data directory: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("the data directory %s is not empty: move it away, or choose another with --data-dir", dir)
	}
	return nil
}

// An unpacking is a copy that is being read.
type unpacking struct {
	dir    string
	sums   map[string]string // by path
	order  []string
	report Report
}

func (u *unpacking) unpack(ctx context.Context, r io.Reader) error {
	archive := tar.NewReader(&cancelled{ctx, bufio.NewReaderSize(r, 1<<20)})
	for first := true; ; first = false {
		h, err := archive.Next()
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, tar.ErrHeader) {
			return fmt.Errorf("%w: it ends too early", ErrNoBackup)
		}
		if err != nil {
			return fmt.Errorf("read the backup: %w", err)
		}
		switch {
		case first != (h.Name == headName):
			return fmt.Errorf("%w: it does not begin with %s", ErrNoBackup, headName)
		case first:
			err = u.readHead(archive)
		case h.Name == sumsName:
			return u.compare(archive)
		default:
			err = u.readFile(archive, h)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%w: it ends too early", ErrNoBackup)
		}
		if err != nil {
			return err
		}
	}
}

func (u *unpacking) readHead(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, 64<<10))
	if err != nil {
		return err
	}
	var h head
	if err := json.Unmarshal(b, &h); err != nil {
		return fmt.Errorf("%w: %s cannot be read", ErrNoBackup, headName)
	}
	if h.Version > version {
		return fmt.Errorf("the backup was made by a newer version of footfall (%s): use that version", h.Program)
	}
	u.note(headName, sha256.Sum256(b))
	return nil
}

func (u *unpacking) readFile(r io.Reader, h *tar.Header) error {
	if h.Typeflag != tar.TypeReg || !known.MatchString(h.Name) {
		return fmt.Errorf("%w: %q does not belong into one", ErrNoBackup, h.Name)
	}
	if _, twice := u.sums[h.Name]; twice {
		return fmt.Errorf("%w: %q is in it twice", ErrNoBackup, h.Name)
	}
	path := filepath.Join(u.dir, filepath.FromSlash(h.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), r)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("restore %s: %w", h.Name, err)
	}
	u.report.Files++
	u.report.Bytes += n
	u.note(h.Name, [sha256.Size]byte(sum.Sum(nil)))
	return nil
}

func (u *unpacking) note(name string, sum [sha256.Size]byte) {
	u.sums[name] = hex.EncodeToString(sum[:])
	u.order = append(u.order, name)
}

// compare holds what was read to the sums at the end of the copy.
func (u *unpacking) compare(r io.Reader) error {
	var want strings.Builder
	for _, name := range u.order {
		fmt.Fprintf(&want, "%s  %s\n", u.sums[name], name)
	}
	got, err := io.ReadAll(io.LimitReader(r, int64(want.Len())+1))
	if err != nil {
		return err
	}
	if string(got) == want.String() {
		return nil
	}
	for line := range strings.Lines(string(got)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if u.sums[name] != sum {
			return fmt.Errorf("%w: %s was changed", ErrNoBackup, name)
		}
	}
	return fmt.Errorf("%w: its list of files does not fit", ErrNoBackup)
}

// syncAll brings a tree to the disk.
func syncAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncDir(path)
	})
}

// syncDir syncs a folder, or a file.
func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

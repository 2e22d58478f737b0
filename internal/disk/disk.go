// Package disk is the handful of file operations that journal and store stand on.
//
// It exists so that a test can stand between them and the disk: disktest fails the n-th operation, or records them all
// and plays them back to every point at which the power could have gone. It adds nothing to what the system does:
// nothing is retried, nothing is cached, and what is not synced may be lost.
package disk

import (
	"io"
	"io/fs"
	"os"
)

// A File is open for reading, or for writing at its end.
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Sync() error
	Truncate(size int64) error
	Size() (int64, error)
}

// An FS is a file system. Paths are as in package os.
type FS interface {
	Open(path string) (File, error)   // for reading
	Create(path string) (File, error) // for writing; must not exist
	Append(path string) (File, error) // for writing at the end; must exist
	Rename(from, to string) error
	Remove(path string) error
	ReadDir(path string) ([]fs.DirEntry, error)
	MkdirAll(path string) error
	SyncDir(path string) error // makes creations, renames and removals in the directory permanent
}

// OS is the file system of the machine.
type OS struct{}

var _ FS = OS{}

func (OS) Open(path string) (File, error) { return open(path, os.O_RDONLY) }

func (OS) Create(path string) (File, error) {
	return open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (OS) Append(path string) (File, error) { return open(path, os.O_RDWR|os.O_APPEND) }

func (OS) Rename(from, to string) error { return os.Rename(from, to) }

func (OS) Remove(path string) error { return os.Remove(path) }

func (OS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

func (OS) MkdirAll(path string) error { return os.MkdirAll(path, 0o700) }

func (OS) SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

type osFile struct{ *os.File }

func open(path string, flag int) (File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadFile reads the whole file at path.
func ReadFile(fsys FS, path string) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	n, err := f.ReadAt(b, 0)
	if err == io.EOF && int64(n) == size {
		err = nil
	}
	return b[:n], err
}

package disktest

import (
	"io"
	"io/fs"
	"slices"
	"syscall"
	"time"
)

// A file is an open file of a Recorder. Like one of the system it stays readable when its name is removed.
type file struct {
	fs       *Recorder
	node     *node
	name     string
	mode     Op    // Open, Create or Append
	position int64 // of the next write, unless mode is Append
	closed   bool
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return 0, pathError(Read, f.name, fs.ErrClosed)
	}
	if off < 0 {
		return 0, pathError(Read, f.name, syscall.EINVAL)
	}
	if off >= int64(len(f.node.data)) {
		if len(b) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	n := copy(b, f.node.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Write(b []byte) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.writable(Write); err != nil {
		return 0, err
	}
	if f.mode == Append {
		f.position = int64(len(f.node.data))
	}
	b = slices.Clone(b)
	f.node.data = overwrite(f.node.data, f.position, b)
	f.node.changed = time.Now()
	f.fs.log = append(f.fs.log, record{op: Write, node: f.node, data: b, position: f.position})
	f.position += int64(len(b))
	return len(b), nil
}

func (f *file) Truncate(size int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.writable(Truncate); err != nil {
		return err
	}
	if size < 0 {
		return pathError(Truncate, f.name, syscall.EINVAL)
	}
	f.node.data = resize(f.node.data, size)
	f.node.changed = time.Now()
	f.fs.log = append(f.fs.log, record{op: Truncate, node: f.node, position: size})
	return nil
}

func (f *file) writable(op Op) error {
	switch {
	case f.closed:
		return pathError(op, f.name, fs.ErrClosed)
	case f.mode == Open:
		return pathError(op, f.name, syscall.EBADF)
	}
	return nil
}

func (f *file) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return pathError(Sync, f.name, fs.ErrClosed)
	}
	f.fs.log = append(f.fs.log, record{op: Sync, node: f.node})
	return nil
}

func (f *file) Size() (int64, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return 0, pathError(Open, f.name, fs.ErrClosed)
	}
	return int64(len(f.node.data)), nil
}

func (f *file) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return pathError(Open, f.name, fs.ErrClosed)
	}
	f.closed = true
	return nil
}

// overwrite puts b at a position of data, with zeros between if data ends before it.
func overwrite(data []byte, position int64, b []byte) []byte {
	if end := position + int64(len(b)); end > int64(len(data)) {
		data = resize(data, end)
	}
	copy(data[position:], b)
	return data
}

func resize(data []byte, size int64) []byte {
	old := int64(len(data))
	if size <= old {
		return data[:size]
	}
	data = slices.Grow(data, int(size-old))[:size]
	clear(data[old:])
	return data
}

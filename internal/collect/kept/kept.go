// Package kept reads files that the operator keeps, and may replace while they are in use.
package kept

import (
	"context"
	"os"
	"time"
)

// Every is how often a file is looked at. A new one is taken when it was the same at two looks, so that nobody reads half of a copy.
const Every = 5 * time.Second

// A File is read when it is opened, and again whenever it changes.
type File struct {
	name string
	load func() error
	used os.FileInfo // what was read last
	seen os.FileInfo // another one, at the last look
}

// Open reads a file by calling load.
func Open(name string, load func() error) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	return &File{name: name, load: load, used: info}, load()
}

// Run looks at the file until ctx is done. Each look is told about: whether the file is another one, and if it cannot be used, why.
func (f *File) Run(ctx context.Context, told func(changed bool, err error)) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			told(f.look())
		}
	}
}

// look reads the file again if it is another one, and has come to rest. One that cannot be used is not tried again until it changes.
func (f *File) look() (changed bool, err error) {
	info, err := os.Stat(f.name)
	if err != nil || same(info, f.used) {
		f.seen = nil // a file that is gone is on its way
		return false, nil
	}
	if f.seen == nil || !same(info, f.seen) {
		f.seen = info
		return false, nil
	}
	f.used, f.seen = info, nil
	return true, f.load()
}

func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

package app

import (
	"context"
	"errors"
	"fmt"

	"footfall/internal/store/segments"
)

// verify reads all files of the store. The engine is for one process, so it takes the lock.
func verify(ctx context.Context, c *config, t *terminal) (err error) {
	lock, err := lockDir(c.dataDir)
	if err != nil {
		return err
	}
	defer lock.Close()
	engine, err := segments.Open(c.dataDir, segments.Options{Log: t.log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	damaged, err := engine.Verify(ctx, nil)
	if err != nil {
		return err
	}
	for _, name := range damaged {
		fmt.Fprintf(t.out, "damaged: %s\n", name)
	}
	if len(damaged) > 0 {
		return fmt.Errorf("%d files are damaged: answers leave out what they hold", len(damaged))
	}
	s := engine.Status()
	_, err = fmt.Fprintf(t.out, "%d events in %d files, %d bytes: all can be read\n", s.Events, s.Files, s.Bytes)
	return err
}

package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"footfall/internal/accounts"
	"footfall/internal/backup"
)

// writeBackup copies the data directory to a file, or to standard output if that is "-". The service may run.
func writeBackup(ctx context.Context, c *config, t *terminal) error {
	if _, err := os.Stat(c.dataDir); err != nil {
		return fmt.Errorf("there is nothing to back up: %w", err)
	}
	target := c.args[0]
	if target == "-" {
		_, err := c.backUp(ctx, t, t.out)
		return err
	}
	temp, err := os.OpenFile(target+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make the backup: %w", err)
	}
	defer os.Remove(temp.Name()) // gone by then if all went well
	r, err := c.backUp(ctx, t, temp)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return fmt.Errorf("name the backup: %w", err)
	}
	_, err = fmt.Fprintf(t.out, "%d files, %s: %s\n", r.Files, size(r.Bytes), target)
	return err
}

func (c *config) backUp(ctx context.Context, t *terminal, w io.Writer) (r backup.Report, err error) {
	db, err := openAccounts(ctx, c)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	temp, folder, err := newCopyFolder(c.dataDir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, (&house{closers: folder}).Close()) }()
	s := backup.Source{Dir: c.dataDir, Temp: temp, Accounts: db.CopyTo, Program: version, Now: time.Now()}
	if !db.InFile() {
		s.Accounts = nil
		fmt.Fprintln(t.err, "The accounts are in PostgreSQL and not part of this backup: copy them with pg_dump.")
	}
	buffered := bufio.NewWriterSize(w, 1<<20)
	r, err = backup.Write(ctx, buffered, s, progress(t.err, "backup"))
	return r, errors.Join(err, buffered.Flush())
}

// restoreBackup makes a data directory of a file that backup wrote, or of standard input if that is "-".
func restoreBackup(ctx context.Context, c *config, t *terminal) error {
	in := t.in
	if source := c.args[0]; source != "-" {
		f, err := os.Open(source)
		if err != nil {
			return fmt.Errorf("read the backup: %w", err)
		}
		defer f.Close()
		in = f
	}
	r, err := backup.Restore(ctx, in, c.dataDir, func(dir string) error { return settle(ctx, dir) })
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(c.dataDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%d files, %s restored to %s\nEverybody has to sign in again. API keys that were revoked since the backup work again: look at `footfall key list`.\n",
		r.Files, size(r.Bytes), dir)
	return err
}

// settle brings the accounts of a restored directory in order, if it has any.
func settle(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "footfall.db")); errors.Is(err, os.ErrNotExist) {
		return nil // they are in PostgreSQL
	}
	db, err := accounts.Open(ctx, "", accounts.Options{Dir: dir})
	if err != nil {
		return err
	}
	return errors.Join(db.Settle(ctx), db.Close())
}

// progress tells on a terminal how far something is, each second; it is silent on anything else.
func progress(w io.Writer, what string) func(done, all int64) {
	f, ok := w.(*os.File)
	if !ok || !isTerminal(f) {
		return nil
	}
	last := time.Now()
	return func(done, all int64) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			fmt.Fprintf(w, "%s: %s of %s\n", what, size(done), size(all))
		}
	}
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d KB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}

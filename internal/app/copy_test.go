package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestCopiesOfKilledCommandsAreRemovedAndOthersAreNot(t *testing.T) {
	dir := t.TempDir()
	inUse, folder, err := newCopyFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, "copy-left.tmp")
	fresh := filepath.Join(dir, "copy-fresh.tmp")
	for _, d := range []string{left, fresh} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour)
	for _, d := range []string{left, inUse} {
		if err := os.Chtimes(d, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := clearCopies(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed command left is there: %v", err)
	}
	for _, d := range []string{inUse, fresh} {
		if _, err := os.Stat(d); err != nil {
			t.Errorf("a copy in use is gone: %v", err)
		}
	}
	if err := (&house{closers: folder}).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(inUse); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a closed copy is there: %v", err)
	}
}

func TestReportOfAWebsiteWithoutEventsIsPreviewed(t *testing.T) {
	r := startService(t, t.TempDir())
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := r.command(0, "", "key", "add", "anna@example.com")
	r.want(201, "POST", "/api/v1/websites", key[:len(key)-1], "domain=example.com")
	if out := r.command(0, "", "report", "preview", "example.com"); len(out) < 1000 {
		t.Errorf("the preview is %q", out)
	}
}

package segments_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
	"footfall/internal/store/segments"
	"footfall/internal/store/storetest"
)

// smallDisk is a file system of some bytes in memory, mounted for the test.
func smallDisk(t *testing.T, bytes string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+bytes)
	if errors.Is(err, syscall.EPERM) && os.Getenv("CI") != "true" {
		t.Skip("mounting a small file system is not permitted here; run as root, or in CI")
	}
	must(t, err)
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

// R5, at the store.
func TestFullDiskKeepsAnsweringAndGoesOnWhenThereIsRoom(t *testing.T) {
	dir := smallDisk(t, "768k")
	clock := clockAt(event.NewDay(2026, 3, 1).UTC().Add(5 * time.Hour))
	o := segments.Options{Now: clock.now, MemoryEvents: 300}
	e, err := segments.Open(dir, o)
	must(t, err)
	defer func() { e.Close() }()
	oracle := storetest.NewOracle(clock.now)
	random := newTraffic(5)
	var journal []store.Batch
	position := uint64(0)
	take := func(events []event.Event) {
		b := store.Batch{From: position, To: position + uint64(len(events)) + 1, Events: events}
		position = b.To
		journal = append(journal, b)
		must(t, oracle.Append(t.Context(), b))
	}
	ballast := filepath.Join(dir, "ballast")
	day := event.DayOf(clock.now())
	for cycle := range figure(2, 2, 20) {
		take(random.day(1, day, 40))
		replay(t, e, journal)
		must(t, e.Flush(t.Context()))
		fillDisk(t, ballast)
		durable, refused := e.Durable(), false
		for range 20 { // more than memory holds
			take(random.day(1, day, 40))
			take(random.day(2, day+1, 20))
			if err := tryReplay(t, e, journal); err != nil {
				refused = true
			}
			if err := e.Flush(t.Context()); !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("cycle %d: flush on a full disk says %v", cycle, err)
			}
		}
		if !refused {
			t.Errorf("cycle %d: %d events were taken into memory on a full disk", cycle, e.Status().Events)
		}
		if e.Durable() != durable || !errors.Is(e.Status().Err, syscall.ENOSPC) {
			t.Errorf("cycle %d: durable went from %d to %d on a full disk, status says %v", cycle, durable, e.Durable(), e.Status().Err)
		}
		if _, err := e.Run(t.Context(), totals(1, day, day+2)); err != nil {
			t.Errorf("cycle %d: question on a full disk: %v", cycle, err)
		}
		if cycle%2 == 1 { // also after a restart, still full
			must(t, e.Close())
			e, err = segments.Open(dir, o)
			must(t, err)
			if _, err := e.Run(t.Context(), totals(1, day, day+2)); err != nil {
				t.Errorf("cycle %d: question after a restart on a full disk: %v", cycle, err)
			}
		}
		must(t, os.Remove(ballast))
		for e.Position() < position { // the loader brings what was refused
			replay(t, e, journal)
		}
		must(t, e.Flush(t.Context()))
		if e.Durable() != position || e.Status().Err != nil {
			t.Errorf("cycle %d: with room again durable is %d of %d, status says %v", cycle, e.Durable(), position, e.Status().Err)
		}
		sameAnswers(t, e, oracle, panels(1, day, day+2)...)
		sameAnswers(t, e, oracle, panels(2, day, day+2)...)
		must(t, e.Settle(t.Context()))
		checkNothingLeftBehind(t, e, dir)
		if cycle%4 == 3 { // make room for the next cycles
			clock.set(clock.now().Add(5 * 24 * time.Hour))
			must(t, e.Settle(t.Context()))
			day += 5
		}
	}
}

// fillDisk writes zeros until the disk is full.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	for block := make([]byte, 4096); ; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// checkNothingLeftBehind compares the files on disk with those that the engine counts.
func checkNothingLeftBehind(t *testing.T, e *segments.Engine, dir string) {
	t.Helper()
	n := 0
	for _, folder := range []string{"events", "rollups"} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		must(t, err)
		for _, entry := range entries {
			if !entry.IsDir() && filepath.Ext(entry.Name()) == ".parquet" {
				n++
			}
		}
	}
	if files := e.Status().Files; n != files {
		t.Errorf("%d files on disk where the engine knows %d", n, files)
	}
}

package place_test

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect/kept"
	"footfall/internal/collect/place"
)

var germany, france = networks{"5.0.0.0/8": flat("DE", "", "")}, networks{"5.0.0.0/8": flat("FR", "", "")}

// A diary is a log that may be read while it is written.
type diary struct {
	mu   sync.Mutex
	text strings.Builder
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// watched opens a file and lets Run watch it until the test ends. It must be called in a bubble of synctest.
func watched(t *testing.T, file string) (*place.Atlas, *diary) {
	t.Helper()
	a, err := place.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	var log diary
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- a.Run(ctx, slog.New(slog.NewTextHandler(&log, nil))) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return a, &log
}

// looks lets Run look at the file so many times.
func looks(n int) {
	time.Sleep(time.Duration(n) * kept.Every) // no real time passes
	synctest.Wait()
}

func country(a *place.Atlas) string { return find(a, "5.5.5.5").Country }

func TestNewFileIsTakenWhenItHasSettled(t *testing.T) {
	file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "DBIP-City", 4, germany)
	synctest.Test(t, func(t *testing.T) {
		a, log := watched(t, file)
		looks(3)
		if got := country(a); got != "Germany" || log.String() != "" {
			t.Errorf("it is %q, and the log says %s", got, log)
		}
		writeMMDB(t, file, "GeoLite2-City", 4, france)
		looks(1)
		if got := country(a); got != "Germany" {
			t.Errorf("after one look it is %q: the file may still be written", got)
		}
		looks(1)
		if _, url := a.Attribution(); country(a) != "France" || url != "https://www.maxmind.com" {
			t.Errorf("after two looks it is %q, with a link to %q", country(a), url)
		}
		if strings.Count(log.String(), "new file of places") != 1 || !strings.Contains(log.String(), "GeoLite2-City") {
			t.Errorf("the log says %s", log)
		}
	})
}

func TestBrokenFileLeavesTheOldOneAndIsToldOnce(t *testing.T) {
	file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "Test", 4, germany)
	synctest.Test(t, func(t *testing.T) {
		a, log := watched(t, file)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		looks(5)
		if got := country(a); got != "Germany" || log.String() != "" {
			t.Errorf("without the file it is %q, and the log says %s", got, log)
		}
		if err := os.WriteFile(file, []byte("not a database"), 0o600); err != nil {
			t.Fatal(err)
		}
		looks(10)
		if got := country(a); got != "Germany" {
			t.Errorf("with a broken file it is %q", got)
		}
		if n := strings.Count(log.String(), "cannot be used"); n != 1 || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("the log says %s", log)
		}
		writeMMDB(t, file, "Test", 4, france)
		looks(2)
		if got := country(a); got != "France" {
			t.Errorf("with a good file again it is %q", got)
		}
	})
}

// TestFileCutWhileMappedDoesNotEndTheProgram writes over the file in place, as cp does. Where it was cut there is no
// memory any more.
func TestFileCutWhileMappedDoesNotEndTheProgram(t *testing.T) {
	many := networks{}
	for i := range 200 {
		many[netip.PrefixFrom(netip.AddrFrom4([4]byte{5, byte(i), 0, 0}), 16).String()] = flat("DE", strings.Repeat("x", 70), strings.Repeat("y", i%70))
	}
	file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "Test", 4, many)
	synctest.Test(t, func(t *testing.T) {
		a, log := watched(t, file)
		if err := os.Truncate(file, 0); err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			a.Find(netip.AddrFrom4([4]byte{5, byte(i), 1, 1}))
			looks(1)
		}
		if strings.Count(log.String(), "file of places is damaged") != 1 || strings.Count(log.String(), "the old one stays") != 1 {
			t.Errorf("the log says %s", log)
		}
		if err := os.WriteFile(file, mmdbBytes(t, "Test", 4, france), 0o600); err != nil {
			t.Fatal(err)
		}
		looks(2)
		if got := country(a); got != "France" {
			t.Errorf("with a whole file it is %q", got)
		}
	})
}

func TestManyMayAskWhileFilesChange(t *testing.T) {
	file := writeMMDB(t, filepath.Join(t.TempDir(), "x.mmdb"), "Test", 4, germany)
	synctest.Test(t, func(t *testing.T) {
		a, log := watched(t, file)
		stop := make(chan struct{})
		var asking sync.WaitGroup
		for range 4 {
			asking.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if got := country(a); got != "Germany" && got != "France" {
						t.Errorf("it is %q", got)
						return
					}
					a.Attribution()
					time.Sleep(100 * time.Millisecond) // no real time passes
				}
			})
		}
		for i := range 10 {
			writeMMDB(t, file, "Test", 4, []networks{france, germany}[i%2])
			looks(2)
		}
		close(stop)
		asking.Wait()
		if n := strings.Count(log.String(), "new file of places"); n != 10 {
			t.Errorf("%d of 10 files were taken: %s", n, log)
		}
	})
}

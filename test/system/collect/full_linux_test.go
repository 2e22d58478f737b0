package collect

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk is a file system of some bytes in memory, mounted for the test.
func smallDisk(t *testing.T, bytes string) string {
	t.Helper()
	dir := t.TempDir()
	mountSmall(t, dir, bytes)
	return dir
}

// mountSmall puts a small file system in the place of a directory.
func mountSmall(t *testing.T, dir, bytes string) {
	t.Helper()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+bytes)
	if errors.Is(err, syscall.EPERM) && os.Getenv("CI") != "true" {
		t.Skip("mounting a small file system is not permitted here; run as root, or in CI")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
}

// fill takes all room that a disk has.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// R5: on a full disk no hit is acknowledged that is not kept, statistics stay readable, and it goes on by itself once there is
// room.
func TestAFullDiskMakesNoFalsePromise(t *testing.T) {
	cycles := 2
	if long() {
		cycles = 20
	}
	h := &house{t: t, dir: smallDisk(t, "32m")}
	h.prepare()
	h.serve()
	t.Cleanup(func() { // before the disk goes
		h.service.Signal(t, syscall.SIGKILL)
		h.service.Wait(t, stopWithin)
	})
	ballast := filepath.Join(h.dir, "ballast")
	acked, refused := 0, 0
	for cycle := range cycles {
		l := &load{url: h.service.URL, domain: fmt.Sprintf("cycle%d.example", cycle), rate: 1000}
		website := h.register(l.domain)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() { l.run(stop); close(done) }()
		time.Sleep(300 * time.Millisecond)
		fill(t, ballast)
		h.eventually("hits are refused", func() bool { return h.refuses() })
		h.pages(website)
		h.tallied(website)
		time.Sleep(300 * time.Millisecond)
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		h.eventually("hits are taken again", func() bool { return !h.refuses() })
		time.Sleep(300 * time.Millisecond)
		close(stop)
		<-done
		l.check(h, website)
		acked += len(l.acked)
		refused += len(l.errs)
		for _, err := range l.errs {
			if !strings.HasPrefix(err.Error(), "503") {
				t.Errorf("refused with %v", err)
			}
		}
	}
	t.Logf("%d cycles: %d pageviews acknowledged and counted, %d hits refused", cycles, acked, refused)
	if refused == 0 {
		t.Error("nothing was refused: nothing was tested")
	}
}

// refuses tells whether hits are not taken now. A refusal says when to come again.
func (h *house) refuses() bool {
	h.t.Helper()
	answer, err := httpClient.Post(h.service.URL+"/api/event", "text/plain", strings.NewReader(`{"u":"https://nobody.example/"}`))
	if err != nil {
		h.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") == "" {
		h.t.Error("it does not say when to come again")
	}
	return answer.StatusCode == http.StatusServiceUnavailable
}

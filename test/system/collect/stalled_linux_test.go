package collect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// R7, R5: the store has no room and the journal has. Hits are taken and wait there, through a stop and through a kill, and
// statistics stay readable; once there is room they are counted, each once.
func TestHitsWaitForAStoreThatIsStalled(t *testing.T) {
	rounds := 2
	if long() {
		rounds = 20
	}
	h := &house{t: t, dir: t.TempDir()}
	h.prepare()
	history := filepath.Join(h.dir, "events")
	if err := os.MkdirAll(history, 0o700); err != nil {
		t.Fatal(err)
	}
	mountSmall(t, history, "4m")
	h.serve()
	acked := 0
	for round := range rounds {
		l := &load{url: h.service.URL, domain: fmt.Sprintf("round%d.example", round), rate: 500}
		website := h.register(l.domain)
		stop := l.background()
		time.Sleep(300 * time.Millisecond)
		ballast := filepath.Join(history, "ballast")
		fill(t, ballast)
		time.Sleep(500 * time.Millisecond)
		h.pages(website)
		stop()
		if len(l.errs) > 0 {
			t.Errorf("%d of %d hits were not taken: %v", len(l.errs), l.sent, l.errs[0])
		}
		h.service.Signal(t, []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}[round%2])
		h.service.Wait(t, stopWithin)
		if round%2 == 0 && !strings.Contains(h.service.Log(), "events stay in the journal") {
			t.Errorf("the store had room: nothing was tested. %s", h.service.Log())
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		h.serve()
		l.check(h, website)
		acked += len(l.acked)
	}
	t.Logf("%d rounds: %d pageviews acknowledged and counted", rounds, acked)
}

// Package killstore kills a process that writes through journal, loader and store, again and again, and counts.
//
// The program that is killed is this test itself, started again with a directory in its environment. Each life of it has a
// website of its own, on which every event has a page of its own, so that every event can be looked for.
package killstore

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"footfall/internal/collect"
	"footfall/internal/event"
	"footfall/internal/journal"
	"footfall/internal/store"
	"footfall/internal/store/segments"
)

const (
	dirVariable  = "FOOTFALL_KILL_STORE_DIR"
	lifeVariable = "FOOTFALL_KILL_STORE_LIFE"

	eventsPerSecond = 3000
	readyWithin     = 5 * time.Second
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirVariable); dir != "" {
		life, err := strconv.Atoi(os.Getenv(lifeVariable))
		if err == nil {
			err = live(context.Background(), dir, life)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// A house is all that is open between a hit and a question.
type house struct {
	store   *segments.Engine
	journal *journal.Journal
	loader  *collect.Loader
}

// open opens everything small, so that all that happens seldom happens often.
func open(dir string) (*house, error) {
	s, err := segments.Open(dir, segments.Options{MemoryEvents: 500})
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(dir, "journal"), journal.Options{SegmentBytes: 32 << 10, Next: s.Position()})
	if err != nil {
		return nil, err
	}
	return &house{s, j, &collect.Loader{Journal: j, Store: s}}, nil
}

// live appends events and says on standard output which ones were taken, until it is killed.
func live(ctx context.Context, dir string, life int) error {
	h, err := open(dir)
	if err != nil {
		return err
	}
	ended := make(chan error)
	go func() { ended <- fmt.Errorf("loader: %w", h.loader.Run(ctx)) }()
	go func() { ended <- fmt.Errorf("maintain: %w", h.store.Maintain(ctx)) }()
	numbers := make(chan int)
	for range 32 {
		go func() {
			for n := range numbers {
				if err := h.append(ctx, life, n); err != nil {
					ended <- err
					return
				}
			}
		}()
	}
	start := time.Now()
	tick := time.NewTicker(time.Millisecond)
	for ticks, n := 0, 0; ; ticks++ {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
		}
		for ; float64(n) < time.Since(start).Seconds()*eventsPerSecond; n++ {
			numbers <- n
		}
		if ticks%50 == 0 {
			if err := h.journal.Drop(h.store.Durable()); err != nil {
				return err
			}
		}
	}
}

func (h *house) append(ctx context.Context, life, n int) error {
	e := event.Event{Kind: event.Pageview, Website: website(life), Visitor: uint64(n % 100)}
	e.At(time.Now(), time.UTC)
	e.Fields[event.Page] = page(n)
	if _, err := h.journal.Append(ctx, e.Append(nil)); err != nil {
		return err
	}
	_, err := fmt.Println(n) // one write: a reader sees all of the line or nothing
	return err
}

func website(life int) int64 { return int64(life + 1) }

func page(n int) string { return "/" + strconv.Itoa(n) }

func TestKilledProcessLosesAndDoublesNothing(t *testing.T) {
	kills := 20
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		kills = 1000
	}
	dir := t.TempDir()
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	taken := make([]map[int]bool, kills)
	total := 0
	for life := range kills {
		after := time.Duration(50+rng.IntN(700)) * time.Millisecond // from the first event on
		if life%5 == 4 {
			after = -time.Duration(rng.IntN(100)) * time.Millisecond // from the start on: it may be opening still
		}
		taken[life] = kill(t, dir, life, after)
		total += len(taken[life])
		if life%100 == 99 || life == kills-1 {
			check(t, dir, taken[:life+1])
		}
	}
	t.Logf("%d events were taken in %d lives", total, kills)
	if total < kills*100 {
		t.Errorf("only %d events were taken: nothing was tested", total)
	}
}

// kill lets the program live for a while and tells which events it said were taken. A negative time counts from its
// start instead of its first event.
func kill(t *testing.T, dir string, life int, after time.Duration) map[int]bool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), dirVariable+"="+dir, lifeVariable+"="+strconv.Itoa(life))
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make(chan struct{})
	numbers := make(chan map[int]bool)
	go func() { numbers <- read(t, out, first) }()
	if after < 0 {
		time.Sleep(-after)
	} else {
		select {
		case <-first:
		case <-time.After(readyWithin):
			t.Errorf("life %d: no event was taken within %v", life, readyWithin)
		}
		time.Sleep(after)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("life %d, %v after its start: %v", life, time.Since(start), err)
	}
	taken := <-numbers
	cmd.Wait() // it was killed: that is its error
	if said.Len() > 0 {
		t.Errorf("life %d: %s", life, said.String())
	}
	return taken
}

func read(t *testing.T, out io.Reader, first chan<- struct{}) map[int]bool {
	taken := map[int]bool{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Errorf("the program said %q", lines.Text())
			continue
		}
		if taken[n] = true; len(taken) == 1 {
			close(first)
		}
	}
	return taken
}

// check opens what is left and counts: each event that was taken once, any other at most once.
func check(t *testing.T, dir string, taken []map[int]bool) {
	t.Helper()
	start := time.Now()
	h, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := h.journal.Repair(); r.Lost > 0 || r.Damaged > 0 || r.Foreign > 0 {
		t.Errorf("a kill is no damage: %+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.loader.Run(ctx) }()
	end := h.journal.Stats().Next
	for !loaded(h, end) {
		if time.Since(start) > 2*readyWithin {
			t.Fatalf("store is at %d of %d", h.store.Position(), end)
		}
		time.Sleep(time.Millisecond)
	}
	for life := range taken {
		checkLife(t, h.store, life, taken[life])
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := h.journal.Close(); err != nil {
		t.Error(err)
	}
	if err := h.store.Close(); err != nil {
		t.Error(err)
	}
}

// loaded tells whether the store has all that the journal holds. The last numbers may be those of records that never were.
func loaded(h *house, end uint64) bool {
	r := h.journal.Reader(h.store.Position())
	defer r.Close()
	_, _, err := r.TryNext()
	return h.store.Position() >= end || err == io.EOF
}

func checkLife(t *testing.T, s *segments.Engine, life int, taken map[int]bool) {
	t.Helper()
	today := event.DayOf(time.Now().UTC())
	result, err := s.Run(t.Context(), store.Query{
		Website: website(life), From: today - 2, To: today + 2,
		Questions: []store.Question{{Dimension: dimension(t, "page"), Metrics: []store.Metric{store.Pageviews}}},
	})
	if err != nil || result.Partial {
		t.Fatalf("life %d: %v, partial %v", life, err, result.Partial)
	}
	counted := map[string]float64{}
	for _, row := range result.Answers[0].Rows {
		counted[row.Value] = row.Metrics[0]
		if row.Metrics[0] != 1 || !strings.HasPrefix(row.Value, "/") {
			t.Errorf("life %d: %s was counted %v times", life, row.Value, row.Metrics[0])
		}
	}
	lost := 0
	for n := range taken {
		if counted[page(n)] == 0 {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("life %d: %d of %d events were taken and are not counted", life, lost, len(taken))
	}
	if extra := len(counted) - len(taken); extra > 32 { // one for each goroutine that appended when it was killed
		t.Errorf("life %d: %d events were counted that were not taken", life, extra)
	}
}

func dimension(t *testing.T, name string) store.Dimension {
	d, ok := store.DimensionNamed(name)
	if !ok {
		t.Fatalf("no dimension %s", name)
	}
	return d
}

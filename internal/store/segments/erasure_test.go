//go:build !race

package segments_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footfall/internal/event"
	"footfall/internal/store/segments"
)

// everyFile reads all files below a directory.
func everyFile(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	}))
	return files
}

// holds tells which files hold a text: in their bytes, or in a value that another reader reads from them.
func holds(t testing.TB, files map[string][]byte, text string) (found []string) {
	t.Helper()
	for path, data := range files {
		in := bytes.Contains(data, []byte(text))
		if strings.HasSuffix(path, ".parquet") && !in {
			for _, row := range readWithLibrary(t, path, data).rows {
				in = in || slices.ContainsFunc(row, func(v string) bool { return strings.Contains(v, text) })
			}
		}
		if in {
			found = append(found, filepath.Base(path))
		}
	}
	return found
}

const canary = "cAnArY"

// canaries are events whose every text is a canary.
func canaries(random *traffic, website int64, day event.Day) []event.Event {
	events := random.day(website, day, 6)
	for i := range events {
		for f := range events[i].Fields {
			events[i].Fields[f] = canary + " of a text that is long enough to be packed " + event.Field(f).String()
		}
		events[i].Fields[event.Props] = event.JoinProps(map[string]string{canary: canary})
	}
	return events
}

// loadCanaries fills a store with two websites in all states, and then with more of both in memory.
func loadCanaries(t testing.TB, r *rig) (from, to event.Day) {
	t.Helper()
	random := newTraffic(11)
	from = event.DayOf(r.clock.now())
	to = from + 45
	for d := from; d < to; d += 3 {
		r.clock.set(d.UTC().Add(22 * time.Hour))
		r.settle()
		r.load(append(canaries(random, doomed, d), random.day(1, d, 4)...))
		if d%2 == 0 {
			r.flush()
		}
		if d == from+30 {
			r.load(append(canaries(random, doomed, from), random.day(1, from, 2)...)) // late
		}
		if d == to-3 {
			r.flush()
			r.load(canaries(random, doomed, d)) // alone in a part
			r.flush()
		}
	}
	return from, to
}

func TestDeletedWebsiteLeavesNoByteBehind(t *testing.T) {
	r := newRig(t, t.TempDir(), event.NewDay(2026, 1, 5).UTC(), segments.Options{MemoryEvents: 100})
	from, to := loadCanaries(t, r)
	if len(holds(t, everyFile(t, r.dir), canary)) < 5 {
		t.Fatal("the canaries are in few files even before they are deleted")
	}
	must(t, r.engine.Delete(t.Context(), doomed))
	must(t, r.oracle.Delete(t.Context(), doomed))
	sameAnswers(t, r.engine, r.oracle, append(panels(doomed, from, to), panels(1, from, to)...)...)
	r.load(canaries(newTraffic(12), doomed, to-1)) // some still come
	r.flush()
	if found := holds(t, everyFile(t, r.dir), canary); len(found) > 0 {
		t.Errorf("canaries are left in %q", found)
	}
	checkNothingLeftBehind(t, r.engine, r.dir)
	sameAnswers(t, r.engine, r.oracle, append(panels(doomed, from, to), panels(1, from, to)...)...)
	r.reopen()
	sameAnswers(t, r.engine, r.oracle, append(panels(doomed, from, to), panels(1, from, to)...)...)
	r.clock.set(r.clock.now().AddDate(0, 3, 0))
	r.settle()
	if found := holds(t, everyFile(t, r.dir), canary); len(found) > 0 {
		t.Errorf("canaries are left in %q", found)
	}
}

// Damage is no excuse: what cannot be rewritten is removed.
func TestDeletedWebsiteLeavesNothingInDamagedFiles(t *testing.T) {
	r := newRig(t, t.TempDir(), event.NewDay(2026, 1, 5).UTC(), segments.Options{MemoryEvents: 100})
	loadCanaries(t, r)
	r.flush()
	must(t, r.engine.Close())
	for path, data := range everyFile(t, r.dir) {
		if strings.HasSuffix(path, ".parquet") { // one column of each file does not decode
			data[len(data)/3] ^= 0x10
			must(t, os.WriteFile(path, data, 0o600))
		}
	}
	r.engine = openEngine(t, r.dir, r.options)
	_, err := r.engine.Verify(t.Context(), nil)
	must(t, err)
	must(t, r.engine.Delete(t.Context(), doomed))
	r.flush()
	for path, data := range everyFile(t, r.dir) {
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("a canary is left in %s", filepath.Base(path))
		}
	}
}

func TestSealedFilesKnowNoVisitorAndNoEventID(t *testing.T) {
	r := newRig(t, t.TempDir(), event.NewDay(2026, 1, 5).UTC(), segments.Options{MemoryEvents: 100})
	from, _ := loadCanaries(t, r)
	r.flush()
	r.clock.set(r.clock.now().AddDate(0, 0, 4))
	r.settle()
	patterns := map[string]bool{}
	for _, b := range r.journal {
		for _, e := range b.Events {
			for _, n := range []uint64{e.Visitor, e.ID} {
				patterns[string(binary.LittleEndian.AppendUint64(nil, n))] = true
				patterns[string(binary.BigEndian.AppendUint64(nil, n))] = true
			}
		}
	}
	sealed := 0
	for path, data := range everyFile(t, r.dir) {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "part-") || strings.HasPrefix(name, "late-") || !strings.HasSuffix(name, ".parquet") {
			continue
		}
		sealed++
		s := readWithLibrary(t, path, data)
		for _, column := range []string{"id", "event_id", "visitor_id", "hash"} {
			if s.column(column) >= 0 {
				t.Errorf("%s has a column %s", name, column)
			}
		}
		if i := s.column("visitor"); i >= 0 {
			for _, row := range s.rows {
				if len(row[i]) > 4 { // a number that counts from 0 in its cell
					t.Fatalf("%s: visitor %s", name, row[i])
				}
			}
		}
		for i := range max(len(data)-7, 0) {
			if patterns[string(data[i:i+8])] {
				t.Errorf("%s holds a visitor or the ID of an event at byte %d", name, i)
			}
		}
	}
	if sealed < 4 {
		t.Fatalf("only %d sealed files", sealed)
	}
	// What was sealed has no part any more.
	for path := range everyFile(t, r.dir) {
		if day, ok := strings.CutPrefix(filepath.Base(path), "part-"); ok && day < (from+40).String() {
			t.Errorf("%s of a sealed day is still there", filepath.Base(path))
		}
	}
}

// A damaged part that was set aside holds visitors beyond the time that they may be kept.
func TestDamagedPartsKeepNoVisitorsAfterSealing(t *testing.T) {
	r := newRig(t, t.TempDir(), event.NewDay(2026, 1, 5).UTC(), segments.Options{})
	r.load(newTraffic(1).day(1, event.NewDay(2026, 1, 5), 5))
	r.flush()
	must(t, r.engine.Close())
	for path, data := range everyFile(t, r.dir) {
		if strings.HasPrefix(filepath.Base(path), "part-") {
			data[len(data)/2] ^= 1
			must(t, os.WriteFile(path, data, 0o600))
		}
	}
	r.engine = openEngine(t, r.dir, r.options)
	_, err := r.engine.Verify(t.Context(), nil)
	must(t, err)
	r.clock.set(event.NewDay(2026, 1, 20).UTC())
	must(t, r.engine.Settle(t.Context()))
	for path := range everyFile(t, r.dir) {
		if strings.HasPrefix(filepath.Base(path), "part-") {
			t.Errorf("%s holds visitors of a day that was sealed", filepath.Base(path))
		}
	}
}

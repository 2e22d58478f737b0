// Package upgrade opens the data directories of all versions with the present program. testdata has one for each, as the
// version left it: accounts, a journal with events that the store does not have yet, parts, late parts, sealed days, months
// and roll-ups. Beside it are the answers that the version gave.
//
// A directory that was released is never written again. To add that of a new version, choose its name below and run
//
//	go test ./test/system/upgrade -update
package upgrade

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"footfall/internal/stats"
	"footfall/internal/store/segments"
	"footfall/test/system/program"
)

// present is the name under which -update keeps the data directory of this version.
const present = "v0.1"

var update = flag.Bool("update", false, "write the data directory of this version anew")

func TestMain(m *testing.M) {
	flag.Parse()
	program.Main(m)
}

// A release is what a version left behind.
type release struct {
	Key     string            `json:"key"`     // of an account
	Answers map[string]answer `json:"answers"` // by path
}

// An answer is what does not depend on where the service is.
type answer struct {
	Total int             `json:"total"`
	Data  json.RawMessage `json:"data"`
}

func TestDataOfEveryVersionGivesTheSameAnswers(t *testing.T) {
	if *update {
		write(t, filepath.Join("testdata", present))
	}
	versions, err := os.ReadDir("testdata")
	if err != nil || len(versions) == 0 {
		t.Fatal(versions, err)
	}
	kills := 3
	if os.Getenv("FOOTFALL_TEST_LONG") != "" {
		kills = 100
	}
	for _, v := range versions {
		t.Run(v.Name(), func(t *testing.T) {
			from := filepath.Join("testdata", v.Name())
			r := readRelease(t, from)
			t.Run("opened", func(t *testing.T) {
				dir := copyDir(t, filepath.Join(from, "data"))
				check(t, dir, r)
				check(t, dir, r) // by now the present program has written it
				if out := program.Must(t, dir, "", "verify"); !strings.Contains(out, "all can be read") {
					t.Errorf("verify says %s", out)
				}
			})
			t.Run("tidied up", func(t *testing.T) {
				dir := copyDir(t, filepath.Join(from, "data"))
				settle(t, dir)
				check(t, dir, r)
			})
			t.Run("killed midway", func(t *testing.T) {
				dir := copyDir(t, filepath.Join(from, "data"))
				for range kills {
					s := program.Serve(t, dir)
					time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
					s.Signal(t, syscall.SIGKILL)
					s.Wait(t, 10*time.Second)
				}
				check(t, dir, r)
			})
		})
	}
}

// settle does all housekeeping that is left to do.
func settle(t *testing.T, dir string) {
	t.Helper()
	e, err := segments.Open(dir, segments.Options{})
	must(t, err)
	must(t, e.Settle(t.Context()))
	must(t, e.Close())
}

// check asks all that the version was asked.
func check(t *testing.T, dir string, r release) {
	t.Helper()
	s := program.Serve(t, dir)
	waitLoaded(t, s, r)
	for path, want := range r.Answers {
		got := ask(t, s, r.Key, path)
		if d := cmp.Diff(decoded(t, want.Data), sinceThen(decoded(t, want.Data), decoded(t, got.Data))); d != "" || got.Total != want.Total {
			t.Errorf("%s: total %d, want %d; %s", path, got.Total, want.Total, d)
		}
	}
	s.Signal(t, syscall.SIGTERM)
	if status := s.Wait(t, 10*time.Second); status != 0 || s.Log() != "" {
		t.Errorf("it ended with %d: %s", status, s.Log())
	}
}

// waitLoaded waits until the events that were in the journal can be asked about.
func waitLoaded(t *testing.T, s *program.Service, r release) {
	t.Helper()
	path := statistic(1, "pageviews", whole)
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(5 * time.Millisecond) {
		if got, want := ask(t, s, r.Key, path), r.Answers[path]; cmp.Equal(decoded(t, got.Data), decoded(t, want.Data)) {
			return
		}
	}
	t.Error("the events of the journal do not arrive")
}

func ask(t *testing.T, s *program.Service, key, path string) answer {
	t.Helper()
	status, body := s.Get(t, key, path)
	if status != http.StatusOK {
		t.Fatalf("%s is %d %s", path, status, body)
	}
	var list struct {
		Data json.RawMessage
		Meta struct{ Total int }
	}
	must(t, json.Unmarshal([]byte(body), &list))
	return answer{list.Meta.Total, list.Data}
}

// decoded is JSON as one would compare it.
func decoded(t *testing.T, data json.RawMessage) (v any) {
	t.Helper()
	must(t, json.Unmarshal(data, &v))
	return v
}

// sinceThen is an answer without the fields that no answer had when the version was released: there may be more by now.
func sinceThen(was, is any) any {
	switch is := is.(type) {
	case map[string]any:
		before, _ := was.(map[string]any)
		same := make(map[string]any)
		for name, value := range is {
			if old, ok := before[name]; ok {
				same[name] = sinceThen(old, value)
			}
		}
		return same
	case []any:
		before, _ := was.([]any)
		same := make([]any, len(is))
		for i, value := range is {
			if same[i] = value; i < len(before) {
				same[i] = sinceThen(before[i], value)
			}
		}
		return same
	}
	return is
}

// The periods that are asked about: all there is, and one that begins and ends within a month.
const (
	whole  = "from=2026-01-01&to=2026-02-28"
	ragged = "from=2026-01-10&to=2026-02-06"
)

func statistic(website int, name, period string) string {
	return fmt.Sprintf("/api/v1/stats/%d?name=%s&per_page=100&%s", website, name, period)
}

// paths are all that a version is asked.
func paths() []string {
	all := []string{"/api/v1/websites?sort=asc", "/api/v1/websites/2", "/api/v1/websites/1/shares", "/api/v1/accounts"}
	for _, s := range stats.Statistics {
		for _, period := range []string{whole, ragged} {
			all = append(all, statistic(1, s.Name, period), statistic(2, s.Name, period))
		}
	}
	filter := `&filters={"dimension":"country","op":"is","values":["Germany"]}`
	return append(all, statistic(1, "page", whole+strings.NewReplacer(`"`, "%22", "{", "%7B", "}", "%7D", "[", "%5B", "]", "%5D").Replace(filter)))
}

func TestNewerDataIsRefusedWithASentence(t *testing.T) {
	for name, c := range map[string]struct {
		raise func(t *testing.T, dir string)
		says  string
	}{
		"manifest": {raiseManifest, "written by a newer version of footfall (format 2, this one reads up to 1): use that version"},
		"journal":  {raiseJournal, "journal has format version 2; this program reads version 1: use the version of footfall that wrote it"},
		"accounts": {raiseSchema, "use the newer program that wrote it, or restore a backup from before the upgrade"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyDir(t, filepath.Join("testdata", present, "data"))
			c.raise(t, dir)
			before := contents(t, dir)
			status, out := program.Run(t, dir, "", "serve", "--listen", "127.0.0.1:0")
			if status != 1 || !strings.Contains(out, c.says) || strings.Contains(out, "listens") {
				t.Errorf("it ended with %d: %s", status, out)
			}
			if d := cmp.Diff(before, contents(t, dir)); d != "" {
				t.Errorf("it changed what it refused: %s", d)
			}
		})
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func raiseManifest(t *testing.T, dir string) {
	for _, name := range []string{"MANIFEST", "MANIFEST.copy"} {
		edit(t, filepath.Join(dir, "events", name), func(b []byte) []byte {
			_, body, _ := strings.Cut(string(b), "\n")
			raised := regexp.MustCompile(`"version": \d+`).ReplaceAllString(body, `"version": 2`)
			if raised == body {
				t.Fatalf("%s has no version", name)
			}
			return fmt.Appendf(nil, "footfall manifest %08x\n%s", crc32.Checksum([]byte(raised), castagnoli), raised)
		})
	}
}

func raiseJournal(t *testing.T, dir string) {
	segments, err := filepath.Glob(filepath.Join(dir, "journal", "*.seg"))
	if err != nil || len(segments) == 0 {
		t.Fatal(segments, err)
	}
	edit(t, segments[len(segments)-1], func(b []byte) []byte {
		const version, sum = 8, 40 // internal/journal/FORMAT.md
		binary.LittleEndian.PutUint32(b[version:], 2)
		binary.LittleEndian.PutUint32(b[sum:], crc32.Checksum(b[:sum], castagnoli))
		return b
	})
}

func raiseSchema(t *testing.T, dir string) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "footfall.db"))
	must(t, err)
	_, err = db.Exec(`INSERT INTO schema_versions (version, applied_at) VALUES (99, 0)`)
	must(t, err)
	must(t, db.Close())
}

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, change(b), 0o600))
}

// contents are the files of the journal and the store, by path.
func contents(t *testing.T, dir string) map[string]uint32 {
	t.Helper()
	sums := make(map[string]uint32)
	for _, name := range []string{"events", "rollups", "journal"} {
		must(t, filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			sums[strings.TrimPrefix(path, dir)] = crc32.ChecksumIEEE(b)
			return err
		}))
	}
	return sums
}

func TestTheDataOfThisVersionHasEveryKindOfFile(t *testing.T) {
	var names []string
	size := int64(0)
	root := filepath.Join("testdata", present)
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
			names = append(names, strings.TrimPrefix(path, root+"/data/"))
		}
		return err
	}))
	for _, kind := range []string{"footfall.db", "journal/", "events/MANIFEST", "events/part-", "events/late-", "events/day-", "events/month-", "rollups/"} {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, kind) }) {
			t.Errorf("there is no %s among %q", kind, names)
		}
	}
	if size > 300<<10 {
		t.Errorf("it takes %d bytes", size)
	}
}

func readRelease(t *testing.T, from string) release {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(from, "answers.json"))
	must(t, err)
	var r release
	must(t, json.Unmarshal(b, &r))
	if len(r.Answers) < 50 || slices.Contains(slices.Collect(maps.Keys(r.Answers)), "") {
		t.Fatalf("%d answers", len(r.Answers))
	}
	return r
}

// copyDir copies a directory to one that the test may write.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(from)))
	must(t, filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chmod(path, 0o600)
		}
		return err
	}))
	return to
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package app

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/event"
	"footfall/internal/port"
	"footfall/internal/store"
)

// imported is a file of events of some months up to now, with texts that are hard to carry.
func imported(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := port.NewWriter(port.CSV, f)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "=1+1", "'x", "a;=b", `"quoted", twice`, "Zürich, Switzerland", "(other)", "x"}
	now := time.Now().UTC()
	for range 3000 {
		e := event.Event{Visitor: uint64(random.IntN(20)), Kind: event.Kind(1 + random.IntN(3))}
		e.At(now.Add(-time.Minute-time.Duration(random.IntN(100*24))*time.Hour-time.Duration(random.IntN(60))*time.Minute), time.UTC)
		for f := range e.Fields {
			e.Fields[f] = texts[random.IntN(len(texts))]
		}
		e.Fields[event.Name], e.Fields[event.Props], e.Fields[event.Unit] = "", "", ""
		switch e.Kind {
		case event.Custom:
			e.Fields[event.Name] = fmt.Sprintf("event %d", random.IntN(5))
			e.Fields[event.Props] = event.JoinProps(map[string]string{"plan": texts[1+random.IntN(5)]})
			e.Value, e.Fields[event.Unit] = int64(random.IntN(100_000_000)), "EUR"
		case event.Engagement:
			e.Engaged, e.Scroll = int32(random.IntN(30_000)), uint8(random.IntN(101))
		}
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return path
}

// installation makes an account with a website, and returns a key of it.
func installation(t *testing.T, dir string) (key string) {
	t.Helper()
	makeWebsite(t, dir)
	r := &running{t: t, dir: dir}
	return strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
}

// answers are all dimensions of a service's website 1, with all metrics that they have.
func answers(t *testing.T, r *running, key string) map[string]any {
	t.Helper()
	all := make(map[string]any)
	names := []string{"", "prop:plan"}
	for _, d := range store.Dimensions {
		names = append(names, d.Name)
	}
	for _, name := range names {
		question := map[string]any{"metrics": []string{"visitors", "visits", "pageviews", "events", "bounce_rate", "visit_duration", "engaged_time", "scroll_depth", "revenue"}}
		if name != "" {
			question["dimension"] = name
			question["limit"] = 100
		}
		if name == "prop" {
			question["metrics"] = []string{"events", "revenue"}
		}
		body, _ := json.Marshal(map[string]any{
			"website_id": 1, "questions": []any{question},
			"period": map[string]any{"from": time.Now().AddDate(0, 0, -120).Format(time.DateOnly), "to": time.Now().AddDate(0, 0, 1).Format(time.DateOnly)},
		})
		var answer map[string]any
		if err := json.Unmarshal([]byte(r.ask(key, string(body))), &answer); err != nil {
			t.Fatal(err)
		}
		all[name] = answer["data"]
	}
	return all
}

// ask asks a question of a service.
func (r *running) ask(key, body string) string {
	r.t.Helper()
	req, err := http.NewRequest("POST", r.url+"/api/v1/query", strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		r.t.Fatalf("%s is %d %s, %v", body, answer.StatusCode, content, err)
	}
	return string(content)
}

// What goes out of one installation and into another gives the same answers: beside a service and without one, in both formats.
func TestEventsMoveFromOneInstallationToAnother(t *testing.T) {
	first := &running{t: t, dir: t.TempDir()}
	key := installation(t, first.dir)
	file := imported(t)
	if said := first.command(0, "", "import", "example.com", file); !strings.Contains(said, "3000 lines: 3000 events, 0 that") {
		t.Errorf("import said %q", said)
	}
	if said := first.command(1, "", "import", "example.com", file); !strings.Contains(said, "was imported before") {
		t.Errorf("the second import said %q", said)
	}
	service := startService(t, first.dir)
	want := answers(t, service, key)
	if !strings.Contains(fmt.Sprint(want[""]), "revenue") {
		t.Fatalf("answers are %v", want[""])
	}
	if said := service.command(1, "", "import", "example.com", file); !strings.Contains(said, "--url") {
		t.Errorf("beside a service import said %q", said)
	}

	out := filepath.Join(t.TempDir(), "out.csv")
	if said := service.command(0, "", "export", "example.com", out); !strings.Contains(said, "3000 events") {
		t.Errorf("export said %q", said)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	packed := filepath.Join(t.TempDir(), "out.jsonl.gz")
	service.command(0, "", "export", "example.com", packed, "--format", "jsonl")

	second := startService(t, t.TempDir())
	otherKey := installation(t, second.dir)
	if said := second.command(0, "", "import", "example.com", out, "--url", second.url, "--key", otherKey); !strings.Contains(said, "3000 events") {
		t.Errorf("import through the service said %q", said)
	}
	if said := second.command(1, "", "import", "example.com", out, "--url", second.url, "--key", otherKey); !strings.Contains(said, "was imported before") {
		t.Errorf("the second import said %q", said)
	}
	second.until(t, otherKey, want)

	third := &running{t: t, dir: t.TempDir()}
	thirdKey := installation(t, third.dir)
	third.command(0, "", "import", "example.com", packed, "--format", "jsonl")
	startService(t, third.dir).until(t, thirdKey, want)

	if left, _ := filepath.Glob(filepath.Join(first.dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// until waits for answers: what was accepted is in the store soon after.
func (r *running) until(t *testing.T, key string, want map[string]any) {
	t.Helper()
	var diff string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if diff = cmp.Diff(want, answers(t, r, key)); diff == "" {
			return
		}
	}
	t.Errorf("answers differ (-want +got):\n%s", diff)
}

func TestExportOfAnEmptyWebsiteHasAHead(t *testing.T) {
	r := &running{t: t, dir: t.TempDir()}
	installation(t, r.dir)
	if said := r.command(0, "", "export", "example.com", "-"); said != strings.Join(port.Columns, ",")+"\r\n" {
		t.Errorf("it is %q", said)
	}
}

func TestExportRemovesWhatAKilledOneLeft(t *testing.T) {
	r := &running{t: t, dir: t.TempDir()}
	installation(t, r.dir)
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"copy-1.tmp", "copy-2.tmp"} {
		if err := os.Mkdir(filepath.Join(r.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := lockDir(filepath.Join(r.dir, "copy-2.tmp")) // it goes on
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for _, name := range []string{"copy-1.tmp", "copy-2.tmp"} {
		if err := os.Chtimes(filepath.Join(r.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	r.command(0, "", "export", "example.com", "-")
	left, _ := filepath.Glob(filepath.Join(r.dir, "*.tmp"))
	if len(left) != 1 || filepath.Base(left[0]) != "copy-2.tmp" {
		t.Errorf("left are %v", left)
	}
}

func TestExportTakesADayAndTheNext(t *testing.T) {
	r := &running{t: t, dir: t.TempDir()}
	installation(t, r.dir)
	file := filepath.Join(t.TempDir(), "in.csv")
	text := "time\n2026-01-01T10:00:00Z\n2026-01-02T10:00:00Z\n2026-01-03T10:00:00Z\n2026-01-04T10:00:00Z\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.command(0, "", "import", "example.com", file)
	said := r.command(0, "", "export", "example.com", "-", "--from", "2026-01-02", "--to", "2026-01-03", "--format", "jsonl")
	if strings.Count(said, "\n") != 2 || !strings.Contains(said, `{"day":"2026-01-02","visitor":1,"time":"2026-01-02T10:00:00.000Z","offset":0,"kind":"pageview"}`) {
		t.Errorf("it is %q", said)
	}
}

func TestCommandsThatMoveEventsSayWhatIsWrong(t *testing.T) {
	r := &running{t: t, dir: t.TempDir()}
	installation(t, r.dir)
	file := imported(t)
	for want, args := range map[string][]string{
		"No website":                {"export", "other.example", "-"},
		"csv, jsonl":                {"export", "example.com", "-", "--format", "log"},
		"must not be after":         {"export", "example.com", "-", "--from", "2026-02-01", "--to", "2026-01-01"},
		"csv, jsonl, goatcounter":   {"import", "example.com", file, "--format", "xml"},
		"needs an API key":          {"import", "example.com", file, "--url", "http://127.0.0.1:1"},
		"read the file":             {"import", "example.com", file + "x"},
		"it must be a file":         {"import", "example.com", r.dir},
		"This is no export of Goat": {"import", "example.com", file, "--format", "goatcounter"},
	} {
		if said := r.command(1, "", args...); !strings.Contains(said, want) {
			t.Errorf("%v said %q, want %q", args, said, want)
		}
	}
}

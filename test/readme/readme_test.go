// Package readme_test does what the README tells a stranger to do, and holds what it shows to what happens.
//
// In a console block a line that begins with "$ " is a command, and what follows it is the answer. An ellipsis in an answer
// stands for anything, and "ffk_…" in a command for the key that was printed last. An answer in JSON may go on on further
// lines. Times are compared by their form alone.
package readme_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "footfall/internal/app" // so that a change of the service makes the tests run again
)

const root = "../.."

func TestReadmeShowsWhatHappens(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := parse(string(readme))
	if len(examples) < 25 {
		t.Fatalf("found %d commands", len(examples))
	}
	r := newReader(t)
	for _, e := range examples {
		got := r.do(e)
		if !matches(e.answer, got) {
			t.Errorf("%s\nanswers\n%s\nand the README shows\n%s", e.command, got, e.answer)
		}
	}
	r.stop()
}

func TestReadmeAsksEachStatisticOfTheInterface(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for _, e := range parse(string(readme)) {
		commands = append(commands, e.command)
	}
	for _, name := range []string{
		"browser", "campaign", "city", "continent", "country", "device", "event", "landing_page", "language", "os", "page", "pageviews",
		"pageviews_hours", "referrer", "resolution", "visitors", "visitors_hours",
	} {
		if !slices.Contains(commands, "stats "+name) {
			t.Errorf("%s is not asked", name)
		}
	}
}

func TestAnswersThatDifferAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		shown, got string
		match      bool
	}{
		"the same":                 {`{"count":1}`, `{"count":1}`, true},
		"another number":           {`{"count":1}`, `{"count":2}`, false},
		"more than is shown":       {`{"count":1}`, `{"count":1,"code":"DE"}`, false},
		"less than is shown":       {`{"count":1,"code":"DE"}`, `{"count":1}`, false},
		"left out in the middle":   {`{"data":[1,…],"total":3}`, `{"data":[1,2,3],"total":3}`, true},
		"another after the gap":    {`{"data":[1,…],"total":3}`, `{"data":[1,2,3],"total":4}`, false},
		"another order":            {`{…"b":2,…"a":1…}`, `{"a":1,"b":2}`, false},
		"on two lines":             {"{\"a\":1,\n \"b\":2}", `{"a":1,"b":2}`, true},
		"a text on two lines":      {"a\nb", "a b", false},
		"another time":             {`{"at":"2026-01-02T03:04:05Z"}`, `{"at":"2027-11-12T13:14:15Z"}`, true},
		"no time":                  {`{"at":"2026-01-02T03:04:05Z"}`, `{"at":null}`, false},
		"another date":             {`{"value":"2026-01-02"}`, `{"value":"2026-01-03"}`, false},
		"nothing shown and given":  {"", "", true},
		"nothing shown, an answer": {"", "oh", false},
	} {
		t.Run(name, func(t *testing.T) {
			if matches(c.shown, c.got) != c.match {
				t.Errorf("%s shown for %s: match is %t", c.shown, c.got, !c.match)
			}
		})
	}
}

// An example is a command with the answer that is shown.
type example struct{ command, answer string }

func parse(readme string) []example {
	var all []example
	in := false
	for line := range strings.Lines(readme) {
		line = strings.TrimRight(line, "\n")
		command, ok := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			in = line == "```console"
		case in && ok:
			all = append(all, example{command: command})
		case in:
			last := &all[len(all)-1]
			last.answer = strings.TrimPrefix(last.answer+"\n"+line, "\n")
		}
	}
	return all
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

func matches(shown, got string) bool {
	if strings.HasPrefix(shown, "{") {
		lines := strings.Split(shown, "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		shown = strings.Join(lines, "")
	}
	pattern := regexp.QuoteMeta(stamp.ReplaceAllLiteralString(shown, "TIME"))
	pattern = "^" + strings.ReplaceAll(pattern, "…", ".*") + "$"
	return regexp.MustCompile(pattern).MatchString(stamp.ReplaceAllLiteralString(strings.TrimSpace(got), "TIME"))
}

// A reader is somebody who follows the README: in one shell, with services in other terminals.
type reader struct {
	t        *testing.T
	dir      string
	environ  []string
	in       io.Writer
	out      *bufio.Reader
	key      string            // that was printed last
	places   map[string]string // addresses, as they are shown and as they are
	services []*process
}

func newReader(t *testing.T) *reader {
	r := &reader{t: t, dir: t.TempDir(), places: map[string]string{}}
	temp := filepath.Join(r.dir, "temp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	r.environ = append(slices.DeleteFunc(os.Environ(), isOurs), "no_proxy=127.0.0.1", "BIN="+filepath.Join(r.dir, "footfall"), "TMPDIR="+temp,
		"FOOTFALL_LISTEN=127.0.0.1:0", "FOOTFALL_DATA_DIR="+filepath.Join(r.dir, "footfall-data"))
	shell := exec.Command("bash", "-e")
	shell.Dir, shell.Env = r.dir, r.environ
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.Stderr = shell.Stdout
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	r.in, r.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		in.Close()
		shell.Wait()
		r.stop()
	})
	return r
}

// isOurs tells whether a variable would change what a stranger sees: our settings, and those of a make around the tests.
func isOurs(variable string) bool {
	return strings.HasPrefix(variable, "FOOTFALL_") || strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS")
}

var printedKey = regexp.MustCompile(`ffk_[0-9a-f]{64}`)

// do runs a command and returns its answer, with addresses as the README shows them.
func (r *reader) do(e example) string {
	r.t.Helper()
	if strings.HasPrefix(e.command, "make run") || strings.HasPrefix(e.command, "./footfall demo") {
		return r.serve(e)
	}
	command := strings.ReplaceAll(e.command, "ffk_…", r.key)
	for shown, real := range r.places {
		command = strings.ReplaceAll(command, shown, real)
	}
	const end = "-- end of answer --"
	fmt.Fprintf(r.in, "%s\necho; echo '%s'\n", command, end)
	var answer strings.Builder
	for {
		line, err := r.out.ReadString('\n')
		if err != nil {
			r.t.Fatalf("%s ends with %v: %s", e.command, err, answer.String())
		}
		if strings.TrimSpace(line) == end {
			break
		}
		answer.WriteString(line)
	}
	return r.asShown(answer.String())
}

func (r *reader) asShown(answer string) string {
	for shown, real := range r.places {
		answer = strings.ReplaceAll(answer, real, shown)
	}
	return strings.TrimSpace(answer)
}

var address = regexp.MustCompile(`Footfall listens on http://(\S+)`)

// serve starts a service in the background and returns what it has printed when it has printed as many lines as are shown.
func (r *reader) serve(e example) string {
	r.t.Helper()
	where := address.FindStringSubmatch(e.answer)
	if where == nil {
		r.t.Fatalf("%s: its address is not shown", e.command)
	}
	dir := r.dir
	if strings.HasPrefix(e.command, "make") {
		dir = root
	}
	p := startProcess(r.t, dir, r.environ, strings.ReplaceAll(e.command, where[1], "127.0.0.1:0"))
	r.services = append(r.services, p)
	for range 6000 {
		if strings.Count(p.out.String(), "\n") > strings.Count(e.answer, "\n") {
			break
		}
		select {
		case <-p.ended:
			r.t.Fatalf("%s ended: %s", e.command, p.out.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	printed := p.out.String()
	real := address.FindStringSubmatch(printed)
	if real == nil {
		r.t.Fatalf("%s printed %s", e.command, printed)
	}
	r.places[where[1]] = real[1]
	if key := printedKey.FindString(printed); key != "" {
		r.key = key
	}
	return r.asShown(printed)
}

// stop stops the services. The demo must leave nothing behind.
func (r *reader) stop() {
	for _, p := range r.services {
		p.stop()
	}
	if r.services == nil {
		return
	}
	r.services = nil
	if left, _ := filepath.Glob(filepath.Join(r.dir, "temp", "footfall-demo-*")); len(left) > 0 {
		r.t.Errorf("the demo left %v", left)
	}
}

// A process is a command in another terminal.
type process struct {
	cmd   *exec.Cmd
	out   output
	ended chan struct{}
}

func startProcess(t *testing.T, dir string, environ []string, command string) *process {
	t.Helper()
	p := &process{cmd: exec.Command("bash", "-c", command), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = dir, environ, &p.out, &p.out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that make and what it runs end together
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.cmd.Wait()
		close(p.ended)
	}()
	return p
}

func (p *process) stop() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.ended
	}
}

// output is what a process has printed so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// Package program runs the real binary for the tests of the whole system: it is built as it is shipped, and spoken to as
// anybody would, over HTTP, at the command line and by signals.
package program

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// readyWithin is how long a start may take, on a busy machine under test.
const readyWithin = 30 * time.Second

// built is a binary that is built already.
func built() string { return os.Getenv("FOOTFALL_BINARY") }

var build = sync.OnceValues(func() (string, error) {
	if err := look(); err != nil {
		return "", err
	}
	if b := built(); b != "" {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "footfall-program-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "footfall")
	cmd := exec.Command("go", "build", "-trimpath", "-o", binary, "footfall")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return binary, nil
})

// look looks at the binary, or at all that it is built of, so that go test knows what a result depends on: else it would
// remember one that was of another binary.
func look() error {
	if b := built(); b != "" {
		_, err := os.Stat(b)
		return err
	}
	return filepath.WalkDir(filepath.Join("..", "..", "..", "internal"), func(_ string, _ os.DirEntry, err error) error { return err })
}

// Main runs the tests of a package, and removes the binary that was built for them. It is all that a TestMain does.
func Main(m *testing.M) {
	status := m.Run()
	if binary, err := build(); err == nil && built() == "" {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(status)
}

func binary(t testing.TB) string {
	t.Helper()
	b, err := build()
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	return b
}

// environ is the test's environment without settings of the program.
func environ() []string {
	var kept []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOOTFALL_") {
			kept = append(kept, v)
		}
	}
	return kept
}

// Run runs a command on a data directory to its end.
func Run(t testing.TB, dir, in string, args ...string) (status int, out string) {
	t.Helper()
	cmd := exec.Command(binary(t), append(args, "--data-dir", dir)...)
	cmd.Env = environ()
	cmd.Stdin = strings.NewReader(in)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

// Must runs a command that has to succeed and returns what it printed.
func Must(t testing.TB, dir, in string, args ...string) string {
	t.Helper()
	status, out := Run(t, dir, in, args...)
	if status != 0 {
		t.Fatalf("footfall %s is %d: %s", strings.Join(args, " "), status, out)
	}
	return strings.TrimSpace(out)
}

// A Service is a running footfall serve.
type Service struct {
	URL string

	cmd    *exec.Cmd
	log    output
	ended  chan struct{}
	stdout output
}

// Serve starts the service on a data directory and returns when it is ready. It is killed when the test ends.
func Serve(t testing.TB, dir string, args ...string) *Service {
	t.Helper()
	s := &Service{ended: make(chan struct{})}
	s.cmd = exec.Command(binary(t), append([]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Env = environ()
	s.cmd.Stdout, s.cmd.Stderr = &s.stdout, &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.cmd.Wait() // how it ended is in its state
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		<-s.ended
	})
	address := regexp.MustCompile(`Footfall listens on (\S+)\n`)
	for start := time.Now(); time.Since(start) < readyWithin; time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.ended:
			t.Fatalf("serve ended: %s%s", s.stdout.String(), s.log.String())
		default:
		}
		if m := address.FindStringSubmatch(s.stdout.String()); m != nil {
			s.URL = m[1]
			if answer, err := http.Get(s.URL + "/readyz"); err == nil {
				answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					return s
				}
			}
		}
	}
	t.Fatalf("not ready within %v: %s%s", readyWithin, s.stdout.String(), s.log.String())
	return nil
}

// Log is what it has logged so far.
func (s *Service) Log() string { return s.log.String() }

// PID is the id of its process.
func (s *Service) PID() int { return s.cmd.Process.Pid }

// Signal sends it a signal.
func (s *Service) Signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Error(err)
	}
}

// Wait waits until it has ended, and tells its exit status. It fails the test if that takes too long.
func (s *Service) Wait(t testing.TB, within time.Duration) (status int) {
	t.Helper()
	select {
	case <-s.ended:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(within):
		s.cmd.Process.Kill()
		<-s.ended
		t.Errorf("it has not ended within %v", within)
		return -1
	}
}

// Get asks for a path with a key.
func (s *Service) Get(t testing.TB, key, path string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest("GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// output is what a process prints.
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

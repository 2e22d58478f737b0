package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A person types at one end of a pseudo-terminal, and sees what it shows.
type person struct {
	keyboard *os.File
	screen   screen
}

type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// sit puts a person in front of a terminal, whose other end a command reads.
func sit(t *testing.T) (*person, *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("there is no pseudo-terminal: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); keyboard.Close() })
	p := &person{keyboard: keyboard}
	go func() {
		b := make([]byte, 256)
		for {
			n, err := keyboard.Read(b)
			if err != nil {
				return
			}
			p.screen.Write(b[:n])
		}
	}()
	return p, in
}

// echoes tells whether the terminal shows what is typed.
func echoes(t *testing.T, f *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// waitFor waits for something that another goroutine does.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s", what)
		}
	}
}

func TestPasswordIsNotShownWhileItIsTyped(t *testing.T) {
	p, in := sit(t)
	for name, c := range map[string]struct{ first, second, password, mistake string }{
		"the same twice": {"open sesame", "open sesame", "open sesame", ""},
		"two passwords":  {"open sesame", "open thyme", "", "two passwords"},
		"nothing":        {"", "", "", "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked screen
			type result struct {
				password string
				err      error
			}
			done := make(chan result, 1)
			go func() {
				password, err := readPassword(t.Context(), &terminal{in: in, err: &asked})
				done <- result{password, err}
			}()
			for _, turn := range []struct{ prompt, line string }{{"Password: ", c.first}, {"The same again: ", c.second}} {
				waitFor(t, turn.prompt, func() bool { return strings.HasSuffix(asked.String(), turn.prompt) && !echoes(t, in) })
				fmt.Fprintln(p.keyboard, turn.line)
			}
			got := <-done
			if got.password != c.password || (got.err == nil) != (c.mistake == "") || got.err != nil && !strings.Contains(got.err.Error(), c.mistake) {
				t.Errorf("the password is %q, %v", got.password, got.err)
			}
			if seen := p.screen.String() + asked.String(); strings.Contains(seen, "sesame") || strings.Contains(seen, "thyme") {
				t.Errorf("the screen shows %q", seen)
			}
			if !echoes(t, in) {
				t.Error("the terminal shows nothing any more")
			}
		})
	}
}

func TestTerminalIsAsBeforeWhenThePasswordIsGivenUp(t *testing.T) {
	p, in := sit(t)
	ctx, stop := context.WithCancel(t.Context())
	var asked screen
	done := make(chan error, 1)
	go func() {
		_, err := readPassword(ctx, &terminal{in: in, err: &asked})
		done <- err
	}()
	waitFor(t, "the prompt", func() bool { return strings.HasSuffix(asked.String(), "Password: ") && !echoes(t, in) })
	stop()
	if err := <-done; err == nil {
		t.Error("a password was read")
	}
	if !echoes(t, in) {
		t.Error("the terminal shows nothing any more")
	}
	fmt.Fprintln(p.keyboard) // lets the reader go
}

package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress tells on standard error how far a long step is: one line that changes on a terminal, a line every five
// seconds elsewhere.
type progress struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	name  string
	total int
	first int // what was done when it was first told
	began time.Time
	told  time.Time
}

func newProgress() *progress {
	info, err := os.Stderr.Stat()
	return &progress{out: os.Stderr, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// begin names the step and says how much there is to do; 0 if that is not known.
func (p *progress) begin(name string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.name, p.total, p.first = name, total, -1
	p.began = time.Now()
	p.told = p.began
	p.tell("")
}

// set says how much is done.
func (p *progress) set(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first < 0 {
		p.first = done
	}
	every := 5 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if time.Since(p.told) < every {
		return
	}
	p.told = time.Now()
	rate := float64(done-p.first) / time.Since(p.began).Seconds()
	if p.total == 0 {
		p.tell(fmt.Sprintf(": %s, %s/s", count(done), count(int(rate))))
		return
	}
	p.tell(fmt.Sprintf(": %s of %s, %s/s", count(done), count(p.total), count(int(rate))))
}

func (p *progress) tell(what string) {
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s%s", p.name, what)
		return
	}
	fmt.Fprintf(p.out, "%s%s\n", p.name, what)
}

// end clears the line.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// count is a number with its thousands apart.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

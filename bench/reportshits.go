package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A hitStream sends hits at a steady rate, whatever becomes of them: how long one takes is counted from when it was to be sent,
// so that one that is slow does not hide those that wait behind it.
type hitStream struct {
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu     sync.Mutex
	hits   []timedHit
	failed error
}

type timedHit struct {
	due  time.Time
	took time.Duration
}

// A latency is how long hits took.
type latency struct {
	hits     int
	p50, p99 time.Duration
	longest  time.Duration
}

// hitSenders have a connection each.
const hitSenders = 32

func startHits(ctx context.Context, url string, rate, websites int) *hitStream {
	ctx, cancel := context.WithCancel(ctx)
	s := &hitStream{cancel: cancel}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: hitSenders}}
	began, apart := time.Now(), time.Second/time.Duration(rate)
	for i := range hitSenders {
		s.done.Go(func() {
			for n := i; ; n += hitSenders {
				due := began.Add(time.Duration(n) * apart)
				if wait(ctx, time.Until(due)) != nil {
					return
				}
				err := postHit(ctx, client, url, n, websites)
				if ctx.Err() != nil {
					return
				}
				s.add(timedHit{due, time.Since(due)}, err)
			}
		})
	}
	return s
}

func (s *hitStream) add(h timedHit, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits = append(s.hits, h)
	if s.failed == nil {
		s.failed = err
	}
}

// stop ends it, and tells whether a hit was not taken.
func (s *hitStream) stop() error {
	s.cancel()
	s.done.Wait()
	return s.failed
}

// A window is a stretch of time.
type window struct{ from, to time.Time }

// in is the latency of hits that were due in one of some windows.
func (s *hitStream) in(windows []window) latency {
	s.mu.Lock()
	defer s.mu.Unlock()
	var took []time.Duration
	for _, h := range s.hits {
		if slices.ContainsFunc(windows, func(w window) bool { return !h.due.Before(w.from) && h.due.Before(w.to) }) {
			took = append(took, h.took)
		}
	}
	slices.Sort(took)
	n := len(took)
	if n == 0 {
		return latency{}
	}
	return latency{n, took[n/2], took[n*99/100], took[n-1]}
}

// postHit sends what a browser would.
func postHit(ctx context.Context, client *http.Client, url string, n, websites int) error {
	domain := fmt.Sprintf("site%d.example", n%websites+1)
	body := fmt.Sprintf(`{"n":"pageview","d":%q,"u":"https://%s/blog/page-%d?utm_source=news","r":"https://www.google.com/","s":"1920x1080","l":"de"}`, domain, domain, n%500)
	r, err := http.NewRequestWithContext(ctx, "POST", url+"/api/event", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", benchAgent)
	r.Header.Set("Accept-Language", "de")
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("81.%d.%d.7", n>>8&255, n&255))
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusAccepted || answer.Header.Get("X-Dropped") != "") {
		err = fmt.Errorf("%s %s, dropped %q", answer.Status, said, answer.Header.Get("X-Dropped"))
	}
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// A mailbox is an SMTP server that says nothing while it is shut, as it is at first, so that whoever sends has to wait. It takes
// everything, looks at nothing, and tells when it came.
type mailbox struct {
	listener net.Listener
	shut     sync.RWMutex // who answers has it for reading
	mails    chan time.Time
}

func openMailbox() (*mailbox, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailbox{listener: l, mails: make(chan time.Time, 10_000)}
	m.shut.Lock()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go m.answer(conn)
		}
	}()
	return m, nil
}

func (m *mailbox) close() error { return m.listener.Close() }

func (m *mailbox) port() int { return m.listener.Addr().(*net.TCPAddr).Port }

// lull is how long a report that has begun may go on after the mailbox was shut.
const lull = 300 * time.Millisecond

// receive waits for so many emails. It is open and shut in turns, for a while each; busy are the windows in which reports were
// built and sent, and calm those between them.
func (m *mailbox) receive(ctx context.Context, n int, turn time.Duration) (busy, calm []window, err error) {
	late := time.Now().Add(5 * time.Minute)
	for received := 0; ; {
		began := time.Now()
		m.shut.Unlock()
		end := time.After(turn)
		for open := true; open && received < n; {
			select {
			case <-m.mails:
				received++
			case <-end:
				open = false
			case <-ctx.Done():
				return nil, nil, ctx.Err()
			}
		}
		m.shut.Lock()
		busy = append(busy, window{began, time.Now()})
		if err := wait(ctx, lull); err != nil {
			return nil, nil, err
		}
		began = time.Now()
		if err := wait(ctx, turn); err != nil {
			return nil, nil, err
		}
		calm = append(calm, window{began, time.Now()})
		if received == n {
			return busy, calm, nil
		}
		if time.Now().After(late) {
			return nil, nil, fmt.Errorf("%d of %d emails came within 5 minutes", received, n)
		}
	}
}

// greet waits until the mailbox is open.
func (m *mailbox) greet() {
	m.shut.RLock()
	m.shut.RUnlock()
}

func (m *mailbox) answer(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewReaderSize(conn, 64<<10)
	say := func(text string) { io.WriteString(conn, text+"\r\n") }
	m.greet()
	say("220 mailbox.example")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		switch word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " "); word {
		case "DATA":
			say("354 go on")
			if m.read(lines) != nil {
				return
			}
			m.mails <- time.Now()
			m.greet() // one connection may bring many
			say("250 taken")
		case "QUIT":
			say("221 goodbye")
			return
		default:
			say("250 mailbox.example")
		}
	}
}

// read reads a message up to its dot.
func (m *mailbox) read(lines *bufio.Reader) error {
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if string(line) == ".\r\n" {
			return nil
		}
	}
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A service is a program that answers HTTP: the real one, or a bare handler.
type service struct {
	url string
	key string
	cmd *exec.Cmd
}

const (
	readyWithin  = 30 * time.Second
	metricsToken = "bench"
)

// serve starts the real program and returns when it is ready. Limits are there, but none can be reached.
func (r *httpReport) serve(ctx context.Context, dir string, flags ...string) (*service, error) {
	cmd := exec.CommandContext(ctx, r.settings.binary, append([]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0",
		"--rate-limit-address=60000000", "--rate-limit-key=60000000", "--metrics-token=" + metricsToken}, flags...)...)
	s, err := start(cmd, "Footfall listens on ")
	if err != nil {
		return nil, err
	}
	for began := time.Now(); time.Since(began) < readyWithin; time.Sleep(time.Millisecond) {
		if _, err = s.get(ctx, "/readyz"); err == nil {
			return s, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("not ready: %w", err), s.stop())
}

// start starts a program that says where it listens.
func start(cmd *exec.Cmd, says string) (*service, error) {
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &service{cmd: cmd}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, errors.Join(fmt.Errorf("it did not start: %w", err), s.stop())
		}
		if url, ok := strings.CutPrefix(line, says); ok {
			s.url = strings.TrimSpace(url)
			go io.Copy(io.Discard, lines) // until it ends
			return s, nil
		}
	}
}

// stop ends it; a second time it does nothing.
func (s *service) stop() error {
	if s.cmd.ProcessState != nil {
		return nil
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	return s.cmd.Wait()
}

// resident is its memory in MB.
func (s *service) resident() float64 {
	var kb int64
	fmt.Sscan(lineOf(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid), "VmRSS:"), &kb)
	return float64(kb) / (1 << 10)
}

// usage is what the machine has done so far; ours is what this process, the service, and the others that have ended did.
func (s *service) usage() usage {
	u := machineUsage()
	var children syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children) == nil {
		u.ours += time.Duration(children.Utime.Nano() + children.Stime.Nano())
	}
	const tick = time.Second / 100
	if _, after, ok := strings.Cut(lineOf(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid), ""), ") "); ok {
		if f := strings.Fields(after); len(f) > 12 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			u.ours += time.Duration(user+system) * tick
		}
	}
	return u
}

// memory notes its memory when it has had nothing to do for a while.
func (r *httpReport) memory(ctx context.Context, s *service, name string) error {
	select {
	case <-time.After(idleFor):
	case <-ctx.Done():
		return ctx.Err()
	}
	r.add(figure{Name: name, Value: s.resident(), Unit: "MB", Goal: idleGoal, Most: true})
	return nil
}

// events is how many events it holds.
func (s *service) events(ctx context.Context) (int, error) {
	as := &service{url: s.url, key: metricsToken}
	body, err := as.get(ctx, "/metrics")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(body)) {
		if text, ok := strings.CutPrefix(line, "footfall_store_events "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			return int(n), err
		}
	}
	return 0, errors.New("metrics do not tell how many events there are")
}

// startBare starts a bare handler in a process of its own, as the service is.
func startBare(ctx context.Context, bytes int) (*service, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(exec.CommandContext(ctx, exe, "bare", strconv.Itoa(bytes)), "bare handler listens on ")
}

// runBare answers every request with a fixed body, until ctx is done.
func runBare(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("bare: how many bytes?")
	}
	size, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	body := []byte(strings.Repeat("x", size))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("bare handler listens on http://%s\n", l.Addr())
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A round is one run of the load generator.
type round struct {
	perSecond float64
	p50, p99  time.Duration
}

// wrk asks for a URL as fast as it is answered.
func wrk(ctx context.Context, url, key string, seconds, connections int) (round, error) {
	out, err := exec.CommandContext(ctx, "wrk", "-t2", fmt.Sprint("-c", connections), fmt.Sprintf("-d%ds", seconds), "--latency",
		"-H", "Authorization: Bearer "+key, url).Output()
	if err != nil {
		return round{}, fmt.Errorf("wrk: %w", err)
	}
	return parseWrk(string(out))
}

// parseWrk reads what wrk prints. An answer that is none fails it.
func parseWrk(out string) (r round, err error) {
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		switch {
		case strings.Contains(line, "Non-2xx") || strings.Contains(line, "Socket errors"):
			return r, errors.New("wrk: " + strings.TrimSpace(line))
		case len(f) == 2 && f[0] == "50%":
			r.p50, err = time.ParseDuration(f[1])
		case len(f) == 2 && f[0] == "99%":
			r.p99, err = time.ParseDuration(f[1])
		case len(f) == 2 && f[0] == "Requests/sec:":
			r.perSecond, err = strconv.ParseFloat(f[1], 64)
		}
		if err != nil {
			return r, fmt.Errorf("wrk: %w", err)
		}
	}
	if r.perSecond == 0 || r.p99 == 0 {
		return r, fmt.Errorf("wrk says nothing that is understood: %s", out)
	}
	return r, nil
}

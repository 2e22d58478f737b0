package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footfall/bench/traffic"
)

// httpSettings are the flags of the benchmark of the service.
type httpSettings struct {
	events      int
	seed        uint64
	dir         string
	results     string
	binary      string
	rounds      int
	seconds     int
	connections int
}

// A request is one that the service is asked for under load, with the goals of the service.
type request struct {
	name  string
	path  string
	ratio float64 // least of the bare handler's requests a second
	p99   time.Duration
}

// requests are asked about the biggest website. The year is that of the traffic.
func requests() []request {
	statistic := func(name string) request {
		year := url.Values{"name": {name}, "from": {yearFrom.String()}, "to": {(yearTo - 1).String()}}
		return request{name + ", 365 days", fmt.Sprintf("/api/v1/stats/%d?%s", traffic.Biggest, year.Encode()), 0.25, 20 * time.Millisecond}
	}
	return []request{
		statistic("page"), statistic("country"), statistic("pageviews"),
		{"list of websites", "/api/v1/websites", 0.4, 0},
		{"one website", fmt.Sprintf("/api/v1/websites/%d", traffic.Biggest), 0.4, 0},
	}
}

// Goals of the service.
const (
	idleGoal   = 40  // MB
	startGoal  = 300 // ms
	binaryGoal = 40  // MB
	starts     = 5
	idleFor    = 5 * time.Second // after which memory counts as idle
)

// runHTTP measures the real binary over HTTP, beside a bare handler.
func runHTTP(ctx context.Context, args []string) error {
	s, err := parseHTTP(args)
	if err != nil {
		return err
	}
	if err := needWrk(); err != nil {
		return err
	}
	done, err := workIn(&s.dir)
	if err != nil {
		return err
	}
	defer done()
	r := httpReport{settings: s}
	for _, step := range []func(context.Context, *httpReport) error{buildBinary, loadYear, measureStart, measureLoad} {
		if err := step(ctx, &r); err != nil {
			return err
		}
	}
	fmt.Print(r.String())
	if s.results != "" {
		return r.write()
	}
	return nil
}

func needWrk() error {
	if _, err := exec.LookPath("wrk"); err != nil {
		return errors.New("wrk is missing: install it with  ../tools/need wrk wrk")
	}
	return nil
}

func parseHTTP(args []string) (httpSettings, error) {
	var s httpSettings
	f := flag.NewFlagSet("bench http", flag.ExitOnError)
	f.IntVar(&s.events, "n", 20_000_000, "events to load")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the made-up traffic")
	f.StringVar(&s.dir, "dir", "", "directory for the data, which stays; what it holds already is used; default is a temporary one")
	f.StringVar(&s.results, "results", "", "directory to write the result to, as Markdown; default is not to")
	f.StringVar(&s.binary, "binary", "", "the program; default is to build it")
	f.IntVar(&s.rounds, "rounds", 3, "times that each request is measured, in turn with the bare handler")
	f.IntVar(&s.seconds, "seconds", 4, "length of a measurement")
	f.IntVar(&s.connections, "connections", 16, "that ask at the same time")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("arguments %q are not understood", f.Args())
	}
	if s.events < 1 || s.rounds < 1 || s.seconds < 1 || s.connections < 2 {
		return s, errors.New("-n, -rounds and -seconds must be positive, -connections at least 2")
	}
	return s, nil
}

func (s httpSettings) store() settings {
	return settings{events: s.events, seed: s.seed, dir: s.dir, rounds: 1, memoryLimit: 180 << 20, batch: 16, restartEvents: 1}
}

// buildBinary builds the program as it is shipped.
func buildBinary(ctx context.Context, r *httpReport) error {
	if r.settings.binary == "" {
		r.settings.binary = filepath.Join(r.settings.dir, "footfall")
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", r.settings.binary, "footfall")
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build: %w: %s", err, out)
		}
	}
	var err error
	if r.settings.binary, err = filepath.Abs(r.settings.binary); err != nil {
		return err
	}
	info, err := os.Stat(r.settings.binary)
	if err != nil {
		return err
	}
	size := info.Size()
	if places, err := os.Stat("../internal/collect/place/data/places.bin"); err == nil { // it is in the binary as it is
		size -= places.Size()
	}
	r.add(figure{Name: "size of the binary, without the places", Value: float64(size) / (1 << 20), Unit: "MB", Goal: binaryGoal, Most: true})
	return nil
}

// loadYear loads the year of traffic, unless the directory has events.
func loadYear(ctx context.Context, r *httpReport) error {
	s := r.settings.store()
	if files, err := filepath.Glob(filepath.Join(s.dataDir(), "events", "*.parquet")); err != nil || len(files) > 0 {
		return err
	}
	var loaded report
	if err := startPhase(ctx, s, "load", &loaded); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return nil
}

// measureStart starts the service on empty directories.
func measureStart(ctx context.Context, r *httpReport) error {
	var times []time.Duration
	for i := range starts {
		dir, err := os.MkdirTemp(r.settings.dir, "empty-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		began := time.Now()
		s, err := r.serve(ctx, dir)
		if err != nil {
			return err
		}
		times = append(times, time.Since(began))
		if i == starts-1 {
			if err := r.memory(ctx, s, "idle memory, empty"); err != nil {
				return errors.Join(err, s.stop())
			}
		}
		if err := s.stop(); err != nil {
			return err
		}
	}
	r.add(figure{Name: "start to ready, empty directory, median", Value: middle(times).Seconds() * 1000, Unit: "ms", Goal: startGoal, Most: true})
	return nil
}

// measureLoad asks the service on the year, and the bare handler in turn.
func measureLoad(ctx context.Context, r *httpReport) error {
	began := time.Now()
	s, err := r.serve(ctx, r.settings.store().dataDir())
	if err != nil {
		return err
	}
	r.add(figure{Name: "start to ready, with the year", Value: time.Since(began).Seconds() * 1000, Unit: "ms"})
	defer s.stop()
	if err := r.memory(ctx, s, "idle memory, with the year"); err != nil {
		return err
	}
	if err := s.prepare(ctx, r.settings.binary, r.settings.store().dataDir()); err != nil {
		return err
	}
	if r.events, err = s.events(ctx); err != nil {
		return err
	}
	before := s.usage()
	for _, q := range requests() {
		m, err := r.measure(ctx, s, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		r.measured = append(r.measured, m)
	}
	r.add(figure{Name: "others on the machine while asking", Value: s.usage().others(before), Unit: "%"})
	r.add(figure{Name: "memory after asking", Value: s.resident(), Unit: "MB"})
	return s.stop()
}

// A measured is what came of a request.
type measured struct {
	request
	bytes         int
	service, bare []round
}

// measure asks in turns, so that what else the machine does hits both.
func (r *httpReport) measure(ctx context.Context, s *service, q request) (measured, error) {
	m := measured{request: q}
	body, err := s.get(ctx, q.path)
	if err != nil {
		return m, err
	}
	m.bytes = len(body)
	bare, err := startBare(ctx, len(body))
	if err != nil {
		return m, err
	}
	defer bare.stop()
	for range r.settings.rounds {
		for of, target := range map[*[]round]string{&m.service: s.url + q.path, &m.bare: bare.url} {
			fmt.Fprintf(os.Stderr, "ask for %s: %s\n", q.name, strings.SplitN(target, "?", 2)[0])
			one, err := wrk(ctx, target, s.key, r.settings.seconds, r.settings.connections)
			if err != nil {
				return m, err
			}
			*of = append(*of, one)
		}
	}
	return m, nil
}

// ratio is the median of the rounds' ratios.
func (m measured) ratio() float64 {
	var all []float64
	for i := range m.service {
		all = append(all, m.service[i].perSecond/m.bare[i].perSecond)
	}
	return middle(all)
}

func of[T cmp.Ordered](rounds []round, value func(round) T) T {
	var all []T
	for _, r := range rounds {
		all = append(all, value(r))
	}
	return middle(all)
}

func middle[T cmp.Ordered](all []T) T {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

// get asks the service for a path.
func (s *service) get(ctx context.Context, path string) ([]byte, error) {
	return s.ask(ctx, "GET", path, "")
}

func (s *service) ask(ctx context.Context, method, path, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s %s is %s: %s", method, path, answer.Status, bytes.TrimSpace(b))
	}
	return b, err
}

// prepare makes an account with a key, and a website for each of the traffic's.
func (s *service) prepare(ctx context.Context, binary, dir string) error {
	const email = "bench@example.com"
	shell := func(in string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, binary, append(args, "--data-dir", dir)...)
		cmd.Stdin, cmd.Stderr = strings.NewReader(in), os.Stderr
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	users, err := shell("", "user", "list")
	if err != nil {
		return fmt.Errorf("list accounts: %w", err)
	}
	if !strings.Contains(users, email) {
		if _, err := shell("password of the bench\n", "user", "add", email); err != nil {
			return fmt.Errorf("add an account: %w", err)
		}
	}
	if s.key, err = shell("", "key", "add", email); err != nil {
		return fmt.Errorf("add a key: %w", err)
	}
	body, err := s.get(ctx, "/api/v1/websites")
	if err != nil {
		return err
	}
	var list struct{ Meta struct{ Total int } }
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	for i := list.Meta.Total; i < traffic.Websites; i++ {
		if _, err := s.ask(ctx, "POST", "/api/v1/websites", fmt.Sprintf("domain=site%d.example", i+1)); err != nil {
			return err
		}
	}
	return nil
}

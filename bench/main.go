// Bench loads a year of made-up traffic into the embedded store the way live traffic comes, asks it what dashboards ask,
// asks DuckDB the same about the same events, compares the answers and prints one table. With the word http first it asks
// the real program over HTTP instead, beside a bare handler (http.go). With the word collect it sends hits to it (collect.go), and
// with the word reports it lets it send reports meanwhile (reports.go).
//
// Every phase runs in a process of its own, so that a peak of memory is that phase's alone: the command starts itself
// again with -phase, and the phases write what they found as JSON lines on standard output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"

	"footfall/bench/traffic"
)

// settings are the flags.
type settings struct {
	events        int
	seed          uint64
	dir           string
	results       string
	only          string
	skipDuckDB    bool
	rounds        int
	memoryLimit   int64
	batch         int
	restart       bool
	restartEvents int
	questions     string
	profile       string
	phase         string
}

// A phase is a part of the run. It tells what it finds to out.
type phase struct {
	name string
	run  func(ctx context.Context, s settings, out *output) error
}

// phases are in the order in which they run.
var phases = []phase{
	{"journal", appendDurably},
	{"load", load},
	{"ask", ask},
	{"fill", fill},
	{"restart", restart},
	{"duckdb-load", loadDuck},
	{"duckdb", askDuck},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "http":
			return runHTTP(ctx, args[1:])
		case "collect":
			return runCollect(ctx, args[1:])
		case "reports":
			return runReports(ctx, args[1:])
		case "bare-collect": // internal: what collect compares with
			return runBareCollect(ctx)
		case "bare": // internal: what http compares with
			return runBare(ctx, args[1:])
		}
	}
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.phase != "" {
		return runPhase(ctx, s)
	}
	done, err := workIn(&s.dir)
	if err != nil {
		return err
	}
	defer done()
	r := report{settings: s}
	for _, p := range phases {
		if !s.wants(p.name) {
			continue
		}
		if err := startPhase(ctx, s, p.name, &r); err != nil {
			return fmt.Errorf("phase %s: %w", p.name, err)
		}
	}
	text := r.String()
	fmt.Print(text)
	if s.results != "" {
		if err := r.write(s.results); err != nil {
			return err
		}
	}
	if n := len(r.differences()); n > 0 {
		return fmt.Errorf("%d answers differ from DuckDB's", n)
	}
	return nil
}

// workIn makes a temporary directory where none was named. What it returns removes that.
func workIn(dir *string) (done func() error, err error) {
	if *dir != "" {
		return func() error { return nil }, nil
	}
	if *dir, err = os.MkdirTemp("", "footfall-bench-"); err != nil {
		return nil, err
	}
	return func() error { return os.RemoveAll(*dir) }, nil
}

func parse(args []string) (settings, error) {
	var s settings
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	f.IntVar(&s.events, "n", 20_000_000, "events to load")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the made-up traffic")
	f.StringVar(&s.dir, "dir", "", "empty or new directory for the data, which stays; default is a temporary one that is removed")
	f.StringVar(&s.results, "results", "", "directory to write the result to, as Markdown; default is not to")
	f.StringVar(&s.only, "only", "", "phases to run, of journal, load, ask, restart, duckdb, with commas; with -dir, ask and duckdb use what is there")
	f.BoolVar(&s.skipDuckDB, "skip-duckdb", false, "do not compare with DuckDB")
	f.IntVar(&s.rounds, "rounds", 15, "times that each question is asked after warming up, within 10 s")
	f.Int64Var(&s.memoryLimit, "memory-limit", 180<<20, "soft limit of the Go heap in bytes, as the service sets it by default; 0 is none")
	f.IntVar(&s.batch, "batch", 16, "events that one of the 64 writers appends to the journal in one call while loading")
	f.BoolVar(&s.restart, "restart", true, "measure a restart within a large day")
	f.IntVar(&s.restartEvents, "restart-n", 10_000_000, "events of that day")
	f.StringVar(&s.questions, "questions", "", "ask only those whose name matches this regular expression")
	f.StringVar(&s.profile, "profile", "", "file to write a CPU profile of the last phase to")
	f.StringVar(&s.phase, "phase", "", "internal: run one phase and write JSON lines")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("arguments %q are not understood", f.Args())
	}
	if s.events < 1 || s.rounds < 1 || s.batch < 1 || s.restartEvents < 1 {
		return s, errors.New("-n, -rounds, -batch and -restart-n must be positive")
	}
	if _, err := regexp.Compile(s.questions); err != nil {
		return s, fmt.Errorf("-questions: %w", err)
	}
	for name := range strings.SplitSeq(s.only, ",") {
		if name != "" && !slices.ContainsFunc(phases, func(p phase) bool { return p.name == name }) {
			return s, fmt.Errorf("-only: there is no phase %q", name)
		}
	}
	return s, nil
}

// wants tells whether a phase is to run.
func (s settings) wants(name string) bool {
	switch name {
	case "fill":
		name = "restart"
	case "duckdb-load":
		name = "duckdb"
	}
	if name == "duckdb" && s.skipDuckDB || name == "restart" && !s.restart {
		return false
	}
	return s.only == "" || slices.Contains(strings.Split(s.only, ","), name)
}

// traffic is the year that is loaded.
func (s settings) traffic() traffic.Options {
	return traffic.Options{Seed: s.seed, Events: s.events, From: yearFrom, Days: int(yearTo - yearFrom)}
}

// startPhase runs a phase in a process of its own and takes in what it writes.
func startPhase(ctx context.Context, s settings, name string, r *report) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, exe, "-phase", name, "-dir", s.dir,
		fmt.Sprint("-n=", s.events), fmt.Sprint("-seed=", s.seed), fmt.Sprint("-rounds=", s.rounds),
		fmt.Sprint("-memory-limit=", s.memoryLimit), fmt.Sprint("-batch=", s.batch),
		fmt.Sprint("-restart-n=", s.restartEvents), "-questions="+s.questions, "-profile="+s.profile)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	return errors.Join(r.read(pipe), cmd.Wait())
}

func runPhase(ctx context.Context, s settings) error {
	i := slices.IndexFunc(phases, func(p phase) bool { return p.name == s.phase })
	if i < 0 {
		return fmt.Errorf("there is no phase %q", s.phase)
	}
	if s.memoryLimit > 0 && !strings.HasPrefix(s.phase, "duckdb") {
		debug.SetMemoryLimit(s.memoryLimit)
	}
	out := &output{enc: json.NewEncoder(os.Stdout), progress: newProgress()}
	defer out.progress.end()
	stop, err := startProfile(s.profile)
	if err != nil {
		return err
	}
	before := machineUsage()
	if err := errors.Join(phases[i].run(ctx, s, out), stop()); err != nil {
		return err
	}
	return out.figures(figure{Name: "others on the machine, " + s.phase, Value: machineUsage().others(before), Unit: "%"})
}

// startProfile writes a CPU profile to a file until stop is called; no name is no profile.
func startProfile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// output is what a phase finds, and how far it is.
type output struct {
	enc      *json.Encoder
	progress *progress
}

// A finding is a line of output: one of both.
type finding struct {
	Figure *figure `json:",omitempty"`
	Timing *timing `json:",omitempty"`
}

func (o *output) figures(figures ...figure) error {
	for _, f := range figures {
		if err := o.enc.Encode(finding{Figure: &f}); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) timing(t timing) error { return o.enc.Encode(finding{Timing: &t}) }

// memory tells the peak of memory since resetPeak.
func (o *output) memory(name string, goal float64) error {
	return o.figures(figure{Name: name, Value: float64(peakMemory()) / (1 << 20), Unit: "MB", Goal: goal, Most: true})
}

func (r *report) read(from io.Reader) error {
	dec := json.NewDecoder(from)
	for {
		var f finding
		err := dec.Decode(&f)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read findings: %w", err)
		case f.Figure != nil:
			r.figures = append(r.figures, *f.Figure)
		case f.Timing != nil:
			r.timings = append(r.timings, *f.Timing)
		}
	}
}

// The directories of a run.
func (s settings) dataDir() string    { return filepath.Join(s.dir, "data") }
func (s settings) openDayDir() string { return filepath.Join(s.dir, "open-day") }
func (s settings) journalDir() string { return filepath.Join(s.dir, "journal") }
func (s settings) duckDir() string    { return filepath.Join(s.dir, "duckdb") }

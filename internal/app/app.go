// Package app is the program: what can be set (config.go), what can be typed (commands.go), what runs by itself (jobs.go),
// and the order in which all is opened and closed (open.go).
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"footfall/internal/fault"
)

// A terminal is what a command has besides its settings.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
}

// Main runs the program and returns its exit status: 0, 1 if what was asked for did not work, 2 if it was not understood.
// It ends early, in good order, on SIGINT and SIGTERM; a second one ends it at once.
func Main(args, environ []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, args, environ, &terminal{in: in, out: out, err: errOut})
}

// run runs a command until ctx is done.
func run(ctx context.Context, args, environ []string, t *terminal) int {
	c, rest := findCommand(args)
	if c == nil {
		if len(args) > 0 {
			fmt.Fprintf(t.err, "footfall: there is no command %q. These there are:\n\n", strings.Join(args, " "))
		}
		fmt.Fprint(t.err, overview())
		return 2
	}
	if slices.ContainsFunc(rest, isHelp) {
		fmt.Fprint(t.out, c.usage())
		return 0
	}
	config, err := readConfig(c, rest, environ)
	if err != nil {
		fmt.Fprintf(t.err, "footfall %s:\n%s\n\nTry: footfall %[1]s --help\n", c.name, err)
		return 2
	}
	t.log = slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: config.logLevel}))
	if err := c.run(ctx, config, t); err != nil {
		fmt.Fprintf(t.err, "footfall: %s\n", words(err))
		return 1
	}
	return 0
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }

// words are what the operator reads of an error: a fault's sentence, or all there is to know.
func words(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Unwrap() == nil {
		return f.Message()
	}
	return err.Error()
}

package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// readPassword reads a password: from a person at a terminal, who is asked twice and does not see it, or a line of whatever
// else standard input is.
func readPassword(ctx context.Context, t *terminal) (string, error) {
	if f, ok := t.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return askPassword(ctx, int(f.Fd()), t.err)
	}
	line, err := bufio.NewReader(io.LimitReader(t.in, 4096)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("send the password on standard input")
	}
	return line, nil
}

func askPassword(ctx context.Context, terminal int, out io.Writer) (string, error) {
	first, err := askHidden(ctx, terminal, out, "Password: ")
	if err != nil {
		return "", err
	}
	second, err := askHidden(ctx, terminal, out, "The same again: ")
	switch {
	case err != nil:
		return "", err
	case first == "":
		return "", errors.New("the password is empty")
	case first != second:
		return "", errors.New("these are two passwords")
	}
	return first, nil
}

// askHidden reads a line that is not shown. Who gives up gets a terminal back that shows what is typed.
func askHidden(ctx context.Context, terminal int, out io.Writer, prompt string) (string, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return "", fmt.Errorf("ask for the password: %w", err)
	}
	fmt.Fprint(out, prompt)
	defer fmt.Fprintln(out)
	type answer struct {
		line []byte
		err  error
	}
	typed := make(chan answer, 1)
	go func() {
		line, err := term.ReadPassword(terminal)
		typed <- answer{line, err}
	}()
	select {
	case a := <-typed:
		if a.err != nil && a.err != io.EOF {
			return "", fmt.Errorf("ask for the password: %w", a.err)
		}
		return string(a.line), nil
	case <-ctx.Done():
		return "", errors.Join(errors.New("given up"), term.Restore(terminal, before))
	}
}

package app

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// That it fills, answers and stays alive is what test/readme sees with the real program.

func TestDemoThatIsStoppedLeavesNothingBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errOut output
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"demo", "--listen", "127.0.0.1:0"}, nil, &terminal{in: strings.NewReader(""), out: &out, err: &errOut})
	}()
	for range 1000 {
		if strings.Contains(out.String(), "Making up") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if made, err := os.ReadDir(temp); err != nil || len(made) != 1 {
		t.Fatalf("there are %v, %v, want one data directory; it printed %s", made, err, errOut.String())
	}
	stop()
	if status := <-ended; status != 0 || errOut.String() != "" {
		t.Errorf("it ended with %d: %s", status, errOut.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

func TestDemoEndsWithADayThatHasBeen(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for until, want := range map[string]string{tomorrow: "must not be in the future", "31.12.2025": "is not a date"} {
		var out, errOut output
		status := run(t.Context(), []string{"demo", "--until", until, "--listen", "127.0.0.1:0"}, nil, &terminal{in: strings.NewReader(""), out: &out, err: &errOut})
		if status != 1 || !strings.Contains(errOut.String(), want) {
			t.Errorf("until %s it ended with %d: %s, want %q", until, status, errOut.String(), want)
		}
	}
}

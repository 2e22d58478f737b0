package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTheBareHandlerReadsAndAnswers(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	address := make(chan string, 1)
	go func() { done <- serveBareCollect(ctx, func(url string) { address <- url }) }()
	url := <-address
	answer, err := http.Post(url, "text/plain", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		t.Errorf("answer is %s", answer.Status)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAReportOfCollectionTellsWhatWasMissed(t *testing.T) {
	good := hitLoad{
		connections: wideConnections, hits: 1000, counted: 1000, cpu: []time.Duration{40 * time.Microsecond}, bareCPU: []time.Duration{20 * time.Microsecond},
		service: []round{{30_000, time.Millisecond, 20 * time.Millisecond}}, bare: []round{{50_000, time.Millisecond, 10 * time.Millisecond}},
	}
	slow := good
	slow.connections, slow.service = narrowConnections, []round{{10_000, time.Millisecond, 90 * time.Millisecond}}
	text := (&collectReport{loads: []hitLoad{good, slow}}).String()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if !strings.Contains(lines[2], " 0.60 ") || !strings.HasSuffix(strings.TrimSpace(lines[2]), "yes |") {
		t.Errorf("a goal that was reached: %s", lines[2])
	}
	if !strings.Contains(lines[3], " 0.20 ") || !strings.Contains(lines[3], "no ") {
		t.Errorf("a goal that was missed: %s", lines[3])
	}
}

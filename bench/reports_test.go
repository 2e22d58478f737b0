package main

import (
	"net/smtp"
	"strings"
	"testing"
	"time"
)

func TestMailboxTakesWhatIsSent(t *testing.T) {
	m, err := openMailbox()
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for range 2 {
		go func() {
			content := "Subject: x\r\n\r\n" + strings.Repeat("long ", 30_000) + "\r\n.dot\r\n"
			if err := smtp.SendMail(m.listener.Addr().String(), nil, "a@example.com", []string{"b@example.com"}, []byte(content)); err != nil {
				t.Error(err)
			}
		}()
	}
	busy, calm, err := m.receive(t.Context(), 2, 50*time.Millisecond)
	if err != nil || len(busy) == 0 || len(busy) != len(calm) || !busy[0].to.Before(calm[0].from) {
		t.Errorf("busy %v, calm %v, %v", busy, calm, err)
	}
}

// Of 200 hits, 1 to 200 ms, those of a time count; half are at most 100, and 99 of a hundred at most 199.
func TestLatencyIsOfTheHitsOfATime(t *testing.T) {
	var s hitStream
	begin := time.Now()
	for i := range 200 {
		s.add(timedHit{begin.Add(time.Duration(i) * time.Millisecond), time.Duration(i+1) * time.Millisecond}, nil)
	}
	s.add(timedHit{begin.Add(-time.Millisecond), time.Hour}, nil)
	s.add(timedHit{begin.Add(time.Second), time.Hour}, nil)
	want := latency{200, 101 * time.Millisecond, 199 * time.Millisecond, 200 * time.Millisecond}
	if got := s.in([]window{{begin, begin.Add(50 * time.Millisecond)}, {begin.Add(50 * time.Millisecond), begin.Add(time.Second)}}); got != want {
		t.Errorf("latency is %+v, want %+v", got, want)
	}
}

func TestAReportOfReportsTellsWhatWasMissed(t *testing.T) {
	r := &reportsReport{reports: 1000, took: 12 * time.Second, alone: latency{1000, time.Millisecond, 4 * time.Millisecond, time.Second}}
	r.meanwhile = latency{1000, time.Millisecond, 9 * time.Millisecond, time.Second}
	for _, line := range strings.Split(r.String(), "\n") {
		if strings.Contains(line, "built and sent ") && strings.Contains(line, " s ") && !strings.Contains(line, "yes") ||
			strings.Contains(line, "p99 of hits") && !strings.Contains(line, " no ") {
			t.Error(line)
		}
	}
}

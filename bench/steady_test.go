package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestATempoLeadsToItsGoal(t *testing.T) {
	const answer = 12.8 // milliseconds, at any rate: 256 connections are answered 20,000 times a second
	rate := func(pause float64) float64 { return 1000 * wideConnections / (answer + pause) }
	p := tempo{goal: 10_000}
	p.next(rate(0))
	if math.Abs(p.pause-12.8) > 0.01 || math.Abs(rate(p.pause)-10_000) > 1 {
		t.Errorf("pause %.2f ms: %.0f a second", p.pause, rate(p.pause))
	}
	p.next(rate(p.pause))
	if math.Abs(rate(p.pause)-10_000) > 1 {
		t.Errorf("in the next minute %.0f a second", rate(p.pause))
	}
	p.next(100) // far too slow: no pause can help
	if p.pause != 0 {
		t.Errorf("pause %.2f ms", p.pause)
	}
}

func TestMemoryThatGrowsIsMissed(t *testing.T) {
	of := func(memory ...float64) *collectReport {
		r := &collectReport{}
		for _, m := range memory {
			r.minutes = append(r.minutes, minute{round: round{10_000, time.Millisecond, 10 * time.Millisecond}, memory: m})
		}
		r.addSteady(20_000, 1, 1)
		return r
	}
	if err := of(100, 150, 180, 190, 200, 195, 210).missed(); err != nil {
		t.Error(err)
	}
	if err := of(100, 100, 100, 100, 100, 130).missed(); err == nil || !strings.Contains(err.Error(), "last minute") {
		t.Errorf("memory that grows: %v", err)
	}
	if err := of(100, 301, 100).missed(); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("much memory: %v", err)
	}
	if text := of(100, 200).minuteTable(); !strings.Contains(text, "200 MB") {
		t.Errorf("table: %s", text)
	}
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// settled is the minute after which memory has to stay as it is: by then caches are full.
const settled = 5

// growthGoal is how much larger memory may be in the last minute than in the one that settled, in percent. The garbage collector
// makes it swing.
const growthGoal = 20

// A minute is what one of a steady load was like.
type minute struct {
	round
	hits   int
	memory float64 // MB, at its end
}

// steady finds out how many hits a second the service takes, and sends half of it for some minutes.
func (r *collectReport) steady(ctx context.Context, s *service, script string) error {
	before, err := s.counted(ctx)
	if err != nil {
		return err
	}
	most, acked, err := wrkHits(ctx, s.url+"/api/event", script, r.settings.seconds, wideConnections)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "at most %.0f hits/s\n", most.perSecond)
	p := tempo{goal: most.perSecond / 2}
	p.next(most.perSecond)
	paced := filepath.Join(r.settings.dir, "paced.lua")
	for n := 1; n <= r.settings.minutes; n++ {
		if err := os.WriteFile(paced, []byte(hitScript+p.script()), 0o644); err != nil {
			return err
		}
		one, hits, err := wrkHits(ctx, s.url+"/api/event", paced, r.settings.minuteSeconds, wideConnections)
		if err != nil {
			return err
		}
		m := minute{one, hits, s.resident()}
		r.minutes = append(r.minutes, m)
		acked += hits
		fmt.Fprintf(os.Stderr, "minute %d: %.0f hits/s, p99 %s, memory %.0f MB\n", n, m.perSecond, milliseconds(m.p99), m.memory)
		p.next(one.perSecond)
	}
	_, now, err := s.countedWithin(ctx, before+acked)
	if err != nil {
		return err
	}
	// A request that was under way when wrk ended was answered to nobody.
	if extra := now - before - acked; extra < 0 || extra > wideConnections*(len(r.minutes)+1) {
		return fmt.Errorf("%d hits were acknowledged and %d are counted", acked, now-before)
	}
	r.addSteady(most.perSecond, acked, now-before)
	return nil
}

// A tempo lets wrk send so many hits a second: each connection pauses between two of them.
type tempo struct {
	goal  float64 // hits a second
	pause float64 // milliseconds
}

// next takes the pause that leads to the goal if an answer takes as long as it did at this rate.
func (p *tempo) next(perSecond float64) {
	answer := 1000*wideConnections/perSecond - p.pause
	p.pause = max(0, 1000*wideConnections/p.goal-answer)
}

// script is what wrk asks before each request. It knows whole milliseconds only, so some pauses are one longer than others.
func (p *tempo) script() string {
	return fmt.Sprintf("\nfunction delay() return math.floor(%.3f + math.random()) end\n", p.pause)
}

func (r *collectReport) addSteady(most float64, acked, counted int) {
	var rate, peak, slowest float64
	for _, m := range r.minutes {
		rate += m.perSecond / float64(len(r.minutes))
		peak = max(peak, m.memory)
		slowest = max(slowest, float64(m.p99)/float64(time.Millisecond))
	}
	r.add(figure{Name: "most hits", Value: most, Unit: "events/s"})
	r.add(figure{Name: fmt.Sprintf("hits for %d minutes", len(r.minutes)), Value: rate, Unit: "events/s"})
	r.add(figure{Name: "slowest p99 of a minute", Value: slowest, Unit: "ms", Goal: float64(hitP99Goal / time.Millisecond), Most: true})
	r.add(figure{Name: "acknowledged", Value: float64(acked), Unit: "events"})
	r.add(figure{Name: "counted", Value: float64(counted), Unit: "events"})
	r.add(figure{Name: "memory at most", Value: peak, Unit: "MB", Goal: collectMemoryGoal, Most: true})
	if len(r.minutes) > settled {
		first, last := r.minutes[settled-1].memory, r.minutes[len(r.minutes)-1].memory
		r.add(figure{Name: fmt.Sprintf("memory in the last minute, above that in minute %d", settled), Value: 100 * (last/first - 1), Unit: "%", Goal: growthGoal, Most: true})
	}
}

// minuteTable shows every minute.
func (r *collectReport) minuteTable() string {
	if len(r.minutes) == 0 {
		return ""
	}
	rows := [][]string{{"minute", "hits/s", "p50", "p99", "memory"}}
	for i, m := range r.minutes {
		rows = append(rows, []string{fmt.Sprint(i + 1), count(int(m.perSecond)), milliseconds(m.p50), milliseconds(m.p99), fmt.Sprintf("%.0f MB", m.memory)})
	}
	return table(rows) + "\n"
}

// missed are the figures that did not reach their goal.
func (r *collectReport) missed() error {
	var names []string
	for _, f := range r.figures {
		if f.Goal != 0 && (f.Most && f.Value > f.Goal || !f.Most && f.Value < f.Goal) {
			names = append(names, f.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("goals were missed: %s", strings.Join(names, "; "))
	}
	return nil
}

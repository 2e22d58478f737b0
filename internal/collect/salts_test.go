package collect_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footfall/internal/collect"
)

// who is the visitor's number on example.com at this moment, a while after it happened.
func (r *rig) who(ago time.Duration) uint64 {
	r.t.Helper()
	drops, events := r.accept(visitor(), `{"u":"https://example.com/","a":`+itoa(ago.Milliseconds())+`}`)
	if drops[0] != "" {
		r.t.Fatalf("dropped %q", drops[0])
	}
	return events[0].Visitor
}

// restart lets the collector go on as a new process does.
func (r *rig) restart() {
	r.Salts.Close()
	r.Salts = r.salts()
}

func (r *rig) tend() {
	r.t.Helper()
	if err := r.TendSalts(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

func TestAVisitorIsTheSameAllDayAlsoAfterARestart(t *testing.T) {
	onEachKeeper(t, func(t *testing.T, r *rig) {
		r.clock.set(time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC))
		first := r.who(0)
		for range 24 {
			r.restart()
			if got := r.who(0); got != first {
				t.Errorf("at %s another visitor", r.clock.time())
			}
			r.clock.pass(time.Hour - time.Minute)
		}
		r.clock.pass(time.Hour) // the next day
		if r.who(0) == first {
			t.Error("the same visitor on the next day")
		}
		if got := r.who(2 * time.Hour); got != first {
			t.Error("an event of yesterday has another visitor")
		}
	})
}

func TestDaysOfOtherTimeZonesHaveOtherSalts(t *testing.T) {
	tokyo := time.FixedZone("", 9*3600)
	r := newRig(t, site(nil), site(func(w *collect.Website) { w.ID, w.Domain, w.Zone = 2, "tokyo.example", tokyo }))
	r.who(0)
	r.one(visitor(), `{"u":"https://tokyo.example/"}`)
	if n := len(r.secrets()); n != 2 {
		t.Errorf("%d salts", n)
	}
	r.tend() // those of tomorrow
	if n := len(r.secrets()); n != 4 {
		t.Errorf("%d salts with those of tomorrow", n)
	}
}

// P2: 48 hours after its day began a salt is nowhere on disk, and nobody can be recognised by it.
func TestSaltsDie(t *testing.T) {
	onEachKeeper(t, func(t *testing.T, r *rig) {
		start := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
		r.clock.set(start.Add(-12 * time.Hour))
		r.tend() // it is made the day before
		r.clock.set(start)
		first := r.who(0)
		secret := r.secrets()[start.Unix()]
		death := start.Add(48*time.Hour - 5*time.Minute)
		step := time.Minute
		if r.keeper != nil {
			step = 55 * time.Minute // a search of all that a server has takes time; it meets the last minute and the death
		}
		for now := start; now.Before(start.Add(72 * time.Hour)); now = next(now, step, death) {
			r.clock.set(now)
			r.tend()
			age := now.Sub(start)
			if age%(7*time.Hour) == 0 {
				r.restart()
				r.who(0) // salts of later days are made
			}
			if kept, want := has(r.secrets(), secret), now.Before(death); kept != want {
				t.Fatalf("%v after its day began the salt is kept: %v", age, kept)
			}
			if r.keeper == nil || now.Equal(start) || !now.Before(death) && now.Sub(death) < 3*time.Hour {
				if there := r.onDisk(secret); there != now.Before(death) {
					t.Fatalf("%v after its day began the salt is on disk: %v", age, there)
				}
			}
			if now.Equal(death.Add(-time.Minute)) && r.who(age) != first {
				t.Error("an event of a day whose salt lives has another visitor")
			}
		}
	})
}

// next goes a step on, and meets the minute before a moment and the moment.
func next(now time.Time, step time.Duration, moment time.Time) time.Time {
	for _, m := range []time.Time{moment.Add(-time.Minute), moment} {
		if now.Before(m) && now.Add(step).After(m) {
			return m
		}
	}
	return now.Add(step)
}

func has(secrets map[int64][]byte, secret []byte) bool {
	for _, s := range secrets {
		if bytes.Equal(s, secret) {
			return true
		}
	}
	return false
}

func TestASaltThatDiedWhileNothingRanIsGoneAtTheStart(t *testing.T) {
	onEachKeeper(t, func(t *testing.T, r *rig) {
		r.who(0)
		secret := r.secrets()[noon.Truncate(24*time.Hour).Unix()]
		r.clock.pass(40 * time.Hour)
		r.restart()
		if r.onDisk(secret) {
			t.Error("it is on disk still")
		}
	})
}

// An event that comes late has visitors of its own, who are told apart among themselves and linked to nobody.
func TestAfterItsSaltDiedADayHasVisitorsOfItsOwn(t *testing.T) {
	onEachKeeper(t, func(t *testing.T, r *rig) {
		r.clock.set(time.Date(2026, 3, 10, 1, 0, 0, 0, time.UTC))
		first := r.who(0)
		r.clock.pass(47*time.Hour + 30*time.Minute)
		if err := r.Salts.Tend(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		late := r.who(47*time.Hour + 30*time.Minute)
		if late == first {
			t.Error("a visitor was recognised after the salt died")
		}
		if again := r.who(47*time.Hour + 20*time.Minute); again != late {
			t.Error("two late events of one visitor are of two")
		}
		if n := len(r.secrets()); n != 0 {
			t.Errorf("%d salts are kept", n)
		}
		r.restart()
		if r.who(47*time.Hour+20*time.Minute) == late {
			t.Error("a salt of a day gone by survived a restart")
		}
	})
}

func TestASaltOfTheFutureDies(t *testing.T) {
	onEachKeeper(t, func(t *testing.T, r *rig) {
		r.clock.set(noon.AddDate(1, 0, 0)) // the clock is wrong
		r.who(0)
		secret := r.secrets()[noon.AddDate(1, 0, 0).Truncate(24*time.Hour).Unix()]
		r.clock.set(noon)
		r.tend()
		if r.onDisk(secret) {
			t.Error("it is on disk for a year")
		}
	})
}

func TestDamagedSaltsAreReplaced(t *testing.T) {
	cases := map[string]func(b []byte) []byte{
		"a flipped bit":      func(b []byte) []byte { b[20] ^= 1; return b },
		"cut":                func(b []byte) []byte { return b[:30] },
		"rubbish behind":     func(b []byte) []byte { return append(b, "rubbish"...) },
		"all rubbish":        func(b []byte) []byte { return bytes.Repeat([]byte("x"), 500) },
		"twice the same":     func(b []byte) []byte { return append(b, b...) },
		"larger than it may": func(b []byte) []byte { return bytes.Repeat([]byte("x"), 1<<20) },
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			r := newRig(t, site(nil))
			first := r.who(0)
			r.Salts.Close()
			path := filepath.Join(r.dir, "salts")
			if err := os.WriteFile(path, damage(r.file()), 0o600); err != nil {
				t.Fatal(err)
			}
			r.Salts = collect.OpenSalts(path, collect.SaltOptions{Now: r.clock.time, Log: slog.New(slog.NewTextHandler(&log, nil))})
			now := r.who(0)
			if kept := name == "rubbish behind" || name == "twice the same"; (now == first) != kept {
				t.Errorf("same visitor: %v", now == first)
			}
			if !strings.Contains(log.String(), "damaged") {
				t.Errorf("log: %s", log.String())
			}
			if b := r.file(); bytes.Contains(b, []byte("rubbish")) || bytes.Contains(b, []byte("xx")) {
				t.Error("what was damaged is on disk still")
			}
			r.restart()
			if r.who(0) != now {
				t.Error("after the next start another visitor")
			}
		})
	}
}

func TestTheFileOfTheSaltsIsForNobodyElse(t *testing.T) {
	r := newRig(t, site(nil))
	r.who(0)
	info, err := os.Stat(filepath.Join(r.dir, "salts"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWithoutAFileSaltsAreInMemory(t *testing.T) {
	var log bytes.Buffer
	r := newRig(t, site(nil))
	r.Salts = collect.OpenSalts(filepath.Join(r.dir, "absent", "salts"), collect.SaltOptions{Now: r.clock.time, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if first := r.who(0); r.who(0) != first {
		t.Error("two visitors")
	}
	if !strings.Contains(log.String(), "memory only") {
		t.Errorf("log: %s", log.String())
	}
}

package collect_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
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

func TestAVisitorIsTheSameAllDayAlsoAfterARestart(t *testing.T) {
	r := newRig(t, site(nil))
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
}

func TestDaysOfOtherTimeZonesHaveOtherSalts(t *testing.T) {
	tokyo := time.FixedZone("", 9*3600)
	r := newRig(t, site(nil), site(func(w *collect.Website) { w.ID, w.Domain, w.Zone = 2, "tokyo.example", tokyo }))
	r.who(0)
	r.one(visitor(), `{"u":"https://tokyo.example/"}`)
	if n := r.slots(); n != 2 {
		t.Errorf("%d salts", n)
	}
}

// slots are the salts on disk.
func (r *rig) slots() (n int) {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, "salts"))
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+44 <= len(b); i += 44 {
		if !bytes.Equal(b[i:i+44], make([]byte, 44)) {
			n++
		}
	}
	return n
}

// P2: 48 hours after its day began a salt is nowhere on disk, and nobody can be recognised by it.
func TestSaltsDie(t *testing.T) {
	r := newRig(t, site(nil))
	start := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	r.clock.set(start)
	first := r.who(0)
	secret := r.bytes()[8:40]
	for now := start; now.Before(start.Add(72 * time.Hour)); now = now.Add(time.Minute) {
		r.clock.set(now)
		if err := r.Salts.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		age := now.Sub(start)
		if age%(7*time.Hour) == 0 {
			r.restart()
			r.who(0) // salts of later days are made
		}
		if there := r.onDisk(secret); there != (age < 48*time.Hour-5*time.Minute) {
			t.Fatalf("%v after its day began the salt is on disk: %v", age, there)
		}
		if age == 47*time.Hour && r.who(47*time.Hour) != first {
			t.Error("an event of a day whose salt lives has another visitor")
		}
	}
}

// bytes is the file of the salts.
func (r *rig) bytes() []byte {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, "salts"))
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

// onDisk tells whether a secret is anywhere in the directory, in any form.
func (r *rig) onDisk(secret []byte) bool {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, form := range []string{string(secret), hex.EncodeToString(secret), base64.StdEncoding.EncodeToString(secret)} {
			if strings.Contains(string(b), form) {
				return true
			}
		}
	}
	return false
}

func TestASaltThatDiedWhileNothingRanIsGoneAtTheStart(t *testing.T) {
	r := newRig(t, site(nil))
	r.who(0)
	secret := r.bytes()[8:40]
	r.clock.pass(40 * time.Hour)
	r.restart()
	if r.onDisk(secret) {
		t.Error("it is on disk still")
	}
}

// An event that comes late has visitors of its own, who are told apart among themselves and linked to nobody.
func TestAfterItsSaltDiedADayHasVisitorsOfItsOwn(t *testing.T) {
	r := newRig(t, site(nil))
	r.clock.set(time.Date(2026, 3, 10, 1, 0, 0, 0, time.UTC))
	first := r.who(0)
	r.clock.pass(47*time.Hour + 30*time.Minute)
	if err := r.Salts.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	late := r.who(47*time.Hour + 30*time.Minute)
	if late == first {
		t.Error("a visitor was recognised after the salt died")
	}
	if again := r.who(47*time.Hour + 20*time.Minute); again != late {
		t.Error("two late events of one visitor are of two")
	}
	if n := r.slots(); n != 0 {
		t.Errorf("%d salts on disk", n)
	}
	r.restart()
	if r.who(47*time.Hour+20*time.Minute) == late {
		t.Error("a salt of a day gone by survived a restart")
	}
}

func TestASaltOfTheFutureDies(t *testing.T) {
	r := newRig(t, site(nil))
	r.clock.set(noon.AddDate(1, 0, 0)) // the clock is wrong
	r.who(0)
	secret := r.bytes()[8:40]
	r.clock.set(noon)
	if err := r.Salts.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.onDisk(secret) {
		t.Error("it is on disk for a year")
	}
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
			if err := os.WriteFile(path, damage(r.bytes()), 0o600); err != nil {
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
			if b := r.bytes(); bytes.Contains(b, []byte("rubbish")) || bytes.Contains(b, []byte("xx")) {
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

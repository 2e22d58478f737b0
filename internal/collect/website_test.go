package collect_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect"
)

func TestWebsiteThatWasJustMadeHereIsFound(t *testing.T) {
	register := new(register)
	d := &collect.Directory{Register: register}
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	find := func() *collect.Website { return d.Find(&collect.Hit{URL: "https://example.com/"}) }
	register.set(nil, site(nil))
	if find() != nil {
		t.Error("a website of another process is found before it is read: every unknown host would ask the database")
	}
	register.changes++
	if find() == nil {
		t.Error("it is not found")
	}
	register.set(errors.New("database is away"))
	register.changes++
	if find() == nil {
		t.Error("it is not found while the database is away")
	}
	unknown := &collect.Hit{URL: "https://unknown.example/"}
	if d.Find(unknown) != nil || d.Find(unknown) != nil {
		t.Error("an unknown website is found")
	}
}

func TestChangesToWebsitesAreNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		register := &register{websites: []*collect.Website{site(nil)}}
		d := &collect.Directory{Register: register}
		find := func() *collect.Website { return d.Find(&collect.Hit{URL: "https://example.com/"}) }
		if find() != nil {
			t.Error("a website is known before any was read")
		}
		stop := run(t, d.Run)
		time.Sleep(time.Second)
		if find() == nil || register.asked != 1 {
			t.Errorf("found %v after %d questions", find(), register.asked)
		}
		register.set(nil)
		time.Sleep(1200 * time.Millisecond)
		if find() != nil {
			t.Error("a website that is gone is found")
		}
		register.set(nil, site(nil))
		register.touch() // it was this process
		time.Sleep(200 * time.Millisecond)
		register.set(errors.New("database is away"))
		time.Sleep(time.Hour)
		if find() == nil {
			t.Error("a website is not found while the database is away")
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestDatabaseIsAskedForWebsitesOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		register := &register{websites: []*collect.Website{site(nil)}}
		d := &collect.Directory{Register: register}
		stop := run(t, d.Run)
		time.Sleep(time.Minute - time.Millisecond)
		for range 1000 {
			d.Find(&collect.Hit{URL: "https://unknown.example/"})
		}
		if register.versions != 60 {
			t.Errorf("asked %d times in a minute", register.versions)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// A database that says nothing holds up the hits of unknown websites, and those not for long.
func TestHitsDoNotWaitForADatabaseThatSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		register := &register{websites: []*collect.Website{site(nil)}}
		d := &collect.Directory{Register: register}
		if err := d.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		register.stall(true)
		stop := run(t, d.Run)
		time.Sleep(500 * time.Millisecond) // Run waits for an answer
		register.touch()
		began := time.Now()
		if d.Find(&collect.Hit{URL: "https://example.com/"}) == nil || time.Since(began) != 0 {
			t.Errorf("a known website was found after %v", time.Since(began))
		}
		for range 100 {
			go d.Find(&collect.Hit{URL: "https://unknown.example/"})
		}
		d.Find(&collect.Hit{URL: "https://unknown.example/"})
		if took := time.Since(began); took > time.Second {
			t.Errorf("an unknown one after %v", took)
		}
		register.stall(false)
		register.set(nil, site(nil), site(func(w *collect.Website) { w.ID, w.Domain = 2, "new.example" }))
		time.Sleep(15 * time.Second)
		if d.Find(&collect.Hit{URL: "https://new.example/"}) == nil {
			t.Error("a website that was made meanwhile is not found afterwards")
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

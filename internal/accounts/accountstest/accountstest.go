// Package accountstest is a database of accounts for the tests of others, with a clock that they set.
package accountstest

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"footfall/internal/accounts"
)

// A Home is a database that nodes share, and their clock.
type Home struct {
	URL string
	DB  *accounts.DB

	t    testing.TB
	mu   sync.Mutex
	time time.Time
}

// New opens the database at a URL, at a time in UTC such as 2026-03-04 12:00. No URL is a file of its own.
func New(t testing.TB, url, at string) *Home {
	t.Helper()
	if url == "" {
		url = filepath.Join(t.TempDir(), "footfall.db")
	}
	h := &Home{URL: url, t: t}
	h.Set(at)
	h.DB = h.Open()
	return h
}

// Open opens the database for another node.
func (h *Home) Open() *accounts.DB {
	h.t.Helper()
	db, err := accounts.Open(h.t.Context(), h.URL, accounts.Options{Now: h.Now, Throwaway: true})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { db.Close() })
	return db
}

// Now is the time.
func (h *Home) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.time
}

// Set sets the clock.
func (h *Home) Set(at string) {
	h.t.Helper()
	t, err := time.Parse("2006-01-02 15:04", at)
	if err != nil {
		h.t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.time = t
}

// Pass lets time pass.
func (h *Home) Pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.time = h.time.Add(d)
}

// Account makes an account that reads a language.
func (h *Home) Account(email, locale string) accounts.Caller {
	h.t.Helper()
	in := accounts.AccountInput{Email: &email, Password: new("long enough"), Locale: &locale}
	if _, err := h.DB.AddAccount(h.t.Context(), accounts.Shell(), in); err != nil {
		h.t.Fatal(err)
	}
	c, err := h.DB.ActAs(h.t.Context(), email)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

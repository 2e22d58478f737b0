package outbox_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/accounts/accountstest"
	"footfall/internal/outbox"
)

// A rig is an account with a website, and a log.
type rig struct {
	*accountstest.Home
	t       *testing.T
	anna    accounts.Caller
	website accounts.Website
	log     bytes.Buffer
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{Home: accountstest.New(t, "", "2026-03-04 12:00"), t: t}
	r.anna = r.Account("anna@example.com", "en")
	var err error
	r.website, err = r.DB.CreateWebsite(t.Context(), r.anna, accounts.WebsiteInput{Domain: new("example.com")})
	must(t, err)
	return r
}

func (r *rig) box(kind string) outbox.Box {
	return outbox.Box{Accounts: r.DB, Kind: kind, Node: "one", Patience: 24 * time.Hour, Log: slog.New(slog.NewTextHandler(&r.log, nil)), Now: r.Now}
}

// state is that of the newest delivery of a kind.
func (r *rig) state(kind string) accounts.DeliveryState {
	r.t.Helper()
	list, err := r.DB.Deliveries(r.t.Context(), kind, 1)
	must(r.t, err)
	return list[0].State
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package report_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/accounts/accountstest"
	"footfall/internal/event"
	"footfall/internal/mail"
	"footfall/internal/mail/mailtest"
	"footfall/internal/outbox"
	"footfall/internal/report"
	"footfall/internal/store"
	"footfall/internal/store/storetest"
)

const base = "https://stats.example.com"

// A rig is all that reports need, with a clock of its own.
type rig struct {
	*accountstest.Home
	t     *testing.T
	store *storetest.Oracle
	mail  *mailtest.Server
	read  int // mails that were looked at
	next  uint64
}

// newRig begins on Wednesday, 4 March 2026. The database is at a URL; "" is a file of its own.
func newRig(t *testing.T, database string, o mailtest.Options) *rig {
	t.Helper()
	r := &rig{t: t, Home: accountstest.New(t, database, "2026-03-04 12:00"), mail: mailtest.Start(t, o)}
	r.store = storetest.NewOracle(r.Now)
	return r
}

// A node is a service on the rig's database.
type node struct {
	*report.Planner
	*outbox.Postman
}

func (r *rig) node(name string, db *accounts.DB) *node {
	r.t.Helper()
	key, err := db.SigningKey(r.t.Context(), report.KeyName)
	must(r.t, err)
	signer := report.NewSigner(key)
	clerk := &report.Clerk{Accounts: db, Store: r.store, Signer: signer, From: "Footfall <stats@example.com>", Base: base}
	return &node{
		&report.Planner{Accounts: db, Signer: signer, Domain: "example.com", Now: r.Now},
		&outbox.Postman{
			Box:  outbox.Box{Accounts: db, Kind: report.Kind, Node: name, Patience: report.Patience, Log: slog.New(slog.DiscardHandler), Now: r.Now},
			Mail: mail.Settings{Host: r.mail.Host, Port: r.mail.Port, Security: mail.None, From: clerk.From, Timeout: 10 * time.Second}, Write: clerk.Write,
		},
	}
}

// work plans and sends what is due.
func (n *node) work(t *testing.T) {
	t.Helper()
	must(t, n.Plan(t.Context()))
	must(t, n.Send(t.Context()))
}

// website makes one with reports, and lets them begin.
func (r *rig) website(owner accounts.Caller, domain, zone string) accounts.Website {
	r.t.Helper()
	w, err := r.DB.CreateWebsite(r.t.Context(), owner, accounts.WebsiteInput{Domain: &domain, Timezone: &zone, Email: new("1")})
	must(r.t, err)
	_, err = r.DB.ReportedWebsites(r.t.Context())
	must(r.t, err)
	return w
}

// mails are those that came since they were looked at last.
func (r *rig) mails() []mailtest.Mail {
	all := r.mail.Mails()
	fresh := all[r.read:]
	r.read = len(all)
	return fresh
}

// visit is a pageview of a visitor who comes once, at noon.
func visit(website int64, day string, visitor int, with map[event.Field]string) event.Event {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	e := event.Event{Website: website, Visitor: uint64(visitor + 1), Kind: event.Pageview}
	e.At(t.Add(12*time.Hour), time.UTC)
	e.Fields[event.Page], e.Fields[event.Country] = "/", "Germany"
	for f, text := range with {
		e.Fields[f] = text
	}
	return e
}

// visits are as many visitors on a day that have the same fields.
func visits(website int64, day string, n int, with map[event.Field]string) []event.Event {
	var all []event.Event
	for range n {
		seed := make([]byte, 3)
		rand.Read(seed)
		all = append(all, visit(website, day, int(seed[0])<<16+int(seed[1])<<8+int(seed[2])+len(all)<<24, with))
	}
	return all
}

func (r *rig) load(events ...event.Event) {
	r.t.Helper()
	must(r.t, r.store.Append(r.t.Context(), store.Batch{From: r.next, To: r.next + 1, Events: events}))
	r.next++
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// postgresSchema makes a schema for one test and returns the URL that leads into it; "" without a server.
func postgresSchema(t *testing.T) string {
	t.Helper()
	server := os.Getenv("FOOTFALL_TEST_POSTGRES")
	if server == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("FOOTFALL_TEST_POSTGRES is not set, and CI tests every engine")
		}
		t.Skip("FOOTFALL_TEST_POSTGRES is not set")
	}
	admin, err := sql.Open("pgx", server)
	must(t, err)
	schema := "test_" + strings.ToLower(rand.Text())
	_, err = admin.Exec(`CREATE SCHEMA ` + schema)
	must(t, err)
	t.Cleanup(func() {
		if _, err := admin.Exec(`DROP SCHEMA ` + schema + ` CASCADE`); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u, err := url.Parse(server)
	must(t, err)
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

func onEachDatabase(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "footfall.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresSchema(t)) })
}

// ids are the ids of messages, in order, and fails if one is there twice.
func ids(t *testing.T, mails []mailtest.Mail) []string {
	t.Helper()
	var all []string
	seen := make(map[string]bool)
	for _, m := range mails {
		id := mailtest.Parse(t, m.Data).Header.Get("Message-Id")
		if seen[id] {
			t.Errorf("%s came twice", id)
		}
		seen[id] = true
		all = append(all, id)
	}
	return all
}

func names(t *testing.T, db *accounts.DB) []string {
	t.Helper()
	list, err := db.Deliveries(t.Context(), report.Kind, 1000)
	must(t, err)
	var all []string
	for _, d := range list {
		all = append(all, fmt.Sprintf("%s %s", d.Name, d.State))
	}
	return all
}

func newWebsite(domain string) accounts.WebsiteInput {
	return accounts.WebsiteInput{Domain: &domain}
}

func emailOn() accounts.WebsiteInput { return accounts.WebsiteInput{Email: new("1")} }

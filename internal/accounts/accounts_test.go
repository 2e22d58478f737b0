package accounts_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// onEachEngine runs a test on SQLite, and on PostgreSQL where FOOTFALL_TEST_POSTGRES is the URL of a server.
func onEachEngine(t *testing.T, test func(t *testing.T, home *home)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newHome(filepath.Join(t.TempDir(), "footfall.db"))) })
	t.Run("postgres", func(t *testing.T) { test(t, newHome(postgresSchema(t))) })
}

// postgresSchema makes a schema for one test and returns the URL that leads into it.
func postgresSchema(t *testing.T) string {
	server := os.Getenv("FOOTFALL_TEST_POSTGRES")
	if server == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("FOOTFALL_TEST_POSTGRES is not set, and CI tests every engine")
		}
		t.Skip("FOOTFALL_TEST_POSTGRES is not set")
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	if _, err := admin.Exec(`CREATE SCHEMA ` + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(`DROP SCHEMA ` + schema + ` CASCADE`); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

// A home is where the database of one test is.
type home struct {
	url  string
	kept bool // as for real: not thrown away
	mu   sync.Mutex
	now  time.Time
}

func newHome(url string) *home {
	return &home{url: url, now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
}

func (h *home) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *home) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// open opens the database, the same one every time.
func (h *home) open(t testing.TB) *accounts.DB {
	t.Helper()
	db, err := accounts.Open(t.Context(), h.url, accounts.Options{Now: h.clock, Throwaway: !h.kept})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// raw opens the database beside the package, to look at what it wrote.
func (h *home) raw(t *testing.T) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(h.url, "postgres") {
		driver = "pgx"
	}
	raw, err := sql.Open(driver, h.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	return raw
}

const goodPassword = "correct horse battery"

// addAccount makes an account and returns it as a caller.
func addAccount(t testing.TB, db *accounts.DB, email string) accounts.Caller {
	t.Helper()
	in := accounts.AccountInput{Email: new(email), Password: new(goodPassword)}
	if _, err := db.AddAccount(t.Context(), accounts.Shell(), in); err != nil {
		t.Fatal(err)
	}
	c, err := db.ActAs(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func createWebsite(t testing.TB, db *accounts.DB, c accounts.Caller, domain string) accounts.Website {
	t.Helper()
	w, err := db.CreateWebsite(t.Context(), c, accounts.WebsiteInput{Domain: new(domain)})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// readOnly is the caller of a key that may only read.
func readOnly(t *testing.T, db *accounts.DB, c accounts.Caller) accounts.Caller {
	t.Helper()
	_, secret, err := db.CreateKey(t.Context(), c, accounts.KeyInput{Scope: "read"})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := db.CallerByKey(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

// wantFault checks that err is a fault with this code, of these fields if any are given.
func wantFault(t testing.TB, err error, code fault.Code, fields ...string) {
	t.Helper()
	f := fault.Of(err)
	if f == nil || f.Code != code {
		t.Fatalf("error %v, want a fault %s", err, code)
	}
	for _, field := range fields {
		if len(f.Fields[field]) == 0 {
			t.Errorf("%s is not among the wrong fields %v", field, f.Fields)
		}
	}
	if len(fields) > 0 && len(f.Fields) != len(fields) {
		t.Errorf("wrong fields %v, want those of %v", f.Fields, fields)
	}
}

// equal checks a result.
func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

// must stops the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// together calls f n times at once and returns the errors.
func together(n int, f func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

func TestEverythingIsThereAfterRestart(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		created := createWebsite(t, db, anna, "example.com")
		_, err := db.ShareWebsite(t.Context(), anna, created.ID, accounts.ShareInput{Email: "ben@example.com"})
		must(t, err)
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Name: "CI"})
		must(t, err)
		_, token, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		must(t, err)
		must(t, db.SetSetting(t.Context(), accounts.Shell(), "title", "Numbers"))
		must(t, db.Close())

		db = home.open(t)
		w, err := db.Website(t.Context(), anna, created.ID)
		must(t, err)
		equal(t, "website", w, created)
		w, err = db.Website(t.Context(), ben, created.ID)
		must(t, err)
		equal(t, "Ben's access", w.Access, accounts.Viewer)
		c, err := db.CallerByKey(t.Context(), key)
		must(t, err)
		equal(t, "the key's account", c.Account(), anna.Account())
		c, err = db.CallerBySession(t.Context(), token)
		must(t, err)
		equal(t, "the session's account", c.Account(), anna.Account())
		title, err := db.Setting(t.Context(), "title")
		must(t, err)
		equal(t, "setting", title, "Numbers")
	})
}

func TestClosedDatabaseIsUnavailable(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		must(t, db.Ping(t.Context()))
		must(t, db.Close())

		for name, call := range map[string]func() error{
			"ping":   func() error { return db.Ping(t.Context()) },
			"key":    func() error { _, err := db.CallerByKey(t.Context(), key); return err },
			"list":   func() error { _, err := db.Websites(t.Context(), anna, accounts.ListParams{}); return err },
			"delete": func() error { return db.DeleteWebsite(t.Context(), anna, 1) },
			"create": func() error {
				_, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new("example.com")})
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				err := call()
				wantFault(t, err, fault.Unavailable)
				if fault.Of(err).RetryAfter == 0 {
					t.Error("no time to try again")
				}
			})
		}
		if err := db.Close(); err != nil {
			t.Errorf("closing it again: %v", err)
		}
	})
}

func TestUnreachableServerIsAnErrorWithoutThePassword(t *testing.T) {
	_, err := accounts.Open(t.Context(), "postgres://anna:hunter2hunter2@127.0.0.1:1/x?connect_timeout=2", accounts.Options{})
	if err == nil {
		t.Fatal("opened a database that is not there")
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error shows the password: %v", err)
	}
	_, err = accounts.Open(t.Context(), "postgres://anna:hunter2hunter2@127.0.0.1:no/x", accounts.Options{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a URL that is none gives %v", err)
	}
}

func TestSQLiteFile(t *testing.T) {
	t.Run("is footfall.db of the directory, for its owner only", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a folder? 100% #1")
		must(t, os.Mkdir(dir, 0o700))
		db, err := accounts.Open(t.Context(), "", accounts.Options{Dir: dir})
		must(t, err)
		addAccount(t, db, "anna@example.com")
		files, err := filepath.Glob(dir + "/footfall.db*")
		must(t, err)
		if len(files) == 0 {
			t.Fatal("no file footfall.db")
		}
		for _, file := range files {
			info, err := os.Stat(file)
			must(t, err)
			equal(t, "mode of "+filepath.Base(file), info.Mode().Perm(), os.FileMode(0o600))
		}
		must(t, db.Close())
	})
	t.Run("is not made where there is no directory", func(t *testing.T) {
		if _, err := accounts.Open(t.Context(), "", accounts.Options{Dir: filepath.Join(t.TempDir(), "absent")}); err == nil {
			t.Error("opened")
		}
	})
	t.Run("that is something else is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "footfall.db")
		must(t, os.WriteFile(path, []byte(strings.Repeat("this is no database\n", 1000)), 0o600))
		if _, err := accounts.Open(t.Context(), path, accounts.Options{}); err == nil {
			t.Error("opened")
		}
	})
}

// S15: what is secret is in no table.
func TestSecretsAreStoredAsHashes(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		home.kept = true
		db := home.open(t)
		setup, err := db.NewSetupToken(t.Context())
		must(t, err)
		tokens := everyValue(t, home.raw(t), "setup_tokens")
		anna := addAccount(t, db, "anna@example.com")
		_, key, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		_, session, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		must(t, err)
		w, err := db.CreateWebsite(t.Context(), anna, accounts.WebsiteInput{Domain: new("example.com"), Privacy: new("2"), Password: new("open sesame")})
		must(t, err)
		pass, err := db.OpenDashboard(t.Context(), w.ID, "open sesame")
		must(t, err)
		recovery := turnOnTOTP(t, home, db, anna).recovery

		values := tokens + everyValue(t, home.raw(t), "accounts", "websites", "api_keys", "sessions", "settings", "website_passes", "recovery_codes")
		for name, secret := range map[string]string{
			"setup token": setup, "key": key, "session token": session, "account's password": goodPassword, "website's password": "open sesame",
			"pass": pass, "recovery code": recovery[3], "recovery code without hyphens": strings.ReplaceAll(recovery[3], "-", ""),
		} {
			if strings.Contains(values, secret) || strings.Contains(values, strings.TrimLeft(secret, "fdkst_")) {
				t.Errorf("the %s is in the database", name)
			}
		}
		if n := strings.Count(values, "$argon2id$v=19$m=19456,t=2,p=1$"); n != 2 {
			t.Errorf("%d hashes of passwords, want 2", n)
		}
	})
}

func everyValue(t *testing.T, raw *sql.DB, tables ...string) string {
	t.Helper()
	var b strings.Builder
	for _, table := range tables {
		rows, err := raw.Query(`SELECT * FROM ` + table)
		must(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		must(t, err)
		found := false
		for rows.Next() {
			found = true
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			must(t, rows.Scan(values...))
			for _, v := range values {
				fmt.Fprintln(&b, *v.(*any))
			}
		}
		must(t, rows.Err())
		if !found && table != "settings" {
			t.Errorf("table %s is empty", table)
		}
	}
	return b.String()
}

// filesOf is every byte of the files of an SQLite database.
func filesOf(t *testing.T, home *home) string {
	t.Helper()
	files, err := filepath.Glob(home.url + "*")
	must(t, err)
	var b strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		b.Write(content)
	}
	return b.String()
}

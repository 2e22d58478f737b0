package accounts

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"footfall/internal/fault"
)

// These tests are in the package to take away what it stands on: room on the disk, the lock, the connection, the place
// to hash a password.

func openFile(t testing.TB) *DB {
	t.Helper()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "footfall.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newCaller(t testing.TB, db *DB) Caller {
	t.Helper()
	in := AccountInput{Email: new("anna@example.com"), Password: new("correct horse battery")}
	if _, err := db.AddAccount(t.Context(), Shell(), in); err != nil {
		t.Fatal(err)
	}
	c, err := db.ActAs(t.Context(), "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantCode(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%s: %v, want a fault %s", what, err, code)
	}
}

func TestNothingIsThrownAwayUnlessAsked(t *testing.T) {
	const off, full = 0, 2
	for name, c := range map[string]struct {
		options     Options
		synchronous int
		memory      uint32
	}{
		"kept":        {Options{}, full, 19 << 10},
		"thrown away": {Options{Throwaway: true}, off, 64},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), filepath.Join(t.TempDir(), "footfall.db"), c.options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			var synchronous int
			if err := db.write.QueryRow(`PRAGMA synchronous`).Scan(&synchronous); err != nil || synchronous != c.synchronous {
				t.Errorf("synchronous is %d, %v, want %d", synchronous, err, c.synchronous)
			}
			if db.hashParams.Memory != c.memory {
				t.Errorf("a hash takes %d KiB, want %d", db.hashParams.Memory, c.memory)
			}
		})
	}
}

// Nobody must learn from the time that an answer takes whether an email has an account, or a website a password. So all
// of them wait for a place to hash.
func TestUnknownEmailIsHashedForToo(t *testing.T) {
	db := openFile(t)
	newCaller(t, db)
	for range maxHashing {
		db.hashing <- struct{}{}
	}
	for name, call := range map[string]func(ctx context.Context) error{
		"known email": func(ctx context.Context) error {
			_, _, err := db.SignIn(ctx, "anna@example.com", "wrong password", "")
			return err
		},
		"unknown email": func(ctx context.Context) error {
			_, _, err := db.SignIn(ctx, "ben@example.com", "wrong password", "")
			return err
		},
		"no email":       func(ctx context.Context) error { _, _, err := db.SignIn(ctx, "?", "", ""); return err },
		"absent website": func(ctx context.Context) error { _, err := db.OpenDashboard(ctx, 999, "sesame"); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		wantCode(t, name, call(ctx), fault.Unavailable)
		cancel()
	}
	<-db.hashing
	_, _, err := db.SignIn(t.Context(), "ben@example.com", "wrong password", "")
	wantCode(t, "unknown email with a place to hash", err, fault.Unauthorized)
}

func TestFullDiskLetsReadersIn(t *testing.T) {
	db := openFile(t)
	anna := newCaller(t, db)
	_, key, err := db.CreateKey(t.Context(), anna, KeyInput{})
	if err != nil {
		t.Fatal(err)
	}
	setRoom := func(pages string) {
		t.Helper()
		if _, err := db.write.Exec(`PRAGMA max_page_count = ` + pages); err != nil {
			t.Fatal(err)
		}
	}
	setRoom("1") // as many as there are
	big := strings.Repeat("x", maxSettingBytes)
	wantCode(t, "set a large setting", db.SetSetting(t.Context(), Shell(), "large", big), fault.Unavailable)
	if _, err := db.CallerByKey(t.Context(), key); err != nil {
		t.Errorf("the key does not open any more: %v", err)
	}
	if _, err := db.Websites(t.Context(), anna, ListParams{}); err != nil {
		t.Errorf("websites cannot be listed: %v", err)
	}
	setRoom("1000000")
	if err := db.SetSetting(t.Context(), Shell(), "large", big); err != nil {
		t.Errorf("there is room again, but %v", err)
	}
}

func TestUsesAreKeptUntilTheyAreWritten(t *testing.T) {
	db := openFile(t)
	anna := newCaller(t, db)
	_, key, err := db.CreateKey(t.Context(), anna, KeyInput{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CallerByKey(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Tidy(gone); err == nil {
		t.Fatal("tidied without time to")
	}
	if err := db.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	var used int64
	if err := db.read.QueryRowContext(t.Context(), `SELECT used_at FROM api_keys`).Scan(&used); err != nil || used == 0 {
		t.Errorf("used at %d, %v", used, err)
	}
}

func TestWriterInTheWayDoesNotStopReaders(t *testing.T) {
	db := openFile(t)
	anna := newCaller(t, db)
	other, err := Open(t.Context(), db.path(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.write.Exec(`PRAGMA busy_timeout = 50`); err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateWebsite(t.Context(), anna, WebsiteInput{Domain: new("example.com")})
	wantCode(t, "create", err, fault.Unavailable)
	if _, err := db.Websites(t.Context(), anna, ListParams{}); err != nil {
		t.Errorf("list: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err = db.CreateWebsite(t.Context(), anna, WebsiteInput{Domain: new("example.com")}); err != nil {
		t.Errorf("create when the way is free: %v", err)
	}
}

// path is where an SQLite database is.
func (db *DB) path(t *testing.T) (path string) {
	t.Helper()
	if err := db.read.QueryRowContext(t.Context(), `SELECT file FROM pragma_database_list`).Scan(&path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLostServerIsUnavailableUntilItReturns(t *testing.T) {
	server := os.Getenv("FOOTFALL_TEST_POSTGRES")
	if server == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("FOOTFALL_TEST_POSTGRES is not set, and CI tests every engine")
		}
		t.Skip("FOOTFALL_TEST_POSTGRES is not set")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	line := newWire(t, u.Host)
	u.Host = line.listener.Addr().String()
	db := &DB{now: time.Now, hashing: make(chan struct{}, 1)}
	if err := db.openPostgres(u.String()); err != nil {
		t.Fatal(err)
	}
	defer db.close()
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	line.cut(true)
	wantCode(t, "ping over a wire that was cut", db.Ping(t.Context()), fault.Unavailable)
	wantCode(t, "ping again", db.Ping(t.Context()), fault.Unavailable)
	line.cut(false)
	if err := db.Ping(t.Context()); err != nil {
		t.Errorf("ping when the server is back: %v", err)
	}
}

// A wire leads to a server and can be cut.
type wire struct {
	listener net.Listener
	server   string
	mu       sync.Mutex
	isCut    bool
	ends     []net.Conn
}

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, server: server}
	t.Cleanup(func() { l.Close(); w.cut(true) })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			w.join(near)
		}
	}()
	return w
}

func (w *wire) join(near net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	far, err := net.Dial("tcp", w.server)
	if err != nil || w.isCut {
		near.Close()
		if err == nil {
			far.Close()
		}
		return
	}
	w.ends = append(w.ends, near, far)
	go func() { io.Copy(near, far); near.Close() }()
	go func() { io.Copy(far, near); far.Close() }()
}

func (w *wire) cut(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.isCut = cut
	for _, c := range w.ends {
		c.Close()
	}
	w.ends = nil
}

// A server that is killed cuts its connections, which shows in many ways.
func TestADatabaseThatIsCutOffIsUnavailable(t *testing.T) {
	db := openFile(t)
	for name, err := range map[string]error{
		"between two answers":  io.EOF,
		"within an answer":     io.ErrUnexpectedEOF,
		"before it was used":   driver.ErrBadConn,
		"it was closed before": pgconn.ErrConnClosed,
		"it was given back":    sql.ErrConnDone,
		"it was reset":         &net.OpError{Op: "read", Err: syscall.ECONNRESET},
		"it was refused":       &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
	} {
		wantCode(t, name, db.trouble("read", fmt.Errorf("receive: %w", err)), fault.Unavailable)
	}
	if err := db.trouble("read", errors.New("something else")); fault.Of(err) != nil {
		t.Errorf("what is our own mistake is %v", err)
	}
}

package collect_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/collect"
)

// onEachKeeper runs a test with salts in a file, and with those in PostgreSQL where FOOTFALL_TEST_POSTGRES is the URL of a server.
func onEachKeeper(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Run("file", func(t *testing.T) { test(t, newRig(t, site(nil))) })
	t.Run("postgres", func(t *testing.T) { test(t, sharing(t, postgres(t))) })
}

// A server is salts in a schema of PostgreSQL.
type server struct {
	t     *testing.T
	url   string
	admin *sql.DB
}

func postgres(t *testing.T) *server {
	t.Helper()
	base := os.Getenv("FOOTFALL_TEST_POSTGRES")
	if base == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("FOOTFALL_TEST_POSTGRES is not set, and CI tests every keeper")
		}
		t.Skip("FOOTFALL_TEST_POSTGRES is not set")
	}
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	admin, err := sql.Open("pgx", u.String())
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t, u.String(), admin}
	s.do(`CREATE SCHEMA ` + schema)
	t.Cleanup(func() {
		s.do(`DROP SCHEMA ` + schema + ` CASCADE`)
		admin.Close()
	})
	return s
}

func (s *server) do(statement string) {
	s.t.Helper()
	if _, err := s.admin.Exec(statement); err != nil {
		s.t.Fatal(err)
	}
}

// A pgKeeper is the salts of one node on a server.
type pgKeeper struct {
	*server
	db *accounts.DB
}

func (k pgKeeper) Keep(ctx context.Context, offered map[int64][32]byte) (map[int64][32]byte, error) {
	return k.db.KeepSalts(ctx, offered)
}

func (k pgKeeper) Erase(ctx context.Context, from, to int64) error {
	return k.db.EraseSalts(ctx, from, to)
}

func (k pgKeeper) Close() error { return nil }

// sharing is a rig whose salts are on a server.
func sharing(t *testing.T, s *server) *rig {
	t.Helper()
	db, err := accounts.Open(t.Context(), s.url, accounts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return sharingWith(t, pgKeeper{s, db})
}

func sharingWith(t *testing.T, k collect.SaltKeeper) *rig {
	t.Helper()
	r := newRig(t, site(nil))
	r.keeper = k
	r.restart()
	return r
}

// secrets are the salts that are kept, by the start of their day.
func (r *rig) secrets() map[int64][]byte {
	r.t.Helper()
	kept := make(map[int64][]byte)
	if k, ok := r.keeper.(pgKeeper); ok {
		rows, err := k.admin.Query(`SELECT day, salt FROM salts`)
		if err != nil {
			r.t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var day int64
			var text string
			if err := rows.Scan(&day, &text); err != nil {
				r.t.Fatal(err)
			}
			kept[day], _ = hex.DecodeString(text)
		}
		return kept
	}
	b := r.file()
	for ; len(b) >= 44; b = b[44:] {
		start := int64(0)
		for _, c := range b[:8] {
			start = start<<8 | int64(c)
		}
		if start != 0 {
			kept[start] = b[8:40]
		}
	}
	return kept
}

// file is the file of the salts.
func (r *rig) file() []byte {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, "salts"))
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

// onDisk tells whether a secret is anywhere in the directory of the salts, or in that of the server, in any form.
func (r *rig) onDisk(secret []byte) bool {
	r.t.Helper()
	if len(secret) != 32 {
		r.t.Fatal("there is no secret to look for")
	}
	forms := []string{string(secret), hex.EncodeToString(secret), base64.StdEncoding.EncodeToString(secret)}
	if k, ok := r.keeper.(pgKeeper); ok {
		return k.holds(forms)
	}
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, form := range forms {
			if strings.Contains(string(b), form) {
				return true
			}
		}
	}
	return false
}

// holds searches all files of the server, its log of changes too. A new database makes it write what it has in memory, also of
// tables that it keeps no log of.
func (s *server) holds(forms []string) bool {
	s.t.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	s.do(`CREATE DATABASE ` + name + ` STRATEGY FILE_COPY`)
	s.do(`DROP DATABASE ` + name)
	rows, err := s.admin.Query(`WITH RECURSIVE files (path, folder) AS (
			SELECT './' || n, (pg_stat_file('./' || n, true)).isdir FROM pg_ls_dir('.') n
			UNION ALL
			SELECT path || '/' || n, (pg_stat_file(path || '/' || n, true)).isdir FROM files, LATERAL pg_ls_dir(path, true, false) n WHERE folder
		) SELECT path, position($1::bytea IN content) + position($2::bytea IN content) + position($3::bytea IN content) > 0
		FROM files, LATERAL (SELECT pg_read_binary_file(path, 0, 1000000000, true) AS content) c WHERE NOT folder AND content IS NOT NULL`,
		[]byte(forms[0]), []byte(forms[1]), []byte(forms[2]))
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	searched, found := 0, false
	for rows.Next() {
		var path string
		var here bool
		if err := rows.Scan(&path, &here); err != nil {
			s.t.Fatal(err)
		}
		searched++
		found = found || here
	}
	if rows.Err() != nil || searched < 100 {
		s.t.Fatalf("%d files searched, %v", searched, rows.Err())
	}
	return found
}

func TestNodesOnOneDatabaseGiveAVisitorTheSameNumber(t *testing.T) {
	s := postgres(t)
	const nodes = 5
	var rigs []*rig
	for range nodes {
		rigs = append(rigs, sharing(t, s))
	}
	for day := range 4 {
		seen := make([]uint64, nodes)
		var all sync.WaitGroup
		for i, r := range rigs {
			all.Go(func() { // all of them want a salt at once
				if day%2 == 0 {
					r.tend()
				}
				seen[i] = r.who(0)
			})
		}
		all.Wait()
		for i, got := range seen {
			if got != seen[0] {
				t.Errorf("on day %d node %d calls the visitor %x and node 0 %x", day, i, got, seen[0])
			}
		}
		for _, r := range rigs {
			r.clock.pass(24 * time.Hour)
		}
	}
}

// A shelf is a keeper that a test can take away.
type shelf struct {
	mu      sync.Mutex
	salts   map[int64][32]byte
	err     error
	stalled bool
	asked   int
}

func (s *shelf) Keep(ctx context.Context, offered map[int64][32]byte) (map[int64][32]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.stalled {
		s.mu.Unlock()
		<-ctx.Done()
		s.mu.Lock()
		return nil, ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	if s.salts == nil {
		s.salts = make(map[int64][32]byte)
	}
	for start, secret := range offered {
		if _, there := s.salts[start]; !there {
			s.salts[start] = secret
		}
	}
	return maps.Clone(s.salts), nil
}

func (s *shelf) Erase(_ context.Context, from, to int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	maps.DeleteFunc(s.salts, func(start int64, _ [32]byte) bool { return start < from || start > to })
	return nil
}

func (s *shelf) Close() error { return nil }

func (s *shelf) set(err error) { s.mu.Lock(); defer s.mu.Unlock(); s.err = err }

// R7: a database that goes away at any time of the day may be away at the next midnight, and for the whole day after it.
func TestADayBeginsWhileTheKeeperIsAway(t *testing.T) {
	k := &shelf{}
	a, b := sharingWith(t, k), sharingWith(t, k)
	a.tend()
	b.tend()
	k.set(errors.New("database is away"))
	k.asked = 0
	for range 36 { // from noon to the end of the next day
		if a.who(0) != b.who(0) {
			t.Fatalf("at %s nodes disagree", a.clock.time())
		}
		a.clock.pass(59 * time.Minute)
		b.clock.pass(59 * time.Minute)
	}
	if k.asked > 0 {
		t.Errorf("hits asked for the keeper %d times", k.asked)
	}
	if err := a.TendSalts(t.Context()); err == nil {
		t.Error("nobody is told that the keeper is away")
	}
}

// What happens when it is away for longer: each node has a salt of its own, and all of them that of the first when it is back.
func TestAfterALongTimeAwayNodesAgreeAgain(t *testing.T) {
	k := &shelf{}
	a, b := sharingWith(t, k), sharingWith(t, k)
	a.tend()
	b.tend()
	k.set(errors.New("database is away"))
	a.clock.pass(48 * time.Hour)
	b.clock.pass(48 * time.Hour)
	ofA, ofB := a.who(0), b.who(0)
	if ofA == ofB || a.who(0) != ofA {
		t.Error("without a keeper a node has no salt of its own")
	}
	k.set(nil)
	a.tend()
	b.tend()
	if a.who(0) != ofA || b.who(0) != ofA {
		t.Error("nodes do not agree on the salt of the first")
	}
}

func TestAKeeperThatLostItsSaltsGetsThemBack(t *testing.T) {
	k := &shelf{}
	a := sharingWith(t, k)
	first := a.who(0)
	k.salts = nil // a crash of the server
	a.tend()
	if b := sharingWith(t, k); b.who(0) != first {
		t.Error("a node that starts then calls the visitor otherwise")
	}
}

func TestOneHitWaitsForAKeeperThatSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &shelf{}
		r := sharingWith(t, k)
		k.mu.Lock()
		k.stalled = true
		k.mu.Unlock()
		began := time.Now()
		for day := range 3 {
			r.who(time.Duration(day) * 18 * time.Hour)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("hits waited for %v", took)
		}
	})
}

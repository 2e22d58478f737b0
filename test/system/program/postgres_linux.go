package program

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Postgres is a server of the test's own, that it can stop and kill. It is gone when the test ends.
type Postgres struct {
	URL     string
	Address string // host and port

	bin, dir string
	user     *syscall.Credential // nil is ours: PostgreSQL refuses to run as root
	cmd      *exec.Cmd
}

// StartPostgres starts a server with an empty database, from Debian's package. Without the package the test is skipped, but not in CI.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL is missing, and CI tests it: tools/with-postgres installs it")
		}
		t.Skip("PostgreSQL is missing: tools/with-postgres installs it")
	}
	slices.Sort(found)
	dir, err := os.MkdirTemp("", "footfall-postgres-") // the folder of a test is for its user alone
	if err != nil {
		t.Fatal(err)
	}
	p := &Postgres{bin: filepath.Dir(found[len(found)-1]), dir: dir}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p.becomeOther(t)
	password := rand.Text()
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte(password), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := p.command("initdb", "-D", p.data(), "-U", "footfall", "-A", "scram-sha-256", "--pwfile="+file, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync").CombinedOutput()
	if err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	p.Address = freeAddress(t)
	p.URL = fmt.Sprintf("postgres://footfall:%s@%s/postgres?sslmode=disable", password, p.Address)
	p.Start(t)
	t.Cleanup(func() { p.Kill(t) })
	return p
}

// becomeOther finds the user that the server runs as, and gives it the folder.
func (p *Postgres) becomeOther(t testing.TB) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	p.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chown(p.dir, uid, gid); err != nil {
		t.Fatal(err)
	}
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.user}
	return cmd
}

// freeAddress is one that nobody listens on at this moment.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Start starts it, and returns when it answers. After Kill it goes on with what it had.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	_, port, _ := net.SplitHostPort(p.Address)
	var log bytes.Buffer
	p.cmd = p.command("postgres", "-D", p.data(), "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "full_page_writes=off", "-c", "max_connections=100")
	p.cmd.Stdout, p.cmd.Stderr = &log, &log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(readyWithin); ; time.Sleep(20 * time.Millisecond) {
		if p.command("pg_isready", "-q", "-h", "127.0.0.1", "-p", port).Run() == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("PostgreSQL does not answer")
		}
	}
}

// Kill ends it at once, and returns when it is gone. Its data stays.
func (p *Postgres) Kill(t testing.TB) {
	t.Helper()
	if p.cmd == nil {
		return
	}
	p.Freeze(t) // nobody begins anew what is killed
	for _, pid := range p.processes(t) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	p.cmd.Wait() // how it ended is known
	p.cmd = nil
	os.Remove(filepath.Join(p.data(), "postmaster.pid"))
}

// Freeze stops it where it is: it holds its connections and says nothing. Thaw lets it go on.
func (p *Postgres) Freeze(t testing.TB) {
	t.Helper()
	for range 3 { // until nobody is left who was just born
		for _, pid := range p.processes(t) {
			syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
}

// Thaw lets it go on after Freeze.
func (p *Postgres) Thaw(t testing.TB) {
	t.Helper()
	for _, pid := range p.processes(t) {
		syscall.Kill(pid, syscall.SIGCONT)
	}
}

// processes are the server's and those of its connections, its own first.
func (p *Postgres) processes(t testing.TB) []int {
	t.Helper()
	parent := p.cmd.Process.Pid
	pids := []int{parent}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stats {
		b, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		text := string(b)
		after := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if len(after) > 1 && after[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

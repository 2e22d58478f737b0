package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A running is a service that runs until the test ends or stop is called.
type running struct {
	t    *testing.T
	dir  string
	url  string
	link string // that makes the first account; "" if there is none
	out  *output
	err  *output
	stop func() (status int)
}

func startService(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	r := &running{t: t, dir: dir, out: &output{}, err: &output{}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		all := append([]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0"}, args...)
		ended <- run(ctx, all, nil, &terminal{in: strings.NewReader(""), out: r.out, err: r.err})
	}()
	r.stop = sync.OnceValue(func() int {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { r.stop() })
	ready := regexp.MustCompile(`(?s)Footfall listens on (\S+)\nIts data is in \S+\n`)
	for range 500 {
		if m := ready.FindStringSubmatch(r.out.String()); m != nil {
			r.url = m[1]
			break
		}
		select {
		case status := <-ended:
			t.Fatalf("serve ended with %d: %s", status, r.err.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	r.want(200, "GET", "/readyz", "", "")
	if _, link, ok := strings.Cut(r.out.String(), "once: "); ok {
		r.link = strings.TrimSpace(link)
	}
	return r
}

// want sends a request with a key and fails the test unless the answer has this status.
func (r *running) want(status int, method, path, key, body string) string {
	r.t.Helper()
	req, err := http.NewRequest(method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if answer.StatusCode != status {
		r.t.Fatalf("%s %s is %d %s, want %d", method, path, answer.StatusCode, content, status)
	}
	return string(content)
}

// command runs another command on the same data, and returns what it printed.
func (r *running) command(status int, in string, args ...string) string {
	r.t.Helper()
	var out, errOut bytes.Buffer
	got := run(r.t.Context(), append(args, "--data-dir", r.dir), nil, &terminal{in: strings.NewReader(in), out: &out, err: &errOut})
	time.Sleep(10 * time.Millisecond) // a service that runs notices within 5 ms what others have changed
	if got != status {
		r.t.Fatalf("footfall %s is %d %s%s, want %d", strings.Join(args, " "), got, out.String(), errOut.String(), status)
	}
	return out.String() + errOut.String()
}

func TestFirstStartPrintsWhereItIsAndALinkThatWorksOnce(t *testing.T) {
	dir := t.TempDir()
	r := startService(t, dir)
	lines := strings.Split(strings.TrimSpace(r.out.String()), "\n")
	if len(lines) != 3 || lines[1] != "Its data is in "+dir || !strings.HasPrefix(r.link, r.url+"/setup#fft_") || r.err.String() != "" {
		t.Errorf("it printed %q and %q", r.out.String(), r.err.String())
	}
	_, token, _ := strings.Cut(r.link, "#")
	body := url.Values{"token": {token}, "email": {"anna@example.com"}, "password": {"long enough"}}.Encode()
	r.want(201, "POST", "/api/v1/setup", "", body)
	r.want(409, "POST", "/api/v1/setup", "", body)
	if status := r.stop(); status != 0 {
		t.Errorf("it ended with %d: %s", status, r.err.String())
	}
	if again := startService(t, dir); again.link != "" {
		t.Errorf("the next start printed %q", again.out.String())
	}
}

func TestCommandsWorkBesideTheService(t *testing.T) {
	r := startService(t, t.TempDir())
	if got := r.command(0, "long enough\n", "user", "add", "anna@example.com"); got != "anna@example.com is admin\n" {
		t.Errorf("user add printed %q", got)
	}
	r.command(0, "long enough", "user", "add", "--name", "Ben", "ben@example.com")
	r.command(1, "", "user", "add", "carl@example.com")
	if got := r.command(1, "short\n", "user", "add", "carl@example.com"); !strings.Contains(got, "at least 8 characters") {
		t.Errorf("user add printed %q", got)
	}
	key := strings.TrimSuffix(r.command(0, "", "key", "add", "anna@example.com", "--name", "mine"), "\n")
	if !regexp.MustCompile(`^ffk_[0-9a-f]{64}$`).MatchString(key) {
		t.Errorf("key add printed %q", key)
	}
	reader := strings.TrimSpace(r.command(0, "", "key", "add", "ben@example.com", "--scope", "read"))
	r.want(201, "POST", "/api/v1/websites", key, "domain=a.example")
	r.want(403, "POST", "/api/v1/websites", reader, "domain=b.example")
	if got := r.command(0, "", "key", "list", "anna@example.com"); !strings.Contains(got, "mine") || strings.Contains(got, key) {
		t.Errorf("key list printed %q", got)
	}
	r.command(0, "", "key", "revoke", "anna@example.com", "1")
	r.want(401, "GET", "/api/v1/me", key, "")
	r.command(1, "", "key", "revoke", "anna@example.com", "99")
	r.command(0, "another password\n", "user", "passwd", "ben@example.com")
	r.want(201, "POST", "/api/v1/session", "", "email=ben@example.com&password=another+password")
	r.command(0, "", "user", "delete", "ben@example.com")
	if got := r.command(0, "", "user", "list"); !strings.Contains(got, "anna@example.com") || strings.Contains(got, "ben@example.com") {
		t.Errorf("user list printed %q", got)
	}
	r.want(401, "GET", "/api/v1/me", reader, "")
	if got := r.command(1, "", "verify"); !strings.Contains(got, "in use") {
		t.Errorf("verify beside the service printed %q", got)
	}
	r.stop()
	if got := r.command(0, "", "verify"); !strings.Contains(got, "all can be read") {
		t.Errorf("verify printed %q", got)
	}
}

func TestTwoServicesDoNotShareADataDirectoryOrAPort(t *testing.T) {
	r := startService(t, t.TempDir())
	if got := r.command(1, "", "serve", "--listen", "127.0.0.1:0"); !strings.Contains(got, "is in use by another footfall") {
		t.Errorf("the second service printed %q", got)
	}
	other := &running{t: t, dir: t.TempDir()}
	if got := other.command(1, "", "serve", "--listen", strings.TrimPrefix(r.url, "http://")); !strings.Contains(got, "is in use by another program") {
		t.Errorf("the second service printed %q", got)
	}
	other.command(0, "", "verify") // it let go of its directory
}

func TestStoppingAnswersWhatWasAccepted(t *testing.T) {
	r := startService(t, t.TempDir())
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
	body, send := io.Pipe()
	req, err := http.NewRequest("POST", r.url+"/api/v1/websites", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answered := make(chan string, 1)
	go func() {
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer answer.Body.Close()
		answered <- answer.Status
	}()
	fmt.Fprint(send, "domain=")
	r.want(200, "GET", "/healthz", "", "") // by now the other request is accepted
	stopped := make(chan int, 1)
	began := time.Now()
	go func() { stopped <- r.stop() }()
	for range 500 { // until it takes no more connections
		if _, err := (&http.Client{Transport: &http.Transport{}}).Get(r.url + "/healthz"); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Fprint(send, "late.example")
	send.Close()
	if got := <-answered; got != "201 Created" {
		t.Errorf("the request that was accepted is answered with %s", got)
	}
	if status := <-stopped; status != 0 || time.Since(began) > 10*time.Second {
		t.Errorf("it ended with %d after %s: %s", status, time.Since(began), r.err.String())
	}
}

func TestDeletedWebsitesArePurged(t *testing.T) {
	dir := t.TempDir()
	r := startService(t, dir)
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
	r.want(201, "POST", "/api/v1/websites", key, "domain=a.example")
	r.want(200, "DELETE", "/api/v1/websites/1", key, "")
	r.stop()
	c := &config{dataDir: dir}
	h, err := openHouse(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if left, err := h.accounts.DeletedWebsites(t.Context()); err != nil || len(left) != 1 {
		t.Fatalf("to be purged: %v, %v", left, err)
	}
	if err := h.purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := h.accounts.DeletedWebsites(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("still to be purged: %v, %v", left, err)
	}
}

func TestMetricsAndLogNameNoAddress(t *testing.T) {
	r := startService(t, t.TempDir(), "--metrics-token=secret", "--log-level=info")
	if got := r.want(200, "GET", "/metrics", "secret", ""); !strings.Contains(got, "footfall_journal_bytes ") || !strings.Contains(got, "footfall_store_events 0\n") {
		t.Errorf("metrics are %s", got)
	}
	if !strings.Contains(r.err.String(), "route=/metrics") || strings.Contains(r.err.String(), "127.0.0.1") {
		t.Errorf("the log is %s", r.err.String())
	}
}

// output is what a command prints.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

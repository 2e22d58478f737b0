package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
)

// send sends an event as a browser does, and tells why it was dropped.
func (r *running) send(address, body string) (dropped string) {
	r.t.Helper()
	req, err := http.NewRequest("POST", r.url+"/api/event", strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0")
	req.Header.Set("X-Forwarded-For", address)
	req.Header.Set("Sec-GPC", "1")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		r.t.Fatalf("answer is %s", answer.Status)
	}
	return answer.Header.Get("X-Dropped")
}

// becomes waits until an event is dropped for a reason, or counts.
func (r *running) becomes(address, want string) {
	r.t.Helper()
	var got string
	for range 500 {
		if got = r.send(address, `{"n":"engagement","u":"https://example.com/"}`); got == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Errorf("from %s dropped %q, want %q", address, got, want)
}

// makeWebsite makes an account with a website, at the command line's side.
func makeWebsite(t *testing.T, dir string) (db *accounts.DB, owner accounts.Caller) {
	t.Helper()
	db, err := accounts.Open(t.Context(), "", accounts.Options{Dir: dir, Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	email, password := "anna@example.com", "long enough"
	if _, err := db.AddAccount(t.Context(), accounts.Shell(), accounts.AccountInput{Email: &email, Password: &password}); err != nil {
		t.Fatal(err)
	}
	if owner, err = db.ActAs(t.Context(), email); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateWebsite(t.Context(), owner, accounts.WebsiteInput{Domain: new("example.com")}); err != nil {
		t.Fatal(err)
	}
	return db, owner
}

func TestSettingsOfAWebsiteCountSoon(t *testing.T) {
	r := startService(t, t.TempDir())
	r.becomes("192.0.2.1", "unknown_website")
	db, owner := makeWebsite(t, r.dir) // another process does it
	r.becomes("192.0.2.1", "")
	if _, err := db.UpdateWebsite(t.Context(), owner, 1, accounts.WebsiteInput{ExcludeIPs: new("192.0.2.0/24")}); err != nil {
		t.Fatal(err)
	}
	r.becomes("192.0.2.1", "excluded_ip")
	r.becomes("198.51.100.1", "")
	if err := db.DeleteWebsite(t.Context(), owner, 1); err != nil {
		t.Fatal(err)
	}
	r.becomes("192.0.2.1", "unknown_website")
}

func TestSettingsOfCollection(t *testing.T) {
	dir := t.TempDir()
	makeWebsite(t, dir)
	startService(t, dir, "--privacy-signals=honour").becomes("192.0.2.1", "privacy_signal")
	networks := filepath.Join(dir, "networks.txt")
	if err := os.WriteFile(networks, []byte("192.0.2.0/24\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startService(t, t.TempDir(), "--datacenter-networks="+networks)
	db, owner := makeWebsite(t, r.dir)
	r.becomes("192.0.2.1", "datacenter")
	r.becomes("198.51.100.1", "")
	if _, err := db.UpdateWebsite(t.Context(), owner, 1, accounts.WebsiteInput{RespectSignals: new("1")}); err != nil {
		t.Fatal(err)
	}
	r.becomes("198.51.100.1", "privacy_signal")
	for _, args := range [][]string{{"--privacy-signals=maybe"}, {"--client-address-header=X Y"}, {"--rate-limit-collect=-1"}, {"--geoip=/nowhere/x.mmdb"}, {"--datacenter-networks=/nowhere/x"}} {
		var out, errOut output
		status := run(t.Context(), append([]string{"serve", "--data-dir", t.TempDir(), "--listen", "127.0.0.1:0"}, args...), nil,
			&terminal{in: strings.NewReader(""), out: &out, err: &errOut})
		name, _, _ := strings.Cut(args[0], "=")
		if status == 0 || !strings.Contains(errOut.String(), name) {
			t.Errorf("%s: %d %s", args[0], status, errOut.String())
		}
	}
}

func TestANodeKeepsItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node")
	first, err := nodeName(path)
	if err != nil || !nodeForm.MatchString(first) {
		t.Fatalf("%q, %v", first, err)
	}
	if again, err := nodeName(path); err != nil || again != first {
		t.Errorf("%q, %v, want %q", again, err, first)
	}
	if err := os.WriteFile(path, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := nodeName(path)
	if err != nil || !nodeForm.MatchString(second) || second == first {
		t.Errorf("after damage %q, %v", second, err)
	}
	if other, err := nodeName(filepath.Join(t.TempDir(), "node")); err != nil || other == second {
		t.Errorf("another node is %q, %v", other, err)
	}
}

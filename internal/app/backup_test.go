package app

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackupOfARunningServiceServesTheSame(t *testing.T) {
	r := startService(t, t.TempDir())
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
	website := r.want(201, "POST", "/api/v1/websites", key, "domain=example.com")
	cookie := signIn(t, r, "anna@example.com", "long enough")

	file := filepath.Join(t.TempDir(), "copy.tar")
	if said := r.command(0, "", "backup", file); !strings.Contains(said, file) {
		t.Errorf("backup said %q", said)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v; want a file for its owner alone", info, err)
	}
	again := &running{t: t, dir: filepath.Join(t.TempDir(), "data")}
	again.command(0, "", "restore", file)
	again.command(1, "", "restore", file) // it is not empty any more

	restored := startService(t, again.dir)
	if restored.link != "" {
		t.Errorf("it offers a link for a first account: %s", restored.link)
	}
	if got := restored.want(200, "GET", "/api/v1/websites/1", key, ""); got != website {
		t.Errorf("the website is %s, was %s", got, website)
	}
	if status := meWith(t, restored, cookie); status != http.StatusUnauthorized {
		t.Errorf("a session of before the backup gets %d, want 401", status)
	}
	if status := meWith(t, r, cookie); status != http.StatusOK {
		t.Errorf("the session of the running service gets %d, want 200", status)
	}
}

// signIn returns the cookie of a session.
func signIn(t *testing.T, r *running, email, password string) *http.Cookie {
	t.Helper()
	answer, err := http.PostForm(r.url+"/api/v1/session", url.Values{"email": {email}, "password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if len(answer.Cookies()) != 1 {
		t.Fatalf("sign-in is %s with the cookies %v", answer.Status, answer.Cookies())
	}
	return answer.Cookies()[0]
}

// meWith is the status of who am I with a cookie.
func meWith(t *testing.T, r *running, cookie *http.Cookie) int {
	t.Helper()
	req, err := http.NewRequest("GET", r.url+"/api/v1/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.AddCookie(cookie)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

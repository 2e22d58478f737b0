package app

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

func TestNewPasswordFromTheShellCanEndTwoFactorSignIn(t *testing.T) {
	r := startService(t, t.TempDir())
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
	var begun struct{ Data struct{ Secret string } }
	if err := json.Unmarshal([]byte(r.want(200, "POST", "/api/v1/me/totp", key, "password=long+enough")), &begun); err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(begun.Data.Secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	r.want(200, "PUT", "/api/v1/me/totp", key, "code="+code)
	r.want(401, "POST", "/api/v1/session", "", "email=anna@example.com&password=long+enough")
	r.command(0, "another password\n", "user", "passwd", "anna@example.com") // which keeps the second factor
	r.want(401, "POST", "/api/v1/session", "", "email=anna@example.com&password=another+password")
	r.command(0, "a third password\n", "user", "passwd", "--disable-totp", "anna@example.com")
	r.want(201, "POST", "/api/v1/session", "", "email=anna@example.com&password=a+third+password")
	r.command(2, "", "user", "list", "--disable-totp")
}

func TestAdministratorSeesTheInstallation(t *testing.T) {
	r := startService(t, t.TempDir())
	r.command(0, "long enough\n", "user", "add", "anna@example.com")
	key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
	got := r.want(200, "GET", "/api/v1/installation", key, "")
	for _, part := range []string{`"version":"` + version + `"`, `"ready":true`, `"configured":`, `"accounts":1`, `"journal_bytes":`} {
		if !strings.Contains(got, part) {
			t.Errorf("the installation is %s, without %s", got, part)
		}
	}
}

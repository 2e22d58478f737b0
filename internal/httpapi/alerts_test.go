package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/httpapi"
)

func TestAlertsOverHTTP(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com"))
	s.want(201, s.ask(key, "POST", "/api/v1/websites/1/webhooks", "url=https://example.org/in"))
	made := s.want(201, s.ask(key, "POST", "/api/v1/websites/1/alerts", map[string]any{"kind": "above", "threshold": 50, "email": 1, "webhook_id": 1}))
	if !strings.HasSuffix(made.header.Get("Location"), "/api/v1/websites/1/alerts/1") {
		t.Errorf("it is at %s", made.header.Get("Location"))
	}
	s.want(200, s.ask(key, "PUT", "/api/v1/websites/1/alerts/1", "kind=silent&hours=6&webhook_id=0"))
	want := `{"data":[{"id":1,"kind":"silent","sensitivity":"normal","threshold":50,"hours":6,"email":1,"account_id":1,"webhook_id":null,"fired_at":null,` +
		`"created_at":"2026-04-01T12:00:00Z","updated_at":"2026-04-01T12:00:00Z"}]}` + "\n"
	if got := s.get(key, "/api/v1/websites/1/alerts"); string(got.body) != want {
		t.Errorf("the list is %s, want %s", got.body, want)
	}
	s.want(422, s.ask(key, "POST", "/api/v1/websites/1/alerts", "kind=loud"))
	s.want(422, s.ask(key, "PUT", "/api/v1/websites/1/alerts/1", "webhook_id=2"))
	s.want(200, s.ask(key, "DELETE", "/api/v1/websites/1/alerts/1", nil))
	s.want(404, s.ask(key, "DELETE", "/api/v1/websites/1/alerts/1", nil))
}

// Whom a ping goes to, the account says: it is no way to flood others.
func TestPingsOfAnAccountAreLimited(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Secret = 1 })
	anna, ben := s.account("anna@example.com"), s.account("ben@example.com")
	s.want(201, s.ask(anna, "POST", "/api/v1/websites", "domain=example.com"))
	s.want(201, s.ask(anna, "POST", "/api/v1/websites/1/shares", "email=ben@example.com&access=editor"))
	for range 2 {
		s.want(201, s.ask(anna, "POST", "/api/v1/websites/1/webhooks", "url=https://example.org/in"))
	}
	ping := func(key string, webhook int) response {
		return s.ask(key, "POST", fmt.Sprintf("/api/v1/websites/1/webhooks/%d/test", webhook), nil)
	}
	for i := range 5 {
		s.want(202, ping(anna, 1+i%2))
	}
	if got := s.want(429, ping(anna, 1)); got.header.Get("Retry-After") != "12" {
		t.Errorf("Retry-After is %s", got.header.Get("Retry-After"))
	}
	s.want(202, ping(ben, 1))
	s.clock.pass(12 * time.Second)
	s.want(202, ping(anna, 2))
}

func TestSecretOfAWebhookIsShownOnce(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	s.want(201, s.ask(key, "POST", "/api/v1/websites", "domain=example.com"))
	made := s.want(201, s.ask(key, "POST", "/api/v1/websites/1/webhooks", map[string]any{"url": "https://example.org/in?x=y"}))
	var record struct{ Data struct{ Secret string } }
	if err := json.Unmarshal(made.body, &record); err != nil || !strings.HasPrefix(record.Data.Secret, "ffw_") {
		t.Fatalf("made is %s", made.body)
	}
	s.want(202, s.ask(key, "POST", "/api/v1/websites/1/webhooks/1/test", nil))
	attempt := accounts.Attempt{MessageID: "m", Kind: "ping", Attempt: 1, Error: "the host refuses connections", Duration: 1500 * time.Millisecond}
	if err := s.db.LogAttempt(t.Context(), 1, attempt); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/api/v1/websites/1/webhooks": `{"data":[{"id":1,"url":"https://example.org/in?x=y","created_at":"2026-04-01T12:00:00Z"}]}`,
		"/api/v1/websites/1/webhooks/1/deliveries": `{"data":[{"id":1,"delivery":"m","kind":"ping","attempt":1,"status":null,"error":"the host refuses connections",` +
			`"duration_ms":1500,"created_at":"2026-04-01T12:00:00Z"}]}`,
	} {
		if got := s.get(key, path); string(got.body) != want+"\n" {
			t.Errorf("%s is %s, want %s", path, got.body, want)
		}
	}
	for _, url := range []string{"", "example.org", "javascript:alert(1)", "https://anna:pass@example.org/", "https://example.org/%0d%0a\r\nX: y"} {
		s.want(422, s.ask(key, "POST", "/api/v1/websites/1/webhooks", map[string]any{"url": url}))
	}
	s.want(200, s.ask(key, "DELETE", "/api/v1/websites/1/webhooks/1", nil))
	s.want(404, s.ask(key, "POST", "/api/v1/websites/1/webhooks/1/test", nil))
	s.want(404, s.get(key, "/api/v1/websites/1/webhooks/1/deliveries"))
}

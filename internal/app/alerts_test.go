package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A ping goes the whole way: to this machine only if the operator says so. Nothing of the webhook is logged, at any level.
func TestWebhooksReachThisMachineOnlyIfAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		error string
		want  int64
	}{
		"by default": {nil, "the address is private, and the operator of this service does not allow that", 0},
		"allowed":    {[]string{"--webhook-allow-private", "yes"}, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var arrived atomic.Int64
			there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { arrived.Add(1) }))
			defer there.Close()
			r := startService(t, t.TempDir(), append(c.args, "--log-level", "debug")...)
			r.command(0, "long enough\n", "user", "add", "anna@example.com")
			key := strings.TrimSpace(r.command(0, "", "key", "add", "anna@example.com"))
			r.want(201, "POST", "/api/v1/websites", key, "domain=a.example")
			var made struct{ Data struct{ Secret string } }
			body := url.Values{"url": {there.URL + "/in?token=hush"}}.Encode()
			if err := json.Unmarshal([]byte(r.want(201, "POST", "/api/v1/websites/1/webhooks", key, body)), &made); err != nil || made.Data.Secret == "" {
				t.Fatalf("made is %+v, %v", made, err)
			}
			r.want(202, "POST", "/api/v1/websites/1/webhooks/1/test", key, "")
			var log struct {
				Data []struct{ Error, Kind string }
			}
			for begin := time.Now(); len(log.Data) == 0; time.Sleep(50 * time.Millisecond) {
				if time.Since(begin) > time.Minute {
					t.Fatal("the ping was not sent")
				}
				if err := json.Unmarshal([]byte(r.want(200, "GET", "/api/v1/websites/1/webhooks/1/deliveries", key, "")), &log); err != nil {
					t.Fatal(err)
				}
			}
			if log.Data[0].Error != c.error || log.Data[0].Kind != "ping" || arrived.Load() != c.want {
				t.Errorf("log is %+v, and %d arrived", log.Data, arrived.Load())
			}
			r.stop()
			if out := r.out.String() + r.err.String(); strings.Contains(out, made.Data.Secret) || strings.Contains(out, "hush") || strings.Contains(out, there.URL) {
				t.Errorf("it printed %s", out)
			}
		})
	}
}

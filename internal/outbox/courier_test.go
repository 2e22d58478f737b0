package outbox_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/accounts"
	"footfall/internal/outbox"
	"footfall/internal/webhook"
)

func (r *rig) courier() *outbox.Courier {
	return &outbox.Courier{Box: r.box(accounts.WebhookKind), Sender: &webhook.Sender{AllowPrivate: true, Now: r.Now}}
}

// A receiver is a webhook's other end. It remembers what it got, and answers as told.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []map[string]any
	ids    []string
	signed []string
	bodies []string
	status int
}

func receive(t *testing.T) *receiver {
	t.Helper()
	v := &receiver{status: 200}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		defer v.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		v.got, v.ids = append(v.got, m), append(v.ids, r.Header.Get("Footfall-Delivery"))
		v.signed, v.bodies = append(v.signed, r.Header.Get("Footfall-Signature")), append(v.bodies, string(body))
		w.WriteHeader(v.status)
	}))
	t.Cleanup(v.Close)
	return v
}

// hooked makes a webhook.
func (r *rig) hooked(url string) (h accounts.Webhook, secret string) {
	r.t.Helper()
	h, secret, err := r.DB.AddWebhook(r.t.Context(), r.anna, r.website.ID, url)
	must(r.t, err)
	return h, secret
}

// ping puts a message for a webhook into the outbox.
func (r *rig) ping(h accounts.Webhook) {
	r.t.Helper()
	_, err := r.DB.PingWebhook(r.t.Context(), r.anna, r.website.ID, h.ID)
	must(r.t, err)
}

func TestWebhookIsToldOnceAndInItsLog(t *testing.T) {
	r, there := newRig(t), receive(t)
	h, secret := r.hooked(there.URL + "/in?token=hush")
	r.ping(h)
	r.Pass(time.Minute)
	must(t, r.courier().Send(t.Context()))
	must(t, r.courier().Send(t.Context()))
	if len(there.got) != 1 {
		t.Fatalf("%d messages arrived", len(there.got))
	}
	want := map[string]any{
		"id": there.ids[0], "kind": "ping", "created_at": "2026-03-04T12:00:00Z",
		"website": map[string]any{"id": float64(r.website.ID), "domain": "example.com"},
	}
	if diff := cmp.Diff(want, there.got[0]); diff != "" {
		t.Error(diff)
	}
	if want := webhook.Sign(secret, r.Now(), []byte(there.bodies[0])); there.signed[0] != want {
		t.Errorf("signature is %s, want %s", there.signed[0], want)
	}
	list, err := r.DB.Attempts(t.Context(), r.anna, r.website.ID, h.ID)
	must(t, err)
	if len(list) != 1 || list[0].Status != 200 || list[0].Error != "" || list[0].Kind != "ping" || list[0].Attempt != 1 || list[0].MessageID != there.ids[0] {
		t.Errorf("log is %+v", list)
	}
}

// A service that was down for a day has no news.
func TestMessageOfLongAgoIsNotTold(t *testing.T) {
	r, there := newRig(t), receive(t)
	h, _ := r.hooked(there.URL)
	r.ping(h)
	r.Pass(24*time.Hour + time.Second)
	must(t, r.courier().Send(t.Context()))
	if len(there.got) != 0 || r.state(accounts.WebhookKind) != accounts.Failed {
		t.Errorf("%d arrived, and the delivery is %s", len(there.got), r.state(accounts.WebhookKind))
	}
}

// The pauses double from a minute to an hour: attempts after 0, 1, 3, 7, 15, 31 and 63 minutes, and then 22 more within the day.
func TestWebhookIsTriedForADay(t *testing.T) {
	r, there := newRig(t), receive(t)
	there.status = 503
	h, secret := r.hooked(there.URL + "/in?token=hush")
	r.ping(h)
	var at []int
	courier := r.courier()
	for minute := range 25 * 60 {
		before := len(there.got)
		must(t, courier.Send(t.Context()))
		if len(there.got) > before {
			at = append(at, minute)
		}
		r.Pass(time.Minute)
	}
	if len(at) != 29 || fmt.Sprint(at[:9]) != "[0 1 3 7 15 31 63 123 183]" || at[28] != 1383 {
		t.Errorf("attempts after %v minutes", at)
	}
	for _, id := range there.ids {
		if id != there.ids[0] {
			t.Error("the id is not the same for every attempt")
		}
	}
	list, err := r.DB.Attempts(t.Context(), r.anna, r.website.ID, h.ID)
	must(t, err)
	if len(list) != 29 || list[0].Attempt != 29 || list[28].Attempt != 1 || list[0].Status != 503 || list[0].Error != "the answer has status 503, and only 200 to 299 count" {
		t.Errorf("log is %+v", list)
	}
	if got := r.state(accounts.WebhookKind); got != accounts.Failed {
		t.Errorf("delivery is %s", got)
	}
	if log := r.log.String(); strings.Contains(log, secret) || strings.Contains(log, "hush") || !strings.Contains(log, "given up") {
		t.Errorf("logged is %s", log)
	}
}

func TestWebhookThatComesBackIsTold(t *testing.T) {
	r, there := newRig(t), receive(t)
	there.status = 500
	h, _ := r.hooked(there.URL)
	r.ping(h)
	must(t, r.courier().Send(t.Context()))
	there.status = 202
	must(t, r.courier().Send(t.Context()))
	r.Pass(time.Minute)
	must(t, r.courier().Send(t.Context()))
	if len(there.got) != 2 || there.got[1]["kind"] != "ping" {
		t.Errorf("arrived: %v", there.got)
	}
	if got := r.state(accounts.WebhookKind); got != accounts.Sent {
		t.Errorf("delivery is %s", got)
	}
}

func TestWebhookThatIsGoneIsNotTold(t *testing.T) {
	r, there := newRig(t), receive(t)
	h, _ := r.hooked(there.URL)
	r.ping(h)
	must(t, r.DB.DeleteWebhook(t.Context(), r.anna, r.website.ID, h.ID))
	must(t, r.courier().Send(t.Context()))
	if got := r.state(accounts.WebhookKind); len(there.got) != 0 || got != accounts.Dropped {
		t.Errorf("%d arrived, and the delivery is %s", len(there.got), got)
	}
}

// Two nodes share the work, and nothing arrives twice.
func TestTwoCouriersTellEachThingOnce(t *testing.T) {
	r, there := newRig(t), receive(t)
	h, _ := r.hooked(there.URL)
	for i := range 30 {
		d, err := accounts.NewPosting(r.website.ID, h.ID, "ping", map[string]int{"n": i})
		must(t, err)
		must(t, r.DB.AddDelivery(t.Context(), d))
	}
	other := r.courier()
	other.Accounts, other.Node = r.Open(), "two"
	var g sync.WaitGroup
	var errs [2]error
	g.Go(func() { errs[0] = r.courier().Send(t.Context()) })
	g.Go(func() { errs[1] = other.Send(t.Context()) })
	g.Wait()
	must(t, errs[0])
	must(t, errs[1])
	seen := make(map[string]bool)
	for _, id := range there.ids {
		seen[id] = true
	}
	if len(there.ids) != 30 || len(seen) != 30 {
		t.Errorf("%d messages arrived, %d different", len(there.ids), len(seen))
	}
}

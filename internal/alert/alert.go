// Package alert tells people when something about their website is not as usual: by email, and to webhooks.
//
// The one thing to know is what is usual: the median of the same hour of the same weekday in the weeks before, on the
// website's clock (usual.go). The Watch compares the last full hour with it (watch.go) and puts what it finds into the outbox,
// at most once in 12 hours for each alert, whatever the number of nodes. The Clerk writes it to the account that made the alert
// (clerk.go, letter.go). Package outbox sends it, and takes it to webhooks.
//
//	clock.go     hours on the website's clock, which are not always as long as others
//	history.go   what happened in them
package alert

import (
	"time"

	"footfall/internal/accounts"
)

// Kind is that of emails about alerts in the outbox.
const Kind = "alert"

// A Finding is what is not as usual. The outbox keeps it.
type Finding struct {
	Alert int64              `json:"id"`
	Kind  accounts.AlertKind `json:"kind"`
	From  time.Time          `json:"from"` // with the website's zone; the hours that it is about
	To    time.Time          `json:"to"`
	Is    int64              `json:"visitors"`        // of that hour; 0 in a silence
	Usual int64              `json:"usual"`           // visitors of such an hour, or hits of such hours
	Hours int64              `json:"hours,omitempty"` // of silence
}

// Patience is how long it is tried to tell: what was unusual a day ago is no news.
const Patience = 24 * time.Hour

package collect

import (
	"net/netip"
	"time"

	"footfall/internal/collect/agent"
	"footfall/internal/event"
)

// A Request is what the door knows of those who send hits, whatever the hits say. Nothing of it is kept.
type Request struct {
	Address        netip.Addr // of the client
	UserAgent      string
	AcceptLanguage string
	Brands         string // Sec-CH-UA
	Platform       string // Sec-CH-UA-Platform
	Mobile         string // Sec-CH-UA-Mobile
	PrivacySignal  bool   // DNT or Sec-GPC is 1
}

// A Hit is what a tracker sends. Parse and ParseQuery make one: its texts are clean and its numbers are within bounds.
type Hit struct {
	Kind     event.Kind
	Domain   string // of the website; several with commas; "" is the host of URL
	URL      string
	Referrer string
	Name     string // of a custom event
	ID       uint64 // 0 is none
	Value    int64  // millionths
	Unit     string
	Props    string // as event.JoinProps writes them
	Engaged  int32  // milliseconds
	Scroll   uint8  // percent
	Screen   string // "1920x1080"
	Language string // tag
	Hash     bool   // the fragment is part of the page
	Hints    agent.Hints
	Robot    bool          // the tracker saw signs of automation
	Age      time.Duration // since it happened

	Claim Claim
}

// A Claim is what a server says of the visitor that it sends a hit for. It counts only if whoever holds the key may edit
// the website: the door sees to that, and clears it otherwise.
type Claim struct {
	Address   netip.Addr
	UserAgent string
	Time      time.Time
}

// IsZero tells whether nothing is claimed.
func (c *Claim) IsZero() bool { return c.UserAgent == "" && !c.Address.IsValid() && c.Time.IsZero() }

// MaxAge is how long ago an event may have happened. What is older belongs to an import.
const MaxAge = 48 * time.Hour

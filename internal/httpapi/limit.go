package httpapi

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// Limits are how many requests a minute are answered, evenly or all at once; 0 is any number.
type Limits struct {
	Address int // of one address
	Key     int // with one key, or in one session
	Secret  int // of one address, that compare a password or a token
	Collect int // of one address, that send events or load the tracker
}

// perSubject is how many times more passwords a minute there may be for one account than from one address. So a crowd
// cannot guess much faster than one can, and still does not easily lock the owner out.
const perSubject = 5

type limiters struct{ address, key, secret, subject, collect *limiter }

func newLimiters(l Limits) limiters {
	return limiters{
		address: newLimiter(l.Address), key: newLimiter(l.Key),
		secret: newLimiter(l.Secret), subject: newLimiter(perSubject * l.Secret), collect: newLimiter(l.Collect),
	}
}

// limitAddress counts a request against its address, before anything that costs.
func (s *Server) limitAddress(w http.ResponseWriter, r *http.Request, class Class) error {
	switch class {
	case Free:
		return nil
	case Collect:
		if s.limiters.collect == nil {
			return nil
		}
		return s.limiters.collect.take(w.Header(), network(s.proxies.client(r)), s.now())
	case Guarded:
		return s.limiters.secret.take(w.Header(), network(s.proxies.client(r)), s.now())
	}
	return s.limiters.address.take(w.Header(), network(s.proxies.client(r)), s.now())
}

// limitCaller counts a request against the key or the session that it came with.
func (s *Server) limitCaller(w http.ResponseWriter, c accounts.Caller, class Class) error {
	if class != Ordinary {
		return nil
	}
	return s.limiters.key.take(w.Header(), strconv.FormatInt(c.Key(), 10)+"/"+strconv.FormatInt(c.Session(), 10), s.now())
}

// limitGuess counts a guess at the password of an account, whoever makes it.
func (s *Server) limitGuess(w http.ResponseWriter, email string) error {
	const longest = 254 // that an email can be; what is longer is none, and would fill the table
	email = strings.ToLower(strings.TrimSpace(email))
	return s.limiters.subject.take(w.Header(), "email/"+email[:min(longest, len(email))], s.now())
}

// limitHashing counts a password that an account sends, its own or that of a website: each costs a hash.
func (s *Server) limitHashing(w http.ResponseWriter, c accounts.Caller) error {
	return s.limiters.subject.take(w.Header(), "account/"+strconv.FormatInt(c.Account(), 10), s.now())
}

// limitPing counts a message that an account has sent to an address of its choice: to us it is cheap, to others it may not be.
func (s *Server) limitPing(w http.ResponseWriter, c accounts.Caller) error {
	return s.limiters.subject.take(w.Header(), "ping/"+strconv.FormatInt(c.Account(), 10), s.now())
}

// network is whom an address is counted for. Who has one address of IPv6 has the 64 bits beside it too.
func network(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.Prefix(64)
		return p.String()
	}
	return a.String()
}

// maxBuckets bounds the table of a limiter: 6 MB at worst.
const maxBuckets = 50_000

// A limiter is a table of token buckets, each as full as a minute allows. A bucket is kept as the time at which it is
// full again; one that is full is forgotten, as it is the same as none. A nil limiter lets everything pass.
type limiter struct {
	perMinute int
	limit     string        // the same, as a text
	each      time.Duration // the time that a token takes to come

	mu    sync.Mutex
	full  map[string]time.Time
	swept time.Time
}

func newLimiter(perMinute int) *limiter {
	if perMinute <= 0 {
		return nil
	}
	return &limiter{perMinute: perMinute, limit: strconv.Itoa(perMinute), each: time.Minute / time.Duration(perMinute), full: make(map[string]time.Time)}
}

// take takes a token out of a bucket, and tells in the header how it stands.
func (l *limiter) take(h http.Header, bucket string, now time.Time) error {
	if l == nil {
		return nil
	}
	full, ok := l.tryTake(bucket, now)
	missing := full.Sub(now)
	remaining := max(0, int((time.Minute-missing)/l.each))
	// As Set would write them, which takes a while over names that it has not seen.
	h["Ratelimit-Limit"] = []string{l.limit}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(remaining)}
	h["Ratelimit-Reset"] = []string{strconv.Itoa(int(math.Ceil(missing.Seconds())))}
	if !ok {
		wait := missing + l.each - time.Minute
		return fault.New(fault.TooManyRequests, "more than %d requests a minute: wait, then go on more slowly", l.perMinute).After(wait)
	}
	return nil
}

func (l *limiter) tryTake(bucket string, now time.Time) (full time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	full, known := l.full[bucket]
	if full.Before(now) {
		full = now
	}
	if next := full.Add(l.each); next.Sub(now) <= time.Minute {
		if !known {
			l.makeRoom(now)
		}
		l.full[bucket] = next
		return next, true
	}
	return full, false
}

// makeRoom forgets buckets that are full or, if all are in use, some other one: a crowd as large as the table is not
// held back by counting each of them.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.full) < maxBuckets {
		return
	}
	if now.Sub(l.swept) >= time.Second {
		l.swept = now
		for bucket, full := range l.full {
			if !full.After(now) {
				delete(l.full, bucket)
			}
		}
	}
	for bucket := range l.full {
		if len(l.full) < maxBuckets {
			return
		}
		delete(l.full, bucket)
	}
}

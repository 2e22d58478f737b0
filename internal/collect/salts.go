package collect

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// How long salts live, counted from the moment at which their day began. On disk none gets 48 hours old: it dies in time for
// a job that looks once a minute. In memory one for a day whose own is gone lives until nothing of that day can arrive.
const (
	saltLife   = 48*time.Hour - 5*time.Minute
	memoryLife = MaxAge + 27*time.Hour
)

// How long to wait for a keeper: a hit that is the first of its day, and the job that sees to salts.
const (
	hitPatience = time.Second
	jobPatience = 10 * time.Second
)

const saltBytes = 32

// A SaltKeeper keeps salts where a restart finds them, by the moment at which their day begins, in Unix seconds. What it keeps is
// in no backup.
type SaltKeeper interface {
	// Keep keeps the salts that are offered, except for days that have one: of several who offer, the first is heard. It tells
	// all that are kept.
	Keep(ctx context.Context, offered map[int64][saltBytes]byte) (kept map[int64][saltBytes]byte, err error)

	// Erase leaves nothing of the salts of days that begin before from, or after to.
	Erase(ctx context.Context, from, to int64) error

	Close() error
}

// Salts are the secrets that visitors are told apart with: one for each moment at which a day begins somewhere. Their keeper has
// them so that a day goes on after a restart, and nobody else does. When one dies it is erased; then nobody can find out
// any more whose a visitor's number was.
//
// A hit needs no keeper: the salts of today and tomorrow are in memory ahead of time. If a day begins all the same of which the
// keeper could not be asked, its salt is made here. As soon as the keeper is back its word counts: the salt is kept, or, if
// another node was faster, replaced by that node's. Visitors who come before and after are counted twice on that day.
type Salts struct {
	keeper SaltKeeper
	now    func() time.Time
	log    *slog.Logger

	known atomic.Pointer[map[int64]*salt] // by the start of the day; never changed, only replaced
	mu    sync.Mutex                      // of those who change something
	away  bool                            // the keeper did not answer when it was asked last
}

// A salt is a secret.
type salt struct {
	secret [saltBytes]byte
	late   bool // made when the salt of its day had died
}

// SaltOptions are what can be set. The zero value is ready to use.
type SaltOptions struct {
	Now func() time.Time // the clock; nil is time.Now
	Log *slog.Logger     // nil is silence
}

// OpenSalts opens the salts in a file, which it makes if there is none. It never fails: what cannot be read is overwritten
// and replaced by new salts, and what cannot be written stays in memory. That may count visitors of these days twice.
func OpenSalts(path string, o SaltOptions) *Salts {
	s := newSalts(o)
	s.keeper = openSaltFile(path, s.log)
	return s.open()
}

// ShareSalts opens the salts of a keeper that several nodes share: so they give a visitor the same number. It never fails, as
// OpenSalts.
func ShareSalts(k SaltKeeper, o SaltOptions) *Salts {
	s := newSalts(o)
	s.keeper = k
	return s.open()
}

func newSalts(o SaltOptions) *Salts {
	s := &Salts{now: o.Now, log: o.Log}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.known.Store(new(map[int64]*salt))
	return s
}

func (s *Salts) open() *Salts {
	if err := s.Tend(context.Background(), nil); err != nil {
		s.log.Error("salts are in memory only: visitors may be counted twice", "error", err)
	}
	return s
}

// of is the salt of the day that begins at a moment, in Unix seconds. A new one is kept before anybody sees it; if its day is
// past, or the keeper is away, it is in memory only.
func (s *Salts) of(start int64) *salt {
	if found := (*s.known.Load())[start]; found != nil {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := (*s.known.Load())[start]; found != nil {
		return found
	}
	made := &salt{secret: newSecret(), late: s.dead(start)}
	if !made.late && !s.away { // one hit waits for a keeper that is away; the job asks it again
		made.secret = s.kept(start, made.secret)
	}
	s.change(func(known map[int64]*salt) { known[start] = made })
	return made
}

func newSecret() (secret [saltBytes]byte) {
	rand.Read(secret[:]) // never fails
	return secret
}

// kept is the secret that is kept for a day: this one, or that of who was faster. The caller holds mu.
func (s *Salts) kept(start int64, secret [saltBytes]byte) [saltBytes]byte {
	ctx, cancel := context.WithTimeout(context.Background(), hitPatience)
	defer cancel()
	kept, err := s.keeper.Keep(ctx, map[int64][saltBytes]byte{start: secret})
	if err != nil {
		s.away = true
		s.log.Error("a salt is in memory only: visitors may be counted twice", "error", err)
		return secret
	}
	return kept[start]
}

// change replaces what is known. The caller holds mu.
func (s *Salts) change(f func(known map[int64]*salt)) {
	known := maps.Clone(*s.known.Load())
	if known == nil {
		known = make(map[int64]*salt)
	}
	f(known)
	s.known.Store(&known)
}

// living are the first and the last start of a day whose salt may be kept. One of a day far ahead was made when the clock was
// wrong.
func (s *Salts) living() (first, last int64) {
	now := s.now()
	return now.Add(-saltLife).Unix() + 1, now.Add(saltLife).Unix()
}

// dead tells whether a salt must not be kept.
func (s *Salts) dead(start int64) bool {
	first, last := s.living()
	return start < first || start > last
}

// Tend lets salts die, and makes those of days that begin at these moments if there are none. The service calls it once a
// minute. Its error is the keeper's: what is in memory goes on.
func (s *Salts) Tend(ctx context.Context, starts []int64) error {
	ctx, cancel := context.WithTimeout(ctx, jobPatience)
	defer cancel()
	s.forget() // whatever the keeper says
	first, last := s.living()
	erased := s.keeper.Erase(ctx, first, last)
	kept, err := s.keeper.Keep(ctx, s.offers(starts))
	s.take(kept, err)
	return errors.Join(erased, err)
}

// offers are all salts that should be kept. The keeper may have lost some: a database may that was restored.
func (s *Salts) offers(starts []int64) map[int64][saltBytes]byte {
	offers := make(map[int64][saltBytes]byte)
	for start, one := range *s.known.Load() {
		if !one.late {
			offers[start] = one.secret
		}
	}
	for _, start := range starts {
		if _, known := offers[start]; !known && !s.dead(start) {
			offers[start] = newSecret()
		}
	}
	return offers
}

// take takes over what the keeper has, or that it is away.
func (s *Salts) take(kept map[int64][saltBytes]byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = err != nil
	s.change(func(known map[int64]*salt) {
		for start, secret := range kept {
			if one := known[start]; !s.dead(start) && (one == nil || one.secret != secret) {
				known[start] = &salt{secret: secret}
			}
		}
	})
}

// forget lets salts die in memory.
func (s *Salts) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(func(known map[int64]*salt) {
		maps.DeleteFunc(known, func(start int64, one *salt) bool {
			age := s.now().Sub(time.Unix(start, 0))
			return !one.late && s.dead(start) || age >= memoryLife || age < -saltLife
		})
	})
}

// Close lets go of the keeper.
func (s *Salts) Close() error { return s.keeper.Close() }

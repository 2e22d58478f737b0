package accounts

import (
	"context"
	"database/sql"
	"maps"
	"sync"
	"time"
)

// useGrain is how exactly it is known when a key or a session was last used. To write down every use would cost a sync
// to disk for each request, and would let none in while the disk is full.
const useGrain = time.Minute

type usedKind uint8

const (
	ofKey usedKind = iota
	ofSession
)

type used struct {
	kind usedKind
	id   int64
}

// uses are the uses of keys and sessions that are not written down yet. The zero uses is empty.
type uses struct {
	mu    sync.Mutex
	times map[used]time.Time
}

// note remembers a use, unless one less than a minute before it is written down.
func (u *uses) note(kind usedKind, id int64, written, now time.Time) {
	if now.Sub(written) < useGrain {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.times == nil {
		u.times = make(map[used]time.Time)
	}
	u.times[used{kind, id}] = now
}

// last is the last use that is known: what is written down, or later than it.
func (u *uses) last(kind usedKind, id int64, written time.Time) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	if t := u.times[used{kind, id}]; t.After(written) {
		return t
	}
	return written
}

// take returns the uses and forgets them.
func (u *uses) take() map[used]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	times := u.times
	u.times = nil
	return times
}

// giveBack undoes take: what was noted since is later and stays.
func (u *uses) giveBack(times map[used]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.Copy(times, u.times)
	u.times = times
}

// Tidy writes down when keys and sessions were last used, which keeps sessions from expiring, and removes those that
// have, and what OpenDashboard opened long ago. The service calls it once a minute.
func (db *DB) Tidy(ctx context.Context) error {
	if err := db.saveUses(ctx); err != nil {
		return err
	}
	now := millis(db.clock())
	var expired bool
	err := db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE expires_at <= $1)
		OR EXISTS (SELECT 1 FROM website_passes WHERE expires_at <= $1)`, now).Scan(&expired)
	if err != nil || !expired {
		return db.trouble("look for expired sessions", err)
	}
	return db.change(ctx, "remove expired sessions", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at <= $1`, now); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM website_passes WHERE expires_at <= $1`, now)
		return err
	})
}

func (db *DB) saveUses(ctx context.Context) error {
	times := db.uses.take()
	if len(times) == 0 {
		return nil
	}
	err := db.change(ctx, "write down uses", func(tx *sql.Tx) error {
		for u, t := range times {
			var err error
			switch u.kind {
			case ofKey:
				_, err = tx.ExecContext(ctx, `UPDATE api_keys SET used_at = $2 WHERE id = $1 AND used_at < $2`, u.id, millis(t))
			case ofSession:
				_, err = tx.ExecContext(ctx, `UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE id = $1 AND seen_at < $2`,
					u.id, millis(t), millis(t.Add(SessionLife)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.uses.giveBack(times)
		return err
	}
	db.caches.callers.forget() // they know other times
	return nil
}

package collect

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
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

// The file of the salts is slots of one size, each of them empty (zeros) or one salt: the Unix seconds at which its day
// began, the salt, and the CRC-32C of both. A slot is written in one piece, in place, and synced. It is so small that all of
// it is one page of the disk for most installations.
const (
	saltBytes = 32
	slotBytes = 8 + saltBytes + 4
	maxSlots  = 4096 // 26 hours of time zones, in quarters, over four days, are fewer
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Salts are the secrets that visitors are told apart with: one for each moment at which a day begins somewhere. They are in a
// file of their own, so that a day goes on after a restart, and nowhere else: no backup may hold it. When one dies it is
// overwritten; then nobody can find out any more whose a visitor's number was.
//
// What the disk does with a block that is overwritten is out of reach: one that keeps old blocks keeps salts.
type Salts struct {
	path string
	now  func() time.Time
	log  *slog.Logger

	known atomic.Pointer[map[int64]*salt] // by the start of the day; never changed, only replaced
	mu    sync.Mutex                      // of those who change something
	file  *os.File                        // nil if it could not be opened
	slots []int64                         // of the file: the start of the day, 0 for an empty one
}

// A salt is a secret.
type salt struct {
	secret [saltBytes]byte
	slot   int  // in the file; -1 if it is in memory only
	late   bool // made when the salt of its day had died
}

// SaltOptions are what can be set. The zero value is ready to use.
type SaltOptions struct {
	Now func() time.Time // the clock; nil is time.Now
	Log *slog.Logger     // nil is silence
}

// OpenSalts opens the file of the salts, and makes it if there is none. It never fails: what cannot be read is overwritten
// and replaced by new salts, and what cannot be written stays in memory. That may count visitors of these days twice.
func OpenSalts(path string, o SaltOptions) *Salts {
	s := &Salts{path: path, now: o.Now, log: o.Log}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.known.Store(new(map[int64]*salt))
	if err := s.open(); err != nil {
		s.log.Error("salts are kept in memory only: visitors are counted again after a restart", "error", err)
	}
	if err := s.Expire(context.Background()); err != nil {
		s.log.Error("old salts cannot be overwritten", "error", err)
	}
	return s
}

func (s *Salts) open() error {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		if f, err = os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			err = syncDir(filepath.Dir(s.path))
		}
	}
	if err != nil {
		return err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxSlots*slotBytes+1))
	if err != nil {
		return errors.Join(err, f.Close())
	}
	s.file = f
	s.slots = make([]int64, min(maxSlots, (len(content)+slotBytes-1)/slotBytes))
	known := make(map[int64]*salt)
	damaged := len(content) > maxSlots*slotBytes
	for i := range s.slots {
		slot := content[i*slotBytes : min(len(content), (i+1)*slotBytes)]
		start, found, ok := decodeSlot(slot)
		if !ok || known[start] != nil {
			damaged = true
			s.slots[i] = -1 // Expire overwrites it
			continue
		}
		if s.slots[i] = start; start != 0 {
			known[start] = &salt{secret: found, slot: i}
		}
	}
	if damaged {
		s.log.Error("salts were damaged: visitors of these days may be counted twice")
	}
	s.known.Store(&known)
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func encodeSlot(start int64, secret *[saltBytes]byte) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, slotBytes), uint64(start))
	b = append(b, secret[:]...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeSlot reads a slot. An empty one has no start.
func decodeSlot(b []byte) (start int64, secret [saltBytes]byte, ok bool) {
	if len(b) != slotBytes {
		return 0, secret, false
	}
	if [slotBytes]byte(b) == ([slotBytes]byte{}) {
		return 0, secret, true
	}
	body := b[:slotBytes-4]
	start = int64(binary.BigEndian.Uint64(b))
	copy(secret[:], b[8:])
	return start, secret, start > 0 && crc32.Checksum(body, castagnoli) == binary.BigEndian.Uint32(b[slotBytes-4:])
}

// of is the salt of the day that begins at a moment, in Unix seconds. A new one is on disk before anybody sees it; if its day
// is past, or the disk does not take it, it is in memory only.
func (s *Salts) of(start int64) *salt {
	if found := (*s.known.Load())[start]; found != nil {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := (*s.known.Load())[start]; found != nil {
		return found
	}
	made := &salt{slot: -1, late: s.dead(start)}
	rand.Read(made.secret[:]) // never fails
	if !made.late {
		if err := s.keep(start, made); err != nil {
			s.log.Error("a salt is in memory only: visitors are counted again after a restart", "error", err)
		}
	}
	s.change(func(known map[int64]*salt) { known[start] = made })
	return made
}

// change replaces what is known. The caller holds mu.
func (s *Salts) change(f func(known map[int64]*salt)) {
	known := make(map[int64]*salt)
	for start, salt := range *s.known.Load() {
		known[start] = salt
	}
	f(known)
	s.known.Store(&known)
}

// dead tells whether a salt has to be gone from the disk. One of a day far ahead was made when the clock was wrong.
func (s *Salts) dead(start int64) bool {
	age := s.now().Sub(time.Unix(start, 0))
	return age >= saltLife || age < -saltLife
}

// keep puts a salt into the file. The caller holds mu.
func (s *Salts) keep(start int64, made *salt) error {
	if s.file == nil {
		return errors.New("the file of the salts is not open")
	}
	slot := len(s.slots)
	for i, taken := range s.slots {
		if taken == 0 {
			slot = i
			break
		}
	}
	if slot >= maxSlots {
		return errors.New("the file of the salts is full")
	}
	if err := s.write(slot, encodeSlot(start, &made.secret)); err != nil {
		return err
	}
	if slot == len(s.slots) {
		s.slots = append(s.slots, 0)
	}
	s.slots[slot] = start
	made.slot = slot
	return nil
}

func (s *Salts) write(slot int, b []byte) error {
	if _, err := s.file.WriteAt(b, int64(slot)*slotBytes); err != nil {
		return err
	}
	return s.file.Sync()
}

// Expire overwrites what has to be gone: on disk, and in memory. The service calls it once a minute.
func (s *Salts) Expire(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.overwrite()
	s.change(func(known map[int64]*salt) {
		for start, one := range known {
			age := s.now().Sub(time.Unix(start, 0))
			switch {
			case !one.late && s.dead(start), age >= memoryLife, age < -saltLife:
				delete(known, start)
			case !one.late && one.slot < 0: // the disk did not take it before
				err = errors.Join(err, s.keep(start, one))
			}
		}
	})
	return err
}

// overwrite empties the slots whose salt is dead or damaged. The caller holds mu.
func (s *Salts) overwrite() error {
	if s.file == nil {
		return nil
	}
	var dead []int
	for i, start := range s.slots {
		if start < 0 || start > 0 && s.dead(start) {
			dead = append(dead, i)
		}
	}
	for _, i := range dead {
		if _, err := s.file.WriteAt(make([]byte, slotBytes), int64(i)*slotBytes); err != nil {
			return fmt.Errorf("overwrite a salt: %w", err)
		}
	}
	if err := s.file.Truncate(int64(len(s.slots)) * slotBytes); err != nil { // what follows them is nobody's
		return fmt.Errorf("cut the file of the salts: %w", err)
	}
	if len(dead) == 0 {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("overwrite %d salts: %w", len(dead), err)
	}
	for _, i := range dead {
		s.slots[i] = 0
	}
	return nil
}

// Close lets go of the file.
func (s *Salts) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

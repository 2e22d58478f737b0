package collect

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// The file of the salts is slots of one size, each of them empty (zeros) or one salt: the Unix seconds at which its day
// began, the salt, and the CRC-32C of both. A slot is written in one piece, in place, and synced. It is so small that all of
// it is one page of the disk for most installations.
const (
	slotBytes = 8 + saltBytes + 4
	maxSlots  = 4096 // 26 hours of time zones, in quarters, over four days, are fewer
	damaged   = -1   // what a slot holds that has to be overwritten
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A saltFile keeps the salts of one node. It is nowhere else than in its file, and overwrites what dies.
//
// What the disk does with a block that is overwritten is out of reach: one that keeps old blocks keeps salts.
type saltFile struct {
	mu    sync.Mutex
	file  *os.File                  // nil if it could not be opened
	slots []int64                   // of the file: the start of the day, 0 for an empty one
	salts map[int64][saltBytes]byte // in the file
}

// openSaltFile never fails: without a file it keeps nothing.
func openSaltFile(path string, log *slog.Logger) *saltFile {
	f := &saltFile{salts: make(map[int64][saltBytes]byte)}
	content, err := f.open(path)
	if err != nil {
		log.Error("salts are kept in memory only: visitors are counted again after a restart", "error", err)
		return f
	}
	if !f.read(content) {
		log.Error("salts were damaged: visitors of these days may be counted twice")
	}
	return f
}

// open opens the file, and reads what it may hold and a byte more.
func (f *saltFile) open(path string) (content []byte, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			err = syncDir(filepath.Dir(path))
		}
	}
	if err != nil {
		return nil, err
	}
	content, err = io.ReadAll(io.LimitReader(file, maxSlots*slotBytes+1))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.file = file
	return content, nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// read finds out what the slots hold, and tells whether all of it is in order.
func (f *saltFile) read(content []byte) (good bool) {
	good = len(content) <= maxSlots*slotBytes
	f.slots = make([]int64, min(maxSlots, (len(content)+slotBytes-1)/slotBytes))
	for i := range f.slots {
		start, secret, ok := decodeSlot(content[i*slotBytes : min(len(content), (i+1)*slotBytes)])
		if _, twice := f.salts[start]; !ok || twice {
			good = false
			f.slots[i] = damaged // Erase overwrites it
			continue
		}
		if f.slots[i] = start; start != 0 {
			f.salts[start] = secret
		}
	}
	return good
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

// Keep implements SaltKeeper.
func (f *saltFile) Keep(_ context.Context, offered map[int64][saltBytes]byte) (map[int64][saltBytes]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for start, secret := range offered {
		if _, there := f.salts[start]; there {
			continue
		}
		if err := f.add(start, secret); err != nil {
			return nil, fmt.Errorf("keep a salt: %w", err)
		}
	}
	return maps.Clone(f.salts), nil
}

// add puts a salt into the first slot that is empty. The caller holds mu.
func (f *saltFile) add(start int64, secret [saltBytes]byte) error {
	if f.file == nil {
		return errors.New("the file of the salts is not open")
	}
	slot := slices.Index(f.slots, 0)
	if slot < 0 {
		slot = len(f.slots)
	}
	if slot >= maxSlots {
		return errors.New("the file of the salts is full")
	}
	if _, err := f.file.WriteAt(encodeSlot(start, &secret), int64(slot)*slotBytes); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	if slot == len(f.slots) {
		f.slots = append(f.slots, 0)
	}
	f.slots[slot] = start
	f.salts[start] = secret
	return nil
}

// Erase implements SaltKeeper. It overwrites what was damaged, too.
func (f *saltFile) Erase(_ context.Context, from, to int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	var dead []int
	for i, start := range f.slots {
		if start != 0 && (start < from || start > to) {
			dead = append(dead, i)
		}
	}
	for _, i := range dead {
		if _, err := f.file.WriteAt(make([]byte, slotBytes), int64(i)*slotBytes); err != nil {
			return fmt.Errorf("overwrite a salt: %w", err)
		}
	}
	if err := f.file.Truncate(int64(len(f.slots)) * slotBytes); err != nil { // what follows them is nobody's
		return fmt.Errorf("cut the file of the salts: %w", err)
	}
	if len(dead) == 0 {
		return nil
	}
	if err := f.file.Sync(); err != nil {
		return fmt.Errorf("overwrite %d salts: %w", len(dead), err)
	}
	for _, i := range dead {
		delete(f.salts, f.slots[i])
		f.slots[i] = 0
	}
	return nil
}

// Close implements SaltKeeper.
func (f *saltFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

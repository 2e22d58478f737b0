package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"footfall/internal/disk"
)

// Bytes that are no records may be what is left of some, so they are kept for a while where a person can look at them.
const (
	quarantineDir   = "quarantine"
	quarantineBytes = 64 << 20 // kept at most; the oldest files make room
	sweepEvery      = time.Hour
)

// found is told by readers what they could not read. What Open found already is old news.
func (j *Journal) found(seg *segment, where span, before, seq uint64) {
	for _, d := range seg.damage {
		if where.from >= d.from && where.to <= d.to {
			return
		}
	}
	var lost uint64
	if seq > 0 {
		lost = seq - before - 1
	}
	j.mu.Lock()
	j.damaged += where.len()
	j.lost += lost
	j.mu.Unlock()
	j.log.Error("journal is damaged", "segment", seg.name, "offset", where.from, "bytes", where.len(), "lost_records", lost)
	j.putAside(seg.name, where)
}

// putAside copies a part of a segment into quarantine, unless it is there already or holds only zeros. It helps a
// person, not the journal, so that it does not work is logged and no more.
func (j *Journal) putAside(name string, where span) {
	if err := j.copyAside(name, where); err != nil {
		j.log.Warn("journal damage is not kept", "segment", name, "offset", where.from, "error", err)
	}
}

func (j *Journal) copyAside(name string, where span) error {
	where.to = min(where.to, where.from+quarantineBytes)
	from, err := j.fs.Open(j.path(name))
	if err != nil {
		return err
	}
	defer from.Close()
	zeros, err := allZeros(from, where)
	if err != nil || zeros {
		return err
	}
	dir := j.path(quarantineDir)
	if err := j.fs.MkdirAll(dir); err != nil {
		return err
	}
	if err := j.trimQuarantine(where.len(), time.Time{}); err != nil {
		return err
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d.bad", name, where.from))
	to, err := j.fs.Create(path)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer to.Close()
	err = eachChunk(from, where, func(b []byte) (bool, error) {
		_, err := to.Write(b)
		return true, err
	})
	if err == nil {
		err = to.Sync()
	}
	if err != nil {
		return errors.Join(err, j.fs.Remove(path))
	}
	return j.fs.SyncDir(dir)
}

func allZeros(f disk.File, where span) (bool, error) {
	zeros := true
	zero := make([]byte, readBytes)
	err := eachChunk(f, where, func(b []byte) (bool, error) {
		zeros = bytes.Equal(b, zero[:len(b)])
		return zeros, nil
	})
	return zeros, err
}

// eachChunk hands out a part of a file, until do has enough. Where the file cannot be read it ends.
func eachChunk(f disk.File, where span, do func([]byte) (more bool, err error)) error {
	b := make([]byte, min(where.len(), readBytes))
	for where.len() > 0 {
		n, _ := f.ReadAt(b[:min(where.len(), readBytes)], where.from)
		if n == 0 {
			return nil
		}
		if more, err := do(b[:n]); err != nil || !more {
			return err
		}
		where.from += int64(n)
	}
	return nil
}

// moveAside takes a file that is no segment at all out of the way.
func (j *Journal) moveAside(name string, size int64) error {
	dir := j.path(quarantineDir)
	if err := j.fs.MkdirAll(dir); err != nil {
		return err
	}
	if err := j.trimQuarantine(size, time.Time{}); err != nil {
		return err
	}
	return j.fs.Rename(j.path(name), filepath.Join(dir, name))
}

// sweepQuarantine removes what is too old, once an hour.
func (j *Journal) sweepQuarantine() error {
	now := time.Now()
	j.mu.Lock()
	due := now.Sub(j.swept) >= sweepEvery
	if due {
		j.swept = now
	}
	j.mu.Unlock()
	if !due {
		return nil
	}
	return j.trimQuarantine(0, now.Add(-j.o.QuarantineAge))
}

// trimQuarantine removes the files from before a time, and more of the oldest until there is room.
func (j *Journal) trimQuarantine(room int64, before time.Time) error {
	dir := j.path(quarantineDir)
	entries, err := j.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			room += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if room <= quarantineBytes && !f.ModTime().Before(before) {
			break
		}
		if err := j.fs.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
		room -= f.Size()
	}
	return nil
}

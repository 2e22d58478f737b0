// Package journal is bytes that survive a crash.
//
// Append returns when its records are on disk; all that wait at the same time share one write and one fsync. A Reader
// delivers the records in order, each once, and only those that are on disk. Drop lets go of what was read. The journal
// knows nothing of what is in a record.
//
// The one thing to know is the sequence number: records are numbered from 1, one by one, and a number never stands for
// two records, whatever is killed, damaged, dropped or filled up. Numbers may be left out: after a failed write, and after
// damage. FORMAT.md says how all this lies on disk and what is made of damage.
package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"footfall/internal/disk"
)

// What a caller of Append can tell apart. Neither means that the records are lost: they were never taken.
var (
	ErrFull   = errors.New("journal is full")             // the backlog is at its limit
	ErrDisk   = errors.New("disk did not take the write") // wraps why; the records are not acknowledged, and never read while the journal is open
	ErrClosed = errors.New("journal is closed")
)

// Options are how a journal behaves. The zero value is ready to use.
type Options struct {
	FS             disk.FS       // nil is disk.OS
	SegmentBytes   int64         // size of a file at which the next one is begun; 0 is 64 MiB
	MaxBytes       int64         // size of all files at which Append answers ErrFull; 0 is 4 GiB
	MaxRecordBytes int           // greatest record that Append takes, at most 16 MiB; 0 is 1 MiB
	Next           uint64        // least sequence number of the next record: the position of whoever reads, 0 if that is not known
	QuarantineAge  time.Duration // how long damaged bytes are kept; 0 is 20 hours, so that none outlive a day
	Log            *slog.Logger  // nil is silence
}

func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = disk.OS{}
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 4 << 30
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = 64 << 20
	}
	o.SegmentBytes = min(o.SegmentBytes, max(o.MaxBytes/4, 1)) // only whole files can make room
	if o.MaxRecordBytes <= 0 {
		o.MaxRecordBytes = 1 << 20
	}
	if o.QuarantineAge <= 0 {
		o.QuarantineAge = 20 * time.Hour
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MaxRecordBytes = min(o.MaxRecordBytes, maxRecord)
	return o
}

// A Journal is open in one process at a time; the caller sees to that. All methods may be called at the same time.
type Journal struct {
	dir  string
	o    Options
	fs   disk.FS
	log  *slog.Logger
	turn chan struct{} // has one element while somebody writes; taken before mu

	mu       sync.Mutex
	segments []*segment // in the order in which they are read
	active   *segment   // the last of segments if it can be written to, nil if the next write has to begin one
	ids      uint64     // of the last segment
	pending  *group     // what waits for the next write
	spare    []byte     // buffer for the group after it
	next     uint64     // sequence number of the next record that Append takes
	void     uint64     // one more than the greatest number that readers get
	acked    uint64     // the same, or less if that was read after a crash and may not have been acknowledged
	bytes    int64      // of all segments
	wake     chan struct{}
	closed   bool
	err      error // why the last write failed
	repair   Repair
	damaged  int64 // bytes, found by readers since Open
	lost     uint64
	swept    time.Time // when old files in quarantine were last looked for
}

// Open opens the journal in a directory, and makes the directory if there is none. Damage is no reason not to open:
// what can be read is kept, the rest is put aside and counted (Repair). The reasons are a directory or file that cannot
// be opened at all, and files of a newer version.
func Open(dir string, o Options) (*Journal, error) {
	o = o.withDefaults()
	j := &Journal{dir: dir, o: o, fs: o.FS, log: o.Log, turn: make(chan struct{}, 1)}
	if err := j.recover(); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return j, nil
}

// Repair tells what Open found.
func (j *Journal) Repair() Repair { return j.repair }

// Stats is what a journal holds and how it is.
type Stats struct {
	Bytes    int64  // of all files, without quarantine
	Segments int    // files
	First    uint64 // the first record that is still there; Next if there is none
	Next     uint64 // the sequence number of the next record
	Lost     uint64 // records that were acknowledged and cannot be read any more, as far as that can be counted
	Damaged  int64  // bytes that were found to be no records, by Open and since
	Err      error  // why the last write failed; nil after one that did not
}

// Stats tells what the journal holds and how it is.
func (j *Journal) Stats() Stats {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := Stats{
		Bytes: j.bytes, Segments: len(j.segments), First: j.next, Next: j.next,
		Lost: j.repair.Lost + j.lost, Damaged: j.repair.Damaged + j.repair.Torn + j.damaged, Err: j.err,
	}
	for _, seg := range j.segments {
		if !seg.empty() {
			s.First = min(s.First, seg.start)
		}
	}
	return s
}

// Close lets go of all files. What was acknowledged is on disk already; who still waits gets ErrClosed.
func (j *Journal) Close() error {
	j.turn <- struct{}{}
	defer func() { <-j.turn }()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	j.closed = true
	j.wakeReaders()
	return j.finish()
}

// finish ends the active segment; the next write begins another one. The caller holds turn and mu.
func (j *Journal) finish() error {
	seg := j.active
	if seg == nil {
		return nil
	}
	j.active = nil
	err := seg.file.Close()
	seg.file = nil
	return err
}

// wakeReaders lets all readers look again. The caller holds mu.
func (j *Journal) wakeReaders() {
	if j.wake != nil {
		close(j.wake)
		j.wake = nil
	}
}

func (j *Journal) path(name string) string { return filepath.Join(j.dir, name) }

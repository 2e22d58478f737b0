package journal

import (
	"context"
	"fmt"
)

// maxGroup is how many bytes are written at once, unless a single Append is greater.
const maxGroup = 4 << 20

// A group is records that share one write and one fsync. The goroutine that began it writes it; the others wait.
type group struct {
	records []byte
	first   uint64 // sequence number of the first record
	count   uint64
	done    chan struct{} // closed when err is known
	err     error
}

// Append takes records and returns when they are on disk, with the sequence number of the first; the others follow it one
// by one. If it returns an error the records were not acknowledged: they are never delivered while the journal is open,
// and may or may not be there after a crash. The records belong to the caller again when Append returns.
//
// When ctx is done Append may return early, and then leaves open whether the records were written. It may also go on: the
// one that writes for all others does not stop.
//
// Append of no records tells whether the disk takes writes. After an error it is the way to find out that it is over.
func (j *Journal) Append(ctx context.Context, records ...[]byte) (first uint64, err error) {
	if err := j.checkSizes(records); err != nil {
		return 0, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		g, first, wait, err := j.join(records)
		if err != nil {
			return 0, err
		}
		if g != nil && wait == nil {
			j.commit(g)
			return first, g.err
		}
		select {
		case <-wait:
			if g != nil {
				return first, g.err
			}
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (j *Journal) checkSizes(records [][]byte) error {
	for _, r := range records {
		if len(r) > j.o.MaxRecordBytes {
			return fmt.Errorf("record of %d bytes is over the limit of %d", len(r), j.o.MaxRecordBytes)
		}
	}
	return nil
}

// join adds records to the group that is written next. Without a wait the caller began it and has to commit it. Without a
// group there was no room: the caller has to wait and come again.
func (j *Journal) join(records [][]byte) (g *group, first uint64, wait <-chan struct{}, err error) {
	size := 0
	for _, r := range records {
		size += recordHeader + len(r)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil, 0, nil, ErrClosed
	}
	g = j.pending
	waiting := 0
	if g != nil {
		waiting = len(g.records)
	}
	if j.bytes+int64(waiting+size) > j.o.MaxBytes {
		return nil, 0, nil, ErrFull
	}
	if g != nil && waiting > 0 && waiting+size > maxGroup {
		return nil, 0, g.done, nil
	}
	if g == nil {
		g = &group{records: j.spare[:0], first: j.next, done: make(chan struct{})}
		j.pending, j.spare = g, nil
	} else {
		wait = g.done
	}
	first = j.next
	for _, r := range records {
		g.records = appendRecord(g.records, r)
	}
	g.count += uint64(len(records))
	j.next += uint64(len(records))
	return g, first, wait, nil
}

// commit writes a group when its turn has come, and tells all who wait for it.
func (j *Journal) commit(g *group) {
	j.turn <- struct{}{}
	defer func() { <-j.turn }()
	j.mu.Lock()
	j.pending = nil // from here on, who comes joins the next group
	closed := j.closed
	j.mu.Unlock()
	if closed {
		g.err = ErrClosed
	} else {
		g.err = j.write(g)
	}
	j.mu.Lock()
	if j.spare == nil && cap(g.records) <= maxGroup {
		j.spare = g.records
	}
	j.mu.Unlock()
	close(g.done)
}

// write puts a group on disk and makes it readable. The caller holds turn.
func (j *Journal) write(g *group) error {
	seg, fresh, err := j.segmentFor(g)
	if err == nil {
		seal(g.records, seg.salt, g.first)
		err = j.put(seg, g.records)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDisk, err)
		j.fail(seg, err)
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if fresh {
		j.adopt(seg)
	}
	seg.size += int64(len(g.records))
	seg.end = g.first + g.count
	j.bytes += int64(len(g.records))
	if g.count > 0 {
		j.void, j.acked = seg.end, seg.end
	}
	j.err = nil
	j.wakeReaders()
	return nil
}

// segmentFor is the segment that a group goes to: the active one, or a fresh one if there is none or it is full.
func (j *Journal) segmentFor(g *group) (seg *segment, fresh bool, err error) {
	j.mu.Lock()
	if seg := j.active; seg != nil && !seg.empty() && seg.size+int64(len(g.records)) > j.o.SegmentBytes {
		if err := j.finish(); err != nil { // all of it was synced: closing adds nothing
			j.log.Warn("journal segment does not close", "segment", seg.name, "error", err)
		}
	}
	seg, h := j.active, header{first: g.first, void: j.void, acked: j.acked}
	j.mu.Unlock()
	if seg != nil {
		return seg, false, nil
	}
	seg, err = j.begin(h)
	return seg, true, err
}

func (j *Journal) put(seg *segment, records []byte) error {
	if len(records) > 0 {
		if _, err := seg.file.Write(records); err != nil {
			return fmt.Errorf("write %d bytes: %w", len(records), err)
		}
	}
	return j.sync(seg)
}

// adopt makes a segment that is on disk the active one. The caller holds turn and mu.
func (j *Journal) adopt(seg *segment) {
	j.ids++
	seg.id = j.ids
	seg.size = headerSize
	j.bytes += headerSize
	j.segments = append(j.segments, seg)
	j.active = seg
}

// fail notes a failed write and gives up its segment, if it came to one. The caller holds turn.
func (j *Journal) fail(seg *segment, err error) {
	j.mu.Lock()
	j.err = err
	j.active = nil
	j.mu.Unlock()
	if seg != nil {
		j.abandon(seg)
	}
}

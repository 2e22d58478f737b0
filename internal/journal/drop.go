package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

const (
	consumedBytes = 4 << 20          // size from which a segment that was read to its end is replaced at once,
	consumedAge   = 10 * time.Minute // and age from which it is whatever its size
)

// Drop lets go of all records before a number, as far as whole files hold no others. The file that is being written is
// replaced by an empty one when nothing in it is needed any more and it has grown large or old, so that an idle journal
// holds nothing.
func (j *Journal) Drop(before uint64) error {
	errs := []error{j.replaceConsumed(before)} // fails when the disk is full; the more there is to remove
	old := j.detach(before)
	for _, seg := range old {
		if err := j.fs.Remove(j.path(seg.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
			j.reattach(seg)
		}
	}
	if len(old) > 0 {
		errs = append(errs, j.fs.SyncDir(j.dir))
	}
	errs = append(errs, j.sweepQuarantine())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("drop records before %d: %w", before, err)
	}
	return nil
}

// detach takes the segments that are not needed any more off the list. The last one always stays: it is what the next
// sequence number is known by after a restart.
func (j *Journal) detach(before uint64) (old []*segment) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	var keep []*segment
	for i, seg := range j.segments {
		if i < len(j.segments)-1 && (seg.end <= before || seg.empty()) {
			old = append(old, seg)
			j.bytes -= seg.size
		} else {
			keep = append(keep, seg)
		}
	}
	j.segments = keep
	return old
}

// reattach puts a segment that could not be removed back, as one without records, for the next Drop to try again.
func (j *Journal) reattach(seg *segment) {
	j.mu.Lock()
	defer j.mu.Unlock()
	again := &segment{header: seg.header, id: seg.id, name: seg.name, size: seg.size, start: seg.start, end: seg.start}
	j.segments = append([]*segment{again}, j.segments...)
	j.bytes += seg.size
}

// replaceConsumed begins an empty segment if the last one holds nothing that is needed. It does nothing while somebody
// writes: then the journal is not idle.
func (j *Journal) replaceConsumed(before uint64) error {
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	default:
		return nil
	}
	j.mu.Lock()
	wanted, h := j.lastIsConsumed(before), header{first: j.next, void: j.void, acked: j.acked}
	j.mu.Unlock()
	if !wanted {
		return nil
	}
	seg, err := j.begin(h)
	if err == nil {
		err = j.sync(seg)
	}
	if err != nil {
		if seg != nil {
			j.abandon(seg)
		}
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.finish(); err != nil {
		j.log.Warn("journal segment does not close", "error", err)
	}
	j.adopt(seg)
	return nil
}

// lastIsConsumed tells whether the last segment is ripe to be replaced. The caller holds mu.
func (j *Journal) lastIsConsumed(before uint64) bool {
	if j.closed || j.pending != nil || len(j.segments) == 0 {
		return false
	}
	seg := j.segments[len(j.segments)-1]
	if seg.empty() || seg.end > before {
		return false
	}
	return seg != j.active || seg.size >= min(consumedBytes, j.o.SegmentBytes/2) || time.Since(seg.made) >= consumedAge
}

package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A Reader delivers the records of a journal in order, each once. It has one user at a time; any number of readers may
// read beside each other and beside Append and Drop.
type Reader struct {
	j    *Journal
	next uint64 // least sequence number to deliver
	id   uint64 // of seg, or of the last one that was read to its end
	seg  *segment
	scan *scanner
}

// Reader reads from a sequence number on. Records that were dropped or are lost are left out: the next one that is there
// follows, and its number shows the gap.
func (j *Journal) Reader(from uint64) *Reader { return &Reader{j: j, next: from} }

// Next waits until a record is on disk and delivers it. The data is good until the next call. After an error the reader
// stands where it stood, and may be asked again.
func (r *Reader) Next(ctx context.Context) (seq uint64, data []byte, err error) {
	for {
		seq, data, wake, err := r.read()
		if wake == nil {
			return seq, data, err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		}
	}
}

// TryNext is Next without waiting: io.EOF means that there is no further record yet.
func (r *Reader) TryNext() (seq uint64, data []byte, err error) {
	seq, data, wake, err := r.read()
	if wake != nil {
		return 0, nil, io.EOF
	}
	return seq, data, err
}

// Close lets go of the file that is being read.
func (r *Reader) Close() error {
	if r.scan == nil {
		return nil
	}
	err := r.scan.file.Close()
	r.seg, r.scan = nil, nil
	return err
}

// read is the next record, or what to wait for if there is none.
func (r *Reader) read() (seq uint64, data []byte, wake <-chan struct{}, err error) {
	for {
		if r.scan != nil {
			seq, data, err := r.scan.next()
			switch {
			case err == nil && seq >= r.seg.limit:
				continue
			case err == nil && seq < r.next:
				continue
			case err == nil:
				r.next = seq + 1
				return seq, data, nil, nil
			case err != io.EOF:
				return 0, nil, nil, fmt.Errorf("read %s: %w", r.seg.name, err)
			}
		}
		if wake, err := r.more(); wake != nil || err != nil {
			return 0, nil, wake, err
		}
	}
}

// more goes to where more records are: further on in the segment, or in a later one. If there are none it tells what to
// wait for.
func (r *Reader) more() (wake <-chan struct{}, err error) {
	j := r.j
	j.mu.Lock()
	if r.scan != nil && r.seg.size > r.scan.end {
		r.scan.end = r.seg.size
		j.mu.Unlock()
		return nil, nil
	}
	seg := j.after(r.id, r.next)
	if seg == nil {
		defer j.mu.Unlock()
		return j.more()
	}
	size := seg.size
	j.mu.Unlock()
	r.Close()
	return nil, r.open(seg, size)
}

// after is the first segment behind the one with that id that has records from next on. The caller holds mu.
func (j *Journal) after(id, next uint64) *segment {
	for _, seg := range j.segments {
		if seg.id > id && seg.end > next && !seg.empty() {
			return seg
		}
	}
	return nil
}

// more is closed when there may be more to read. The caller holds mu.
func (j *Journal) more() (<-chan struct{}, error) {
	if j.closed {
		return nil, ErrClosed
	}
	if j.wake == nil {
		j.wake = make(chan struct{})
	}
	return j.wake, nil
}

func (r *Reader) open(seg *segment, size int64) error {
	file, err := r.j.fs.Open(r.j.path(seg.name))
	if errors.Is(err, fs.ErrNotExist) {
		r.id = seg.id // dropped meanwhile, or taken away by somebody else
		return nil
	}
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	r.id, r.seg = seg.id, seg
	r.scan = &scanner{file: file, salt: seg.salt, end: size, last: seg.first - 1, holes: seg.holes,
		off: headerSize, damaged: func(where span, before, seq uint64) { r.j.found(seg, where, before, seq) }}
	return nil
}

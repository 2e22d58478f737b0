package journal

import (
	"encoding/binary"
	"io"

	"footfall/internal/disk"
)

const (
	readBytes = 256 << 10
	block     = 4 << 10 // what is given up around a place that cannot be read
	maxLeap   = 1 << 32 // a segment never holds so many records: a greater step in the numbers is not believed
)

// A scanner finds the records of one segment, in order. Where there is something else it goes on, byte by byte, with the
// next record that is intact and has a greater number.
type scanner struct {
	file    disk.File
	salt    uint32
	end     int64                                // nothing beyond is read
	last    uint64                               // number of the last record
	write   uint64                               // number of the last record that began a write
	holes   []span                               // not read: taken for zeros
	hole    func(span)                           // told of places that cannot be read, which then pass for zeros; nil makes them errors
	damaged func(where span, before, seq uint64) // told of what is no record, and of the numbers around it; seq is 0 at the end

	buf []byte // a window of the file
	off int64  // where it begins
	pos int    // what is before was read
}

// next is the next record: io.EOF if there is none before end. The payload is good until the next call.
func (s *scanner) next() (seq uint64, payload []byte, err error) {
	record, err := s.at(0)
	if err != nil {
		return 0, nil, err
	}
	if record == nil {
		if record, err = s.resume(); err != nil {
			return 0, nil, err
		}
	}
	s.pos += len(record)
	_, s.last = claim(record)
	if beginsWrite(record) {
		s.write = s.last
	}
	return s.last, record[recordHeader:], nil
}

// offset is how far the scanner is in the file.
func (s *scanner) offset() int64 { return s.off + int64(s.pos) }

// at is the record that begins ahead bytes from here, nil if there is none. It is io.EOF if here is the end.
func (s *scanner) at(ahead int) ([]byte, error) {
	b, err := s.peek(ahead, recordHeader)
	if err != nil || b == nil {
		return nil, err
	}
	length, seq := claim(b)
	if length > maxRecord || seq-s.last-1 >= maxLeap || seq > lastNumber {
		return nil, nil
	}
	if b, err = s.peek(ahead, recordHeader+length); err != nil || b == nil || !intact(b, s.salt) {
		return nil, err
	}
	return b, nil
}

// resume leaves out what is no record and stands at the next one that is.
func (s *scanner) resume() ([]byte, error) {
	from, before := s.offset(), s.last
	for s.end-s.offset() > recordHeader {
		s.skip()
		record, err := s.at(1)
		if err != nil {
			s.seek(from)
			return nil, err
		}
		s.pos++
		if record != nil {
			_, seq := claim(record)
			s.report(span{from, s.offset()}, before, seq)
			return record, nil
		}
	}
	s.report(span{from, s.end}, before, 0)
	s.seek(s.end)
	return nil, io.EOF
}

func (s *scanner) seek(off int64) { s.buf, s.off, s.pos = s.buf[:0], off, 0 }

// skip goes on, within the window, to just before a number that could be that of a record. Zeros and noise pass at 1 GB/s.
func (s *scanner) skip() {
	for b := s.buf[s.pos:]; len(b) > recordHeader; b = b[1:] {
		if binary.LittleEndian.Uint64(b[9:])-s.last-1 < maxLeap {
			return
		}
		s.pos++
	}
}

func (s *scanner) report(where span, before, seq uint64) {
	if s.damaged != nil {
		s.damaged(where, before, seq)
	}
}

// peek is the n bytes that begin ahead bytes from here, nil if the file ends before them. It is io.EOF if here is the
// end.
func (s *scanner) peek(ahead, n int) ([]byte, error) {
	from := s.pos + ahead
	if from+n <= len(s.buf) {
		return s.buf[from : from+n], nil
	}
	left := s.end - s.off - int64(from)
	if left <= 0 {
		return nil, io.EOF
	}
	if int64(n) > left {
		return nil, nil
	}
	if err := s.fill(from + n - s.pos); err != nil {
		return nil, err
	}
	return s.buf[ahead : ahead+n], nil
}

// fill makes the window begin here and hold at least n bytes, which the file has.
func (s *scanner) fill(n int) error {
	rest := copy(s.buf, s.buf[s.pos:])
	s.off += int64(s.pos)
	s.pos = 0
	want := int(min(int64(max(n, readBytes)), s.end-s.off))
	if cap(s.buf) < want {
		s.buf = append(make([]byte, 0, want), s.buf[:rest]...)
	}
	s.buf = s.buf[:rest]
	for len(s.buf) < want {
		got, err := s.read(s.buf[len(s.buf):want], s.off+int64(len(s.buf)))
		if err != nil {
			return err
		}
		s.buf = s.buf[:len(s.buf)+got]
	}
	return nil
}

// read reads into b, at least one byte of it. What lies beyond the end of the file is zeros: the file was shortened.
func (s *scanner) read(b []byte, off int64) (int, error) {
	for _, h := range s.holes {
		if off >= h.from && off < h.to {
			n := int(min(int64(len(b)), h.to-off))
			clear(b[:n])
			return n, nil
		}
		if off < h.from {
			b = b[:min(int64(len(b)), h.from-off)]
		}
	}
	n, err := s.file.ReadAt(b, off)
	switch {
	case n > 0:
		return n, nil
	case err == io.EOF || err == nil:
		clear(b)
		return len(b), nil
	case s.hole == nil:
		return 0, err
	}
	h := span{off, min((off/block+1)*block, s.end)}
	s.hole(h)
	n = int(min(int64(len(b)), h.len()))
	clear(b[:n])
	return n, nil
}

package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// Repair is what Open found in a journal.
type Repair struct {
	Segments int    // files that are read
	Records  uint64 // that can be read
	Lost     uint64 // records that were acknowledged and cannot be read, as far as the numbers around them show it; none before Options.Next
	Damaged  int64  // bytes that are no records; a copy is in quarantine
	Torn     int64  // bytes of writes that were cut short by a crash or an error; they were not acknowledged, or nothing shows it
	Foreign  int    // files that are no segments although they are called so; they are in quarantine
}

// A finding is a segment with what is in it.
type finding struct {
	*segment
	whole bool // the header could be read
	runs  []run
	write uint64 // number of the last record that began a write
	torn  int64  // bytes of damage in or behind the last write
	tail  int64  // of these, behind the last record
}

// A run is the records from ≤ n < to.
type run struct{ from, to uint64 }

// recover looks at all that is in the directory and decides what is read and with which number Append goes on. It changes
// no segment.
func (j *Journal) recover() error {
	if err := j.fs.MkdirAll(j.dir); err != nil {
		return err
	}
	entries, err := j.fs.ReadDir(j.dir)
	if err != nil {
		return err
	}
	var all []*finding
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) || !e.Type().IsRegular() {
			continue
		}
		f, err := j.inspect(e.Name())
		if err != nil {
			return err
		}
		if f != nil {
			all = append(all, f)
		}
	}
	order(all)
	j.count(all)
	j.setNumbers(all)
	for _, f := range all {
		for _, d := range f.damage {
			j.putAside(f.name, d)
		}
		j.ids++
		f.id = j.ids
		j.segments = append(j.segments, f.segment)
		j.bytes += f.size
	}
	// Names that a crash left in the balance are settled before anybody reads behind them.
	for _, dir := range []string{j.dir, filepath.Dir(j.dir)} {
		if err := j.fs.SyncDir(dir); err != nil {
			j.log.Warn("journal directory does not sync", "error", err)
		}
	}
	if r := j.repair; r.Lost > 0 || r.Damaged > 0 || r.Foreign > 0 {
		j.log.Error("journal was damaged", "lost_records", r.Lost, "damaged_bytes", r.Damaged, "torn_bytes", r.Torn, "foreign_files", r.Foreign)
	} else if r.Torn > 0 {
		j.log.Info("journal ended in an unfinished write", "torn_bytes", r.Torn)
	}
	return nil
}

// inspect reads one file from end to end; nil if it is no segment or not there any more.
func (j *Journal) inspect(name string) (*finding, error) {
	file, err := j.fs.Open(j.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, headerSize)
	n, _ := file.ReadAt(b, 0)
	h, err := decodeHeader(b[:n])
	whole := err == nil
	if err != nil && !errors.Is(err, errNoHeader) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !whole {
		var named bool
		if h, named = headerFromName(name); !named {
			j.repair.Foreign++
			if err := j.moveAside(name, size); err != nil {
				j.log.Warn("journal damage is not kept", "segment", name, "error", err)
			}
			return nil, nil
		}
	}
	// A record may be readable and not be on disk, if it was the process that died and not the machine. Nobody may read
	// it before it is. If that cannot be had the record was not acknowledged, and Options.Next keeps its number unique.
	if err := file.Sync(); err != nil {
		j.log.Warn("journal segment does not sync", "segment", name, "error", err)
	}
	f := &finding{segment: &segment{header: h, name: name, size: size, limit: math.MaxUint64}, whole: whole}
	if !whole {
		f.damage = append(f.damage, span{0, min(size, headerSize)})
	}
	return f, f.scan(scanner{file: file, salt: h.salt, end: size, last: h.first - 1, off: headerSize})
}

// scan finds the records of a segment and what else is in it.
func (f *finding) scan(s scanner) error {
	s.hole = func(h span) {
		if n := len(f.holes); n > 0 && f.holes[n-1].to == h.from {
			f.holes[n-1].to = h.to
		} else {
			f.holes = append(f.holes, h)
		}
	}
	s.damaged = func(where span, _, seq uint64) {
		f.damage = append(f.damage, where)
		f.torn += where.len()
		if seq == 0 {
			f.tail = where.len()
		}
	}
	f.start, f.end = f.first, f.first
	for {
		seq, _, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if s.write == seq {
			f.write, f.torn = seq, 0
		}
		if n := len(f.runs); n > 0 && f.runs[n-1].to == seq {
			f.runs[n-1].to++
		} else {
			f.runs = append(f.runs, run{seq, seq + 1})
		}
		f.start, f.end = f.runs[0].from, seq+1
	}
}

// order sorts segments as they are read, and finds for each from which number on its records are void: later segments
// say so. Of two that begin alike, which is a file that was copied, the one with fewer gaps comes first.
func order(all []*finding) {
	slices.SortStableFunc(all, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(len(a.runs), len(b.runs)))
	})
	for _, f := range all {
		for _, later := range all {
			if later.whole && later.first > f.first {
				f.limit = min(f.limit, later.void)
			}
		}
	}
}

// count goes over the records as a reader will, and adds up what is there and what is not. What is missing in the last
// write of a segment was lost only if the next segment says that it was acknowledged.
func (j *Journal) count(all []*finding) {
	r := &j.repair
	r.Segments = len(all)
	j.void = 1
	var next uint64  // the number that should come now, 0 at the start
	var doubt uint64 // the first number of the last write that is missing, 0 for none
	for i, f := range all {
		if f.whole && next > 0 {
			r.Lost += j.missing(next, f.acked)
		}
		j.void = max(j.void, f.void)
		next = max(next, f.first)
		sure, torn := f.write, true // before the number sure everything was acknowledged
		if i < len(all)-1 && all[i+1].whole {
			sure, torn = max(sure, all[i+1].acked), all[i+1].acked <= f.end
		}
		if len(f.runs) > 0 {
			doubt = 0
		}
		for _, run := range f.runs {
			from, to := max(run.from, next), min(run.to, f.limit)
			if from >= to {
				continue
			}
			r.Lost += j.missing(next, min(from, sure))
			if missing := max(next, sure); from > missing && doubt == 0 {
				doubt = missing
			}
			r.Records += to - from
			next = to
			j.void = max(j.void, to)
		}
		for _, d := range f.damage {
			r.Damaged += d.len()
		}
		if torn {
			r.Damaged -= f.torn
			r.Torn += f.torn
		}
	}
	j.acked = j.void
	if doubt > 0 {
		j.acked = min(j.acked, doubt)
	}
}

// missing is how many of the numbers from ≤ n < to somebody still waits for.
func (j *Journal) missing(from, to uint64) uint64 {
	from = max(from, j.o.Next)
	return max(from, to) - from
}

// setNumbers finds a number for the next record that was never given to another one. In bytes that are no records there
// may have been as many as find room there, and what was on disk once may have been delivered.
func (j *Journal) setNumbers(all []*finding) {
	j.next = max(j.acked, j.o.Next, 1)
	for _, f := range all {
		next := max(f.end, f.first)
		if f.tail > 0 || !f.whole {
			next += uint64(f.size)/recordHeader + 1
		}
		j.next = max(j.next, next)
	}
}

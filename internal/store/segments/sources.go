package segments

import (
	"slices"
)

// sources are the files that a rewriting reads, cell by cell. Pieces that cannot be read are left out and noted.
type sources struct {
	files  []*file
	sealed []*sealedReader
	parts  []*partReader
	owner  map[any]*file // of each reader
}

// newSources opens the files. One that is damaged as a whole is left out; an error that may pass is returned.
func newSources(r rewriting) (*sources, error) {
	s := &sources{files: slices.Concat(r.sealed, r.parts), owner: make(map[any]*file)}
	for _, f := range r.sealed {
		open, err := f.asSealed()
		if err == nil {
			reader := newSealedReader(open)
			s.sealed = append(s.sealed, reader)
			s.owner[reader] = f
		} else if !f.givesUp(err) {
			return nil, err
		}
	}
	for _, f := range r.parts {
		open, err := f.asPart()
		if err == nil {
			reader := newPartReader(open, allFields, nil)
			s.parts = append(s.parts, reader)
			s.owner[reader] = f
		} else if !f.givesUp(err) {
			return nil, err
		}
	}
	return s, nil
}

// keys are all cells, in order, and the number of events of each website.
func (s *sources) keys() ([]cellKey, map[int64]int) {
	var keys []cellKey
	events := make(map[int64]int)
	for _, r := range s.sealed {
		for _, c := range r.file.cells {
			keys = append(keys, c.cellKey)
			events[c.website] += c.events.len()
		}
	}
	for _, r := range s.parts {
		for _, c := range r.part.cells {
			keys = append(keys, c.cellKey)
			events[c.website] += c.rows.len()
		}
	}
	slices.SortFunc(keys, cellKey.compare)
	return slices.Compact(keys), events
}

// people are the runs of a cell: each sealed file has visitors of its own, the parts have theirs together.
func (s *sources) people(key cellKey) [][]run {
	var people [][]run
	for _, r := range s.sealed {
		if found := r.run(key); found != nil {
			people = append(people, []run{&tolerantRun{found, s.owner[r]}})
		}
	}
	var parts []run
	for _, r := range s.parts {
		if found := r.run(key); found != nil {
			parts = append(parts, &tolerantRun{found, s.owner[r]})
		}
	}
	return append(people, parts)
}

// damaged are the names of files that something could not be read from.
func (s *sources) damaged() []string {
	var names []string
	for _, f := range s.files {
		names = append(names, f.damaged()...)
	}
	return names
}

// A tolerantRun leaves out pieces that are damaged.
type tolerantRun struct {
	run  run
	file *file
}

func (t *tolerantRun) next() (*rows, error) {
	for {
		rows, err := t.run.next()
		if err == nil || !t.file.givesUp(err) {
			return rows, err
		}
	}
}

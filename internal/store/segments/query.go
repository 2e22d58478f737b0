package segments

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"footfall/internal/event"
	"footfall/internal/store"
)

// Run implements store.Engine.
func (e *Engine) Run(ctx context.Context, q store.Query) (store.Result, error) {
	if err := q.Check(); err != nil {
		return store.Result{}, err
	}
	v, err := e.acquire()
	if err != nil {
		return store.Result{}, err
	}
	defer v.release()
	r := &running{engine: e, view: v, plan: newPlan(&q)}
	if !slices.Contains(v.manifest.Deleted, q.Website) {
		r.plot()
	}
	scans, err := r.work(ctx)
	if err != nil {
		return store.Result{}, err
	}
	result := store.Result{Answers: make([]store.Answer, len(q.Questions)), Partial: r.partial.Load()}
	for i := range q.Questions {
		g := scans[0].groups[i]
		for _, s := range scans[1:] {
			g.merge(s.groups[i])
		}
		result.Answers[i] = g.answer(&q.Questions[i])
	}
	return result, nil
}

// A running is a query being answered: a list of pieces of work that any worker can take.
type running struct {
	engine  *Engine
	view    *view
	plan    *plan
	pieces  []piece
	partial atomic.Bool
}

// A piece of work adds something to the groups of a scan. file is where a failure is noted.
type piece struct {
	file *file
	do   func(*scan) error
}

// plot finds the pieces: roll-ups, sealed row groups, open cells.
func (r *running) plot() {
	q := r.plan.query
	for i, f := range r.view.sealed {
		from, to := max(q.From, f.sealed.From), min(q.To, f.sealed.To)
		if from >= to {
			continue
		}
		raw := make([]bool, len(r.plan.questions))
		for k := range r.plan.questions {
			question := &r.plan.questions[k]
			raw[k] = !r.byRollup(question, r.view.rollups[i], f, from, to)
			if !raw[k] {
				r.plotRollup(r.view.rollups[i], f, k, from, to)
			}
		}
		if slices.Contains(raw, true) {
			r.plotSealed(f, from, to, func(k int) bool { return raw[k] })
		}
	}
	for _, day := range r.view.openDays(q.Website, q.From, q.To) {
		key := cellKey{q.Website, day}
		r.pieces = append(r.pieces, piece{do: func(s *scan) error { return r.openCell(s, key) }})
	}
	for _, f := range r.view.parts {
		if f.isDamaged() && f.part.Period < q.To && f.part.Period.NextMonth() > q.From {
			r.partial.Store(true)
		}
	}
}

// byRollup tells whether a roll-up answers a question about the days from ≤ d < to of a month.
func (r *running) byRollup(q *questionPlan, rollup, f *file, from, to event.Day) bool {
	if r.engine.noRollups || rollup == nil || r.plan.query.Filter.Op != store.Everything || q.need.revenue || !rolledUp(q.Dimension) {
		return false
	}
	whole := from == f.sealed.From && to == f.sealed.To
	if !whole && !overDays(q.Dimension) {
		return false
	}
	_, err := rollup.asRollup()
	return err == nil
}

func (r *running) plotRollup(rollup, f *file, question int, from, to event.Day) {
	r.pieces = append(r.pieces, piece{file: rollup, do: func(s *scan) error {
		open, err := rollup.asRollup()
		if err == nil {
			q := &r.plan.questions[question]
			err = open.addTo(s.groups[question], q, r.plan.query.Website, from, to, s.memory)
		}
		if err == nil || !isDamage(err) {
			return err
		}
		rollup.noteRead(err) // the sealed files know the same
		return r.sealed(s, f, from, to, func(k int) bool { return k == question })
	}})
}

// plotSealed adds a piece for each row group that holds cells of the days from ≤ d < to.
func (r *running) plotSealed(f *file, from, to event.Day, ask func(int) bool) {
	open, err := f.asSealed()
	if err != nil {
		r.pieces = append(r.pieces, piece{f, func(*scan) error { return err }})
		return
	}
	eachGroup(open.find(r.plan.query.Website, from, to), func(group int, cells []cell) {
		r.pieces = append(r.pieces, piece{f, func(s *scan) error { return s.run(open.block(group, cells, s.memory), ask) }})
	})
}

// sealed asks all row groups of a file at once.
func (r *running) sealed(s *scan, f *file, from, to event.Day, ask func(int) bool) error {
	open, err := f.asSealed()
	if err != nil {
		return err
	}
	eachGroup(open.find(r.plan.query.Website, from, to), func(group int, cells []cell) {
		s.memory.reset()
		if runErr := s.run(open.block(group, cells, s.memory), ask); runErr != nil {
			f.noteRead(runErr)
			err = runErr
		}
	})
	return err
}

// cutEvents is how many events of an open cell are cut before questions are asked of them.
const cutEvents = 64 << 10

// openCell cuts a cell that is not sealed and asks all questions of it.
func (r *running) openCell(s *scan, key cellKey) error {
	need := r.plan.fields()
	readers := make([]*partReader, len(r.view.parts))
	for i, f := range r.view.parts {
		if p, err := f.asPart(); err == nil {
			readers[i] = newPartReader(p, need)
		} else if !isDamage(err) {
			return err
		}
	}
	c := newCutter(need)
	c.begin(key)
	ask := func() error {
		if c.visits.n == 0 {
			return nil
		}
		s.memory.reset()
		err := s.run(c.block(), func(int) bool { return true })
		c.reset()
		return err
	}
	for _, runs := range r.view.openRuns(key, need, readers) {
		for i := range runs {
			runs[i] = &noteRun{runs[i], r}
		}
		if err := c.cut(runs, cutEvents, ask); err != nil {
			return err
		}
	}
	return ask()
}

// A noteRun leaves out pieces that are damaged, and makes the answer partial.
type noteRun struct {
	run run
	of  *running
}

func (n *noteRun) next() (*rows, error) {
	for {
		rows, err := n.run.next()
		if err == nil || !isDamage(err) {
			return rows, err
		}
		n.of.partial.Store(true)
		if p, ok := n.run.(*partRun); ok {
			for _, f := range n.of.view.parts {
				if f.part.File.Name == p.reader.part.info.Name {
					f.noteRead(err)
				}
			}
		}
	}
}

// work lets workers take the pieces. It returns their scans, at least one.
func (r *running) work(ctx context.Context) ([]*scan, error) {
	workers := max(min(r.engine.workers, len(r.pieces)), 1)
	scans := make([]*scan, workers)
	errs := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range scans {
		scans[w] = newScan(r.plan, r.engine.borrow())
		work := func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(r.pieces) {
					return
				}
				errs[w] = r.piece(ctx, &r.pieces[i], scans[w])
			}
		}
		if w < workers-1 {
			wg.Go(work)
		} else {
			work() // on this goroutine: most queries have one piece
		}
	}
	wg.Wait()
	for _, s := range scans {
		r.engine.giveBack(s.memory)
		s.memory = nil // groups own what they hold
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return scans, nil
}

func (r *running) piece(ctx context.Context, p *piece, s *scan) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.memory.reset()
	err := p.do(s)
	if err == nil || !isDamage(err) {
		return err
	}
	if p.file != nil {
		p.file.noteRead(err)
	}
	r.partial.Store(true)
	return nil
}

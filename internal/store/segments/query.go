package segments

import (
	"context"
	"errors"
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
	if slices.Contains(v.manifest.Deleted, q.Website) {
		q.To = q.From // there is nothing
	}
	r := &running{engine: e, view: v, plan: newPlan(&q)}
	sealed, err := r.askSealed(ctx)
	if err != nil {
		return store.Result{}, err
	}
	all, err := r.askOpen(ctx, sealed)
	if err != nil {
		return store.Result{}, err
	}
	result := store.Result{Answers: make([]store.Answer, len(q.Questions)), Partial: r.partial.Load()}
	for i := range q.Questions {
		result.Answers[i] = all[i].answer(&q.Questions[i])
	}
	return result, nil
}

// A running is a query being answered.
type running struct {
	engine  *Engine
	view    *view
	plan    *plan
	partial atomic.Bool
}

// askSealed asks sealed files, or remembers what they said. The groups it returns must not be changed.
func (r *running) askSealed(ctx context.Context) ([]*groups, error) {
	all := make([]*groups, len(r.plan.questions))
	unknown := make([]bool, len(all))
	for i := range all {
		if key, ok := r.plan.key(i); ok {
			all[i] = r.engine.answers.get(r.view.sealedGeneration, key)
		}
		unknown[i] = all[i] == nil
	}
	if !slices.Contains(unknown, true) {
		return all, nil
	}
	asked, err := r.work(ctx, r.sealedPieces(unknown), make([]*groups, len(all)))
	if err != nil {
		return nil, err
	}
	for i := range all {
		if !unknown[i] {
			continue
		}
		all[i] = asked[i]
		if key, ok := r.plan.key(i); ok && !r.partial.Load() {
			r.engine.answers.put(r.view.sealedGeneration, key, asked[i])
		}
	}
	return all, nil
}

// askOpen adds what parts and memory hold to what sealed files said.
func (r *running) askOpen(ctx context.Context, sealed []*groups) ([]*groups, error) {
	q := r.plan.query
	var pieces []piece
	for _, day := range r.view.openDays(q.Website, q.From, q.To) {
		key := cellKey{q.Website, day}
		pieces = append(pieces, piece{do: func(s *scan) error { return r.openCell(s, key) }})
	}
	for _, f := range r.view.parts {
		if _, err := f.asPart(); err != nil && f.part.overlaps(q.From, q.To) {
			r.leaveOut(f, err)
		}
	}
	for _, l := range r.view.manifest.Lost {
		if l.From < q.To && q.From < l.To {
			r.partial.Store(true)
		}
	}
	if len(pieces) == 0 {
		return sealed, nil
	}
	return r.work(ctx, pieces, sealed)
}

// A piece of work adds something to the groups of a scan. file is where a failure is noted.
type piece struct {
	file *file
	do   func(*scan) error
}

// sealedPieces are the pieces of work in roll-ups and sealed row groups for the questions that ask has.
func (r *running) sealedPieces(ask []bool) (pieces []piece) {
	q := r.plan.query
	for i, f := range r.view.sealed {
		from, to := max(q.From, f.sealed.From), min(q.To, f.sealed.To)
		if from >= to {
			continue
		}
		raw, rolled := slices.Clone(ask), make([]bool, len(ask))
		for k := range r.plan.questions {
			if ask[k] && r.byRollup(&r.plan.questions[k], r.view.rollups[i], f, from, to) {
				raw[k], rolled[k] = false, true
			}
		}
		if slices.Contains(rolled, true) {
			pieces = append(pieces, r.rollupPiece(r.view.rollups[i], f, rolled, from, to))
		}
		if slices.Contains(raw, true) {
			pieces = append(pieces, r.groupPieces(f, from, to, func(k int) bool { return raw[k] })...)
		}
	}
	return pieces
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

// rollupPiece asks a roll-up the questions that ask has.
func (r *running) rollupPiece(rollup, f *file, ask []bool, from, to event.Day) piece {
	return piece{file: rollup, do: func(s *scan) error {
		open, err := rollup.asRollup()
		reader := newRollupReader(open, s.memory)
		left := slices.Clone(ask)
		for k := range ask {
			if ask[k] && err == nil {
				err = reader.addTo(s.groups[k], &r.plan.questions[k], r.plan.query.Website, from, to)
				left[k] = err != nil
			}
		}
		if err == nil {
			return nil
		}
		rollup.noteRead(err) // the sealed files know the same
		return r.sealed(s, f, from, to, func(k int) bool { return left[k] })
	}}
}

// groupPieces has a piece for each row group that holds cells of the days from ≤ d < to.
func (r *running) groupPieces(f *file, from, to event.Day, ask func(int) bool) (pieces []piece) {
	open, err := f.asSealed()
	if err != nil {
		return []piece{{f, func(*scan) error { return err }}}
	}
	eachGroup(open.find(r.plan.query.Website, from, to), func(group int, cells []cell) {
		pieces = append(pieces, piece{f, func(s *scan) error { return s.run(open.block(group, cells, s.memory), ask) }})
	})
	return pieces
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

// openCell asks all questions of a cell that is not sealed, or remembers what was said when its parts were the same.
func (r *running) openCell(s *scan, key cellKey) error {
	parts, rests := r.view.partsOf(key)
	keys, known := r.plan.cellKeys(key, parts)
	if !rests || !known {
		return r.cutCell(s, key)
	}
	all := r.engine.resting.getAll(keys)
	if all == nil {
		own := newScan(r.plan, s.memory)
		if err := r.cutCell(own, key); err != nil {
			return err
		}
		all = own.groups
		for i, g := range all {
			if !r.partial.Load() {
				r.engine.resting.put(0, keys[i], g)
			}
		}
	}
	for i, g := range all {
		s.groups[i].merge(g)
	}
	return nil
}

// cutCell cuts a cell that is not sealed and asks all questions of it.
func (r *running) cutCell(s *scan, key cellKey) error {
	need := r.plan.fields()
	memory := r.engine.borrow()
	defer r.engine.giveBack(memory)
	readers := make([]*partReader, len(r.view.parts))
	for i, f := range r.view.parts {
		if p, err := f.asPart(); err == nil {
			readers[i] = newPartReader(p, need, memory)
		} else if f.part.overlaps(key.day, key.day+1) {
			r.leaveOut(f, err)
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

// A noteRun leaves out pieces that cannot be read, and makes the answer partial.
type noteRun struct {
	run run
	of  *running
}

func (n *noteRun) next() (*rows, error) {
	for {
		rows, err := n.run.next()
		if err == nil {
			return rows, nil
		}
		n.of.leaveOut(n.of.view.partNamed(nameIn(err, "")), err)
	}
}

// work lets workers take the pieces, and adds up what they find, and what base has. It changes nothing in base.
func (r *running) work(ctx context.Context, pieces []piece, base []*groups) ([]*groups, error) {
	workers := max(min(r.engine.coresFor(ctx), len(pieces)), 1)
	scans := make([]*scan, workers)
	errs := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range scans {
		scans[w] = newScan(r.plan, r.engine.borrow())
		work := func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(pieces) {
					return
				}
				errs[w] = r.piece(ctx, &pieces[i], scans[w])
			}
		}
		if w < workers-1 {
			wg.Go(work)
		} else {
			for i, g := range base {
				scans[w].groups[i] = newGroups(g)
			}
			work() // on this goroutine: many queries have one piece
		}
	}
	wg.Wait()
	for _, s := range scans {
		r.engine.giveBack(s.memory)
		s.memory = nil // groups own what they hold
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	all := scans[workers-1].groups
	for i, g := range all {
		for _, s := range scans[:workers-1] {
			g.merge(s.groups[i])
		}
	}
	return all, nil
}

// coresFor is how many cores a question may take.
func (e *Engine) coresFor(ctx context.Context) int {
	if store.NobodyWaits(ctx) {
		return 1
	}
	return e.workers
}

func (r *running) piece(ctx context.Context, p *piece, s *scan) error {
	store.Breathe(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	s.memory.reset()
	if err := p.do(s); err != nil {
		r.leaveOut(p.file, err)
	}
	return ctx.Err()
}

// leaveOut notes that something could not be read. The rest is served.
func (r *running) leaveOut(f *file, err error) {
	r.partial.Store(true)
	if f != nil {
		f.noteRead(err)
	}
	r.engine.log.Error("answer is partial", "error", err)
}

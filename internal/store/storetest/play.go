package storetest

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"footfall/internal/store"
)

func (zone) play(*machine) error { return nil }

func (s load) play(m *machine) error {
	m.forward(latest(s.events))
	return m.load(s.events)
}

func (again) play(m *machine) error { return m.append(m.last) }

func (s clock) play(m *machine) error {
	m.forward(s.at)
	return m.settle()
}

func (settle) play(m *machine) error { return m.settle() }
func (flush) play(m *machine) error  { return m.flush() }
func (reopen) play(m *machine) error { return m.reopen() }
func (replay) play(m *machine) error { return m.replay() }

func (s remove) play(m *machine) error {
	m.deleted = true
	if err := m.engine.Delete(m.ctx, s.website); err != nil {
		return fmt.Errorf("delete website %d: %w", s.website, err)
	}
	return nil
}

func (s recount) play(m *machine) error {
	if err := m.engine.Recount(m.ctx, s.website, s.from, s.to); err != nil {
		return fmt.Errorf("recount website %d: %w", s.website, err)
	}
	return nil
}

func (s ask) play(m *machine) error {
	got, err := s.run(m)
	if err != nil {
		return err
	}
	for i, want := range s.want {
		if err := want.compare(got.Answers[i], s.query.Questions[i]); err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return nil
}

func (want expectation) compare(got store.Answer, q store.Question) error {
	if want.total < 0 {
		want.total = got.Total
		if q.Limit == 0 && q.Offset == 0 {
			want.total = len(want.rows)
		}
	}
	is := expectation{got.Rows, got.Total}
	if cmp.Equal(want.rows, is.rows, cmpopts.EquateEmpty()) && want.total == is.total {
		return nil
	}
	var p, w printer
	is.print(&p, q, "  ")
	want.print(&w, q, "  ")
	if p.String() == w.String() {
		return fmt.Errorf("rows differ in what a script does not show (-want +got):\n%s", cmp.Diff(want.rows, is.rows, cmpopts.EquateEmpty()))
	}
	return fmt.Errorf("the answer is\n%sand should be\n%s", p.String(), w.String())
}

// run asks the engine. Questions that are asked together must get the answers that each gets alone.
func (s ask) run(m *machine) (store.Result, error) {
	all, err := runQuery(m, s.query)
	if err != nil || len(s.query.Questions) == 1 {
		return all, err
	}
	for i := range s.query.Questions {
		alone := s.query
		alone.Questions = alone.Questions[i : i+1]
		one, err := runQuery(m, alone)
		if err != nil {
			return all, err
		}
		if diff := cmp.Diff(one.Answers[0], all.Answers[i], cmpopts.EquateEmpty()); diff != "" {
			return all, fmt.Errorf("question %d has another answer together with others (-alone +together):\n%s", i+1, diff)
		}
	}
	return all, nil
}

func runQuery(m *machine, q store.Query) (store.Result, error) {
	got, err := m.engine.Run(m.ctx, q)
	switch {
	case err != nil:
		return got, fmt.Errorf("run: %w", err)
	case got.Partial:
		return got, fmt.Errorf("the answer is partial; status has damaged files %q", m.engine.Status().Damaged)
	case len(got.Answers) != len(q.Questions):
		return got, fmt.Errorf("%d answers to %d questions", len(got.Answers), len(q.Questions))
	}
	return got, nil
}

func (s live) play(m *machine) error {
	got, err := s.run(m)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(s.want, got, cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("live differs (-want +got):\n%s", diff)
	}
	return nil
}

func (s live) run(m *machine) (store.Live, error) {
	m.forward(s.at)
	got, err := m.engine.Realtime(m.ctx, s.website, s.window)
	if err != nil {
		return got, fmt.Errorf("realtime: %w", err)
	}
	return got, nil
}

package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"footfall/internal/store"
)

// parseQuery reads a query of one question: query METRICS [by DIMENSION] from DAY to DAY [where FILTER] [CLAUSES]
func (p *parser) parseQuery(r *reader) (statement, error) {
	s := ask{query: store.Query{Website: p.website}}
	question, err := parseSubject(r)
	if err != nil {
		return nil, err
	}
	if err := parseScope(r, &s.query); err != nil {
		return nil, err
	}
	if err := parseClauses(r, &question); err != nil {
		return nil, err
	}
	want, err := p.parseRows(question, 0)
	if err != nil {
		return nil, err
	}
	s.query.Questions = []store.Question{question}
	s.want = []expectation{want}
	return s, s.query.Check()
}

// parseAsk reads a query of several questions: ask from DAY to DAY [where FILTER], and below it for each question
// METRICS [by DIMENSION] [CLAUSES], and deeper its rows.
func (p *parser) parseAsk(r *reader) (statement, error) {
	s := ask{query: store.Query{Website: p.website}}
	if err := parseScope(r, &s.query); err != nil {
		return nil, err
	}
	for l, ok := p.below(0); ok; l, ok = p.below(0) {
		question, err := parseQuestion(l.text)
		if err != nil {
			return nil, &placedError{l.number, err}
		}
		want, err := p.parseRows(question, l.indent)
		if placed := (*placedError)(nil); err != nil && !errors.As(err, &placed) {
			err = &placedError{l.number, err}
		}
		if err != nil {
			return nil, err
		}
		s.query.Questions = append(s.query.Questions, question)
		s.want = append(s.want, want)
	}
	return s, s.query.Check()
}

func parseQuestion(text string) (store.Question, error) {
	all, err := words(text, "")
	if err != nil {
		return store.Question{}, err
	}
	r := &reader{all}
	question, err := parseSubject(r)
	if err != nil {
		return question, err
	}
	if err := parseClauses(r, &question); err != nil {
		return question, err
	}
	return question, r.end()
}

// parseSubject reads: METRIC,METRIC [by DIMENSION]
func parseSubject(r *reader) (q store.Question, err error) {
	list, err := r.text()
	if err != nil {
		return q, err
	}
	for name := range strings.SplitSeq(list, ",") {
		m, ok := store.MetricNamed(name)
		if !ok {
			return q, fmt.Errorf("%q is not a metric", name)
		}
		q.Metrics = append(q.Metrics, m)
	}
	if r.take("by") {
		q.Dimension, err = parseDimension(r)
	}
	return q, err
}

func parseDimension(r *reader) (store.Dimension, error) {
	name, err := r.text()
	if err != nil {
		return store.Dimension{}, err
	}
	d, ok := store.DimensionNamed(name)
	if !ok {
		return store.Dimension{}, fmt.Errorf("%q is not a dimension", name)
	}
	return d, nil
}

func parseScope(r *reader, q *store.Query) (err error) {
	if q.From, q.To, err = parsePeriod(r); err != nil {
		return err
	}
	if r.take("where") {
		q.Filter, err = parseFilter(r, 0)
	}
	return err
}

func parseClauses(r *reader, q *store.Question) (err error) {
	if r.take("search") {
		if q.Search, err = r.text(); err != nil {
			return err
		}
	}
	if r.take("order", "by") {
		if err := parseOrder(r, q); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		keyword string
		n       *int
	}{{"limit", &q.Limit}, {"offset", &q.Offset}} {
		if !r.take(c.keyword) {
			continue
		}
		text, err := r.text()
		if err != nil {
			return err
		}
		if *c.n, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
	}
	return nil
}

// parseOrder reads: METRIC|value [asc|desc]. A metric is ordered from the greatest if nothing is said, a value from A.
func parseOrder(r *reader, q *store.Question) error {
	name, err := r.text()
	if err != nil {
		return err
	}
	if name == "value" {
		q.Order.ByValue = true
		q.Order.Reverse = r.take("desc")
		r.take("asc")
		return nil
	}
	m, _ := store.MetricNamed(name)
	q.Order.Metric = slices.Index(q.Metrics, m)
	if q.Order.Metric < 0 || m.String() != name {
		return fmt.Errorf("%q is not a metric of the question", name)
	}
	q.Order.Reverse = r.take("asc")
	r.take("desc")
	return nil
}

const maxParentheses = 20

// parseFilter reads terms joined by "or", which binds less than "and".
func parseFilter(r *reader, depth int) (store.Filter, error) {
	return parseJoined(r, "or", store.AnyOf, func() (store.Filter, error) {
		return parseJoined(r, "and", store.AllOf, func() (store.Filter, error) { return parseTerm(r, depth) })
	})
}

func parseJoined(r *reader, word string, op store.Op, next func() (store.Filter, error)) (store.Filter, error) {
	f, err := next()
	if err != nil || r.peek().text != word || r.peek().quoted {
		return f, err
	}
	all := []store.Filter{f}
	for r.take(word) {
		if f, err = next(); err != nil {
			return f, err
		}
		all = append(all, f)
	}
	return store.Filter{Op: op, Filters: all}, nil
}

// parseTerm reads: (FILTER), everything, nothing, or DIMENSION OPERATION VALUE|VALUE
func parseTerm(r *reader, depth int) (store.Filter, error) {
	switch {
	case depth > maxParentheses:
		return store.Filter{}, errors.New("the filter has too many parentheses")
	case r.take("("):
		f, err := parseFilter(r, depth+1)
		if err != nil {
			return f, err
		}
		return f, r.must(")")
	case r.take("everything"):
		return store.Filter{}, nil
	case r.take("nothing"):
		return store.Filter{Op: store.AnyOf}, nil
	}
	d, err := parseDimension(r)
	if err != nil {
		return store.Filter{}, err
	}
	f := store.Filter{Dimension: d}
	for _, o := range operations {
		if r.take(o.words...) {
			f.Op = o.op
			f.Values, err = parseValues(r)
			return f, err
		}
	}
	return f, fmt.Errorf("%q is not one of is, is not, contains, not contains, matches", r.peek().text)
}

type operation struct {
	op    store.Op
	words []string
}

// operations are in the order in which they are tried: the longer of two that begin alike first.
var operations = []operation{
	{store.IsNot, []string{"is", "not"}},
	{store.Is, []string{"is"}},
	{store.Contains, []string{"contains"}},
	{store.NotContains, []string{"not", "contains"}},
	{store.Matches, []string{"matches"}},
}

func parseValues(r *reader) ([]string, error) {
	var values []string
	for {
		v, err := r.text()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		if !r.take("|") {
			return values, nil
		}
	}
}

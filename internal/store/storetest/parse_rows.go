package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"footfall/internal/store"
)

// parseRows reads the rows that are expected below a question, and the total among them.
func (p *parser) parseRows(q store.Question, indent int) (expectation, error) {
	want := expectation{total: -1}
	said := false
	for l, ok := p.below(indent); ok; l, ok = p.below(indent) {
		said = true
		if l.text == "(no rows)" {
			continue
		}
		if err := want.add(q, l.text); err != nil {
			return want, &placedError{l.number, err}
		}
	}
	if !said {
		return want, errors.New("a question is followed by indented lines: its rows, or (no rows)")
	}
	return want, nil
}

func (want *expectation) add(q store.Question, text string) error {
	all, err := words(text, "")
	if err != nil {
		return err
	}
	r := &reader{all}
	if r.take("total") {
		_, want.total, err = parseCount(text)
		return err
	}
	row, err := parseRow(r, q)
	want.rows = append(want.rows, row)
	return err
}

// parseRow reads a value, if the question has a dimension, and its metrics.
func parseRow(r *reader, q store.Question) (row store.Row, err error) {
	if q.Dimension.Source != store.FromNothing {
		if row.Value, err = r.text(); err != nil {
			return row, err
		}
	}
	for _, m := range q.Metrics {
		text, err := r.text()
		if err != nil {
			return row, fmt.Errorf("the row has no %s", m)
		}
		number := 0.0
		if m == store.Revenue {
			row.Revenue, err = parseAmounts(text)
		} else {
			number, err = parseNumber(text)
		}
		if err != nil {
			return row, err
		}
		row.Metrics = append(row.Metrics, number)
	}
	return row, r.end()
}

// parseNumber reads a decimal number or a fraction such as 100/3.
func parseNumber(text string) (float64, error) {
	above, below, isFraction := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(above, 64)
	if err != nil || n != n {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	if !isFraction {
		return n, nil
	}
	d, err := strconv.ParseFloat(below, 64)
	if err != nil || !(d > 0) {
		return 0, fmt.Errorf("%q is not a fraction", text)
	}
	return n / d, nil
}

// parseAmounts reads UNIT=SUM,UNIT=SUM in the order of units, or - for none.
func parseAmounts(text string) ([]store.Amount, error) {
	if text == "-" {
		return nil, nil
	}
	var amounts []store.Amount
	for part := range strings.SplitSeq(text, ",") {
		unit, sum, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not like EUR=12.50,USD=3", text)
		}
		n, err := parseMillionths(sum)
		if err != nil {
			return nil, err
		}
		amounts = append(amounts, store.Amount{Unit: unit, Sum: n})
	}
	if !slices.IsSortedFunc(amounts, func(a, b store.Amount) int { return strings.Compare(a.Unit, b.Unit) }) {
		return nil, fmt.Errorf("the units of %q are not in order", text)
	}
	return amounts, nil
}

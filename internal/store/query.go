package store

import (
	"errors"
	"fmt"

	"footfall/internal/event"
)

// A Query is several questions about one website, period and filter.
type Query struct {
	Website   int64
	From, To  event.Day // From ≤ d < To
	Filter    Filter    // the zero Filter keeps everything
	Questions []Question
}

// A Question asks for rows: one for each value of a dimension, or a single one with the value "" if there is none.
type Question struct {
	Dimension Dimension
	Metrics   []Metric // at least one
	Search    string   // keeps the rows whose value contains it, whatever the case of the letters
	Order     Order
	Limit     int // at most that many rows; 0 is all
	Offset    int // after leaving out that many
}

// Order sorts rows. Rows that are equal in it follow each other by value, A to Z. The zero Order is by the first metric,
// greatest first.
type Order struct {
	ByValue bool // by value, in byte order, instead of by a metric
	Metric  int  // index into Question.Metrics; Revenue sorts by the greatest amount in any one unit
	Reverse bool // least first for a metric, Z to A for a value
}

// Result has one Answer for each Question.
type Result struct {
	Answers []Answer
	Partial bool // a damaged file was left out: Status.Damaged names it
}

// An Answer is the rows asked for. A dimension has rows only for what happened; without a dimension there is one row
// always.
type Answer struct {
	Rows  []Row
	Total int // number of rows if there were no Limit and no Offset
}

// A Row holds the metrics of one value, in the order of the question.
type Row struct {
	Value   string
	Metrics []float64
	Revenue []Amount // by unit, A to Z, if the question asked for Revenue
}

// An Amount is a sum of values that have one unit.
type Amount struct {
	Unit string
	Sum  int64 // millionths
}

// Check tells what makes a query impossible to answer. What it lets pass, an engine answers.
func (q *Query) Check() error {
	if len(q.Questions) == 0 {
		return errors.New("query without a question")
	}
	for i, question := range q.Questions {
		if len(question.Metrics) == 0 {
			return fmt.Errorf("question %d asks for no metric", i)
		}
		for _, m := range question.Metrics {
			if int(m) >= NumMetrics {
				return fmt.Errorf("question %d asks for metric %d, which does not exist", i, m)
			}
		}
		if o := question.Order; o.Metric < 0 || o.Metric >= len(question.Metrics) {
			return fmt.Errorf("question %d is ordered by metric %d of %d", i, o.Metric, len(question.Metrics))
		}
		if question.Limit < 0 || question.Offset < 0 {
			return fmt.Errorf("question %d has a negative limit or offset", i)
		}
	}
	return q.Filter.check()
}

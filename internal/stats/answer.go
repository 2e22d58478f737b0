package stats

import (
	"encoding/json"
	"math"
	"strconv"

	"footfall/internal/store"
)

// An Answer is the answer to a query, ready to be written as JSON.
type Answer struct {
	Period     Period  `json:"period"`
	Comparison *Period `json:"comparison,omitempty"`
	Totals     Row     `json:"totals"`  // of everything that the filters keep, whatever rows there are
	Answers    []Table `json:"answers"` // one for each question
	Partial    bool    `json:"partial"` // something could not be read and was left out
}

// A Table is the answer to one question.
type Table struct {
	Dimension string   `json:"dimension,omitempty"`
	Metrics   []string `json:"metrics"`
	Rows      []Row    `json:"rows"`
	Total     int      `json:"total"` // rows on all pages
}

// A Row is the metrics of one value. As JSON it is one object:
//
//	{"value": "Germany", "code": "DE", "visitors": 12, "revenue": {"EUR": 49.9},
//	 "previous": {"visitors": 10, "revenue": {}}, "change": {"visitors": 20, "revenue": {"EUR": null}}}
type Row struct {
	Value         string   // for people; "" if the question has no dimension
	Code          string   // the value's standard code, or ""
	Now           *Numbers // nil for a time that has not begun
	Previous      *Numbers // nil without a comparison, and for a time that the compared period does not reach
	PreviousValue string   // the time that Previous is of; "" if that is no other than Value

	stored string
}

// Numbers are the metrics of a question, in its order.
type Numbers struct {
	Values  []float64
	Revenue Revenue // the metric revenue, which has no number

	metrics []Metric
}

func newRow(q *question, r store.Row) Row {
	row := Row{Value: q.dimension.text(r.Value), Code: q.dimension.code(r.Value), stored: r.Value}
	if r.Metrics != nil {
		row.Now = numbers(q.metrics, r)
	}
	return row
}

func numbers(metrics []Metric, r store.Row) *Numbers {
	return &Numbers{Values: r.Metrics, Revenue: Revenue(r.Revenue), metrics: metrics}
}

// Number is the metric with this name; 0 if the question did not ask for it.
func (n *Numbers) Number(name string) float64 {
	for i, m := range n.metrics {
		if m.Name() == name {
			return n.Values[i]
		}
	}
	return 0
}

// Change is how much a metric changed: in percent of what it was, or in percentage points if it is one of percent
// itself. There is none if it was 0 and is not.
func (m Metric) Change(was, is float64) (change float64, ok bool) {
	switch {
	case m.Format == Percent:
		return is - was, true
	case was == is:
		return 0, true
	case was == 0:
		return 0, false
	}
	return 100 * (is - was) / math.Abs(was), true
}

// MarshalJSON implements json.Marshaler.
func (r Row) MarshalJSON() ([]byte, error) {
	o := object{'{'}
	if r.Value != "" {
		o.text("value", r.Value)
	}
	if r.Code != "" {
		o.text("code", r.Code)
	}
	if r.Now != nil {
		r.Now.write(&o)
	}
	if r.Previous != nil {
		o.key("previous")
		p := object{'{'}
		if r.PreviousValue != "" {
			p.text("value", r.PreviousValue)
		}
		r.Previous.write(&p)
		o = append(o, p.end()...)
	}
	if r.Previous != nil && r.Now != nil {
		o.key("change")
		o = append(o, changes(r.Previous, r.Now)...)
	}
	return o.end(), nil
}

func (n *Numbers) write(o *object) {
	for i, m := range n.metrics {
		o.key(m.Name())
		if m.Metric == store.Revenue {
			*o = n.Revenue.append(*o)
		} else {
			*o = appendNumber(*o, n.Values[i])
		}
	}
}

func changes(was, is *Numbers) []byte {
	o := object{'{'}
	for i, m := range is.metrics {
		o.key(m.Name())
		if m.Metric == store.Revenue {
			o = append(o, revenueChanges(m, was.Revenue, is.Revenue)...)
		} else {
			o.change(m, was.Values[i], is.Values[i])
		}
	}
	return o.end()
}

// An object is a JSON object being written.
type object []byte

func (o *object) key(name string) {
	if len(*o) > 1 {
		*o = append(*o, ',')
	}
	*o = append(appendText(*o, name), ':')
}

func (o *object) text(key, value string) {
	o.key(key)
	*o = appendText(*o, value)
}

func (o *object) change(m Metric, was, is float64) {
	change, ok := m.Change(was, is)
	if !ok {
		*o = append(*o, "null"...)
		return
	}
	*o = appendNumber(*o, change)
}

func (o *object) end() []byte { return append(*o, '}') }

func appendText(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always encodes
	return append(b, quoted...)
}

// appendNumber writes at most two decimals.
func appendNumber(b []byte, v float64) []byte {
	return strconv.AppendFloat(b, math.Round(v*100)/100+0, 'f', -1, 64) // + 0 makes -0 a 0
}

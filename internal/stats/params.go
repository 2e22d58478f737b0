package stats

import "encoding/json"

// maxID is the greatest whole number that JSON can be relied on to carry.
const maxID = 1 << 53

// Params are a query as it was sent. The zero value of a field is not sent.
//
// As JSON, with website_id, period and questions required:
//
//	{
//	  "website_id": 1,
//	  "period": "30d",                          or {"from": "2026-03-01", "to": "2026-03-31"}
//	  "compare": "previous_period",             or "previous_year", or {"from": …, "to": …}
//	  "filters": {"dimension": "country", "op": "is", "values": ["Germany"]},
//	                                            or {"and": […]}, {"or": […]}, […]
//	  "questions": [
//	    {"dimension": "page", "metrics": ["visitors", "pageviews"], "search": "blog",
//	     "order": {"by": "pageviews", "dir": "desc"}, "limit": 10, "page": 1},
//	    {"dimension": "day", "metrics": ["visitors"], "fill": true}
//	  ]
//	}
type Params struct {
	Website   int64 // for the caller, who makes a Scope of it; Parse looks at the Scope
	Period    PeriodParams
	Compare   *PeriodParams // nil is with nothing
	Filter    *FilterParams // nil keeps everything
	Questions []QuestionParams
	File      bool // the answer becomes a file: to one question, with more rows; not part of the JSON, and set before it is read

	notes []note // what is wrong with the JSON that the others came from
}

// QuestionParams are a question as it was sent.
type QuestionParams struct {
	Dimension string   // none is one row for everything
	Metrics   []string // visitors, if none; events by the names of properties
	Search    string   // kept are the rows whose value contains it, whatever the case of the letters
	Order     OrderParams
	Limit     int   // rows of a page; 10, if not sent, and all times of a dimension of time
	Page      int   // from 1
	Fill      *bool // whether times without events have rows; if not sent, they have where they are in their order
}

// OrderParams are an order as it was sent.
type OrderParams struct {
	By  string // value or a metric of the question; if not sent, value for a dimension of time, else the first metric
	Dir string // asc or desc; if not sent, asc for value and desc for a metric
}

// UnmarshalJSON reads a question. What is wrong with its form it keeps for Parse, which tells it with the rest; it fails
// only on what is no JSON at all.
func (p *Params) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*p = Params{File: p.File}
	of := node{"", value, &p.notes}
	if _, ok := value.(map[string]any); !ok {
		of.path = "query"
		of.note("must be an object")
		return nil
	}
	field := of.object("website_id", "period", "compare", "filters", "questions")
	p.Website = field("website_id").number(maxID)
	p.Period = readPeriod(field("period"))
	if compare := field("compare"); compare.sent() {
		period := readPeriod(compare)
		p.Compare = &period
	}
	p.Filter = readFilters(field("filters"))
	for _, q := range field("questions").list(maxQuestions) {
		p.Questions = append(p.Questions, readQuestion(q, p.rows()))
	}
	return nil
}

func readPeriod(n node) PeriodParams {
	switch value := n.value.(type) {
	case nil:
		return PeriodParams{}
	case string:
		return PeriodParams{Name: value}
	case map[string]any:
		field := n.object("from", "to")
		return PeriodParams{From: field("from").text(), To: field("to").text()}
	}
	n.note("must be text or an object with from and to")
	return PeriodParams{}
}

// readFilters reads a filter, or a list of filters that all have to keep an event: none, if it is empty.
func readFilters(n node) *FilterParams {
	if !n.sent() {
		return nil
	}
	if list, ok := n.value.([]any); ok {
		if len(list) == 0 {
			return nil
		}
		return &FilterParams{And: readFilterList(n, 2), bare: true}
	}
	f := readFilter(n, 1)
	return &f
}

func readFilter(n node, depth int) FilterParams {
	if depth > maxFilterDepth+1 {
		return FilterParams{} // it is too deep by now, and is told so
	}
	field := n.object("and", "or", "dimension", "op", "values")
	return FilterParams{
		And:       readFilterList(field("and"), depth+1),
		Or:        readFilterList(field("or"), depth+1),
		Dimension: field("dimension").text(),
		Op:        field("op").text(),
		Values:    field("values").texts(maxValues),
	}
}

func readFilterList(n node, depth int) []FilterParams {
	if !n.sent() {
		return nil
	}
	all := []FilterParams{}
	for _, member := range n.list(maxFilters) {
		all = append(all, readFilter(member, depth))
	}
	return all
}

// rows are how many an answer may have.
func (p *Params) rows() int64 {
	if p.File {
		return maxFileRows
	}
	return maxRows
}

func readQuestion(n node, rows int64) QuestionParams {
	field := n.object("dimension", "metrics", "search", "order", "limit", "page", "fill")
	order := field("order").object("by", "dir")
	return QuestionParams{
		Dimension: field("dimension").text(),
		Metrics:   field("metrics").texts(maxMetrics),
		Search:    field("search").text(),
		Order:     OrderParams{By: order("by").text(), Dir: order("dir").text()},
		Limit:     int(field("limit").number(rows)),
		Page:      int(field("page").number(maxPage)),
		Fill:      field("fill").yesNo(),
	}
}

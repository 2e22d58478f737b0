package stats

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"footfall/internal/store"
)

// StatisticParams are the parameters of a statistic, as they were sent; "" is not sent.
type StatisticParams struct {
	Name     string // required: the name of one of Statistics
	From, To string // required: the first and the last day, Y-m-d
	Search   string // in the values, whatever the case of the letters
	SearchBy string // value or url, which mean the same; default url
	SortBy   string // count or value; default count
	Sort     string // desc or asc; default desc
	PerPage  string // 10, 25, 50 or 100; default 10, and of a file all that it may have
	Page     string // from 1; default 1
	Filters  string // JSON, as in Params
	File     bool   // the answer becomes a file
}

// An AskedStatistic is a page of a statistic that has been checked. Only ParseStatistic makes one that can be run.
type AskedStatistic struct {
	website  int64
	period   Period
	filter   store.Filter
	question question
	page     int
}

// A StatisticList is a page of a statistic. A page after the last is empty.
type StatisticList struct {
	Records []Record
	Total   int // on all pages
	Page    int
	PerPage int
	Partial bool // something could not be read and was left out
}

// A Record is a row of a statistic.
type Record struct {
	Value   string  `json:"value"`
	Code    string  `json:"code,omitempty"` // standard code of the value
	Count   int64   `json:"count"`
	Revenue Revenue `json:"revenue,omitempty"` // of events that were sent with values
}

// ParseStatistic checks the parameters of a statistic. Its error is a fault that names all that is wrong.
func ParseStatistic(s Scope, p StatisticParams) (AskedStatistic, error) {
	var c checker
	c.website(s)
	statistic, ok := StatisticNamed(p.Name)
	if !ok {
		c.Add("name", "must be %s", oneOf(statisticNames()))
	}
	a := AskedStatistic{website: s.Website, question: statistic.question()}
	a.period = c.days("", p.From, p.To)
	q := &a.question
	q.search = strings.TrimSpace(p.Search)
	c.text("search", q.search, maxSearchBytes)
	c.choice("search_by", orDefault(p.SearchBy, "url"), "value", "url")
	q.order.ByValue = c.choice("sort_by", orDefault(p.SortBy, "count"), "count", "value") == "value"
	descending := c.choice("sort", orDefault(p.Sort, "desc"), "desc", "asc") == "desc"
	q.order.Reverse = descending == q.order.ByValue
	if q.limit = maxFileRows; !p.File || p.PerPage != "" {
		q.limit, _ = strconv.Atoi(c.choice("per_page", orDefault(p.PerPage, "10"), "10", "25", "50", "100"))
	}
	a.page = c.page(p.Page)
	q.offset = (a.page - 1) * q.limit
	if p.Filters != "" {
		a.filter = c.filterJSON("filters", p.Filters)
	}
	if err := c.Err(); err != nil {
		return AskedStatistic{}, err
	}
	return a, nil
}

// filterJSON is a filter that was sent as JSON in a parameter.
func (c *checker) filterJSON(field, s string) store.Filter {
	var value any
	switch {
	case len(s) > maxFiltersBytes:
		c.Add(field, "must not be longer than %d bytes", maxFiltersBytes)
		return store.Filter{}
	case json.Unmarshal([]byte(s), &value) != nil:
		c.Add(field, `must be JSON such as {"dimension":"country","op":"is","values":["Germany"]}`)
		return store.Filter{}
	}
	var notes []note
	p := readFilters(node{field, value, &notes})
	for _, n := range notes {
		c.Add(n.field, "%s", n.text)
	}
	if p == nil {
		return store.Filter{}
	}
	return c.filter(field, *p, 1)
}

// Period is the days that are asked about.
func (a *AskedStatistic) Period() Period { return a.period }

// Run asks a store for the page.
func (a *AskedStatistic) Run(ctx context.Context, from Querier) (StatisticList, error) {
	plan := newPlan(a.website, a.period, a.filter)
	plan.add(&a.question)
	answers, partial, err := plan.run(ctx, from)
	if err != nil {
		return StatisticList{}, err
	}
	list := StatisticList{
		Records: []Record{}, Total: answers[0].Total, Page: a.page, PerPage: a.question.limit, Partial: partial,
	}
	d := a.question.dimension
	for _, r := range answers[0].Rows {
		list.Records = append(list.Records, Record{
			Value: d.text(r.Value), Code: d.code(r.Value), Count: int64(r.Metrics[0]), Revenue: Revenue(r.Revenue),
		})
	}
	return list, nil
}

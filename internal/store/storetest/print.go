package storetest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A printer writes statements as a script has them.
type printer struct {
	strings.Builder
	website int64
}

// String is the script as parse reads it.
func (c *script) String() string {
	p := printer{website: 1}
	p.line("# %s", c.rule)
	for _, s := range c.steps {
		s.statement.print(&p)
	}
	return p.Builder.String()
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// about selects the website that the next statement is about.
func (p *printer) about(website int64) {
	if website != p.website {
		p.line("website %d", website)
		p.website = website
	}
}

func (s zone) print(p *printer) {
	p.about(s.website)
	p.line("zone %s", s.name)
}

func (s load) print(p *printer) {
	p.line("load")
	for i := range s.events {
		p.line("  %s", p.event(&s.events[i]))
	}
}

func (again) print(p *printer)   { p.line("again") }
func (settle) print(p *printer)  { p.line("settle") }
func (flush) print(p *printer)   { p.line("flush") }
func (reopen) print(p *printer)  { p.line("reopen") }
func (replay) print(p *printer)  { p.line("replay") }
func (s clock) print(p *printer) { p.line("clock %s", printTime(s.at)) }

func (s remove) print(p *printer) {
	p.about(s.website)
	p.line("delete")
}

func (s recount) print(p *printer) {
	p.about(s.website)
	p.line("recount from %s to %s", s.from, s.to)
}

func (s ask) print(p *printer) {
	p.about(s.query.Website)
	period := fmt.Sprintf(" from %s to %s", s.query.From, s.query.To)
	if s.query.Filter.Op != store.Everything {
		period += " where " + printFilter(s.query.Filter)
	}
	if len(s.query.Questions) == 1 {
		q := s.query.Questions[0]
		p.line("query %s%s%s", printSubject(q), period, printClauses(q))
		s.want[0].print(p, q, "  ")
		return
	}
	p.line("ask%s", period)
	for i, q := range s.query.Questions {
		p.line("  %s%s", printSubject(q), printClauses(q))
		s.want[i].print(p, q, "    ")
	}
}

func (s live) print(p *printer) {
	p.about(s.website)
	p.line("realtime %s at %s", s.window, printTime(s.at))
	p.line("  visitors %d", s.want.Visitors)
	for _, page := range s.want.Pages {
		p.line("  %s %d", quote(page.Page), page.Visitors)
	}
	for _, c := range s.want.Countries {
		p.line("  in %s %d", quote(c.Country), c.Visitors)
	}
}

func (want expectation) print(p *printer, q store.Question, indent string) {
	for _, r := range want.rows {
		p.line("%s%s", indent, printRow(r, q))
	}
	if len(want.rows) == 0 {
		p.line("%s(no rows)", indent)
	}
	if want.total >= 0 {
		p.line("%stotal %d", indent, want.total)
	}
}

func (p *printer) event(e *event.Event) string {
	first := event.Page
	if e.Kind == event.Custom {
		first = event.Name
	}
	out := []string{printTime(time.UnixMilli(e.Time)), fmt.Sprintf("%#x", e.Visitor), kindNames[e.Kind], quote(e.Fields[first])}
	add := func(key, text string) { out = append(out, key+"="+text) }
	if e.Website != p.website {
		add("website", strconv.FormatInt(e.Website, 10))
	}
	if e.ID != 0 {
		add("id", strconv.FormatUint(e.ID, 10))
	}
	if e.Engaged != 0 {
		add("engaged", (time.Duration(e.Engaged) * time.Millisecond).String())
	}
	if e.Scroll != 0 {
		add("scroll", strconv.Itoa(int(e.Scroll)))
	}
	if e.Value != 0 {
		add("value", printMillionths(e.Value))
	}
	for f, text := range e.Fields {
		if f := event.Field(f); text != "" && f != first && f != event.Props {
			add(f.String(), quote(text))
		}
	}
	props := event.SplitProps(e.Fields[event.Props])
	for _, name := range slices.Sorted(maps.Keys(props)) {
		add(store.PropPrefix+quote(name), quote(props[name]))
	}
	return strings.Join(out, " ")
}

func printSubject(q store.Question) string {
	var names []string
	for _, m := range q.Metrics {
		names = append(names, m.String())
	}
	text := strings.Join(names, ",")
	if q.Dimension.Source != store.FromNothing {
		text += " by " + quote(q.Dimension.Name)
	}
	return text
}

func printClauses(q store.Question) (text string) {
	if q.Search != "" {
		text += " search " + quote(q.Search)
	}
	switch o := q.Order; {
	case o.ByValue && o.Reverse:
		text += " order by value desc"
	case o.ByValue:
		text += " order by value"
	case o.Reverse:
		text += " order by " + q.Metrics[o.Metric].String() + " asc"
	case o.Metric > 0:
		text += " order by " + q.Metrics[o.Metric].String()
	}
	if q.Limit > 0 {
		text += fmt.Sprintf(" limit %d", q.Limit)
	}
	if q.Offset > 0 {
		text += fmt.Sprintf(" offset %d", q.Offset)
	}
	return text
}

func printFilter(f store.Filter) string {
	switch {
	case f.Op == store.Everything:
		return "everything"
	case f.Op == store.AnyOf && len(f.Filters) == 0:
		return "nothing"
	case f.Op == store.AnyOf || f.Op == store.AllOf:
		var parts []string
		for _, part := range f.Filters {
			text := printFilter(part)
			if len(part.Filters) > 0 {
				text = "(" + text + ")"
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, map[store.Op]string{store.AnyOf: " or ", store.AllOf: " and "}[f.Op])
	}
	var values []string
	for _, v := range f.Values {
		values = append(values, quote(v))
	}
	i := slices.IndexFunc(operations, func(o operation) bool { return o.op == f.Op })
	return quote(f.Dimension.Name) + " " + strings.Join(operations[i].words, " ") + " " + strings.Join(values, "|")
}

func printRow(r store.Row, q store.Question) string {
	var out []string
	if q.Dimension.Source != store.FromNothing {
		out = append(out, quote(r.Value))
	}
	for i, n := range r.Metrics {
		if i < len(q.Metrics) && q.Metrics[i] == store.Revenue {
			out = append(out, printAmounts(r.Revenue))
			continue
		}
		out = append(out, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return strings.Join(out, "  ")
}

func printAmounts(amounts []store.Amount) string {
	if len(amounts) == 0 {
		return "-"
	}
	var out []string
	for _, a := range amounts {
		out = append(out, quote(a.Unit)+"="+printMillionths(a.Sum))
	}
	return strings.Join(out, ",")
}

func printTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func printMillionths(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	if n%1e6 == 0 {
		return fmt.Sprintf("%s%d", sign, n/1e6)
	}
	return fmt.Sprintf("%s%d.%06d", sign, n/1e6, n%1e6)
}

var (
	plain    = regexp.MustCompile(`^[\pL\pN/_.:*-]+$`)
	keywords = regexp.MustCompile(`^(and|asc|by|contains|desc|everything|from|is|limit|matches|not|nothing|offset|or|order|search|to|total|visitors|where)$`)
)

// quote puts quotes around a text that would mean something else without.
func quote(text string) string {
	if plain.MatchString(text) && !keywords.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

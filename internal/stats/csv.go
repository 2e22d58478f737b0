package stats

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footfall/internal/store"
)

// A sheet is a table for a spreadsheet, as CSV (RFC 4180). The texts of events are strangers' texts, and a spreadsheet runs
// a cell that begins like a formula. So every text is quoted, one that would run has a ' before it, and texts of strangers
// stand at the beginning of a line only: a spreadsheet that takes another character than the comma to separate cells,
// as those of many countries do, would otherwise cut them into cells of its own.
type sheet []byte

func (s *sheet) separate() {
	if n := len(*s); n > 0 && (*s)[n-1] != '\n' {
		*s = append(*s, ',')
	}
}

func (s *sheet) text(v string) {
	s.separate()
	*s = append(*s, '"')
	*s = append(*s, strings.ReplaceAll(harmless(v), `"`, `""`)...)
	*s = append(*s, '"')
}

func (s *sheet) number(v float64) {
	s.separate()
	*s = appendNumber(*s, v)
}

func (s *sheet) millionths(v int64) {
	s.separate()
	*s = appendMillionths(*s, v)
}

func (s *sheet) none() {
	s.separate()
	*s = append(*s, `""`...)
}

func (s *sheet) end() { *s = append(*s, "\r\n"...) }

// harmless is a text that no spreadsheet takes for a formula. Some look behind spaces, and at the wide forms of the signs.
func harmless(v string) string {
	bare := strings.TrimLeftFunc(v, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' })
	if strings.IndexAny(bare, "=+-@＝＋－＠") == 0 || strings.IndexAny(v, "\t\r\n") == 0 {
		return "'" + v
	}
	return v
}

// heading is a text for the name of a column: letters and digits.
func heading(v string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, v)
}

// AppendCSV writes the answer to the first question as CSV. A column is named after its metric, revenue_UNIT for revenue,
// with previous_ before it for the compared period.
func (a Answer) AppendCSV(b []byte) []byte {
	t, s := a.Answers[0], sheet(b)
	coded := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Code != "" })
	dated := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.PreviousValue != "" })
	units := t.units()
	if t.Dimension != "" {
		s.text(heading(t.Dimension))
	}
	if coded {
		s.text("code")
	}
	t.head(&s, "", units)
	if a.Comparison != nil {
		if dated {
			s.text("previous_" + heading(t.Dimension))
		}
		t.head(&s, "previous_", units)
	}
	s.end()
	for _, r := range t.Rows {
		if t.Dimension != "" {
			s.text(r.Value)
		}
		if coded {
			s.text(r.Code)
		}
		t.cells(&s, r.Now, units)
		if a.Comparison != nil {
			if dated {
				s.text(r.PreviousValue)
			}
			t.cells(&s, r.Previous, units)
		}
		s.end()
	}
	return s
}

// units are those of the revenue in a table, A to Z.
func (t Table) units() []string {
	var units []string
	for _, r := range t.Rows {
		for _, n := range []*Numbers{r.Now, r.Previous} {
			if n != nil {
				units = append(units, n.Revenue.units()...)
			}
		}
	}
	slices.Sort(units)
	return slices.Compact(units)
}

func (r Revenue) units() []string {
	var units []string
	for _, a := range r {
		units = append(units, a.Unit)
	}
	return units
}

func (t Table) head(s *sheet, prefix string, units []string) {
	for _, m := range t.Metrics {
		if m != store.Revenue.String() {
			s.text(prefix + m)
			continue
		}
		for _, unit := range units {
			s.text(prefix + m + "_" + heading(unit))
		}
	}
}

// cells are the numbers of a row; nil has empty ones.
func (t Table) cells(s *sheet, n *Numbers, units []string) {
	for i, m := range t.Metrics {
		switch {
		case m == store.Revenue.String():
			for _, unit := range units {
				if n == nil {
					s.none()
				} else {
					s.millionths(n.Revenue.millionths(unit))
				}
			}
		case n == nil:
			s.none()
		default:
			s.number(n.Values[i])
		}
	}
}

// AppendCSV writes the page as CSV.
func (l StatisticList) AppendCSV(b []byte) []byte {
	s := sheet(b)
	coded := slices.ContainsFunc(l.Records, func(r Record) bool { return r.Code != "" })
	var units []string
	for _, r := range l.Records {
		units = append(units, r.Revenue.units()...)
	}
	slices.Sort(units)
	units = slices.Compact(units)
	s.text("value")
	if coded {
		s.text("code")
	}
	s.text("count")
	for _, unit := range units {
		s.text("revenue_" + heading(unit))
	}
	s.end()
	for _, r := range l.Records {
		s.text(r.Value)
		if coded {
			s.text(r.Code)
		}
		s.separate()
		s = strconv.AppendInt(s, r.Count, 10)
		for _, unit := range units {
			s.millionths(r.Revenue.millionths(unit))
		}
		s.end()
	}
	return s
}

package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

// A parser reads a file of scripts. Errors name the file and the line.
type parser struct {
	file    string
	lines   []line // that are left
	website int64
	zones   map[int64]*time.Location
}

// A line is one that says something: not an empty one, not a note.
type line struct {
	number int
	indent int
	text   string
}

func (l line) isRule() bool { return l.indent == 0 && strings.HasPrefix(l.text, "#") }

func parse(file, text string) ([]script, error) {
	p := parser{file: file, lines: splitLines(text)}
	var all []script
	for len(p.lines) > 0 {
		c, err := p.script()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func splitLines(text string) []line {
	var lines []line
	for i, s := range strings.Split(text, "\n") {
		s = strings.TrimRight(s, " \t\r")
		body := strings.TrimLeft(s, " \t")
		l := line{number: i + 1, indent: len(s) - len(body), text: body}
		if note := l.indent > 0 && strings.HasPrefix(body, "#"); body != "" && !note {
			lines = append(lines, l)
		}
	}
	return lines
}

func (p *parser) errorf(number int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", p.file, number, fmt.Errorf(format, args...))
}

func (p *parser) script() (script, error) {
	p.website, p.zones = 1, map[int64]*time.Location{}
	c := script{file: p.file, line: p.lines[0].number}
	var rule []string
	for len(p.lines) > 0 && p.lines[0].isRule() {
		rule = append(rule, strings.TrimSpace(strings.TrimPrefix(p.lines[0].text, "#")))
		p.lines = p.lines[1:]
	}
	c.rule = strings.Join(rule, " ")
	if c.rule == "" {
		return c, p.errorf(c.line, "a case begins with a line like: # The rule that it shows.")
	}
	for len(p.lines) > 0 && !p.lines[0].isRule() {
		l := p.lines[0]
		s, err := p.statement()
		if err != nil {
			return c, err
		}
		if s != nil {
			c.steps = append(c.steps, step{l.number, s})
		}
	}
	if len(c.steps) == 0 {
		return c, p.errorf(c.line, "the case has no statement")
	}
	return c, nil
}

// statement reads one statement with the lines below it that belong to it. It is nil if nothing is left to play.
func (p *parser) statement() (statement, error) {
	l := p.lines[0]
	p.lines = p.lines[1:]
	if l.indent > 0 {
		return nil, p.errorf(l.number, "an indented line belongs to no statement")
	}
	all, err := words(l.text, "()|")
	if err != nil {
		return nil, p.errorf(l.number, "%w", err)
	}
	r := &reader{all}
	keyword, err := r.text()
	if err != nil {
		return nil, p.errorf(l.number, "%w", err)
	}
	parse, ok := map[string]func(*reader) (statement, error){
		"website":  p.parseWebsite,
		"zone":     p.parseZone,
		"load":     p.parseLoad,
		"again":    func(*reader) (statement, error) { return again{}, nil },
		"query":    p.parseQuery,
		"ask":      p.parseAsk,
		"realtime": p.parseLive,
		"clock":    p.parseClock,
		"settle":   func(*reader) (statement, error) { return settle{}, nil },
		"flush":    func(*reader) (statement, error) { return flush{}, nil },
		"reopen":   func(*reader) (statement, error) { return reopen{}, nil },
		"replay":   func(*reader) (statement, error) { return replay{}, nil },
		"delete":   func(*reader) (statement, error) { return remove{p.website}, nil },
		"recount":  p.parseRecount,
	}[keyword]
	if !ok {
		return nil, p.errorf(l.number, "%q is not a statement", keyword)
	}
	s, err := parse(r)
	if err == nil {
		err = r.end()
	}
	if placed := (*placedError)(nil); errors.As(err, &placed) {
		return nil, p.errorf(placed.line, "%w", placed.err)
	}
	if err != nil {
		return nil, p.errorf(l.number, "%w", err)
	}
	return s, nil
}

// A placedError is one in a line below the statement's own.
type placedError struct {
	line int
	err  error
}

func (e *placedError) Error() string { return e.err.Error() }

// below takes the next line if it is indented deeper than indent.
func (p *parser) below(indent int) (line, bool) {
	if len(p.lines) == 0 || p.lines[0].indent <= indent {
		return line{}, false
	}
	l := p.lines[0]
	p.lines = p.lines[1:]
	return l, true
}

func (p *parser) parseWebsite(r *reader) (statement, error) {
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	p.website, err = parseWebsiteID(text)
	return nil, err
}

func parseWebsiteID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%q is not the number of a website", text)
	}
	return id, nil
}

func (p *parser) parseZone(r *reader) (statement, error) {
	name, err := r.text()
	if err != nil {
		return nil, err
	}
	location, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fmt.Errorf("%q is not a zone", name)
	}
	p.zones[p.website] = location
	return zone{p.website, name}, nil
}

func (p *parser) parseClock(r *reader) (statement, error) {
	at, err := parseTime(r)
	return clock{at}, err
}

func (p *parser) parseRecount(r *reader) (statement, error) {
	from, to, err := parsePeriod(r)
	return recount{p.website, from, to}, err
}

func (p *parser) parseLive(r *reader) (statement, error) {
	s := live{website: p.website}
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	if s.window, err = time.ParseDuration(text); err != nil {
		return nil, fmt.Errorf("%q is not a duration", text)
	}
	if err = r.must("at"); err != nil {
		return nil, err
	}
	if s.at, err = parseTime(r); err != nil {
		return nil, err
	}
	l, ok := p.below(0)
	if !ok {
		return nil, errors.New("realtime is followed by an indented line like: visitors 2")
	}
	name, n, err := parseCount(l.text)
	if err != nil || name != "visitors" {
		return nil, &placedError{l.number, fmt.Errorf("%q is not like: visitors 2", l.text)}
	}
	s.want.Visitors = n
	for l, ok := p.below(0); ok; l, ok = p.below(0) {
		country, in := strings.CutPrefix(l.text, "in ")
		text, n, err := parseCount(country)
		if err != nil {
			return nil, &placedError{l.number, err}
		}
		if in {
			s.want.Countries = append(s.want.Countries, store.LiveCountry{Country: text, Visitors: n})
		} else {
			s.want.Pages = append(s.want.Pages, store.LivePage{Page: text, Visitors: n})
		}
	}
	return s, nil
}

// parseCount reads a text and a number.
func parseCount(line string) (text string, n int, err error) {
	all, err := words(line, "")
	if err != nil {
		return "", 0, err
	}
	if len(all) != 2 {
		return "", 0, fmt.Errorf("%q is not a text and a number", line)
	}
	n, err = strconv.Atoi(all[1].text)
	if err != nil || n < 0 {
		return "", 0, fmt.Errorf("%q is not a number", all[1].text)
	}
	return all[0].text, n, nil
}

func parseTime(r *reader) (time.Time, error) {
	text, err := r.text()
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Nanosecond()%1e6 != 0 || t.Year() < 1970 {
		return time.Time{}, fmt.Errorf("%q is not a time of the form 2006-01-02T15:04:05.000Z", text)
	}
	return t.UTC(), nil
}

// parsePeriod reads: from 2026-03-01 to 2026-03-02.
func parsePeriod(r *reader) (from, to event.Day, err error) {
	for _, d := range []struct {
		keyword string
		day     *event.Day
	}{{"from", &from}, {"to", &to}} {
		if err := r.must(d.keyword); err != nil {
			return 0, 0, err
		}
		text, err := r.text()
		if err != nil {
			return 0, 0, err
		}
		if *d.day, err = event.ParseDay(text); err != nil {
			return 0, 0, err
		}
	}
	return from, to, nil
}

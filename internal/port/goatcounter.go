package port

import (
	"io"
	"slices"
	"strings"

	"footfall/internal/event"
)

// A goatCounterReader reads what GoatCounter exports. The first column is named Path, behind the version of the form: in 1
// the browser is a user agent, later it has a name and a version.
type goatCounterReader struct {
	*table
	version string
	column  map[string]int
}

func newGoatCounterReader(r io.Reader) (*goatCounterReader, error) {
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	g := &goatCounterReader{table: t, column: make(map[string]int)}
	for i, name := range t.head {
		name = strings.ToLower(name)
		if i == 0 {
			path := strings.TrimLeft(name, "0123456789")
			g.version, name = strings.TrimSuffix(name, path), path
		}
		g.column[name] = i
	}
	for _, name := range []string{"path", "date"} {
		if _, ok := g.column[name]; !ok {
			return nil, HeadError("this is no export of GoatCounter: it has no column " + name)
		}
	}
	if !slices.Contains([]string{"1", "2"}, g.version) {
		return nil, HeadError("this export of GoatCounter has version " + g.version + ", and those that are read are 1 and 2")
	}
	return g, nil
}

// cell is the value in a column; "" if there is no such column.
func (g *goatCounterReader) cell(name string) string {
	if i, ok := g.column[name]; ok {
		return g.cells[i]
	}
	return ""
}

// Next implements Reader.
func (g *goatCounterReader) Next(e *Entry) error {
	if err := g.next(e); err != nil || e.Bad != "" {
		return err
	}
	at, ok := moment(g.cell("date"))
	if !ok {
		e.Bad = "has no date such as 2006-01-02T15:04:05Z"
		return nil
	}
	bot := g.cell("bot")
	e.Seen = &Seen{Target: g.cell("path"), Bot: bot != "" && bot != "0", UserAgent: g.cell("useragent")}
	e.Visitor = g.cell("session")
	e.Event = event.Event{Kind: event.Pageview, Time: at.UnixMilli()}
	f := &e.Event.Fields
	f[event.Resolution] = screen(g.cell("screen size"))
	f[event.Country] = country(g.cell("location")) // a code, which collect names
	if g.version == "1" {
		e.Seen.UserAgent = g.cell("browser")
	} else {
		f[event.Browser], f[event.BrowserVersion] = nameAndVersion(g.cell("browser"))
		f[event.OS], f[event.OSVersion] = nameAndVersion(g.cell("system"))
	}
	if strings.HasPrefix(e.Seen.UserAgent, "~") { // packed, as GoatCounter keeps them
		e.Seen.UserAgent = ""
	}
	g.origin(e.Seen)
	if isTrue(g.cell("event")) {
		e.Event.Kind = event.Custom
		f[event.Name], e.Seen.Target = e.Seen.Target, ""
		if f[event.Name] == "" {
			e.Bad = "is an event without a name in the column Path"
		}
	}
	return nil
}

// origin reads where a visitor came from: an address without its scheme, or only a name.
func (g *goatCounterReader) origin(s *Seen) {
	ref := g.cell("referrer")
	switch g.cell("referrer scheme") {
	case "h":
		s.Referrer = "https://" + ref
	case "g", "c":
		s.Source = ref
	case "":
		if s.Referrer = ref; ref != "" && !strings.Contains(ref, "://") {
			s.Referrer = "https://" + ref
		}
	default: // an app, or what else is no address of the web
		s.Referrer = ref
	}
}

func isTrue(s string) bool { return strings.EqualFold(s, "true") || s == "1" }

// screen is the size of a screen: "1920,1080,1" is width, height and scale.
func screen(s string) string {
	if parts := strings.Split(s, ","); len(parts) >= 2 {
		return parts[0] + "x" + parts[1]
	}
	return s
}

// country is the code of a country, of a place such as DE-BE.
func country(location string) string {
	code, _, _ := strings.Cut(location, "-")
	return code
}

// nameAndVersion cuts what follows the last space off, if it is a version.
func nameAndVersion(s string) (name, version string) {
	if i := strings.LastIndexByte(s, ' '); i > 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
		return s[:i], s[i+1:]
	}
	return s, ""
}

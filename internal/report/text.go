package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// textWidth is how long a line is at most, where it can be helped.
const textWidth = 72

// text is the report for those who read no HTML.
func (p *page) text() string {
	var b strings.Builder
	line := func(s string) { b.WriteString(s + "\n") }
	line(p.Domain)
	line(p.Title + ", " + p.Days)
	line("")
	for _, note := range p.Notes {
		line(wrap(note))
		line("")
	}
	line(wrap(p.Story))
	line("")
	for _, f := range append([]figureWords{p.Main}, p.Figures...) {
		line(fmt.Sprintf("%s%s  %s", pad(f.Name, 18), padLeft(f.Number, 10), f.Change))
	}
	line("")
	line(wrap(p.Alt))
	for _, l := range p.Lists {
		line("")
		line(strings.ToUpper(l.Title))
		if len(l.Rows) == 0 {
			line(l.Empty)
		}
		for _, r := range l.Rows {
			line(fmt.Sprintf("%s  %s  %s", padLeft(r.Count, 8), pad(r.Change, 8), r.Name))
		}
	}
	line("")
	line(p.Open + ":")
	line(p.Dashboard)
	line("")
	line("-- ")
	line(wrap(p.Footnote))
	line(wrap(p.Why))
	if p.Unsubscribe != "" {
		line(p.UnsubscribeWord + ": " + p.Unsubscribe)
	}
	return b.String()
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

// wrap breaks a text into lines.
func wrap(s string) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Split(s, " ") { // and not where a space may not break
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case length+1+n > textWidth:
			b.WriteString("\n")
			length = 0
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String()
}

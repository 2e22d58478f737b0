package report

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"footfall/internal/mail"
	"footfall/internal/store"
)

// A Letter is a report in words.
type Letter struct {
	Subject string
	Text    string
	HTML    string
	Chart   []byte // PNG, that the HTML shows as cid:ChartID
}

// An Envelope is what a letter says besides the report.
type Envelope struct {
	Base        string // what people reach the service at: https://stats.example.com
	Locale      string // of the reader
	Unsubscribe string // the link that ends the reports; "" makes a preview
	ChartID     string // of the picture; "" puts it into the HTML
}

// Write puts the report into words.
func (r *Report) Write(ctx context.Context, e Envelope) (*Letter, error) {
	picture, err := chart(r.Days, r.compares())
	if err != nil {
		return nil, err
	}
	store.Breathe(ctx)
	p := r.page(e)
	p.Chart = template.URL("cid:" + e.ChartID)
	if e.ChartID == "" {
		p.Chart = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(picture))
	}
	var html bytes.Buffer
	if err := htmlTemplate.Execute(&html, p); err != nil {
		return nil, fmt.Errorf("write the report on website %d: %w", r.Website, err)
	}
	store.Breathe(ctx)
	visitors := r.figure(store.Visitors)
	l := speak(e.Locale)
	subject := l.subject(mail.Clean(r.Domain), l.visitors(visitors.Is), r.Span)
	if change, ok := visitors.Metric.Change(visitors.Was, visitors.Is); ok && change != 0 {
		sign := "+"
		if change < 0 {
			sign = "−"
		}
		subject += " (" + sign + l.percent(min(change, 999)) + ")"
	}
	return &Letter{Subject: subject, Text: p.text(), HTML: html.String(), Chart: picture}, nil
}

// A page is a report in the words of a language, for both of its forms. All that visitors sent is clean.
type page struct {
	Tag, Title, Domain, Days, Story      string
	Dashboard, Unsubscribe               string
	Open, UnsubscribeWord, Why, Footnote string
	Notes                                []string
	Main                                 figureWords
	Figures                              []figureWords
	Chart                                template.URL
	PerDay, Now, Before, Alt             string
	Ticks                                []tick
	Compares                             bool // the chart has the days before, and each day its number below
	Lists                                []listWords
}

type figureWords struct {
	Name, Number, Change string
	Mood                 mood
}

// A tick is what stands below a part of the chart.
type tick struct {
	Width      int // of 1000
	Day, Count string
}

type listWords struct {
	Title, Counted, Empty string
	Rows                  []rowWords
}

type rowWords struct {
	Name, Count, Change, Link string
	Mood                      mood
	Width                     int // of the bar, in percent
}

func (r *Report) page(e Envelope) *page {
	l := speak(e.Locale)
	service := e.Base
	if u, err := url.Parse(e.Base); err == nil && u.Host != "" {
		service = u.Host
	}
	p := &page{
		Tag: l.tag, Title: l.title[r.Span], Domain: mail.Clean(r.Domain), Days: l.days(r.Span, r.Period), Story: l.story(l, r.Story, r.Span),
		Dashboard: r.dashboard(e.Base, "", ""), Unsubscribe: e.Unsubscribe, Open: l.open, UnsubscribeWord: l.unsubscribe, Why: l.why(mail.Clean(r.Domain), service),
		Footnote: l.footnote, PerDay: l.perDay, Now: l.now[r.Span], Before: l.before[r.Span],
	}
	if e.Unsubscribe == "" {
		p.Notes = append(p.Notes, l.preview)
	}
	if r.Partial {
		p.Notes = append(p.Notes, l.partial)
	}
	for _, f := range r.Figures {
		words := figureWords{Name: l.figures[f.Metric.Name()], Number: l.number(f.Metric, f.Is)}
		words.Change, words.Mood = l.change(f.Metric, f.Is, f.Was)
		p.Figures = append(p.Figures, words)
	}
	p.Main, p.Figures = p.Figures[0], p.Figures[1:]
	for _, list := range r.Lists {
		p.Lists = append(p.Lists, r.listWords(l, e, list))
	}
	p.Ticks, p.Alt = r.ticks(l)
	p.Compares = r.compares()
	return p
}

// compares tells whether the chart compares days. Those of two months are other days of the week.
func (r *Report) compares() bool { return r.Span == Week }

func (r *Report) listWords(l *language, e Envelope, list List) listWords {
	words := listWords{Title: l.lists[list.Dimension], Counted: l.counted[list.Dimension], Empty: l.empty[list.Dimension]}
	most := 1.0
	for _, row := range list.Rows {
		most = max(most, row.Is)
	}
	for _, row := range list.Rows {
		w := rowWords{
			Name: l.name(list.Dimension, row.Value, row.Code), Count: l.count(row.Is), Link: r.dashboard(e.Base, list.Dimension, row.Value),
			Width: max(1, int(100*row.Is/most)),
		}
		w.Change, w.Mood = l.change(list.Metric, row.Is, row.Was)
		words.Rows = append(words.Rows, w)
	}
	return words
}

// tickParts is how much of the width the ticks have together, of 1000: as much as the bars.
const tickParts = 956

// ticks are what stands below the chart, and what stands for it where pictures are not shown: the days of a week with their
// numbers, and every seventh day of a month.
func (r *Report) ticks(l *language) (ticks []tick, alt string) {
	var days []string
	for i, d := range r.Days {
		name := l.weekday(d.Day)
		if r.Span == Month {
			name = fmt.Sprintf("%d%s", d.Day.UTC().Day(), l.ordinal)
		}
		days = append(days, name+" "+l.count(d.Is))
		switch {
		case r.compares():
			ticks = append(ticks, tick{tickParts / len(r.Days), name, l.count(d.Is)})
		case i%7 == 0:
			ticks = append(ticks, tick{Width: tickParts * min(7, len(r.Days)-i) / len(r.Days), Day: name})
		}
	}
	return ticks, l.perDay + ": " + strings.Join(days, ", ")
}

// outlook tells a part of a page for Outlook on Windows alone, which knows no widths that give way.
func outlook(s string) template.HTML {
	return template.HTML("<!--[if mso]>" + s + "<![endif]-->")
}

//go:embed report.html
var htmlText string

var htmlTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"outlook": outlook,
	"percent": func(thousandths int) string { return fmt.Sprintf("%d.%d%%", thousandths/10, thousandths%10) },
}).Parse(htmlText))

package alert

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/url"

	"footfall/internal/accounts"
	"footfall/internal/mail"
)

// A letter is a finding in words, for both of its forms.
type letter struct {
	Tag, Title, Domain, Story         string
	Open, Dashboard, Settings, Change string
	Why                               string
	subject, html, text               string
}

// write puts a finding into words.
func write(f Finding, w accounts.Website, locale, base string) (*letter, error) {
	l, domain := speak(locale), mail.Clean(w.Domain)
	number := l.count(f.Is)
	if f.Kind == accounts.Silent {
		number = l.count(f.Hours)
	}
	service := base
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		service = u.Host
	}
	from, to := f.From.Format("2006-01-02"), f.To.Add(-1).Format("2006-01-02")
	home := base + "/" + url.PathEscape(w.Domain)
	p := &letter{
		Tag: l.tag, Title: l.title[f.Kind], Domain: domain, Story: fmt.Sprintf(l.story[f.Kind], l.when(f.From, f.To), domain, number, l.count(f.Usual)),
		Open: l.open, Dashboard: home + "?from=" + from + "&to=" + to, Settings: home + "/settings", Change: l.settings, Why: l.why(domain, service),
		subject: fmt.Sprintf(l.subject[f.Kind], domain, number, l.count(f.Usual)),
	}
	var b bytes.Buffer
	if err := htmlTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("write an alert on website %d: %w", w.ID, err)
	}
	p.html = b.String()
	p.text = p.Domain + "\n" + p.Title + "\n\n" + p.Story + "\n\n" + p.Open + ":\n" + p.Dashboard + "\n\n-- \n" + p.Why + "\n" + p.Change + ": " + p.Settings + "\n"
	return p, nil
}

//go:embed alert.html
var htmlText string

var htmlTemplate = template.Must(template.New("alert").Parse(htmlText))

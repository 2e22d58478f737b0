package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
)

// A Leaving is how far somebody is who follows the link that ends the reports.
type Leaving uint8

// The leavings.
const (
	Asked Leaving = iota // whether they want to
	Left
	Lost // the link leads nowhere
)

//go:embed leave.html
var leaveText string

var leaveTemplate = template.Must(template.New("leave").Parse(leaveText))

// LeavePage is the page behind the link that ends the reports on a website.
func LeavePage(locale, domain string, l Leaving) ([]byte, error) {
	words := speak(locale)
	about := func(format string) string { return fmt.Sprintf(format, domain) }
	p := struct {
		Tag, Title, Text, More, Button string
	}{Tag: words.tag, Title: about(words.leave.Title)}
	switch l {
	case Asked:
		p.Text, p.Button = about(words.leave.Ask), words.leave.Button
	case Left:
		p.Text, p.More = about(words.leave.Done), words.leave.Again
	default:
		p.Title, p.Text = "Footfall", words.leave.Wrong
	}
	var b bytes.Buffer
	if err := leaveTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("write the page of leaving: %w", err)
	}
	return b.Bytes(), nil
}

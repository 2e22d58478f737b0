package report_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"footfall/internal/event"
	"footfall/internal/mail/mailtest"
	"footfall/internal/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds a text to a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// twoWeeks are the first two whole weeks of March 2026: 40 visitors, then 60, of which Google brought 25 more.
func twoWeeks(website int64) []event.Event {
	google := map[event.Field]string{event.Source: "Google", event.Referrer: "google.com"}
	var all []event.Event
	all = append(all, visits(website, "2026-03-02", 30, nil)...)
	all = append(all, visits(website, "2026-03-04", 10, google)...)
	all = append(all, visits(website, "2026-03-09", 20, nil)...)
	all = append(all, visits(website, "2026-03-11", 35, google)...)
	all = append(all, visits(website, "2026-03-15", 5, map[event.Field]string{event.Page: "/pricing", event.Country: "France", event.Source: "GitHub"})...)
	for i := range 3 {
		e := visit(website, "2026-03-15", 1000+i, map[event.Field]string{event.Name: "Signup", event.Page: "/pricing", event.Country: "France", event.Source: "GitHub"})
		e.Kind = event.Custom
		all = append(all, e)
	}
	return all
}

// sent is the mail that an account gets on a Monday.
func sent(t *testing.T, locale string, events func(website int64) []event.Event) mailtest.Parsed {
	t.Helper()
	r := newRig(t, "", mailtest.Options{})
	w := r.website(r.Account("anna@example.com", locale), "example.com", "Europe/Berlin")
	r.load(events(w.ID)...)
	n := r.node("one", r.DB)
	r.Set("2026-03-16 05:00")
	n.work(t)
	mails := r.mails()
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	return mailtest.Parse(t, mails[0].Data)
}

// 60 visitors of pageviews, and 3 who only signed up: 63 of 40.
func TestMailHasAllThatAReportHas(t *testing.T) {
	p := sent(t, "en", twoWeeks)
	if p.Subject != "example.com: 63 visitors last week (+58%)" {
		t.Errorf("subject is %q", p.Subject)
	}
	for field, want := range map[string]string{
		"From": `"Footfall" <stats@example.com>`, "To": "<anna@example.com>", "Date": "Mon, 16 Mar 2026 05:00:00 +0000",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Auto-Submitted": "auto-generated",
	} {
		if got := p.Header.Get(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	link := strings.Trim(p.Header.Get("List-Unsubscribe"), "<>")
	if !strings.HasPrefix(link, base+"/unsubscribe/") || !strings.Contains(p.Text, "Unsubscribe: "+link) || !strings.Contains(p.HTML, `href="`+link+`"`) {
		t.Errorf("the link to unsubscribe is %q", link)
	}
	golden(t, "week-en.txt", strings.ReplaceAll(p.Text, link, "LINK"))
	if len(p.Images) != 1 {
		t.Fatalf("%d images", len(p.Images))
	}
	for id, content := range p.Images {
		if !strings.Contains(p.HTML, `src="cid:`+id+`"`) {
			t.Errorf("the HTML does not show the image %s", id)
		}
		img, err := png.Decode(bytes.NewReader(content))
		must(t, err)
		if b := img.Bounds(); b.Dx() != report.ChartWidth || b.Dy() != report.ChartHeight {
			t.Errorf("the image is %v", b)
		}
	}
	page := textOf(t, p.HTML)
	for _, want := range []string{
		"Weekly report · 9–15 March 2026", "example.com", "63", "↑ 58%", "Bounce rate", "Open the dashboard", "Google", "/pricing", "France", "Signup",
		"Visitors rose by 58% to 63, most of all from Google (+25) and GitHub (+8), on /pricing (+8) and in France (+8).", "Visitors are counted per day",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the HTML lacks %q: %s", want, page)
		}
	}
	if want := `href="https://stats.example.com/example.com?from=2026-03-09&amp;to=2026-03-15"`; !strings.Contains(p.HTML, want) {
		t.Errorf("the HTML does not lead to the dashboard: %s", want)
	}
	if want := `from=2026-03-09&amp;to=2026-03-15&amp;is=source%3AGoogle`; !strings.Contains(p.HTML, want) {
		t.Errorf("the HTML does not lead to the source: %s", want)
	}
	if size := len(p.HTML); size > 60_000 { // beyond about 100 kB, mailboxes cut it
		t.Errorf("the HTML has %d bytes", size)
	}
}

func TestMailIsInTheLanguageOfTheAccount(t *testing.T) {
	p := sent(t, "de-AT", twoWeeks)
	if p.Subject != "example.com: 63 Besucher in der letzten Woche (+58\u00a0%)" {
		t.Errorf("subject is %q", p.Subject)
	}
	link := strings.Trim(p.Header.Get("List-Unsubscribe"), "<>")
	golden(t, "week-de.txt", strings.ReplaceAll(p.Text, link, "LINK"))
	for _, want := range []string{`lang="de"`, "Frankreich", "Wochenbericht", "9.–15. März 2026", "Direkt / keine"} {
		if !strings.Contains(p.HTML, want) {
			t.Errorf("the HTML lacks %q", want)
		}
	}
}

func TestReportOnNothingIsStillOne(t *testing.T) {
	p := sent(t, "en", func(int64) []event.Event { return []event.Event{visit(2, "2026-03-10", 1, nil)} })
	if p.Subject != "example.com: 0 visitors last week" || !strings.Contains(p.Text, "Nobody was counted last week.") {
		t.Errorf("mail is %q\n%s", p.Subject, p.Text)
	}
}

func TestMonthHasTheMonthBefore(t *testing.T) {
	r := newRig(t, "", mailtest.Options{})
	w := r.website(r.Account("anna@example.com", "en"), "example.com", "UTC")
	r.load(visits(w.ID, "2026-01-31", 4, nil)...)
	r.load(visits(w.ID, "2026-02-01", 30, nil)...)
	r.load(visits(w.ID, "2026-02-28", 20, nil)...)
	r.load(visits(w.ID, "2026-03-01", 100, nil)...)
	got, err := report.Last(t.Context(), r.store, w, report.Month, time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC))
	must(t, err)
	if f := got.Figures[0]; f.Is != 50 || f.Was != 4 || len(got.Days) != 28 || got.Days[0].Is != 30 || got.Days[27].Is != 20 || got.Days[27].Was != 0 {
		t.Errorf("report is %+v", got)
	}
	letter, err := got.Write(t.Context(), report.Envelope{Base: base})
	must(t, err)
	if !strings.Contains(letter.HTML, "February 2026") || !strings.Contains(letter.HTML, `src="data:image/png;base64,`) || strings.Contains(letter.HTML, "Unsubscribe") {
		t.Errorf("preview is %s", letter.HTML)
	}
}

// hostile is what somebody may put into all that a tracker sends.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'-alert(1)-'`, `javascript:alert(1)`, `{{.Dashboard}}`, `</td></tr></table><h1>x`,
	`<!--[if mso]><script>1</script><![endif]-->`, "a\r\nBcc: eve@example.com", "\u202egnp.exe", "a\u200b\u2060b", "\x00\x1b[31mred\x07", `https://evil.example/login`,
	`]]>`, `%0d%0aBcc:x`, strings.Repeat("ā", 3000), strings.Repeat("x", 3000), `<style>*{display:none}</style>`, `&lt;script&gt;`, "\xff\xfe", "cid:chart", `data:text/html,x`,
}

// S1: what visitors send does nothing in a mailbox.
func TestHostileTextIsHarmless(t *testing.T) {
	for _, text := range hostile {
		p := sent(t, "en", func(website int64) []event.Event {
			with := map[event.Field]string{
				event.Page: "/" + text, event.Source: text, event.Referrer: text, event.Country: text,
			}
			all := visits(website, "2026-03-10", 60, with)
			all = append(all, visits(website, "2026-03-03", 20, with)...)
			with[event.Name] = text
			e := visit(website, "2026-03-10", 1, with)
			e.Kind = event.Custom
			return append(all, e)
		})
		checkHTML(t, p.HTML)
		for i, r := range p.Text {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b' || r == '\u2028' {
				t.Errorf("the text has %q at %d", r, i)
			}
		}
		if strings.Contains(strings.ReplaceAll(p.Text, base, ""), "://") {
			t.Errorf("the text has a link that is not ours:\n%s", p.Text)
		}
		if len(p.Header) != 10 {
			t.Errorf("header is %v", p.Header)
		}
	}
}

// checkHTML fails if a page has anything but what the template is made of.
func checkHTML(t *testing.T, page string) {
	t.Helper()
	elements := "html head meta title style body div table tbody tr td th h1 a p span img br"
	attributes := "lang charset name content class style role width cellpadding cellspacing border align valign href src alt scope colspan bgcolor"
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	images := 0
	for n := range root.Descendants() {
		if n.Type == html.CommentNode && n.Data != `[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]` && n.Data != `[if mso]></td></tr></table><![endif]` {
			t.Errorf("comment %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if !strings.Contains(" "+elements+" ", " "+n.Data+" ") {
			t.Errorf("element %s", n.Data)
		}
		if n.Data == "img" {
			images++
		}
		for _, a := range n.Attr {
			if !strings.Contains(" "+attributes+" ", " "+a.Key+" ") {
				t.Errorf("attribute %s of %s", a.Key, n.Data)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, base+"/") || a.Key == "src" && !strings.HasPrefix(a.Val, "cid:chart.") {
				t.Errorf("%s leads to %q", n.Data, a.Val)
			}
		}
	}
	if images != 1 {
		t.Errorf("%d images", images)
	}
}

// textOf is what a page shows, on one line.
func textOf(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

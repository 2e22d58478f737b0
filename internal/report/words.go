package report

import (
	"fmt"
	"strings"

	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"footfall/internal/mail"
)

// A language is all that a report says in it.
type language struct {
	tag string // of the HTML

	thousands, point, percentSign, points string
	hours, minutes, seconds               string // formats: of hours and minutes, minutes and seconds, seconds
	ordinal                               string // after the number of a day
	months                                [12]string
	weekdays                              [7]string // from Sunday

	title       map[Span]string
	subject     func(domain, visitors string, s Span) string
	figures     map[string]string // by metric
	lists       map[string]string // by dimension
	counted     map[string]string // what a list counts, by dimension
	labels      map[string]string // of values that are no name
	perDay      string
	now, before map[Span]string
	fresh       string // what was not there before
	empty       map[string]string
	open        string
	partial     string
	footnote    string
	why         func(domain, service string) string
	unsubscribe string
	preview     string

	story func(l *language, s Story, span Span) string
	leave leaveWords
}

// leaveWords are those of the page behind the link that ends the reports.
type leaveWords struct{ Title, Ask, Button, Done, Again, Wrong string }

// speak is the language of an account, by its locale. What we do not speak is English.
func speak(locale string) *language {
	if locale == "de" || strings.HasPrefix(locale, "de-") {
		return german
	}
	return english
}

var english = &language{
	tag: "en", thousands: ",", point: ".", percentSign: "%", points: "\u00a0pp", hours: "%dh %02dm", minutes: "%dm %02ds", seconds: "%ds",
	months:   [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	weekdays: [7]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
	title:    map[Span]string{Week: "Weekly report", Month: "Monthly report"},
	subject: func(domain, visitors string, s Span) string {
		return fmt.Sprintf("%s: %s last %s", domain, visitors, s)
	},
	figures: map[string]string{
		"visitors": "Visitors", "visits": "Visits", "pageviews": "Pageviews", "bounce_rate": "Bounce rate", "visit_duration": "Duration",
	},
	lists:    map[string]string{"page": "Pages", "source": "Sources", "country": "Countries", "event": "Events"},
	counted:  map[string]string{"page": "Visitors", "source": "Visitors", "country": "Visitors", "event": "Times"},
	perDay:   "Visitors per day",
	now:      map[Span]string{Week: "this week", Month: "this month"},
	before:   map[Span]string{Week: "week before", Month: "month before"},
	fresh:    "new",
	empty:    map[string]string{"page": "No page was viewed.", "source": "Nobody came.", "country": "Nobody came.", "event": "No custom event happened."},
	open:     "Open the dashboard",
	partial:  "Some of the stored history could not be read, so these numbers are too small.",
	footnote: "Visitors are counted per day: somebody who comes on two days is two visitors.",
	why: func(domain, service string) string {
		return fmt.Sprintf("You get this because reports on %s are switched on for your account at %s.", domain, service)
	},
	unsubscribe: "Unsubscribe",
	preview:     "This is a preview. It was not sent.",
	story:       englishStory,
	leave: leaveWords{
		Title: "Reports on %s", Ask: "Stop sending reports on %s to you by email?", Button: "Unsubscribe",
		Done: "You get no more reports on %s.", Again: "If you change your mind, the settings of the website switch them on again.",
		Wrong: "This link is not one of ours, or the website is not there any more. You can switch off reports in the settings of the website.",
	},
}

var german = &language{
	tag: "de", thousands: ".", point: ",", percentSign: "\u00a0%", points: "\u00a0PP", hours: "%d:%02d\u00a0h", minutes: "%d:%02d\u00a0min", seconds: "%d\u00a0s", ordinal: ".",
	months:   [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	weekdays: [7]string{"So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"},
	title:    map[Span]string{Week: "Wochenbericht", Month: "Monatsbericht"},
	subject: func(domain, visitors string, s Span) string {
		return fmt.Sprintf("%s: %s %s", domain, visitors, map[Span]string{Week: "in der letzten Woche", Month: "im letzten Monat"}[s])
	},
	figures: map[string]string{
		"visitors": "Besucher", "visits": "Besuche", "pageviews": "Seitenaufrufe", "bounce_rate": "Absprungrate", "visit_duration": "Dauer",
	},
	lists:    map[string]string{"page": "Seiten", "source": "Quellen", "country": "Länder", "event": "Ereignisse"},
	counted:  map[string]string{"page": "Besucher", "source": "Besucher", "country": "Besucher", "event": "Anzahl"},
	labels:   map[string]string{"Direct / None": "Direkt / keine", "Unknown": "Unbekannt", "(other)": "(andere)"},
	perDay:   "Besucher je Tag",
	now:      map[Span]string{Week: "diese Woche", Month: "dieser Monat"},
	before:   map[Span]string{Week: "Woche davor", Month: "Monat davor"},
	fresh:    "neu",
	empty:    map[string]string{"page": "Keine Seite wurde aufgerufen.", "source": "Niemand kam.", "country": "Niemand kam.", "event": "Es gab keine eigenen Ereignisse."},
	open:     "Dashboard öffnen",
	partial:  "Ein Teil der gespeicherten Daten war nicht lesbar. Diese Zahlen sind deshalb zu klein.",
	footnote: "Besucher werden je Tag gezählt: Wer an zwei Tagen kommt, zählt zweimal.",
	why: func(domain, service string) string {
		return fmt.Sprintf("Sie erhalten diese E-Mail, weil Berichte über %s für Ihr Konto bei %s eingeschaltet sind.", domain, service)
	},
	unsubscribe: "Abbestellen",
	preview:     "Dies ist eine Vorschau. Sie wurde nicht versendet.",
	story:       germanStory,
	leave: leaveWords{
		Title: "Berichte über %s", Ask: "Keine Berichte über %s mehr per E-Mail erhalten?", Button: "Abbestellen",
		Done: "Sie erhalten keine Berichte über %s mehr.", Again: "In den Einstellungen der Website lassen sie sich wieder einschalten.",
		Wrong: "Dieser Link ist keiner von uns, oder die Website gibt es nicht mehr. Berichte lassen sich in den Einstellungen der Website abschalten.",
	},
}

// name is a value of a dimension as people read it.
func (l *language) name(dimension, value, code string) string {
	if label, ok := l.labels[value]; ok && dimension != "page" && dimension != "event" {
		return label
	}
	if l.tag == "de" && dimension == "country" && code != "" {
		if region, err := xlanguage.ParseRegion(code); err == nil {
			if name := display.German.Regions().Name(region); name != "" {
				return name
			}
		}
	}
	return mail.Clean(value)
}

// visitors are as many in words.
func (l *language) visitors(n float64) string {
	switch {
	case l.tag == "de":
		return l.count(n) + " Besucher"
	case n == 1:
		return "1 visitor"
	}
	return l.count(n) + " visitors"
}

func englishStory(l *language, s Story, span Span) string {
	switch s.Kind {
	case Nothing:
		return fmt.Sprintf("Nobody was counted last %s. If that surprises you, look whether the tracker is still on the pages.", span)
	case First:
		return fmt.Sprintf("%s came. The %s before, nobody was counted.", l.visitors(s.Is), span)
	case TooFew:
		return fmt.Sprintf("%s came, and %s the %s before.", l.visitors(s.Is), l.count(s.Was), span)
	case Steady:
		return fmt.Sprintf("%s came, about as many as the %s before.", l.visitors(s.Is), span)
	}
	metric, verb := l.figures[s.Metric.String()], "rose"
	if s.Is < s.Was {
		verb = "fell"
	}
	begin := fmt.Sprintf("%s %s by %s to %s", metric, verb, l.percent(100*(s.Is-s.Was)/s.Was), l.count(s.Is))
	if len(s.Causes) == 0 {
		return begin + ", spread over many sources and pages."
	}
	return begin + ", most of all " + l.causes(s.Causes, map[string]string{"source": "from ", "page": "on ", "country": "in "}, " and ", func(c Cause) string {
		switch {
		case c.Dimension == "source" && c.Value == "Direct / None":
			return "direct visits"
		case c.Dimension == "page" && c.Value == "/":
			return "the home page"
		case c.Dimension == "country" && hasArticle(c.Value):
			return "the " + c.Value
		}
		return ""
	}) + "."
}

// hasArticle tells whether English puts "the" in front of a country.
func hasArticle(country string) bool {
	switch country {
	case "Netherlands", "Philippines", "Bahamas", "Maldives", "Dominican Republic", "Central African Republic", "Republic of the Congo", "DR Congo":
		return true
	}
	return strings.HasPrefix(country, "United ") || strings.HasSuffix(country, " Islands")
}

func germanStory(l *language, s Story, span Span) string {
	last := map[Span]string{Week: "In der letzten Woche", Month: "Im letzten Monat"}[span]
	before := map[Span]string{Week: "in der Woche davor", Month: "im Monat davor"}[span]
	switch s.Kind {
	case Nothing:
		return last + " wurde niemand gezählt. Falls Sie das überrascht: Ist das Skript noch auf den Seiten?"
	case First:
		return fmt.Sprintf("%s kamen %s, %s wurde niemand gezählt.", last, l.visitors(s.Is), before)
	case TooFew:
		return fmt.Sprintf("%s: %s, %s %s.", last, l.visitors(s.Is), before, l.count(s.Was))
	case Steady:
		return fmt.Sprintf("%s kamen %s, etwa so viele wie %s.", last, l.visitors(s.Is), before)
	}
	more := "mehr"
	if s.Is < s.Was {
		more = "weniger"
	}
	begin := fmt.Sprintf("%s %s %s als %s", l.percent(100*(s.Is-s.Was)/s.Was), more, l.figures[s.Metric.String()], before)
	if len(s.Causes) == 0 {
		return begin + ", verteilt auf viele Quellen und Seiten."
	}
	return begin + ", vor allem " + l.causes(s.Causes, map[string]string{"source": "über ", "page": "auf ", "country": "aus "}, " und ", func(c Cause) string {
		switch {
		case c.Dimension == "source" && c.Value == "Direct / None":
			return "direkte Aufrufe"
		case c.Dimension == "page" && c.Value == "/":
			return "der Startseite"
		case c.Dimension == "country":
			return germanFrom[c.Code]
		}
		return ""
	}) + "."
}

// germanFrom are countries that one comes from with an article, by code.
var germanFrom = map[string]string{
	"AE": "den Vereinigten Arabischen Emiraten", "CD": "der DR Kongo", "CG": "der Republik Kongo", "CH": "der Schweiz", "DO": "der Dominikanischen Republik",
	"GB": "dem Vereinigten Königreich", "IQ": "dem Irak", "IR": "dem Iran", "LB": "dem Libanon", "MD": "der Republik Moldau", "MN": "der Mongolei",
	"MV": "den Malediven", "NL": "den Niederlanden", "PH": "den Philippinen", "SD": "dem Sudan", "SK": "der Slowakei", "TR": "der Türkei", "UA": "der Ukraine",
	"US": "den Vereinigten Staaten", "VA": "der Vatikanstadt", "YE": "dem Jemen",
}

// causes are those of a story in words, by dimension. special is how a language says some of them; "" is by their name.
func (l *language) causes(all []Cause, prepositions map[string]string, last string, special func(Cause) string) string {
	var groups []string
	for i := 0; i < len(all); {
		dimension := all[i].Dimension
		var words []string
		for ; i < len(all) && all[i].Dimension == dimension; i++ {
			name := special(all[i])
			if name == "" {
				name = l.name(dimension, all[i].Value, all[i].Code)
			}
			words = append(words, fmt.Sprintf("%s (%s)", name, l.signed(all[i].Change)))
		}
		groups = append(groups, prepositions[dimension]+and(words, last))
	}
	return and(groups, last)
}

// and joins words as in "a, b and c".
func and(words []string, last string) string {
	n := len(words) - 1
	if n == 0 {
		return words[0]
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}

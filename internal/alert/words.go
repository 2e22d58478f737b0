package alert

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"footfall/internal/accounts"
)

// A language is all that an email says in it.
type language struct {
	tag       string // of the HTML
	thousands string
	weekdays  [7]string // from Sunday
	day       string    // as time.Format writes it, after the weekday
	hours     func(from, to string) string
	title     map[accounts.AlertKind]string
	subject   map[accounts.AlertKind]string // with the domain, then the numbers of the finding
	story     map[accounts.AlertKind]string // with the hours, the domain, then the numbers
	open      string
	why       func(domain, service string) string
	settings  string
}

// speak is the language of an account, by its locale. What we do not speak is English.
func speak(locale string) *language {
	if locale == "de" || strings.HasPrefix(locale, "de-") {
		return german
	}
	return english
}

var english = &language{
	tag: "en", thousands: ",",
	weekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}, day: "2 January 2006",
	hours: func(from, to string) string { return fmt.Sprintf("%s, %s", from, to) },
	title: map[accounts.AlertKind]string{
		accounts.Above: "More visitors than usual", accounts.Below: "Fewer visitors than usual", accounts.Silent: "No hits any more",
	},
	subject: map[accounts.AlertKind]string{
		accounts.Above: "%s: %s visitors in an hour, usually %s", accounts.Below: "%s: only %s visitors in an hour, usually %s",
		accounts.Silent: "%s: no hits for %s h, usually %s",
	},
	story: map[accounts.AlertKind]string{
		accounts.Above:  "%s: %s had %s visitors. About %s are usual for this hour of the week.",
		accounts.Below:  "%s: %s had %s visitors. About %s are usual for this hour of the week.",
		accounts.Silent: "%s: %s had no hits for %s hours. About %s are usual at this time of the week. Is the website up, and is the script still in its pages?",
	},
	open: "Open the dashboard",
	why: func(domain, service string) string {
		return fmt.Sprintf("You get this because you set an alert on %s at %s. It comes at most once in 12 hours.", domain, service)
	},
	settings: "Change or end it",
}

var german = &language{
	tag: "de", thousands: ".",
	weekdays: [7]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}, day: "2.1.2006",
	hours: func(from, to string) string { return fmt.Sprintf("%s, %s Uhr", from, to) },
	title: map[accounts.AlertKind]string{
		accounts.Above: "Mehr Besucher als üblich", accounts.Below: "Weniger Besucher als üblich", accounts.Silent: "Keine Aufrufe mehr",
	},
	subject: map[accounts.AlertKind]string{
		accounts.Above: "%s: %s Besucher in einer Stunde, üblich sind %s", accounts.Below: "%s: nur %s Besucher in einer Stunde, üblich sind %s",
		accounts.Silent: "%s: keine Aufrufe seit %s Std., üblich sind %s",
	},
	story: map[accounts.AlertKind]string{
		accounts.Above:  "%s: %s hatte %s Besucher. Üblich sind zu dieser Stunde der Woche etwa %s.",
		accounts.Below:  "%s: %s hatte %s Besucher. Üblich sind zu dieser Stunde der Woche etwa %s.",
		accounts.Silent: "%s: %s hatte seit %s Stunden keine Aufrufe. Üblich sind zu dieser Zeit der Woche etwa %s. Ist die Website erreichbar, und steht das Skript noch in ihren Seiten?",
	},
	open: "Dashboard öffnen",
	why: func(domain, service string) string {
		return fmt.Sprintf("Sie erhalten diese E-Mail, weil für %s bei %s eine Meldung von Ihnen eingestellt ist. Sie kommt höchstens einmal in 12 Stunden.", domain, service)
	},
	settings: "Ändern oder beenden",
}

// when is the time that a finding is about: one day, or several.
func (l *language) when(from, to time.Time) string {
	day := func(t time.Time) string { return l.weekdays[t.Weekday()] + ", " + t.Format(l.day) }
	last := to.Format("15:04")
	if from.Format(time.DateOnly) != to.Add(-time.Second).Format(time.DateOnly) {
		last = day(to) + ", " + last
	}
	return l.hours(day(from), from.Format("15:04")+"–"+last)
}

// count writes a whole number.
func (l *language) count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + l.thousands + s[i:]
	}
	return s
}

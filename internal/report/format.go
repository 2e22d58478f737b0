package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/stats"
)

// count is a whole number with its thousands apart: 12,345.
func (l *language) count(n float64) string {
	digits := strconv.FormatFloat(math.Abs(math.Round(n)), 'f', 0, 64)
	var b strings.Builder
	if n <= -0.5 {
		b.WriteString("−")
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(l.thousands)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// percent is a share, 0 to 100: 42%, and 4.2% below ten.
func (l *language) percent(n float64) string { return l.decimal(n) + l.percentSign }

// decimal is a number that has a decimal if it is small.
func (l *language) decimal(n float64) string {
	if n = math.Abs(n); n >= 9.95 || n < 0.05 {
		return l.count(n)
	}
	return strings.Replace(strconv.FormatFloat(n, 'f', 1, 64), ".", l.point, 1)
}

// duration is a time in seconds: 3m 12s.
func (l *language) duration(seconds float64) string {
	s := int(math.Round(seconds))
	switch {
	case s < 60:
		return fmt.Sprintf(l.seconds, s)
	case s < 3600:
		return fmt.Sprintf(l.minutes, s/60, s%60)
	}
	return fmt.Sprintf(l.hours, s/3600, s%3600/60)
}

// number is the number of a metric.
func (l *language) number(m stats.Metric, n float64) string {
	switch m.Format {
	case stats.Percent:
		return l.percent(n)
	case stats.Seconds:
		return l.duration(n)
	}
	return l.count(n)
}

// signed is a whole number with its sign.
func (l *language) signed(n float64) string {
	if n > 0 {
		return "+" + l.count(n)
	}
	return l.count(n)
}

// mood is how a change is to be taken.
type mood string

const (
	good mood = "good"
	bad  mood = "bad"
	flat mood = "flat"
)

// change is how a metric changed, and how to take it: ↑ 12%.
func (l *language) change(m stats.Metric, is, was float64) (string, mood) {
	change, ok := m.Change(was, is)
	switch {
	case !ok:
		return l.fresh, flat
	case math.Abs(change) < 0.05:
		return "±0", flat
	}
	text := l.percent(min(math.Abs(change), 999))
	if m.Format == stats.Percent {
		text = l.decimal(change) + l.points
	}
	if math.Abs(change) > 999 && m.Format != stats.Percent {
		text += "+"
	}
	better := change > 0
	if m.Format == stats.Percent {
		better = !better // of what a report has in percent, less is better
	}
	if change > 0 {
		text = "↑ " + text
	} else {
		text = "↓ " + text
	}
	if better {
		return text, good
	}
	return text, bad
}

// days is a period in words: 9–15 March 2026.
func (l *language) days(s Span, p stats.Period) string {
	from, to := p.From.UTC(), (p.To - 1).UTC()
	switch {
	case s == Month:
		return fmt.Sprintf("%s %d", l.months[from.Month()-1], from.Year())
	case from.Year() != to.Year():
		return l.longDay(from) + " – " + l.longDay(to)
	case from.Month() != to.Month():
		return fmt.Sprintf("%d%s %s – %s", from.Day(), l.ordinal, l.months[from.Month()-1], l.longDay(to))
	}
	return fmt.Sprintf("%d%s–%s", from.Day(), l.ordinal, l.longDay(to))
}

func (l *language) longDay(t time.Time) string {
	return fmt.Sprintf("%d%s %s %d", t.Day(), l.ordinal, l.months[t.Month()-1], t.Year())
}

// weekday is the short name of a day of the week.
func (l *language) weekday(d event.Day) string { return l.weekdays[d.UTC().Weekday()] }

package report

import "footfall/internal/stats"

// What tests look at.
var Chart = chart

const ChartWidth, ChartHeight = chartWidth, chartHeight

// Sentence is what a report says of what changed.
func (r *Report) Sentence(locale string) string {
	l := speak(locale)
	return l.story(l, r.Story, r.Span)
}

// Shifted is a change of a metric in words.
func Shifted(locale, metric string, is, was float64) (string, string) {
	m, _ := stats.MetricNamed(metric)
	text, mood := speak(locale).change(m, is, was)
	return text, string(mood)
}

// Counted, Lasted and Called are numbers and periods in words.
func Counted(locale string, n float64) string             { return speak(locale).count(n) }
func Lasted(locale string, seconds float64) string        { return speak(locale).duration(seconds) }
func Called(locale string, s Span, p stats.Period) string { return speak(locale).days(s, p) }
func Named(locale, dimension, value, code string) string {
	return speak(locale).name(dimension, value, code)
}

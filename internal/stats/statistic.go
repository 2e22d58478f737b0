package stats

import "footfall/internal/store"

// A Statistic is a list that can be asked for by name: one row for each value of a dimension, with a count.
//
// Only what happened has a row, also in the lists of days and hours: they are lists to sort and turn pages in, and
// zeros would fill the first pages of the one that is sorted upwards. A graph, which needs the zeros, is a query (Params).
type Statistic struct {
	Name      string
	Dimension string
	Count     store.Metric
	Help      string
}

// Statistics are all of them: first those that every version of the interface has, then those that ours adds.
var Statistics = []Statistic{
	{"browser", "browser", store.Visitors, "Visitors by browser."},
	{"campaign", "campaign", store.Visitors, "Visitors by utm_campaign. Visits without one are left out."},
	{"city", "city", store.Visitors, "Visitors by city, such as Berlin, Germany."},
	{"continent", "continent", store.Visitors, "Visitors by continent."},
	{"country", "country", store.Visitors, "Visitors by country."},
	{"device", "device", store.Visitors, "Visitors by kind of device."},
	{"event", "event", store.Events, "How often each custom event happened, and the sums of its values by unit."},
	{"landing_page", "landing_page", store.Visits, "Visits by their first page."},
	{"language", "language", store.Visitors, "Visitors by language."},
	{"os", "os", store.Visitors, "Visitors by operating system."},
	{"page", "page", store.Pageviews, "Pageviews by page."},
	{"pageviews", "day", store.Pageviews, "Pageviews by day."},
	{"pageviews_hours", "hour_of_day", store.Pageviews, "Pageviews by hour of the day, 00 to 23."},
	{"referrer", "referrer", store.Visitors, "Visitors by the website they came from."},
	{"resolution", "resolution", store.Visitors, "Visitors by size of the screen."},
	{"visitors", "day", store.Visitors, "Visitors by day."},
	{"visitors_hours", "hour_of_day", store.Visitors, "Visitors seen in each hour of the day, 00 to 23."},

	{"browser_version", "browser_version", store.Visitors, "Visitors by version of the browser."},
	{"channel", "channel", store.Visitors, "Visitors by kind of source."},
	{"exit_page", "exit_page", store.Visits, "Visits by their last page."},
	{"hostname", "hostname", store.Visitors, "Visitors by host name of the page."},
	{"os_version", "os_version", store.Visitors, "Visitors by version of the operating system."},
	{"region", "region", store.Visitors, "Visitors by region."},
	{"source", "source", store.Visitors, "Visitors by source, such as Google."},
	{"utm_content", "utm_content", store.Visitors, "Visitors by utm_content. Visits without one are left out."},
	{"utm_medium", "utm_medium", store.Visitors, "Visitors by utm_medium. Visits without one are left out."},
	{"utm_source", "utm_source", store.Visitors, "Visitors by utm_source. Visits without one are left out."},
	{"utm_term", "utm_term", store.Visitors, "Visitors by utm_term. Visits without one are left out."},
}

// StatisticNamed finds a statistic by its name.
func StatisticNamed(name string) (Statistic, bool) {
	for _, s := range Statistics {
		if s.Name == name {
			return s, true
		}
	}
	return Statistic{}, false
}

func statisticNames() []string {
	names := make([]string, len(Statistics))
	for i, s := range Statistics {
		names[i] = s.Name
	}
	return names
}

// question asks for the statistic, whatever page of it.
func (s Statistic) question() question {
	d, _ := DimensionNamed(s.Dimension)
	names := []string{s.Count.String()}
	if s.Count == store.Events {
		names = append(names, store.Revenue.String())
	}
	q := question{dimension: d}
	for _, name := range names {
		m, _ := MetricNamed(name)
		q.metrics = append(q.metrics, m)
	}
	return q
}

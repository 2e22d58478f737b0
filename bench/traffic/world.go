package traffic

import (
	"fmt"
	"slices"
	"strings"

	"footfall/internal/event"
)

// A world is the values that events are made of and how often each of them comes.
type world struct {
	websites picker
	pages    picker
	landings picker

	hostnames [Websites + 1][2]string

	cities    []city
	people    picker // cities by visitors
	browsers  []browser
	byBrowser picker
	systems   []system
	bySystem  picker
	screens   []string
	byScreen  picker
	languages []string
	byTongue  picker

	referrers  []referrer
	byReferrer picker
	campaigns  []string
	byCampaign picker

	props   []string
	moments []float64 // share of the day's traffic that has come at the beginning of each hour
}

type city struct{ continent, country, region, name string }

type browser struct{ name, version string }

type system struct {
	name, version string
	devices       [4]string // what it runs on, one drawn by two bits
}

type referrer struct{ site, source, channel string }

const (
	numCities    = 3000
	numRegions   = 400
	numReferrers = 500
	numSources   = 40
	numCampaigns = 60
)

func newWorld() *world {
	w := &world{
		websites: newPicker(zipf(Websites, 1.5)),
		pages:    newPicker(zipf(paths, 1.0)),
		landings: newPicker(zipf(paths, 1.25)),
	}
	w.hostnames = hostnames()
	w.settle()
	w.build()
	w.link()
	w.props = makeProps()
	w.moments = rhythm()
	return w
}

// settle places the cities: every country has regions and every region has cities, the more the more people live there.
func (w *world) settle() {
	countryWeights := zipf(len(countries), 1.05)
	var regionWeights []float64
	var ofCountry []int
	for c, n := range portion(numRegions, countryWeights) {
		for _, share := range shares(n) {
			regionWeights = append(regionWeights, countryWeights[c]*share)
			ofCountry = append(ofCountry, c)
		}
	}
	var weights []float64
	for r, n := range portion(numCities, regionWeights) {
		country, continent, _ := strings.Cut(countries[ofCountry[r]], "/")
		region := regionStems[r%len(regionStems)] + regionKinds[r/len(regionStems)]
		for _, share := range shares(n) {
			i := len(w.cities)
			name := cityStems[i%len(cityStems)] + cityEnds[i/len(cityStems)]
			w.cities = append(w.cities, city{continent, country, region, name + ", " + country})
			weights = append(weights, regionWeights[r]*share)
		}
	}
	w.people = newPicker(weights)
}

// shares are n parts of one, by rank.
func shares(n int) []float64 {
	parts := zipf(n, 0.8)
	var sum float64
	for _, p := range parts {
		sum += p
	}
	for i := range parts {
		parts[i] /= sum
	}
	return parts
}

// portion hands out n things by weight, at least one to each.
func portion(n int, weights []float64) []int {
	counts := make([]int, len(weights))
	for i := range counts {
		counts[i] = 1
	}
	for range n - len(weights) {
		best := 0
		for i, weight := range weights {
			if weight*float64(counts[best]+1) > weights[best]*float64(counts[i]+1) {
				best = i
			}
		}
		counts[best]++
	}
	return counts
}

// build makes what visitors look with.
func (w *world) build() {
	var weights []float64
	for _, b := range browserShares {
		for i, share := range shares(b.versions) {
			w.browsers = append(w.browsers, browser{b.name, fmt.Sprintf("%d.%d", b.newest-i, i*7%4)})
			weights = append(weights, b.share*share)
		}
	}
	w.byBrowser = newPicker(weights)
	weights = nil
	for _, s := range systemShares {
		for i, share := range shares(len(s.versions)) {
			w.systems = append(w.systems, system{s.name, s.versions[i], s.devices})
			weights = append(weights, s.share*share)
		}
	}
	w.bySystem = newPicker(weights)
	w.screens = strings.Fields(screens)
	w.byScreen = newPicker(zipf(len(w.screens), 0.9))
	w.languages = strings.Fields(languages)
	w.byTongue = newPicker(zipf(len(w.languages), 1.1))
}

// link makes the ways in. Referrer 0 is none.
func (w *world) link() {
	names := strings.Fields(sources)
	w.referrers = append(w.referrers, referrer{"", "", "Direct"})
	for i := range numReferrers {
		s := i % numSources
		source, channel, _ := strings.Cut(names[s], "/")
		channel = strings.ReplaceAll(channel, "_", " ")
		site := strings.ToLower(source) + ".com"
		if i >= numSources {
			site = adjectives[i%64] + nouns[(i*7+i/64)%64] + [...]string{".com", ".org", ".net", ".io"}[i%4]
		}
		w.referrers = append(w.referrers, referrer{site, source, channel})
	}
	weights := slices.Concat([]float64{3.5}, zipf(numReferrers, 1.1)) // no referrer: about two visits in five
	w.byReferrer = newPicker(weights)
	w.campaigns = append(w.campaigns, "")
	for i := range numCampaigns {
		w.campaigns = append(w.campaigns, adjectives[i]+"-"+nouns[63-i])
	}
	w.byCampaign = newPicker(zipf(numCampaigns, 1))
}

func makeProps() []string {
	var props []string
	for _, plan := range []string{"free", "small", "team", "business"} {
		for i := range 25 {
			props = append(props, event.JoinProps(map[string]string{"plan": plan, "variant": fmt.Sprint("v", i)}))
		}
	}
	return props
}

// rhythm is the course of a day, from least traffic at four in the morning to most at eight in the evening.
func rhythm() []float64 {
	hours := [24]float64{
		2.2, 1.5, 1.1, 0.9, 0.8, 1.0, 1.7, 2.9, 4.1, 4.9, 5.3, 5.4, 5.5, 5.4, 5.3, 5.3, 5.4, 5.5, 5.8, 6.3, 6.6, 6.2, 5.0, 3.5,
	}
	var sum, until float64
	for _, h := range hours {
		sum += h
	}
	moments := make([]float64, 0, 25)
	for _, h := range hours {
		moments = append(moments, until/sum)
		until += h
	}
	return append(moments, 1)
}

// moment is when a share of the day's traffic has come, as a share of the day.
func (w *world) moment(share float64) float64 {
	h, _ := slices.BinarySearch(w.moments, share)
	h = min(max(h, 1), 24)
	from, to := w.moments[h-1], w.moments[h]
	return (float64(h-1) + (share-from)/(to-from)) / 24
}

// person decides what stays the same about a visitor all day, by random bits.
func (w *world) person(v *visitor, a, b uint64) {
	v.city = uint16(w.people.pick(a))
	v.browser = uint16(w.byBrowser.pick(b))
	a, b = mix(a), mix(b)
	v.os = uint8(w.bySystem.pick(a))
	v.screen = uint8(w.byScreen.pick(b))
	a, b = mix(a), mix(b)
	v.language = uint8(w.byTongue.pick(a))
	v.device = uint8(b & 3)
	v.hostname = uint8(min(b>>2&7, 1) ^ 1) // one in eight on the second hostname, where there is one
}

// arrive begins a visit: where it comes from.
func (w *world) arrive(v *visitor, r uint64) {
	v.first = true
	v.referrer = uint16(w.byReferrer.pick(r))
	v.campaign = 0
	r = mix(r)
	if r%10 == 0 {
		v.campaign = uint8(1 + w.byCampaign.pick(mix(r)))
		v.medium = uint8(r >> 8 & 3)
		v.term = uint8(r >> 16)
		v.content = uint8(r >> 24)
	}
}

func (w *world) page(landing bool, r uint64) uint16 {
	if landing {
		return uint16(w.landings.pick(r))
	}
	return uint16(w.pages.pick(r))
}

// custom makes e a custom event.
func (w *world) custom(e *event.Event, r uint64) {
	e.Kind = event.Custom
	switch {
	case r%10 < 5:
		e.Fields[event.Name] = [...]string{"signup", "download", "video-play", "search"}[r>>8%4]
		if r>>16%2 == 0 {
			e.Fields[event.Props] = w.props[r>>24%uint64(len(w.props))]
		}
	case r%10 < 8:
		e.Fields[event.Name] = "outbound-link"
	default:
		e.Fields[event.Name] = "purchase"
		e.Fields[event.Unit] = [...]string{"EUR", "USD"}[r>>8%2]
		e.Value = int64(r>>16%20_000+100) * 10_000
	}
}

// fill writes down the page that a visitor is on and what belongs to the visit.
func (w *world) fill(e *event.Event, v *visitor) {
	f := &e.Fields
	f[event.Page] = Path(e.Website, int(v.page))
	f[event.Hostname] = w.hostnames[e.Website][v.hostname]

	from := &w.referrers[v.referrer]
	f[event.Referrer], f[event.Source], f[event.Channel] = from.site, from.source, from.channel
	if v.campaign > 0 {
		f[event.UTMCampaign] = w.campaigns[v.campaign]
		f[event.UTMSource] = from.source
		f[event.UTMMedium] = [...]string{"email", "cpc", "social", "banner"}[v.medium]
		f[event.Channel] = [...]string{"Email", "Paid Search", "Paid Social", "Display"}[v.medium]
		if v.term < 80 {
			f[event.UTMTerm] = nouns[v.term%64]
		}
		if v.content < 128 {
			f[event.UTMContent] = adjectives[v.content%40]
		}
	}

	b, s, c := &w.browsers[v.browser], &w.systems[v.os], &w.cities[v.city]
	f[event.Browser], f[event.BrowserVersion] = b.name, b.version
	f[event.OS], f[event.OSVersion] = s.name, s.version
	f[event.Device] = s.devices[v.device]
	f[event.Resolution] = w.screens[v.screen]
	f[event.Language] = w.languages[v.language]
	f[event.Continent], f[event.Country], f[event.Region], f[event.City] = c.continent, c.country, c.region, c.name
}

// hostnames are the domains of the websites, by id: one each, and a second for every second website.
func hostnames() [Websites + 1][2]string {
	var names [Websites + 1][2]string
	for i := range names {
		name := adjectives[i%64] + nouns[(i*7+i/64)%64] + ".example"
		names[i] = [2]string{name, name}
		if i%2 == 0 {
			names[i][1] = "www." + name
		}
	}
	return names
}

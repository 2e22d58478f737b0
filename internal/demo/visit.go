package demo

import (
	"math/rand/v2"
	"net/url"
	"time"

	"footfall/internal/collect/link"
	"footfall/internal/event"
)

// A section is pages of one kind.
type section struct {
	pages choices[string]
	stay  time.Duration   // on a page, on the average
	next  choices[string] // the section that people go to; leave ends the visit
	deeds choices[deed]   // that people do there; none for nothing
}

const leave = ""

// A deed is something that people do on a page, a custom event. The zero deed is nothing.
type deed struct {
	name string
	prop string        // name of its property, "" for none
	of   choices[ware] // what the property says, and what that costs
	unit string        // of the value, "" for none
}

// A ware is something to choose, with its price in hundredths.
type ware struct {
	name  string
	price int64
}

// A source is what brings people to a website. Its name and channel are what collect would find.
type source struct {
	referrer  string            // host, "" for none
	campaigns choices[campaign] // none for none
	landing   choices[string]   // sections; none for those of the website
}

type campaign struct{ name, source, medium, term, content string }

func (s *source) fill(e *event.Event, r *rand.Rand) {
	c := s.campaigns.pick(r)
	from := s.origin(c)
	e.Fields[event.Referrer], e.Fields[event.Source], e.Fields[event.Channel] = from.Referrer, from.Source, from.Channel
	e.Fields[event.UTMCampaign], e.Fields[event.UTMSource], e.Fields[event.UTMMedium] = c.name, c.source, c.medium
	e.Fields[event.UTMTerm], e.Fields[event.UTMContent] = c.term, c.content
}

func (s *source) origin(c campaign) link.Origin {
	page, err := link.ParsePage("https://website.example/?"+url.Values{
		"utm_campaign": {c.name}, "utm_source": {c.source}, "utm_medium": {c.medium}, "utm_term": {c.term}, "utm_content": {c.content},
	}.Encode(), link.Rules{})
	if err != nil {
		panic(err) // the address is ours
	}
	if s.referrer == "" {
		return link.ParseReferrer("", page)
	}
	return link.ParseReferrer("https://"+s.referrer+"/", page)
}

// A traveller makes the visits of one website on one day.
type traveller struct {
	website *Website
	id      int64
	day     int // of the year, for the surges
	r       *rand.Rand
	seen    []event.Event // a blank event of each who was here
	events  []event.Event // of the visit
}

const (
	returning  = 0.09 // of visits are of somebody who was here earlier that day
	maxPages   = 14
	maxSeen    = 256 // of those who may return
	bounceTime = 9   // seconds at most on the only page, of most who leave after it
)

// visit makes up a visit that begins at a time. It is good until the next.
func (t *traveller) visit(start time.Time) []event.Event {
	t.events = t.events[:0]
	blank, at := t.person()
	moment := start
	for page := range maxPages {
		s := t.website.sections[at]
		next := s.next.pick(t.r)
		stay := time.Duration((0.15 + t.r.ExpFloat64()) * float64(s.stay))
		if page == 0 && next == leave && t.r.Float64() < 0.7 {
			stay = time.Second + time.Duration(t.r.IntN(bounceTime*1000-1000))*time.Millisecond
		}
		stay = min(stay, 20*time.Minute)
		blank.Fields[event.Page] = s.pages.pick(t.r)
		t.add(blank, moment, event.Pageview)
		if d := s.deeds.pick(t.r); d.name != "" {
			t.do(blank, moment.Add(stay*3/5), d)
		}
		moment = moment.Add(stay)
		if t.r.Float64() < 0.85 {
			e := t.add(blank, moment, event.Engagement)
			e.Engaged = int32(stay.Milliseconds() * int64(50+t.r.IntN(51)) / 100)
			e.Scroll = uint8(min(100, 18+t.r.IntN(60)+int(stay.Seconds())/4))
		}
		if next == leave {
			break
		}
		at = next
	}
	return t.events
}

// person is who comes, as an event without a page, and the section in which they land.
func (t *traveller) person() (blank event.Event, landing string) {
	w := t.website
	if len(t.seen) > 0 && t.r.Float64() < returning {
		blank = t.seen[t.r.IntN(len(t.seen))]
		new(source).fill(&blank, t.r)
		return blank, w.landing.pick(t.r)
	}
	blank = event.Event{Website: t.id, Visitor: t.r.Uint64()}
	blank.Fields[event.Hostname] = w.Domain
	w.places.pick(t.r).fill(&blank)
	w.devices.pick(t.r).fill(&blank, t.r)
	s := t.source()
	s.fill(&blank, t.r)
	if len(t.seen) < maxSeen {
		t.seen = append(t.seen, blank)
	} else {
		t.seen[t.r.IntN(maxSeen)] = blank
	}
	if len(s.landing) > 0 {
		return blank, s.landing.pick(t.r)
	}
	return blank, w.landing.pick(t.r)
}

// source is what brought somebody. In a surge that is mostly what caused it.
func (t *traveller) source() *source {
	for i := range t.website.surges {
		s := &t.website.surges[i]
		if more := s.on(t.day); t.r.Float64() < more/(1+more) {
			return s.sources.pick(t.r)
		}
	}
	return t.website.sources.pick(t.r)
}

// do adds a custom event.
func (t *traveller) do(blank event.Event, at time.Time, d deed) {
	e := t.add(blank, at, event.Custom)
	e.Fields[event.Name], e.Fields[event.Unit] = d.name, d.unit
	chosen := d.of.pick(t.r)
	if d.prop != "" {
		e.Fields[event.Props] = event.JoinProps(map[string]string{d.prop: chosen.name})
	}
	if d.unit != "" {
		e.Value = chosen.price * 10_000
	}
}

func (t *traveller) add(blank event.Event, at time.Time, kind event.Kind) *event.Event {
	blank.Kind = kind
	blank.At(at, t.website.zone)
	t.events = append(t.events, blank)
	return &t.events[len(t.events)-1]
}

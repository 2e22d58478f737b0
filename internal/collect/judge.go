package collect

import (
	"maps"
	"slices"
	"strings"
	"time"

	"footfall/internal/atlas"
	"footfall/internal/collect/link"
	"footfall/internal/event"
	"footfall/internal/port"
)

// Reasons for which a line of a file does not count, besides those of hits. They are told, and kept nowhere.
const (
	notAPage     Drop = "not_a_page"    // a request for something else, or not answered with it
	otherWebsite Drop = "other_website" // a request to another host
)

// oldest is the first moment that an event may be imported of, and ahead how far one may be in the future: clocks differ.
var oldest = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)

const ahead = time.Hour

// judgements are the steps of a hit that a line of another program's file goes through. Where it was and when, the file says; the
// privacy signals of a browser it does not.
var judgements = []func(*work) Drop{
	(*work).findClient, (*work).excludeAddress, (*work).lookAtAgent, (*work).excludeKnownBots, (*work).excludeNetworks, (*work).excludeSpam,
	(*work).readPage, (*work).readOrigin, (*work).findPlace,
}

// excludeKnownBots takes a user agent that the file does not tell for no sign of a bot.
func (w *work) excludeKnownBots() Drop {
	if w.website.ExcludeBots && (w.hit.Robot || w.isBot && w.userAgent != "") {
		return Bot
	}
	return ""
}

// judge makes t.work.event of an entry, or tells why it does not count, or why it is none.
func (t *importing) judge(e *port.Entry) (drop Drop, bad string) {
	if e.Bad != "" {
		return "", e.Bad
	}
	now := t.Collector.Now()
	if at := time.UnixMilli(e.Event.Time); at.Before(oldest) || at.After(now.Add(ahead)) {
		return "", "has a time before 1995 or in the future"
	}
	w := &t.work
	w.now, w.event = now, e.Event
	w.event.Website = t.website.ID
	if !e.Placed {
		w.event.At(time.UnixMilli(e.Event.Time), t.website.Zone)
	}
	if e.Seen != nil {
		if drop := t.look(e.Seen); drop != "" {
			return drop, ""
		}
	}
	t.tidy(&w.event)
	if w.event.Kind == event.Custom && w.event.Fields[event.Name] == "" {
		return "", "is an event without a name"
	}
	w.event.Visitor = t.identify(e, w.event.Day)
	w.event.ID = t.lineID(e.Line)
	return "", ""
}

// look judges what another program saw, as if it were a hit.
func (t *importing) look(s *port.Seen) Drop {
	w := &t.work
	if s.NoPage {
		return notAPage
	}
	host := t.website.Domain
	if s.Host != "" {
		if host = hostOf(s.Host); find(map[string]*Website{t.website.Domain: t.website}, host) == nil {
			return otherWebsite
		}
	}
	told := w.event.Fields
	*w.hit = Hit{Kind: w.event.Kind, URL: "https://" + host + "/" + strings.TrimPrefix(s.Target, "/"), Referrer: s.Referrer, Screen: resolution(told[event.Resolution])}
	w.hit.Claim.Address, w.hit.Claim.UserAgent = s.Address, s.UserAgent
	w.hit.Robot = s.Bot || s.HasAgent && s.UserAgent == ""
	for _, step := range judgements {
		if drop := step(w); drop != "" {
			return drop
		}
	}
	f := &w.event.Fields
	if w.event.Kind == event.Custom { // another program's events are on no page
		f[event.Page] = ""
	}
	if s.UserAgent == "" {
		f[event.Browser], f[event.BrowserVersion] = told[event.Browser], told[event.BrowserVersion]
		f[event.OS], f[event.OSVersion] = systemName(told[event.OS]), told[event.OSVersion]
		f[event.Device] = ""
	}
	if s.Source != "" {
		from := link.ParseReferrer("", link.Page{Hostname: w.arrival.page.Hostname, Source: s.Source})
		f[event.Referrer], f[event.Source], f[event.Channel] = from.Referrer, from.Source, from.Channel
	}
	if code := told[event.Country]; code != "" {
		f[event.Country], f[event.Continent] = atlas.CountryName(code), atlas.ContinentName(atlas.ContinentOf(code))
		f[event.Region], f[event.City] = "", ""
	}
	return ""
}

// systemName is a system as we call it.
func systemName(name string) string {
	switch name {
	case "Mac OS", "Mac OS X", "OS X":
		return "macOS"
	case "Chrome OS":
		return "ChromeOS"
	}
	return name
}

// tidy makes all texts clean and short enough, and properties as we write them.
func (t *importing) tidy(e *event.Event) {
	for i := range e.Fields {
		if event.Field(i) != event.Props {
			e.Fields[i] = clean(e.Fields[i], event.MaxText)
		}
	}
	e.Fields[event.Props] = joinImported(event.SplitProps(e.Fields[event.Props]))
}

// joinImported keeps the properties that are clean, if they are not too many.
func joinImported(props map[string]string) string {
	tidied := make(map[string]string, len(props))
	for _, name := range slices.Sorted(maps.Keys(props)) {
		value := clean(props[name], maxProp)
		if name = clean(name, maxPropName); name != "" && value != "" && len(tidied) < maxProps {
			tidied[name] = value
		}
	}
	if joined := event.JoinProps(tidied); len(joined) <= event.MaxText {
		return joined
	}
	return ""
}

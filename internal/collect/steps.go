package collect

import (
	"net/netip"
	"strings"
	"time"

	"footfall/internal/atlas"
	"footfall/internal/collect/agent"
	"footfall/internal/event"
)

// steps are what happens to a hit, in this order, until one of them has a reason to drop it.
var steps = []struct {
	name string
	do   func(*work) Drop
}{
	{"find the website", (*work).findWebsite},
	{"place it in time", (*work).placeInTime},
	{"find the client", (*work).findClient},
	{"excluded addresses", (*work).excludeAddress},
	{"look at the agent", (*work).lookAtAgent},
	{"bots", (*work).excludeBots},
	{"networks of data centres", (*work).excludeNetworks},
	{"referrer spam", (*work).excludeSpam},
	{"privacy signals", (*work).honourSignals},
	{"read the page", (*work).readPage},
	{"read the origin", (*work).readOrigin},
	{"find the place", (*work).findPlace},
	{"name the language", (*work).nameLanguage},
	{"identify the visitor", (*work).identify},
}

// work is a hit on its way to an event.
type work struct {
	*Collector
	now     time.Time
	request *Request
	hit     *Hit

	website   *Website
	address   netip.Addr
	userAgent string
	client    agent.Client
	isBot     bool
	arrival   *arrival // from the step that looks for spam on
	event     event.Event

	scratch []byte
}

func (w *work) findWebsite() Drop {
	if w.website = w.Websites.Find(w.hit); w.website == nil {
		w.event.At(w.now, time.UTC)
		return UnknownWebsite
	}
	w.event.Website = w.website.ID
	return ""
}

// placeInTime tells when it happened. What a server claims to be ahead of our clock happened now.
func (w *work) placeInTime() Drop {
	age := w.hit.Age
	if claimed := w.hit.Claim.Time; !claimed.IsZero() {
		age = max(0, w.now.Sub(claimed))
	}
	if age > MaxAge {
		w.event.At(w.now, w.website.Zone)
		return TooOld
	}
	w.event.At(w.now.Add(-age), w.website.Zone)
	return ""
}

func (w *work) findClient() Drop {
	w.address, w.userAgent = w.request.Address, w.request.UserAgent
	if a := w.hit.Claim.Address; a.IsValid() {
		w.address = a
	}
	if a := w.hit.Claim.UserAgent; a != "" {
		w.userAgent = a
	}
	w.userAgent = w.userAgent[:min(maxAgentBytes, len(w.userAgent))]
	return ""
}

func (w *work) excludeAddress() Drop {
	if w.website.ips.contains(w.address) {
		return ExcludedIP
	}
	return ""
}

func (w *work) lookAtAgent() Drop {
	hints := w.hit.Hints
	if w.hit.Claim.UserAgent == "" { // else the headers are another's
		if len(hints.Brands) == 0 {
			hints.Brands = w.brands.of(w.request.Brands)
		}
		if hints.Platform == "" {
			hints.Platform = strings.Trim(w.request.Platform, `"`)
		}
		hints.Mobile = hints.Mobile || w.request.Mobile == "?1"
	}
	w.client, w.isBot = w.agents.Look(w.userAgent, hints)
	f := &w.event.Fields
	f[event.Browser], f[event.BrowserVersion] = w.client.Browser, w.client.BrowserVersion
	f[event.OS], f[event.OSVersion], f[event.Device] = w.client.OS, w.client.OSVersion, w.client.Device
	f[event.Resolution] = w.hit.Screen
	return ""
}

func (w *work) excludeBots() Drop {
	switch {
	case !w.website.ExcludeBots:
		return ""
	case w.isBot, w.hit.Robot, w.userAgent == "":
		return Bot
	case w.hit.Claim.UserAgent == "" && contradicts(w.request, w.brands.of(w.request.Brands)):
		return Bot
	}
	return ""
}

// excludeNetworks looks at the visitor's address. That of a server which does not say whom it sends a hit for is its own.
func (w *work) excludeNetworks() Drop {
	claim := &w.hit.Claim
	if w.website.ExcludeBots && (claim.Address.IsValid() || claim.IsZero()) && w.Networks.contain(w.address) {
		return DataCenter
	}
	return ""
}

func (w *work) excludeSpam() Drop {
	if w.arrival = w.arrivals.read(w.hit, &w.website.params); w.arrival.spam {
		return Spam
	}
	return ""
}

func (w *work) honourSignals() Drop {
	if (w.HonourSignals || w.website.RespectSignals) && w.request.PrivacySignal && w.hit.Claim.IsZero() {
		return PrivacySignal
	}
	return ""
}

func (w *work) readPage() Drop {
	if w.arrival.bad != nil {
		return BadURL
	}
	f, page := &w.event.Fields, &w.arrival.page
	f[event.Page], f[event.Hostname] = page.Path, page.Hostname
	f[event.UTMCampaign], f[event.UTMSource], f[event.UTMMedium] = page.Campaign, page.Source, page.Medium
	f[event.UTMTerm], f[event.UTMContent] = page.Term, page.Content
	return ""
}

func (w *work) readOrigin() Drop {
	f, from := &w.event.Fields, &w.arrival.from
	f[event.Referrer], f[event.Source], f[event.Channel] = from.Referrer, from.Source, from.Channel
	return ""
}

func (w *work) findPlace() Drop {
	p := w.Places.Find(w.address)
	f := &w.event.Fields
	f[event.Continent], f[event.Country], f[event.Region], f[event.City] = p.Continent, p.Country, p.Region, p.City
	return ""
}

// nameLanguage takes what the page's tracker says, else the first that the browser asks for.
func (w *work) nameLanguage() Drop {
	tag := w.hit.Language
	if tag == "" && w.hit.Claim.UserAgent == "" {
		tag = w.request.AcceptLanguage
		if i := strings.IndexAny(tag, ",;"); i >= 0 {
			tag = tag[:i]
		}
	}
	if len(tag) <= maxLanguage {
		w.event.Fields[event.Language] = atlas.LanguageName(strings.TrimSpace(tag))
	}
	return ""
}

func (w *work) identify() Drop {
	salt := w.Salts.of(w.website.dayBegins(w.event.Day))
	w.event.Visitor, w.scratch = identify(salt, w.website.ID, w.address, w.userAgent, w.scratch)
	return ""
}

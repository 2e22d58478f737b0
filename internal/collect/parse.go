package collect

import (
	"bytes"
	"errors"
	"strings"

	"github.com/valyala/fastjson"

	"footfall/internal/event"
	"footfall/internal/fault"
)

// What a body may be.
const (
	MaxBody  = 64 << 10 // bytes of one event
	MaxBatch = 1 << 20  // bytes of an array of them
	MaxHits  = 500      // of an array

	// Each value of JSON takes some 100 bytes of memory once it is read, however short it is: that many may be in a body.
	maxValues = 64 << 10
	perHit    = 4 << 10
)

// Limits on what is kept of an event, in bytes. Names and values of properties must fit together into one field.
const (
	maxURL      = 32 << 10 // link looks at less, and knows where to cut
	maxName     = 200
	maxID       = 64
	maxUnit     = 32
	maxLanguage = 64
	maxHint     = 200
	maxProps    = 30
	maxPropName = 300
	maxProp     = 2000
)

// parsers are for bodies. Those that have read a large one are not used again, as they keep its memory.
var parsers fastjson.ParserPool

// Parse reads the body of a request: one event, or an array of them, in the form of our own tracker, of Plausible's or of
// phpAnalytics'. A body that is none is a fault.
func Parse(body []byte) ([]Hit, error) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return nil, fault.New(fault.Unreadable, "the body is empty: send an event as JSON")
	}
	isArray := body[0] == '['
	if !isArray && len(body) > MaxBody || len(body) > MaxBatch {
		return nil, TooLarge()
	}
	most := perHit
	if isArray {
		most = maxValues
	}
	if bytes.Count(body, []byte(","))+bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > most {
		return nil, fault.New(fault.Unreadable, "the body has more values than events need")
	}
	p := parsers.Get()
	if len(body) <= MaxBody {
		defer parsers.Put(p)
	}
	v, err := p.ParseBytes(body)
	if err != nil { // what it says quotes the body
		return nil, fault.New(fault.Unreadable, "the body is not JSON").Because(errors.New("fastjson does not read it"))
	}
	if !isArray {
		hits := make([]Hit, 1)
		return hits, readHit(v, &hits[0])
	}
	elements := v.GetArray()
	if len(elements) == 0 || len(elements) > MaxHits {
		return nil, fault.New(fault.Unreadable, "an array must have 1 to %d events, and this one has %d", MaxHits, len(elements))
	}
	hits := make([]Hit, len(elements))
	for i, e := range elements {
		if err := readHit(e, &hits[i]); err != nil {
			return nil, fault.New(fault.Unreadable, "event %d of the array: %s", i+1, strings.TrimSuffix(err.Error(), "."))
		}
	}
	return hits, nil
}

// TooLarge is the fault of a body that is too large.
func TooLarge() error {
	return fault.New(fault.TooLarge, "one event may have %d bytes, and an array of them %d", MaxBody, MaxBatch)
}

// readHit reads one event. Which tracker it is from, its keys tell.
func readHit(v *fastjson.Value, h *Hit) error {
	f := fieldsOf(v)
	if f.o == nil {
		return fault.New(fault.Unreadable, "an event is a JSON object")
	}
	read := readEvent
	if f.one("page") != nil && f.get("u", "url") == nil {
		read = readPHPAnalytics
	}
	if err := read(f, h); err != nil {
		return err
	}
	if h.URL == "" {
		return fault.New(fault.Unreadable, "an event has the address of its page, as u or url")
	}
	return nil
}

// readEvent reads an event of our tracker or of Plausible's.
func readEvent(f fields, h *Hit) error {
	name := f.text("n", "name", maxName)
	h.URL, h.Referrer, h.Domain = f.text("u", "url", maxURL), f.text("r", "referrer", maxURL), f.text("d", "domain", 4*maxName)
	h.ID = eventID(f.id())
	h.Screen, h.Language = resolution(f.text("s", "screen", 32)), f.text("l", "language", maxLanguage)
	h.Hash, h.Robot = f.isTrue("h", "hash"), f.isTrue("wd", "automation")
	h.Age = f.milliseconds("a", "age")
	f.hints(&h.Hints)
	f.claim(&h.Claim)
	return h.setName(name, f)
}

// setName sets what happened, with what belongs to it.
func (h *Hit) setName(name string, f fields) error {
	switch name {
	case "", "pageview":
		h.Kind = event.Pageview
	case "engagement":
		h.Kind = event.Engagement
		h.Engaged = int32(f.number("e", "engaged", event.MaxEngaged))
		h.Scroll = uint8(f.number("sd", "scroll", 100))
	default:
		h.Kind, h.Name = event.Custom, name
		h.Props = f.props()
		return f.value(h)
	}
	return nil
}

// readPHPAnalytics reads an event of phpAnalytics' tracker: a pageview, unless it has an event.
func readPHPAnalytics(f fields, h *Hit) error {
	h.Kind = event.Pageview
	h.URL, h.Referrer = f.text("page", "", maxURL), f.text("referrer", "", maxURL)
	h.Screen, h.Language = resolution(f.text("screen_resolution", "", 32)), f.text("language", "", maxLanguage)
	f.claim(&h.Claim)
	e := fieldsOf(f.one("event"))
	if h.Name = e.text("name", "", maxName); h.Name == "" {
		return nil
	}
	h.Kind = event.Custom
	return e.value(h)
}

package storetest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"footfall/internal/event"
	"footfall/internal/store"
)

func (p *parser) parseLoad(*reader) (statement, error) {
	var s load
	for l, ok := p.below(0); ok; l, ok = p.below(0) {
		e, err := p.parseEvent(l.text)
		if err != nil {
			return nil, &placedError{l.number, err}
		}
		s.events = append(s.events, e)
	}
	if len(s.events) == 0 {
		return nil, errors.New("load is followed by indented lines, one for each event")
	}
	return s, nil
}

// parseEvent reads: TIME VISITOR KIND PAGE-OR-NAME KEY=VALUE ...
func (p *parser) parseEvent(text string) (event.Event, error) {
	e := event.Event{Website: p.website}
	all, err := words(text, "")
	if err != nil {
		return e, err
	}
	if len(all) < 4 {
		return e, errors.New("an event is a time, a visitor, a kind and a page or name, and then key=value")
	}
	r := &reader{all}
	at, err := parseTime(r)
	if err != nil {
		return e, err
	}
	if e.Visitor, err = parseVisitor(all[1].text); err != nil {
		return e, err
	}
	kind := slices.Index(kindNames[:], all[2].text)
	if kind < 1 {
		return e, fmt.Errorf("%q is not one of pageview, custom, engagement", all[2].text)
	}
	e.Kind = event.Kind(kind)
	first := event.Page
	if e.Kind == event.Custom {
		first = event.Name
	}
	if err := setText(&e, first, all[3].text); err != nil {
		return e, err
	}
	if err := setKeys(&e, all[4:]); err != nil {
		return e, err
	}
	location := p.zones[e.Website]
	if location == nil {
		location = time.UTC
	}
	e.At(at, location)
	if e.Day < 0 {
		return e, errors.New("the day is before 1970-01-01")
	}
	return e, nil
}

var kindNames = [...]string{event.Pageview: "pageview", event.Custom: "custom", event.Engagement: "engagement"}

// parseVisitor makes a hash of a name; 0x… is a hash already.
func parseVisitor(name string) (uint64, error) {
	if digits, ok := strings.CutPrefix(name, "0x"); ok {
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is not a hash of 64 bits", name)
		}
		return hash, nil
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64(), nil
}

func setKeys(e *event.Event, all []word) error {
	props := map[string]string{}
	for _, w := range all {
		key, value, ok := strings.Cut(w.text, "=")
		if !ok {
			return fmt.Errorf("%q is not key=value", w.text)
		}
		if name, ok := strings.CutPrefix(key, store.PropPrefix); ok {
			props[name] = value
			continue
		}
		if err := setKey(e, key, value); err != nil {
			return err
		}
	}
	if len(props) == 0 {
		return nil
	}
	if e.Kind != event.Custom {
		return errors.New("only a custom event has properties")
	}
	return setText(e, event.Props, event.JoinProps(props))
}

func setKey(e *event.Event, key, value string) (err error) {
	switch key {
	case "website":
		e.Website, err = parseWebsiteID(value)
		return err
	case "id":
		e.ID, err = strconv.ParseUint(value, 10, 64)
		return err
	case "value":
		if e.Kind != event.Custom {
			return errors.New("only a custom event has a value")
		}
		e.Value, err = parseMillionths(value)
		return err
	case "engaged", "scroll":
		if e.Kind != event.Engagement {
			return fmt.Errorf("only an engagement has %s", key)
		}
		return setEngagement(e, key, value)
	}
	return setField(e, key, value)
}

func setEngagement(e *event.Event, key, value string) error {
	if key == "scroll" {
		n, err := strconv.ParseUint(value, 10, 8)
		if err != nil || n > 100 {
			return fmt.Errorf("scroll %q is not a number from 0 to 100", value)
		}
		e.Scroll = uint8(n)
		return nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d.Milliseconds() > event.MaxEngaged || d%time.Millisecond != 0 {
		return fmt.Errorf("engaged %q is not a duration of up to a day", value)
	}
	e.Engaged = int32(d.Milliseconds())
	return nil
}

func setField(e *event.Event, key, value string) error {
	for f := event.Page; int(f) < event.NumFields; f++ {
		if f.String() == key && f != event.Name && f != event.Props {
			return setText(e, f, value)
		}
	}
	return fmt.Errorf("an event has no %q", key)
}

func setText(e *event.Event, f event.Field, value string) error {
	if len(value) > event.MaxText {
		return fmt.Errorf("%s is longer than %d bytes", f, event.MaxText)
	}
	e.Fields[f] = value
	return nil
}

// parseMillionths reads a decimal number with up to six digits after the point.
func parseMillionths(text string) (int64, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 40)
	if err != nil || len(part) > 6 {
		return 0, fmt.Errorf("%q is not a number with up to six digits after the point", text)
	}
	small, err := strconv.ParseUint((part + "000000")[:6], 10, 20)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	v := int64(n)*1e6 + int64(small)
	if negative {
		v = -v
	}
	return v, nil
}

package collect

import (
	"encoding/json"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	"footfall/internal/collect/agent"
	"footfall/internal/event"
	"footfall/internal/fault"
)

// fields are the values of a JSON object. Most have a short name and a long one; "" is no name. A value of the wrong kind is
// as good as none: a tracker cannot be asked what it meant.
type fields struct {
	o     *fastjson.Object
	marks uint64 // of the names that are there
}

// fieldsOf are those of a value, none if it is no object.
func fieldsOf(v *fastjson.Value) fields {
	f := fields{o: objectOf(v)}
	if f.o != nil {
		f.o.Visit(func(name []byte, _ *fastjson.Value) { f.marks |= mark(name) })
	}
	return f
}

// mark is one bit of a name. Most names that an event may have it has not: their bits tell, without comparing each with all
// that are there.
func mark[T string | []byte](name T) uint64 {
	if len(name) == 0 {
		return 0
	}
	return 1 << ((int(name[0])*7 + len(name)) % 64)
}

// one is the value of a name, nil if there is none.
func (f fields) one(name string) *fastjson.Value {
	if f.marks&mark(name) == 0 {
		return nil
	}
	return f.o.Get(name)
}

func (f fields) get(short, long string) *fastjson.Value {
	if v := f.one(short); v != nil {
		return v
	}
	return f.one(long)
}

// text is a text, cleaned, of at most max bytes. A number is taken for its digits.
func (f fields) text(short, long string, max int) string {
	return clean(textOf(f.get(short, long)), max)
}

// objectOf is the object that a value is, nil if it is none.
func objectOf(v *fastjson.Value) *fastjson.Object {
	if v == nil || v.Type() != fastjson.TypeObject {
		return nil
	}
	return v.GetObject()
}

// textOf is a text or the digits of a number as they were sent.
func textOf(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	switch v.Type() {
	case fastjson.TypeString:
		return string(v.GetStringBytes())
	case fastjson.TypeNumber:
		return v.String()
	case fastjson.TypeTrue:
		return "true"
	case fastjson.TypeFalse:
		return "false"
	}
	return ""
}

func (f fields) isTrue(short, long string) bool {
	v := f.get(short, long)
	if v == nil {
		return false
	}
	switch v.Type() {
	case fastjson.TypeTrue:
		return true
	case fastjson.TypeNumber:
		return v.GetFloat64() == 1
	case fastjson.TypeString:
		text := string(v.GetStringBytes())
		return text == "1" || text == "true"
	}
	return false
}

// number is a whole number from 0 to max. What is beyond that is at its end.
func (f fields) number(short, long string, max float64) float64 {
	v := f.get(short, long)
	if v == nil {
		return 0
	}
	n := v.GetFloat64()
	if v.Type() == fastjson.TypeString {
		n, _ = strconv.ParseFloat(string(v.GetStringBytes()), 64) // what is none is 0, or beyond what there is
	}
	if math.IsNaN(n) {
		return 0
	}
	return math.Round(min(max, math.Max(0, n)))
}

// milliseconds is a time span, not longer than a year.
func (f fields) milliseconds(short, long string) time.Duration {
	return time.Duration(f.number(short, long, 366*24*3600*1000)) * time.Millisecond
}

// id is what the tracker calls the event. Plausible's has i too, and says with it whether somebody did something.
func (f fields) id() string {
	if v := f.get("i", "id"); v != nil && (v.Type() == fastjson.TypeTrue || v.Type() == fastjson.TypeFalse) {
		return ""
	}
	return f.text("i", "id", maxID)
}

// hasVersion tells whether v is not a value but the version of Plausible's tracker. That one always sends domain and referrer,
// and nothing that only ours does.
func (f fields) hasVersion() bool {
	has := func(name string) bool { return f.one(name) != nil }
	return has("d") && has("r") && !has("c") && !has("s") && !has("a") && f.id() == ""
}

// value reads the value of a custom event with its unit: as we write them, or as Plausible does its revenue.
func (f fields) value(h *Hit) (err error) {
	amount := f.one("value")
	if amount == nil && !f.hasVersion() {
		amount = f.one("v")
	}
	h.Unit = f.text("c", "unit", maxUnit)
	if revenue := f.get("$", "revenue"); amount == nil && revenue != nil {
		if revenue.Type() == fastjson.TypeString { // older trackers send it as JSON in a text
			revenue, _ = fastjson.ParseBytes(revenue.GetStringBytes()) // of at most the body's size
		}
		if o := objectOf(revenue); o != nil {
			amount = o.Get("amount")
			h.Unit = clean(textOf(o.Get("currency")), maxUnit)
		}
	}
	h.Value, err = millionths(textOf(amount))
	return err
}

// millionths reads a decimal number. One that is none is a fault: a sum must not be wrong in silence.
func millionths(s string) (int64, error) {
	if s = strings.TrimSpace(s); s == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(s, 64)
	n = math.Round(n * 1e6)
	if err != nil || math.IsNaN(n) || math.Abs(n) > 9.2e18 {
		return 0, fault.New(fault.Unreadable, "the value of an event is a number, such as 12.50, of at most 9 200 000 000 000")
	}
	return int64(n), nil
}

// props reads the properties of a custom event: an object, or a JSON text of one.
func (f fields) props() string {
	for _, name := range []string{"p", "props", "m", "meta"} {
		v := f.one(name)
		if v == nil {
			continue
		}
		if v.Type() == fastjson.TypeString {
			var err error
			if v, err = fastjson.ParseBytes(v.GetStringBytes()); err != nil {
				return ""
			}
		}
		if o := objectOf(v); o != nil {
			return joinProps(o)
		}
		return ""
	}
	return ""
}

// joinProps keeps as many properties as there may be and as fit, in the order of their names. Values that hold others are
// left out.
func joinProps(o *fastjson.Object) string {
	all := make(map[string]string)
	o.Visit(func(key []byte, v *fastjson.Value) {
		if len(all) >= maxProps {
			return
		}
		name, value := clean(string(key), maxPropName), clean(textOf(v), maxProp)
		if name != "" && value != "" {
			all[name] = value
		}
	})
	joined := event.JoinProps(all)
	if len(joined) <= event.MaxText {
		return joined
	}
	size := len("{}")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		pair, _ := json.Marshal([2]string{name, all[name]}) // as long as the pair in an object is, with its comma, or longer
		if size+len(pair) > event.MaxText {
			delete(all, name)
			continue
		}
		size += len(pair)
	}
	return event.JoinProps(all)
}

// hints reads what the browser says about itself when asked.
func (f fields) hints(h *agent.Hints) {
	h.TouchPoints = int(f.number("t", "touch", 100))
	in := fieldsOf(f.get("ch", "hints"))
	if in.o == nil {
		return
	}
	h.Platform, h.PlatformVersion, h.Model = in.text("p", "", maxHint), in.text("pv", "", maxHint), in.text("m", "", maxHint)
	h.Mobile = in.isTrue("mo", "")
	for i, b := range in.one("b").GetArray() {
		if pair := b.GetArray(); len(pair) == 2 && i < 10 {
			h.Brands = append(h.Brands, agent.Brand{Name: clean(textOf(pair[0]), maxHint), Version: clean(textOf(pair[1]), maxHint)})
		}
	}
}

// claim reads what a server says of the visitor.
func (f fields) claim(c *Claim) {
	if ip := f.text("ip", "", 64); ip != "" {
		if a, err := netip.ParseAddr(ip); err == nil {
			c.Address = a.Unmap().WithZone("")
		}
	}
	c.UserAgent = f.text("ua", "", maxAgentBytes)
	c.Time = moment(f.text("time", "", 64))
}

// moment reads a time in the form of RFC 3339 or in Unix milliseconds; the zero time if it is neither.
func moment(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && ms > 0 {
		return time.UnixMilli(ms)
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// resolution is the size of a screen as it is shown, "1920x1080"; "" if it is none.
func resolution(s string) string {
	w, h, ok := strings.Cut(s, "x")
	if !ok || !isPixels(w) || !isPixels(h) {
		return ""
	}
	return s
}

func isPixels(s string) bool {
	if len(s) == 0 || len(s) > 5 || s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

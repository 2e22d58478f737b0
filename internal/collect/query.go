package collect

import (
	"net/url"

	"github.com/valyala/fastjson"

	"footfall/internal/fault"
)

// maxParameters is how many parameters an event may have, of which each is held against all others.
const maxParameters = 100

// ParseQuery reads an event from the parameters of a URL, which have the names of a body. Without an address of its page it
// has that of the referring one.
func ParseQuery(values url.Values, referring string) (Hit, error) {
	if len(values) > maxParameters {
		return Hit{}, fault.New(fault.Unreadable, "an event has at most %d parameters", maxParameters)
	}
	var arena fastjson.Arena
	o := arena.NewObject()
	for name := range values {
		o.Set(name, arena.NewString(values.Get(name)))
	}
	if values.Get("u") == "" && values.Get("url") == "" && values.Get("page") == "" {
		o.Set("u", arena.NewString(referring))
	}
	var h Hit
	err := readHit(o, &h)
	return h, err
}

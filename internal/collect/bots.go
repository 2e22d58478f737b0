package collect

import (
	"strings"
	"sync"
	"sync/atomic"

	"footfall/internal/collect/agent"
)

// contradicts tells whether the headers of a request cannot all come from the browser that the user agent names.
//
// Browsers with Chromium in them always send Accept-Language, and where they send Sec-CH-UA it names the same version as
// the user agent does. Others send no Sec-CH-UA at all. Both are lost only to those who write the user agent themselves.
func contradicts(r *Request, brands []agent.Brand) bool {
	chrome := majorAfter(r.UserAgent, "Chrome/")
	if chrome != "" && r.AcceptLanguage == "" {
		return true
	}
	if r.Brands == "" {
		return false
	}
	if chrome == "" && (strings.Contains(r.UserAgent, "Firefox/") || strings.Contains(r.UserAgent, "Version/")) {
		return true
	}
	for _, b := range brands {
		if strings.Contains(b.Name, "Headless") {
			return true
		}
		if major, _, _ := strings.Cut(b.Version, "."); b.Name == "Chromium" && chrome != "" && major != chrome {
			return true
		}
	}
	return false
}

// majorAfter is the digits that follow a name; "" if the name is not there.
func majorAfter(s, name string) string {
	_, after, _ := strings.Cut(s, name)
	end := 0
	for end < len(after) && after[end] >= '0' && after[end] <= '9' {
		end++
	}
	return after[:end]
}

// A brandList is the brands that a header names.
type brandList []agent.Brand

// maxBrandLists is how many headers are remembered. Browsers send few different ones; what else is sent is read each time.
const maxBrandLists = 1000

// brandLists remembers what headers say.
type brandLists struct {
	known sync.Map // brandList by header
	size  atomic.Int64
}

func (l *brandLists) of(header string) []agent.Brand {
	if header == "" {
		return nil
	}
	if found, ok := l.known.Load(header); ok {
		return found.(brandList)
	}
	header = strings.Clone(header) // what is remembered must not hold the rest of the request
	list := agent.ParseBrands(header)
	if len(header) <= 2*maxHint && l.size.Load() < maxBrandLists {
		if _, there := l.known.LoadOrStore(header, brandList(list)); !there {
			l.size.Add(1)
		}
	}
	return list
}

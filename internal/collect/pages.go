package collect

import (
	"hash/maphash"
	"strings"

	"footfall/internal/collect/link"
	"footfall/internal/collect/memo"
)

// Of how many pages it is remembered how their address reads, and how long the address may be, with the referrer's.
const (
	pagesRemembered = 8192
	maxRemembered   = 500
)

// arrivals remember what addresses say: most hits are of a few pages, from a few places.
type arrivals struct{ known *memo.Memo[*arrival] }

// An arrival is somebody on a page, who came from somewhere.
type arrival struct {
	page link.Page
	from link.Origin
	spam bool  // where they came from is known for it
	bad  error // why the page is none; then nothing else is known but spam
}

// read reads the address of a page and its referrer. What it means depends on the parameters that the website excludes, too.
func (k arrivals) read(h *Hit, excluded *paramSet) *arrival {
	question := maphash.Comparable(k.known.Seed(), struct {
		url, referrer string
		rules         uint64
		hash          bool
	}{h.URL, h.Referrer, excluded.sum, h.Hash})
	if a, ok := k.known.Find(question); ok {
		return a
	}
	short := len(h.URL)+len(h.Referrer) <= maxRemembered
	url, referrer := h.URL, h.Referrer
	if short {
		url, referrer = strings.Clone(url), strings.Clone(referrer) // what is remembered holds parts of them
	}
	a := &arrival{spam: referrer != "" && link.Spam(hostOf(referrer))}
	a.page, a.bad = link.ParsePage(url, link.Rules{Exclude: excluded.exclude(), Hash: h.Hash})
	if a.bad == nil {
		a.from = link.ParseReferrer(referrer, a.page)
	}
	if short && a.bad == nil {
		k.known.Keep(question, a)
	}
	return a
}

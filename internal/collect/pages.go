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
}

// read reads the address of a page and its referrer. What it means depends on the parameters that the website excludes, too.
func (k arrivals) read(h *Hit, excluded *paramSet) (*arrival, error) {
	question := maphash.Comparable(k.known.Seed(), struct {
		url, referrer string
		rules         uint64
		hash          bool
	}{h.URL, h.Referrer, excluded.sum, h.Hash})
	if a, ok := k.known.Find(question); ok {
		return a, nil
	}
	short := len(h.URL)+len(h.Referrer) <= maxRemembered
	url, referrer := h.URL, h.Referrer
	if short {
		url, referrer = strings.Clone(url), strings.Clone(referrer) // what is remembered holds parts of them
	}
	page, err := link.ParsePage(url, link.Rules{Exclude: excluded.exclude(), Hash: h.Hash})
	if err != nil {
		return nil, err
	}
	a := &arrival{page, link.ParseReferrer(referrer, page)}
	if short {
		k.known.Keep(question, a)
	}
	return a, nil
}

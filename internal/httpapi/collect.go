package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"footfall/internal/collect"
	"footfall/internal/fault"
)

// maxBatches is how many large bodies are read at the same time. Each takes up to 1 MB, and some time of a slow sender.
const maxBatches = 64

// collectEvents takes what trackers send: one event or an array of them. It answers 202 whether they count or not.
func (s *Server) collectEvents(w http.ResponseWriter, r *http.Request) error {
	body := buffers.Get().(*bytes.Buffer)
	defer keepBuffer(body)
	body.Reset()
	if err := s.readEvents(r, body); err != nil {
		return err
	}
	hits, err := collect.Parse(body.Bytes())
	if err != nil {
		return err
	}
	drops, err := s.accept(r, hits)
	if err != nil {
		return err
	}
	tellDrops(w.Header(), drops)
	w.WriteHeader(http.StatusAccepted)
	return nil
}

// keepBuffer gives a buffer back, unless it has become large.
func keepBuffer(b *bytes.Buffer) {
	if b.Cap() <= 2*collect.MaxBody {
		buffers.Put(b)
	}
}

// readEvents reads a body. One that is larger than an event may be has to be an array, and to wait for its turn.
func (s *Server) readEvents(r *http.Request, body *bytes.Buffer) error {
	if r.Header.Get("Content-Encoding") != "" {
		return fault.New(fault.UnsupportedType, "send the body as it is, not compressed")
	}
	if r.ContentLength > collect.MaxBatch {
		return collect.TooLarge()
	}
	if err := readUpTo(body, r.Body, collect.MaxBody); err != nil || body.Len() <= collect.MaxBody {
		return err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body.Bytes()), []byte("[")) {
		return collect.TooLarge()
	}
	select {
	case s.batches <- struct{}{}:
		defer func() { <-s.batches }()
	default:
		return fault.New(fault.Unavailable, "too many large bodies at once: send it again").After(time.Second)
	}
	if err := readUpTo(body, r.Body, collect.MaxBatch); err != nil {
		return err
	}
	if body.Len() > collect.MaxBatch {
		return collect.TooLarge()
	}
	return nil
}

// readUpTo reads a body until it has one byte more than it may.
func readUpTo(body *bytes.Buffer, from io.Reader, most int) error {
	_, err := body.ReadFrom(io.LimitReader(from, int64(most+1-body.Len())))
	if err != nil {
		return fault.New(fault.Unreadable, "the body did not arrive whole").Because(errors.New("reading failed"))
	}
	return nil
}

// pixel is a GIF of one transparent pixel.
var pixel = []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")

// collectByImage takes an event from a page without JavaScript. Who only asks whether the image is there sends none.
func (s *Server) collectByImage(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodGet {
		values, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return fault.New(fault.Unreadable, "the query string is not encoded as one").Because(err)
		}
		hit, err := collect.ParseQuery(values, r.Header.Get("Referer"))
		if err != nil {
			return err
		}
		drops, err := s.accept(r, []collect.Hit{hit})
		if err != nil {
			return err
		}
		tellDrops(w.Header(), drops)
	}
	w.Header().Set("Content-Type", "image/gif")
	w.Header().Set("Content-Length", fmt.Sprint(len(pixel)))
	w.Write(pixel)
	return nil
}

// accept hands hits over, with what the request tells of who sent them.
func (s *Server) accept(r *http.Request, hits []collect.Hit) ([]collect.Drop, error) {
	if err := s.checkClaims(r, hits); err != nil {
		return nil, err
	}
	h := r.Header
	return s.collector.Accept(r.Context(), collect.Request{
		Address: s.proxies.client(r), UserAgent: first(h, "User-Agent"), AcceptLanguage: first(h, "Accept-Language"),
		Brands: first(h, "Sec-Ch-Ua"), Platform: first(h, "Sec-Ch-Ua-Platform"), Mobile: first(h, "Sec-Ch-Ua-Mobile"),
		PrivacySignal: first(h, "Dnt") == "1" || first(h, "Sec-Gpc") == "1",
	}, hits)
}

// first is the value of a header whose name is written as net/http writes it.
func first(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// checkClaims asks whether the sender may say who the visitors were. Without a key nobody may, and what is said is ignored.
func (s *Server) checkClaims(r *http.Request, hits []collect.Hit) error {
	withKey := r.Header.Get("Authorization") != ""
	var checked []int64 // websites
	for i := range hits {
		claim := &hits[i].Claim
		if claim.IsZero() {
			continue
		}
		website := s.collector.Websites.Find(&hits[i])
		if !withKey || website == nil {
			*claim = collect.Claim{}
			continue
		}
		if slices.Contains(checked, website.ID) {
			continue
		}
		c, err := s.authenticate(r)
		if err != nil {
			return err
		}
		if err := s.accounts.MayEdit(r.Context(), c, website.ID); err != nil {
			return err
		}
		checked = append(checked, website.ID)
	}
	return nil
}

// tellDrops says why hits do not count: the reason of a single one, or how many of several have each.
func tellDrops(h http.Header, drops []collect.Drop) {
	if len(drops) == 1 {
		if drops[0] != "" {
			tell(h, string(drops[0]))
		}
		return
	}
	counts := make(map[collect.Drop]int)
	for _, d := range drops {
		counts[d]++
	}
	var told []string
	for _, r := range collect.Reasons {
		if n := counts[r.Drop]; n > 0 {
			told = append(told, fmt.Sprintf("%s=%d", r.Drop, n))
		}
	}
	if len(told) > 0 {
		tell(h, strings.Join(told, ", "))
	}
}

// tell says it, also to the page that sent the event.
func tell(h http.Header, why string) {
	h["X-Dropped"] = []string{why}
	h["Access-Control-Expose-Headers"] = []string{"X-Dropped"}
}

// askedFirst answers a browser that asks before it sends an event with headers of its own.
func askedFirst(h http.Header, r *http.Request, m methods) {
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", m.allowed())
		h.Set("Access-Control-Allow-Headers", "*, Authorization")
		h.Set("Access-Control-Max-Age", "86400")
	}
}

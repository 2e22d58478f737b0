// Package httpapi speaks HTTP: it decodes a request, calls one package, and encodes what that answers. It decides nothing.
//
// The one thing to know is routes.go: all that answers is on that page, with who may ask and how often. What happens to
// every request on its way to its handler and back is in handler.go.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/report"
	"footfall/internal/stats"
)

// Options are what a Server needs. Accounts, Store, Live and Collect must be set.
type Options struct {
	Accounts *accounts.DB
	Store    stats.Querier
	Live     Watcher
	Collect  *collect.Collector
	Import   Importer       // nil takes no files
	Signer   *report.Signer // reads the links in reports; nil knows none

	BaseURL        *url.URL       // what people reach the service at; nil is what each request says
	TrustedProxies []netip.Prefix // besides loopback: whose word on the client's address and protocol counts
	AddressHeader  string         // in which a trusted proxy tells the client's address, before any other; "" is none
	CORSOrigins    []string       // that may use the interface from a browser, with a key; "*" is all; none by default
	Limits         Limits
	MetricsToken   string // what /metrics asks for; "" hides it, except from MetricsHandler

	Ready  func(ctx context.Context) []string // what keeps the service from keeping its promises; nil is nothing
	Gauges func() []Gauge                     // what /metrics shows besides requests; nil is nothing
	Facts  func() Facts                       // what an administrator learns of the installation; nil is nothing

	Log *slog.Logger     // nil is silence
	Now func() time.Time // the clock of the limits; nil is time.Now
}

// A Server answers requests. All methods may be called at the same time.
type Server struct {
	accounts  *accounts.DB
	store     stats.Querier
	live      Watcher
	collector *collect.Collector
	importer  Importer
	signer    *report.Signer
	batches   chan struct{} // has an element for each large body that is read
	zones     sync.Map      // *time.Location by name
	baseURL   *url.URL
	proxies   proxies
	cors      map[string]bool
	origins   *http.CrossOriginProtection
	limiters  limiters
	token     string
	ready     func(ctx context.Context) []string
	gauges    func() []Gauge
	facts     func() Facts
	began     time.Time
	counters  counters
	log       *slog.Logger
	now       func() time.Time
	mux       *http.ServeMux
}

// New makes a Server. It starts nothing.
func New(o Options) *Server {
	s := &Server{
		accounts: o.Accounts, store: o.Store, live: o.Live, collector: o.Collect, importer: o.Import, signer: o.Signer, batches: make(chan struct{}, maxBatches),
		baseURL: o.BaseURL, proxies: proxies{o.TrustedProxies, o.AddressHeader}, cors: make(map[string]bool),
		origins: http.NewCrossOriginProtection(), token: o.MetricsToken, ready: o.Ready, gauges: o.Gauges, facts: o.Facts, log: o.Log, now: o.Now,
		mux: http.NewServeMux(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.began = s.now()
	for _, origin := range o.CORSOrigins {
		s.cors[origin] = true
	}
	if o.BaseURL != nil { // a proxy may show us another host than the browser sees
		if err := s.origins.AddTrustedOrigin(o.BaseURL.Scheme + "://" + o.BaseURL.Host); err != nil {
			panic(err) // whoever parsed the URL let pass what is no origin
		}
	}
	s.limiters = newLimiters(o.Limits)
	s.addRoutes()
	return s
}

// Handler answers all routes.
func (s *Server) Handler() http.Handler { return s }

// HitPath is where hits are sent to.
const HitPath = "/api/event"

// HitHandler answers requests to HitPath as Handler does, without looking for their route. It keeps nothing of a request.
func (s *Server) HitHandler() http.Handler {
	h, _ := s.mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: HitPath}})
	return h
}

// MetricsHandler answers /metrics alone, on an address of its own. It asks for the token only if there is one.
func (s *Server) MetricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if s.token != "" {
			if err := s.mayOperate(r); err != nil {
				s.fail(w, r, requestID(), err)
				return
			}
		}
		s.writeMetrics(w)
	})
	return mux
}

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
	"footfall/internal/stats"
)

// Options are what a Server needs. Accounts, Store and Live must be set.
type Options struct {
	Accounts *accounts.DB
	Store    stats.Querier
	Live     Watcher

	BaseURL        *url.URL       // what people reach the service at; nil is what each request says
	TrustedProxies []netip.Prefix // besides loopback: whose word on the client's address and protocol counts
	CORSOrigins    []string       // that may use the interface from a browser, with a key; "*" is all; none by default
	Limits         Limits
	MetricsToken   string // what /metrics asks for; "" hides it, except from MetricsHandler

	Ready  func(ctx context.Context) []string // what keeps the service from keeping its promises; nil is nothing
	Gauges func() []Gauge                     // what /metrics shows besides requests; nil is nothing

	Log *slog.Logger     // nil is silence
	Now func() time.Time // the clock of the limits; nil is time.Now
}

// A Server answers requests. All methods may be called at the same time.
type Server struct {
	accounts *accounts.DB
	store    stats.Querier
	live     Watcher
	zones    sync.Map // *time.Location by name
	baseURL  *url.URL
	proxies  proxies
	cors     map[string]bool
	origins  *http.CrossOriginProtection
	limiters limiters
	token    string
	ready    func(ctx context.Context) []string
	gauges   func() []Gauge
	counters counters
	log      *slog.Logger
	now      func() time.Time
	mux      *http.ServeMux
}

// New makes a Server. It starts nothing.
func New(o Options) *Server {
	s := &Server{
		accounts: o.Accounts, store: o.Store, live: o.Live, baseURL: o.BaseURL, proxies: proxies(o.TrustedProxies), cors: make(map[string]bool),
		origins: http.NewCrossOriginProtection(), token: o.MetricsToken, ready: o.Ready, gauges: o.Gauges, log: o.Log, now: o.Now,
		mux: http.NewServeMux(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
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

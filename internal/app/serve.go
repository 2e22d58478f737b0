package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"footfall/internal/door"
	"footfall/internal/httpapi"
)

// How long stopping may take. Together with what closing needs it stays within 10 s.
const (
	drainTime = 5 * time.Second // for requests that were accepted
	flushTime = 3 * time.Second // for events that are in memory; the journal has those that do not make it
)

// serve runs the service until ctx is done or something that must run has ended.
func serve(ctx context.Context, c *config, t *terminal) (err error) {
	s, err := openService(ctx, c, t.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := greet(ctx, c, t, s); err != nil {
		return err
	}
	return s.run(ctx, s.house.jobs(t.log))
}

// A service is a house that answers on its addresses.
type service struct {
	house   *house
	servers []*server
	base    string // what it can be reached at from here
	log     *slog.Logger
}

// openService opens everything, also the addresses, and answers nothing yet. Who has opened it closes it.
func openService(ctx context.Context, c *config, log *slog.Logger) (*service, error) {
	debug.SetMemoryLimit(c.memoryLimit)
	h, err := openHouse(ctx, c, log)
	if err != nil {
		return nil, err
	}
	doctor := &doctor{house: h, log: log}
	api := httpapi.New(httpapi.Options{
		Accounts: h.accounts, Store: h.engine, Live: h.live, Collect: h.collector, Signer: h.signer, Import: h.importer, BaseURL: c.baseURL, TrustedProxies: c.trustedProxies,
		AddressHeader: c.addressHeader, CORSOrigins: c.corsOrigins,
		Limits: c.limits, MetricsToken: c.metricsToken, Ready: doctor.ready, Gauges: h.gauges, Facts: h.facts, Log: log,
	})
	servers, err := listenAll(c, api, log)
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return &service{house: h, servers: servers, base: servers[0].base(c), log: log}, nil
}

// Close closes what run has not.
func (s *service) Close() error { return errors.Join(closeAll(s.servers), s.house.Close()) }

// run answers, and does the jobs, until ctx is done or something that must run has ended.
func (s *service) run(ctx context.Context, jobs []job) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx)) // jobs go on until the last request is answered
	defer stop()
	group, working := start(working, jobs)
	for _, server := range s.servers {
		group.Go(server.serve)
	}
	select {
	case <-ctx.Done():
	case <-working.Done(): // something has ended that must not
	}
	drain(s.servers, s.log)
	stop()
	err := group.Wait()
	s.house.flush(s.log)
	return err
}

// flush makes events durable that are in memory only, so that the next start need not load them again.
func (h *house) flush(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := h.engine.Flush(ctx); err != nil {
		log.Warn("events stay in the journal", "error", err)
	}
}

// A server answers on one address.
type server struct {
	http     *http.Server
	listener net.Listener
	door     *door.Door // the listener, where it reads hits itself; else nil
	secure   bool
}

// listenAll opens the addresses that the settings name, the service's first. It answers nothing yet.
func listenAll(c *config, api *httpapi.Server, log *slog.Logger) ([]*server, error) {
	first, err := listen(c.listen, api.Handler(), log)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	servers := []*server{first}
	if c.tlsCert == "" { // else net/http reads the connections: browsers speak HTTP/2 there
		first.door = door.New(first.listener, door.Hits{Path: httpapi.HitPath, Handler: api.HitHandler()}, log)
		first.listener = first.door
	} else {
		pair, err := tls.LoadX509KeyPair(c.tlsCert, c.tlsKey)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--tls-cert and --tls-key: %w", err), closeAll(servers))
		}
		first.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		first.secure = true
	}
	if c.metricsListen != "" {
		metrics, err := listen(c.metricsListen, api.MetricsHandler(), log)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--metrics-listen: %w", err), closeAll(servers))
		}
		servers = append(servers, metrics)
	}
	return servers, nil
}

func listen(address string, h http.Handler, log *slog.Logger) (*server, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or choose another port", address)
	}
	if err != nil {
		return nil, err
	}
	return &server{listener: l, http: &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10, ErrorLog: serverLog(log),
	}}, nil
}

func (s *server) serve() error {
	var err error
	if s.secure {
		err = s.http.ServeTLS(s.listener, "", "")
	} else {
		err = s.http.Serve(s.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("answer on %s: %w", s.listener.Addr(), err)
}

// base is what the service can be reached at from here.
func (s *server) base(c *config) string {
	if c.baseURL != nil {
		return c.baseURL.String()
	}
	scheme := "http"
	if s.secure {
		scheme = "https"
	}
	address := s.listener.Addr().String()
	if a, err := netip.ParseAddrPort(address); err == nil && a.Addr().IsUnspecified() {
		address = fmt.Sprintf("localhost:%d", a.Port())
	}
	return scheme + "://" + address
}

func closeAll(servers []*server) error {
	var errs []error
	for _, s := range servers {
		if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) { // a server closes its own
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// drain takes no more connections, answers the requests that were accepted, and cuts those that take too long.
func drain(servers []*server, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	for _, s := range servers {
		err := s.http.Shutdown(ctx)
		if s.door != nil {
			err = errors.Join(err, s.door.Wait(ctx))
		}
		if err != nil {
			log.Warn("requests were cut", "error", err)
			s.http.Close()
		}
	}
}

// greet says where the service is, and how to make the first account.
func greet(ctx context.Context, c *config, t *terminal, s *service) error {
	dir, err := filepath.Abs(c.dataDir)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "Footfall listens on %s\n", s.base)
	fmt.Fprintf(t.out, "Its data is in %s\n", dir)
	token, err := s.house.accounts.NewSetupToken(ctx)
	if err != nil {
		return err
	}
	if token != "" {
		fmt.Fprintf(t.out, "Make the first account, once: %s/setup#%s\n", s.base, token)
	}
	return nil
}

// serverLog takes what net/http has to say. It names the addresses of clients, which are not for the log.
func serverLog(l *slog.Logger) *log.Logger { return log.New(quiet{l}, "", 0) }

type quiet struct{ log *slog.Logger }

func (q quiet) Write(b []byte) (int, error) {
	line := strings.TrimSpace(string(b))
	if strings.HasPrefix(line, "http: Accept error") { // names our own address alone
		q.log.Error("connections are not accepted", "error", line)
	} else {
		q.log.Debug("connection failed")
	}
	return len(b), nil
}

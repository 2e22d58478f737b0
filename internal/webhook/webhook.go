// Package webhook tells other programs what happened, by HTTP: one signed message at a time.
//
// The one thing to know: where a message goes was written by people who are trusted with a website and not with the machine
// that this runs on. So the address that a connection is really made to is judged at the last moment before it is made
// (address.go), whatever names and redirects led there, and nothing of an answer but its status comes back.
//
//	url.go       what a webhook's URL may be
//	address.go   which addresses are public
//	sign.go      the signature
package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	timeout        = 10 * time.Second // of a whole exchange, redirects and all
	maxAnswerBytes = 64 << 10         // of an answer that are waited for; and of its header
	maxRedirects   = 3
)

// A Sender sends messages. The zero value sends to public addresses alone. All methods may be called at the same time.
type Sender struct {
	AllowPrivate bool             // also sends to addresses of this machine and of networks around it
	Resolver     *net.Resolver    // nil is the machine's
	TLS          *tls.Config      // nil believes the certificates that the machine does
	Now          func() time.Time // nil is time.Now

	public string                                                               // an address and port that tests take for public
	dial   func(ctx context.Context, network, address string) (net.Conn, error) // that of tests
}

// A Message is what is sent. The id is the same however often that is tried.
type Message struct {
	URL    string
	Secret string
	ID     string
	Kind   string
	Body   []byte // JSON
}

// A Result is how an attempt went. It names no address, and nothing that was answered.
type Result struct {
	Status   int    // of the answer; 0 is none
	Error    string // why it does not count, in a sentence without a full stop; "" if it does
	Duration time.Duration
}

// Send sends a message once. It counts if the answer has a status from 200 to 299.
func (s *Sender) Send(ctx context.Context, m Message) Result {
	began := time.Now()
	status, err := s.post(ctx, m)
	r := Result{Status: status, Duration: time.Since(began)}
	switch {
	case err != nil:
		r.Error = reason(err)
	case status < 200 || status > 299:
		r.Error = fmt.Sprintf("the answer has status %d, and only 200 to 299 count", status)
	}
	return r
}

func (s *Sender) post(ctx context.Context, m Message) (status int, err error) {
	target, err := ParseURL(m.URL)
	if err != nil {
		return 0, errTarget
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(m.Body))
	if err != nil {
		return 0, err
	}
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Footfall-Webhook/1")
	r.Header.Set("Footfall-Delivery", m.ID)
	r.Header.Set("Footfall-Event", m.Kind)
	r.Header.Set(SignatureHeader, Sign(m.Secret, now(), m.Body))
	client := s.client()
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswerBytes)) // the status has come: what follows changes nothing
	return answer.StatusCode, nil
}

// client makes connections of its own for each message. It asks no proxy, which would make them where we cannot see.
func (s *Sender) client() *http.Client {
	dial := s.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: timeout, Resolver: s.Resolver, Control: s.control}).DialContext
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DialContext: dial, DisableKeepAlives: true, TLSHandshakeTimeout: timeout, TLSClientConfig: s.TLS.Clone(),
			MaxResponseHeaderBytes: maxAnswerBytes, ForceAttemptHTTP2: true,
		},
		CheckRedirect: followed,
	}
}

// control judges an address right before a connection to it is made: after names were resolved, so that a name that leads
// elsewhere the second time is of no use.
func (s *Sender) control(network, address string, _ syscall.RawConn) error {
	if s.AllowPrivate || s.public != "" && address == s.public {
		return nil
	}
	a, err := netip.ParseAddrPort(address)
	if err != nil || !IsPublic(a.Addr()) {
		return errPrivate
	}
	ours, err := net.InterfaceAddrs()
	if err != nil || isOneOf(ours, a.Addr()) {
		return errPrivate
	}
	return nil
}

// followed tells whether a redirect is followed: if the message goes on as it is, to what could be a webhook's URL, and no
// less protected.
func followed(r *http.Request, before []*http.Request) error {
	switch {
	case r.Method != http.MethodPost: // after 301, 302 and 303 the message would be lost
		return errMoved
	case len(before) > maxRedirects:
		return errRedirects
	case before[0].URL.Scheme == "https" && r.URL.Scheme != "https":
		return errUnprotected
	}
	if _, err := ParseURL(r.URL.String()); err != nil {
		return errTarget
	}
	r.Header.Del("Referer") // the URL that it came from is not for others
	return nil
}

// What went wrong, in words for the people who set the webhook.
var (
	errPrivate     = errors.New("the address is private, and the operator of this service does not allow that")
	errMoved       = errors.New("the answer is a redirect that does not take the message along: use the URL that it leads to, or answer with 307 or 308")
	errRedirects   = errors.New("there are too many redirects")
	errUnprotected = errors.New("the redirect leads from https to http")
	errTarget      = errors.New("the URL is none that a webhook can have")
)

// reason says what went wrong, in one of a few sentences. What else an error says could name addresses of networks that
// people who set webhooks are not to know, and what is in URLs.
func reason(err error) string {
	for _, known := range []error{errPrivate, errMoved, errRedirects, errUnprotected, errTarget} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var (
		lookup  *net.DNSError
		trouble net.Error
		certs   *tls.CertificateVerificationError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &lookup) && !lookup.IsTimeout:
		return "the host's name was not found"
	case errors.As(err, &certs):
		return "the host's certificate is not valid"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "the host does not speak https"
	case errors.Is(err, context.Canceled):
		return "the service was stopped meanwhile"
	case errors.As(err, &trouble) && trouble.Timeout():
		return fmt.Sprintf("there was no answer within %d seconds", int(timeout.Seconds()))
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the host refuses connections"
	}
	return "the connection failed"
}

// Package mailtest is a real SMTP server on loopback for tests, and a reader of what it got.
package mailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Options are what a server is like. The zero value takes everything, in the clear.
type Options struct {
	STARTTLS bool
	TLS      bool
	User     string // "" is without authentication
	Password string
	Login    bool // offers LOGIN, and not PLAIN

	Recipient func(to string) error // is asked of each recipient; nil takes all
	Received  func(m Mail) error    // is called when a message is there, before the server says so; nil takes all
}

// A Mail is a message as it came.
type Mail struct {
	From, To  string
	Protected bool
	User      string
	Data      []byte
}

// A Server is one that listens on loopback.
type Server struct {
	Host  string
	Port  int
	Roots *x509.CertPool // that its certificate is signed by; nil without TLS

	options  Options
	server   *smtp.Server
	listener net.Listener

	mu          sync.Mutex
	mails       []Mail
	connections int
}

// Start starts a server. It ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, o, listener)
}

// StartAt starts a server on a port on which another one was.
func StartAt(t testing.TB, o Options, port int) *Server {
	t.Helper()
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, o, listener)
}

func serve(t testing.TB, o Options, listener net.Listener) *Server {
	s := &Server{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, options: o, listener: listener}
	s.server = smtp.NewServer(s)
	s.server.Domain = "mail.example"
	s.server.AllowInsecureAuth = true
	s.server.ErrorLog = log.New(io.Discard, "", 0)
	if o.TLS || o.STARTTLS {
		s.server.TLSConfig, s.Roots = certificate(t)
	}
	if o.TLS {
		listener = tls.NewListener(listener, s.server.TLSConfig)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.server.Serve(listener)
	}()
	t.Cleanup(func() {
		s.Stop()
		<-done
	})
	return s
}

// Stop ends the server and cuts its connections.
func (s *Server) Stop() {
	s.listener.Close() // also if the server has not come to listen yet
	s.server.Close()
}

// Mails are the messages that the server said it took.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Connections is how many there were.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// NewSession implements smtp.Backend.
func (s *Server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connections++
	return &session{server: s, conn: c}, nil
}

type session struct {
	server *Server
	conn   *smtp.Conn
	mail   Mail
	user   string
}

func (s *session) AuthMechanisms() []string {
	switch {
	case s.server.options.User == "":
		return nil
	case s.server.options.Login:
		return []string{"LOGIN"}
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != s.server.options.User || password != s.server.options.Password {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}
	if s.server.options.Login {
		return &login{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
}

// login asks as servers do that have no other way.
type login struct {
	check func(user, password string) error
	user  string
	step  int
}

func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	l.step++
	switch l.step {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.user, string(response))
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, protected := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, Protected: protected, User: s.user}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.options.Recipient != nil {
		if err := s.server.options.Recipient(to); err != nil {
			return err
		}
	}
	s.mail.To = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err // without the dot it is no message
	}
	m := s.mail
	m.Data = data
	if s.server.options.Received != nil {
		if err := s.server.options.Received(m); err != nil {
			return err
		}
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.mails = append(s.server.mails, m)
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// Later is the reply of a server that is busy, Never of one that will not, and Goodbye of one that ends the session.
var (
	Later   = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "try again later"}
	Never   = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	Goodbye = &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "too many messages"}
)

// certificate makes one for loopback.
func certificate(t testing.TB) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail.example"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err2 := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	parsed, err3 := x509.ParseCertificate(der)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}

// Package mail writes an email and hands it to an SMTP server.
//
// The one thing to know is the moment at which a message is the server's: between the dot that ends it and the server's
// reply, nobody here can know. So Session.Send asks, right before the dot, whether it may go on, and returns right after
// the reply. A server that refuses a message for good says so with a *Refusal.
//
// What stands in a header is checked where it is written: there is no way to write a line that is not one.
package mail

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"os"
	"strconv"
	"strings"
	"time"
)

// Security is how a connection is protected.
type Security string

// The securities.
const (
	STARTTLS Security = "starttls" // from the first command on, or not at all
	TLS      Security = "tls"      // from the first byte on
	None     Security = "none"     // not; a password is sent to this machine alone
)

// Securities are all of them.
var Securities = []Security{STARTTLS, TLS, None}

// ports are those that servers listen on, by security.
var ports = map[Security]int{STARTTLS: 587, TLS: 465, None: 25}

// Settings are how to reach a server. The zero value is none.
type Settings struct {
	Host     string
	Port     int // 0 is that of the security
	Security Security
	User     string // "" is without authentication
	Password string
	From     string // an address, or a name with one: Footfall <stats@example.com>

	Timeout time.Duration // for one message; 0 is a minute
	TLS     *tls.Config   // nil is the machine's certificates
}

// defaultTimeout lets a server look at a message for a while. RFC 5321 would let it for ten minutes: who waits here is one
// job with many more messages.
const defaultTimeout = time.Minute

// Check tells what is wrong with the settings.
func (s Settings) Check() error {
	if s.Host == "" {
		return errors.New("there is no mail server")
	}
	if _, err := ParseSender(s.From); err != nil {
		return fmt.Errorf("the sender's address: %w", err)
	}
	return nil
}

// address is where the server listens.
func (s Settings) address() string {
	port := s.Port
	if port == 0 {
		port = ports[s.Security]
	}
	return net.JoinHostPort(s.Host, strconv.Itoa(port))
}

func (s Settings) timeout() time.Duration {
	if s.Timeout == 0 {
		return defaultTimeout
	}
	return s.Timeout
}

// tls is the configuration for the server's name.
func (s Settings) tls() *tls.Config {
	c := &tls.Config{}
	if s.TLS != nil {
		c = s.TLS.Clone()
	}
	c.ServerName = s.Host
	c.MinVersion = tls.VersionTLS12
	return c
}

// Domain is the domain of the sender's address.
func (s Settings) Domain() string {
	a, err := ParseAddress(s.From)
	if err != nil {
		return ""
	}
	return a.Address[strings.LastIndexByte(a.Address, '@')+1:]
}

// hello is the name by which we greet: that of the machine, if it is one for strangers.
func (s Settings) hello() string {
	if name, err := os.Hostname(); err == nil && strings.Contains(name, ".") && isPlain(name) {
		return name
	}
	return s.Domain()
}

// ParseAddress reads an address, or a name with one. Only addresses that every server takes are addresses: in ASCII, and
// without quotes.
func ParseAddress(s string) (*mail.Address, error) {
	a, err := mail.ParseAddress(s)
	if err != nil {
		return nil, fmt.Errorf("%q is no address such as stats@example.com", s)
	}
	if !isPlain(a.Address) || strings.ContainsAny(a.Address, " \"<>()[],;:\\") || len(a.Address) > 254 || hasControl(a.Name) {
		return nil, fmt.Errorf("%q is no address that a server takes", s)
	}
	return a, nil
}

// ParseSender reads the address of a sender. Its domain is also that of the ids of messages.
func ParseSender(s string) (*mail.Address, error) {
	a, err := ParseAddress(s)
	if err != nil {
		return nil, err
	}
	if _, domain, _ := strings.Cut(a.Address, "@"); !idForm.MatchString("id@" + domain) {
		return nil, fmt.Errorf("no message can have an id at %q", domain)
	}
	return a, nil
}

// isPlain tells whether a text is visible ASCII, or spaces.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029'
	})
}

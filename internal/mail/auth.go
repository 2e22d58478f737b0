package mail

import (
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"slices"
	"strings"
)

// auth is how to sign in with what a server offers: PLAIN, or LOGIN where that is all there is.
func (s Settings) auth(offered string) smtp.Auth {
	words := strings.Fields(strings.ToUpper(offered))
	if !slices.Contains(words, "PLAIN") && slices.Contains(words, "LOGIN") {
		return &login{s.User, s.Password}
	}
	return smtp.PlainAuth("", s.User, s.Password, s.Host)
}

// login is the way to sign in that some servers had before there was a standard.
type login struct{ user, password string }

// Start implements smtp.Auth. A password does not leave the machine in the clear.
func (l *login) Start(server *smtp.ServerInfo) (string, []byte, error) {
	if !server.TLS && !isLoopback(server.Name) {
		return "", nil, errors.New("the connection is not protected, and a password is not sent over it")
	}
	return "LOGIN", nil, nil
}

// Next implements smtp.Auth.
func (l *login) Next(asked []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	switch question := strings.ToLower(strings.TrimSpace(string(asked))); {
	case strings.HasPrefix(question, "user"):
		return []byte(l.user), nil
	case strings.HasPrefix(question, "pass"):
		return []byte(l.password), nil
	default:
		return nil, fmt.Errorf("the server asks for %q", asked)
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

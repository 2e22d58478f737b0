package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"time"
)

// A Session is a connection to a server that messages can be sent over, one after the other. It has one user.
type Session struct {
	settings Settings
	conn     net.Conn
	client   *smtp.Client
	sent     int
}

// A Refusal is a server's word that it will not take a message, and that to ask again is of no use.
type Refusal struct{ reply *textproto.Error }

func (r *Refusal) Error() string { return "the server refuses it: " + r.reply.Error() }

// grace is how long what has begun may take to end when the service is about to stop.
const grace = 3 * time.Second

// Dial connects to the server, protects the connection and signs in.
func Dial(ctx context.Context, s Settings) (*Session, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()
	conn, err := s.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("reach the mail server: %w", err)
	}
	stop := hurry(ctx, conn, 0)
	defer stop()
	session := &Session{settings: s, conn: conn}
	if err := session.greet(); err != nil {
		conn.Close()
		return nil, err
	}
	return session, nil
}

func (s Settings) connect(ctx context.Context) (net.Conn, error) {
	if s.Security == TLS {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, "tcp", s.address())
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.address())
}

// hurry lets the connection fail at the context's deadline, and some time after it is cancelled.
func hurry(ctx context.Context, conn net.Conn, grace time.Duration) (stop func()) {
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	end := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			conn.SetDeadline(time.Now().Add(grace))
		}
	})
	return func() {
		if end() {
			conn.SetDeadline(time.Time{})
		}
	}
}

// greet makes the connection one that messages may be sent over.
func (s *Session) greet() (err error) {
	if s.client, err = smtp.NewClient(s.conn, s.settings.Host); err != nil {
		return fmt.Errorf("greet the mail server: %w", err)
	}
	if err := s.client.Hello(s.settings.hello()); err != nil {
		return fmt.Errorf("greet the mail server: %w", err)
	}
	if s.settings.Security == STARTTLS {
		if ok, _ := s.client.Extension("STARTTLS"); !ok {
			return errors.New("the mail server does not offer STARTTLS: is this its port, or is it tls?")
		}
		if err := s.client.StartTLS(s.settings.tls()); err != nil {
			return fmt.Errorf("protect the connection: %w", err)
		}
	}
	if s.settings.User == "" {
		return nil
	}
	ok, offered := s.client.Extension("AUTH")
	if !ok {
		return errors.New("the mail server takes no user and password on this connection")
	}
	if err := s.client.Auth(s.settings.auth(offered)); err != nil {
		return fmt.Errorf("sign in to the mail server: %w", err)
	}
	return nil
}

// Send hands a message over. Before the server can have all of it, may is asked whether to go on: with an error from it
// the server has nothing. After another error the session is of no use, unless that is a reply (IsReply). What has begun
// goes on for a moment when ctx is cancelled.
func (s *Session) Send(ctx context.Context, m *Message, may func() error) error {
	content, err := m.Bytes()
	if err != nil {
		return err
	}
	from, err := ParseAddress(m.From)
	if err != nil {
		return err
	}
	to, err := ParseAddress(m.To)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.settings.timeout())
	defer cancel()
	stop := hurry(ctx, s.conn, grace)
	defer stop()
	if s.sent > 0 {
		if err := s.client.Reset(); err != nil {
			return fmt.Errorf("begin another message: %w", err)
		}
	}
	s.sent++
	if err := s.client.Mail(from.Address); err != nil {
		return fmt.Errorf("name the sender: %w", err)
	}
	if err := s.client.Rcpt(to.Address); err != nil {
		return fmt.Errorf("name the recipient: %w", refusal(err))
	}
	return s.data(content, may)
}

// data sends the message itself. The dot goes out when w is closed.
func (s *Session) data(content []byte, may func() error) error {
	w, err := s.client.Data()
	if err != nil {
		return fmt.Errorf("begin the message: %w", refusal(err))
	}
	if _, err := w.Write(content); err != nil {
		return fmt.Errorf("send the message: %w", err)
	}
	if may != nil {
		if err := may(); err != nil {
			s.conn.Close() // without the dot the server has no message
			return err
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("end the message: %w", refusal(err))
	}
	return nil
}

// goodbye is the reply of a server that ends the session, whatever it was asked.
const goodbye = 421

// IsReply tells whether an error of Send is the server's reply to this one message. Then the session is still of use.
func IsReply(err error) bool {
	var reply *textproto.Error
	var refused *Refusal
	return errors.As(err, &refused) || errors.As(err, &reply) && reply.Code != goodbye
}

// refusal is the error of a reply that says never.
func refusal(err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && reply.Code >= 500 && reply.Code < 600 {
		return &Refusal{reply}
	}
	return err
}

// Close ends the session, politely if that is possible at once.
func (s *Session) Close() error {
	s.conn.SetDeadline(time.Now().Add(time.Second))
	s.client.Quit()
	s.conn.Close()
	return nil
}

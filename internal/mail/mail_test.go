package mail_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/mail"
	"footfall/internal/mail/mailtest"
)

func settings(s *mailtest.Server, security mail.Security) mail.Settings {
	return mail.Settings{Host: s.Host, Port: s.Port, Security: security, From: "Footfall <stats@example.com>", Timeout: 5 * time.Second, TLS: &tls.Config{RootCAs: s.Roots}}
}

func message() *mail.Message {
	return &mail.Message{
		From: "Footfall <stats@example.com>", To: "anna@example.com", Subject: "Grüße: 1.234 Besucher", ID: "abc.1@example.com",
		Date: time.Date(2026, 3, 9, 6, 0, 0, 0, time.UTC), Text: "Hello\n.\n.dots stay\n" + strings.Repeat("long ", 100) + "ä\n",
		HTML: "<p>Hello <img src=\"cid:chart@example.com\"></p>", Header: []mail.Field{{Name: "List-Unsubscribe", Value: "<https://stats.example.com/x>"}},
		Images: []mail.Image{{ID: "chart@example.com", Type: "image/png", Name: "chart.png", Content: []byte(strings.Repeat("\x00png\xff", 100))}},
	}
}

func send(t *testing.T, s mail.Settings, m *mail.Message, may func() error) error {
	t.Helper()
	session, err := mail.Dial(t.Context(), s)
	if err != nil {
		return err
	}
	defer session.Close()
	return session.Send(t.Context(), m, may)
}

func TestMessageArrivesAsItIs(t *testing.T) {
	cases := map[string]struct {
		server   mailtest.Options
		security mail.Security
		user     string
	}{
		"in the clear":           {mailtest.Options{}, mail.None, ""},
		"with STARTTLS":          {mailtest.Options{STARTTLS: true}, mail.STARTTLS, ""},
		"with TLS":               {mailtest.Options{TLS: true}, mail.TLS, ""},
		"signed in with PLAIN":   {mailtest.Options{STARTTLS: true, User: "anna", Password: "sesame"}, mail.STARTTLS, "anna"},
		"signed in with LOGIN":   {mailtest.Options{TLS: true, User: "anna", Password: "sesame", Login: true}, mail.TLS, "anna"},
		"signed in on loopback":  {mailtest.Options{User: "anna", Password: "sesame"}, mail.None, "anna"},
		"with LOGIN on loopback": {mailtest.Options{User: "anna", Password: "sesame", Login: true}, mail.None, "anna"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := mailtest.Start(t, c.server)
			s := settings(server, c.security)
			s.User, s.Password = c.user, "sesame"
			m := message()
			if err := send(t, s, m, nil); err != nil {
				t.Fatal(err)
			}
			mails := server.Mails()
			if len(mails) != 1 {
				t.Fatalf("%d mails", len(mails))
			}
			got := mails[0]
			if got.From != "stats@example.com" || got.To != "anna@example.com" || got.Protected != (c.security != mail.None) || got.User != c.user {
				t.Errorf("envelope is %+v", got)
			}
			p := mailtest.Parse(t, got.Data)
			for field, want := range map[string]string{
				"From": `"Footfall" <stats@example.com>`, "To": "<anna@example.com>", "Date": "Mon, 09 Mar 2026 06:00:00 +0000", "Message-Id": "<abc.1@example.com>",
				"List-Unsubscribe": "<https://stats.example.com/x>", "Mime-Version": "1.0",
			} {
				if got := p.Header.Get(field); got != want {
					t.Errorf("%s is %q, want %q", field, got, want)
				}
			}
			if p.Subject != m.Subject || p.Text != m.Text || p.HTML != m.HTML {
				t.Errorf("message is %+v", p)
			}
			if diff := cmp.Diff(map[string][]byte{"chart@example.com": m.Images[0].Content}, p.Images); diff != "" {
				t.Error(diff)
			}
			for line := range strings.SplitSeq(string(got.Data), "\n") {
				if len(line) > 200 {
					t.Errorf("line of %d bytes: %q", len(line), line)
				}
			}
		})
	}
}

func TestOneSessionSendsManyMessages(t *testing.T) {
	server := mailtest.Start(t, mailtest.Options{Recipient: func(to string) error {
		if to == "gone@example.com" {
			return mailtest.Never
		}
		return nil
	}})
	session, err := mail.Dial(t.Context(), settings(server, mail.None))
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, to := range []string{"anna@example.com", "gone@example.com", "ben@example.com"} {
		m := message()
		m.To = to
		err := session.Send(t.Context(), m, nil)
		var refused *mail.Refusal
		if (to == "gone@example.com") != errors.As(err, &refused) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if n := len(server.Mails()); n != 2 || server.Connections() != 1 {
		t.Errorf("%d mails over %d connections", n, server.Connections())
	}
}

// The one promise that the outbox is built on.
func TestServerHasNothingIfItMayNot(t *testing.T) {
	server := mailtest.Start(t, mailtest.Options{})
	not := errors.New("somebody else has it")
	if err := send(t, settings(server, mail.None), message(), func() error { return not }); !errors.Is(err, not) {
		t.Errorf("error is %v", err)
	}
	asked := 0
	err := send(t, settings(server, mail.None), message(), func() error {
		asked++
		if n := len(server.Mails()); n != 0 {
			t.Errorf("the server has %d mails before it may", n)
		}
		return nil
	})
	if err != nil || asked != 1 || len(server.Mails()) != 1 {
		t.Errorf("%v, asked %d times, %d mails", err, asked, len(server.Mails()))
	}
}

func TestFailuresSayWhatFailed(t *testing.T) {
	cases := map[string]struct {
		server mailtest.Options
		change func(*mail.Settings)
		want   string
		refuse bool
	}{
		"a wrong password":      {mailtest.Options{User: "anna", Password: "sesame"}, func(s *mail.Settings) { s.User, s.Password = "anna", "wrong" }, "sign in to the mail server", false},
		"no authentication":     {mailtest.Options{}, func(s *mail.Settings) { s.User = "anna" }, "takes no user", false},
		"no STARTTLS":           {mailtest.Options{}, func(s *mail.Settings) { s.Security = mail.STARTTLS }, "does not offer STARTTLS", false},
		"a foreign certificate": {mailtest.Options{TLS: true}, func(s *mail.Settings) { s.Security, s.TLS = mail.TLS, nil }, "certificate", false},
		"a busy server":         {mailtest.Options{Recipient: func(string) error { return mailtest.Later }}, nil, "451", false},
		"no such mailbox":       {mailtest.Options{Recipient: func(string) error { return mailtest.Never }}, nil, "550", true},
		"a message it refuses":  {mailtest.Options{Received: func(mailtest.Mail) error { return mailtest.Never }}, nil, "550", true},
		"no server":             {mailtest.Options{}, func(s *mail.Settings) { s.Port = 1 }, "reach the mail server", false},
		"no settings":           {mailtest.Options{}, func(s *mail.Settings) { s.Host = "" }, "no mail server", false},
		"a sender without ids":  {mailtest.Options{}, func(s *mail.Settings) { s.From = "stats@mail_server" }, "no message can have an id", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := settings(mailtest.Start(t, c.server), mail.None)
			if c.change != nil {
				c.change(&s)
			}
			err := send(t, s, message(), nil)
			var refused *mail.Refusal
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &refused) != c.refuse {
				t.Errorf("error is %v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "wrong") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}

func TestSilentServerIsGivenUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	s := mail.Settings{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, Security: mail.None, From: "stats@example.com", Timeout: 200 * time.Millisecond}
	began := time.Now()
	if _, err := mail.Dial(t.Context(), s); err == nil {
		t.Error("a server that says nothing was greeted")
	}
	s.Timeout = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := mail.Dial(ctx, s); err == nil {
		t.Error("a server that says nothing was greeted")
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestHeadersCannotBeInjected(t *testing.T) {
	cases := map[string]func(*mail.Message){
		"a line break in the subject":       func(m *mail.Message) { m.Subject = "x\r\nBcc: eve@example.com" },
		"a bare line feed in the subject":   func(m *mail.Message) { m.Subject = "x\nBcc: eve@example.com" },
		"a bare return in the subject":      func(m *mail.Message) { m.Subject = "x\rBcc: eve@example.com" },
		"a next line in the subject":        func(m *mail.Message) { m.Subject = "x\u0085Bcc: eve@example.com" },
		"a zero in the subject":             func(m *mail.Message) { m.Subject = "x\x00" },
		"a line break in the recipient":     func(m *mail.Message) { m.To = "anna@example.com\r\nBcc: eve@example.com" },
		"two recipients":                    func(m *mail.Message) { m.To = "anna@example.com, eve@example.com" },
		"a command in the recipient":        func(m *mail.Message) { m.To = "<anna@example.com> NOTIFY=NEVER" },
		"a quoted line break":               func(m *mail.Message) { m.To = "\"a\r\nb\"@example.com" },
		"a line break in the sender's name": func(m *mail.Message) { m.From = "\"A\r\nBcc: eve@example.com\" <stats@example.com>" },
		"an encoded one in it":              func(m *mail.Message) { m.From = "=?utf-8?q?A=0D=0ABcc:_eve?= <stats@example.com>" },
		"a line break in the id":            func(m *mail.Message) { m.ID = "x@example.com>\r\nBcc: eve@example.com" },
		"a line break in a header":          func(m *mail.Message) { m.Header[0].Value = "x\r\nBcc: eve@example.com" },
		"a colon in a header's name":        func(m *mail.Message) { m.Header[0].Name = "Bcc: eve@example.com\r\nX" },
		"a long header":                     func(m *mail.Message) { m.Header[0].Value = strings.Repeat("x", 1000) },
		"a line break in an image's id":     func(m *mail.Message) { m.Images[0].ID = "x@y\r\nBcc: z" },
		"a quote in an image's name":        func(m *mail.Message) { m.Images[0].Name = "x\"\r\nBcc: z" },
		"a type that is none":               func(m *mail.Message) { m.Images[0].Type = "text/html" },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			m := message()
			change(m)
			if b, err := m.Bytes(); err == nil {
				t.Errorf("it was written: %s", b)
			}
		})
	}
}

// Whatever a message is made of, its header has the lines that it should have, and the rest reads back.
func FuzzMessage(f *testing.F) {
	f.Add("Grüße", "text\n.\n", "<p>x</p>", "Footfall <a@b.example>")
	f.Add("x\r\nBcc: y@z", "--boundary\r\n\r\n", "</html>", "a@b")
	f.Add("=?utf-8?q?x?= =?utf-8?q?y?=", "\r\n.\r\nQUIT\r\n", "\x00", "\"\\\"\" <a@b.example>")
	f.Fuzz(func(t *testing.T, subject, text, html, from string) {
		m := &mail.Message{From: from, To: "anna@example.com", Subject: subject, ID: "1@example.com", Date: time.Unix(0, 0).UTC(), Text: text, HTML: html}
		b, err := m.Bytes()
		if err != nil {
			return
		}
		p := mailtest.Parse(t, b)
		want := 7
		if html == "" {
			want = 8 // the encoding of the only part
		}
		if len(p.Header) != want {
			t.Errorf("header is %v", p.Header)
		}
	})
}

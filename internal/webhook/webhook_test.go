package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"footfall/internal/webhook"
)

const secret = "ffw_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func send(t *testing.T, s *webhook.Sender, url string) webhook.Result {
	t.Helper()
	return s.Send(t.Context(), webhook.Message{URL: url, Secret: secret, ID: "message-1", Kind: "ping", Body: []byte(`{"a":"ü"}`)})
}

// serve answers as told, and counts how often.
func serve(t *testing.T, answer http.HandlerFunc) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func TestMessageIsSigned(t *testing.T) {
	at := time.Unix(1_773_000_000, 0)
	var header http.Header
	var body []byte
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		if r.Method != "POST" || r.URL.RequestURI() != "/in?x=y" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		w.WriteHeader(204)
	})
	result := send(t, &webhook.Sender{AllowPrivate: true, Now: func() time.Time { return at }}, url+"/in?x=y")
	if result.Status != 204 || result.Error != "" || result.Duration <= 0 {
		t.Errorf("result is %+v", result)
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "1773000000.%s", body)
	if want := "t=1773000000,v1=" + hex.EncodeToString(mac.Sum(nil)); header.Get("Footfall-Signature") != want {
		t.Errorf("signature is %q, want %q", header.Get("Footfall-Signature"), want)
	}
	for name, want := range map[string]string{"Footfall-Delivery": "message-1", "Footfall-Event": "ping", "Content-Type": "application/json", "User-Agent": "Footfall-Webhook/1"} {
		if header.Get(name) != want {
			t.Errorf("%s is %q", name, header.Get(name))
		}
	}
	if string(body) != `{"a":"ü"}` || strings.Contains(fmt.Sprint(header), secret) {
		t.Errorf("body is %s, header %v", body, header)
	}
}

// names is a resolver that knows one name, which has another address every time it is asked.
func names(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	asked := 0
	return resolver(t, func(q dnsmessage.Question, reply *dnsmessage.Message) {
		address := netip.MustParseAddr(addresses[min(asked, len(addresses)-1)])
		switch h := (dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}); {
		case q.Type == dnsmessage.TypeA && address.Is4():
			reply.Answers = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AResource{A: address.As4()}}}
			asked++
		case q.Type == dnsmessage.TypeAAAA && address.Is6():
			reply.Answers = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}}}
			asked++
		}
	})
}

// nobody is a resolver that knows no name.
func nobody(t *testing.T) *net.Resolver {
	t.Helper()
	return resolver(t, func(_ dnsmessage.Question, reply *dnsmessage.Message) { reply.RCode = dnsmessage.RCodeNameError })
}

// resolver asks a server of names that a test is.
func resolver(t *testing.T, answer func(q dnsmessage.Question, reply *dnsmessage.Message)) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			reply := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
			answer(m.Questions[0], &reply)
			if packed, err := reply.Pack(); err == nil {
				conn.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

const private = "the address is private, and the operator of this service does not allow that"

func TestPrivateAddressesAreRefused(t *testing.T) {
	url, asked := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	for name, c := range map[string]struct {
		host     string
		resolver *net.Resolver
	}{
		"loopback":                {"127.0.0.1", nil},
		"loopback of IPv6":        {"[::1]", nil},
		"mapped":                  {"[::ffff:127.0.0.1]", nil},
		"mapped in hex":           {"[::ffff:7f00:1]", nil},
		"no address":              {"0.0.0.0", nil},
		"metadata":                {"169.254.169.254", nil},
		"a carrier's":             {"100.64.0.1", nil},
		"multicast":               {"224.0.0.1", nil},
		"a name":                  {"hook.example.", names(t, "127.0.0.1")},
		"a name, private":         {"hook.example.", names(t, "10.0.0.7")},
		"a name, of IPv6":         {"hook.example.", names(t, "::1")},
		"a name, mapped":          {"hook.example.", names(t, "::ffff:127.0.0.1")},
		"a hexadecimal, likewise": {"0x7f.1", names(t, "127.0.0.1")},
		"localhost":               {"localhost", names(t, "127.0.0.1")},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, &webhook.Sender{Resolver: c.resolver}, "http://"+c.host+":"+port+"/")
			if got.Error != private || got.Status != 0 {
				t.Errorf("result is %+v", got)
			}
		})
	}
	for _, host := range []string{"2130706433", "0177.0.0.1", "127.1"} { // no names, nor addresses as we read them
		if got := send(t, &webhook.Sender{Resolver: names(t, "127.0.0.1")}, "http://"+host+":"+port+"/"); got.Error != "the host's name was not found" {
			t.Errorf("%s: result is %+v", host, got)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("%d messages arrived", asked.Load())
	}
	if got := send(t, &webhook.Sender{AllowPrivate: true, Resolver: names(t, "127.0.0.1")}, "http://hook.example.:"+port); got.Error != "" || asked.Load() != 1 {
		t.Errorf("what the operator allows is %+v", got)
	}
}

// The address that is judged is the one that a connection is made to, and not what the name had when it was looked up before.
func TestRebindingIsOfNoUse(t *testing.T) {
	url, asked := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	resolver := names(t, "8.8.8.8", "127.0.0.1")
	if found, err := resolver.LookupNetIP(t.Context(), "ip4", "hook.example."); err != nil || found[0].String() != "8.8.8.8" {
		t.Fatalf("looked up: %v, %v", found, err)
	}
	if got := send(t, &webhook.Sender{Resolver: resolver}, "http://hook.example.:"+port); got.Error != private || asked.Load() != 0 {
		t.Errorf("result is %+v", got)
	}
}

func TestRedirects(t *testing.T) {
	good, arrived := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "POST" || string(body) != `{"a":"ü"}` || r.Header.Get("Footfall-Signature") == "" || r.Header.Get("Referer") != "" {
			t.Errorf("%s with %s and %v arrived", r.Method, body, r.Header)
		}
	})
	for name, c := range map[string]struct {
		status int
		to     string
		want   webhook.Result
	}{
		"that keep the message":    {307, good, webhook.Result{Status: 200}},
		"that are permanent":       {308, good, webhook.Result{Status: 200}},
		"that lose it":             {302, good, webhook.Result{Error: "the answer is a redirect that does not take the message along: use the URL that it leads to, or answer with 307 or 308"}},
		"that lose it too":         {301, good, webhook.Result{Error: "the answer is a redirect that does not take the message along: use the URL that it leads to, or answer with 307 or 308"}},
		"with a password":          {307, strings.Replace(good, "//", "//a:b@", 1), webhook.Result{Error: "the URL is none that a webhook can have"}},
		"to a file":                {307, "file:///etc/passwd", webhook.Result{Error: "the URL is none that a webhook can have"}},
		"to themselves":            {307, "/", webhook.Result{Error: "there are too many redirects"}},
		"without a place":          {307, "", webhook.Result{Status: 307, Error: "the answer has status 307, and only 200 to 299 count"}},
		"that are none, to a page": {200, good, webhook.Result{Status: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			url, asked := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if c.to != "" {
					w.Header().Set("Location", c.to)
				}
				w.WriteHeader(c.status)
			})
			got := send(t, &webhook.Sender{AllowPrivate: true}, url)
			if got.Duration = 0; got != c.want || asked.Load() > 4 {
				t.Errorf("result is %+v after %d", got, asked.Load())
			}
		})
	}
	if arrived.Load() != 2 {
		t.Errorf("%d messages arrived by a redirect", arrived.Load())
	}
}

func TestRedirectToPrivateAddressIsRefused(t *testing.T) {
	inner, arrived := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, innerPort, _ := net.SplitHostPort(strings.TrimPrefix(inner, "http://"))
	for name, to := range map[string]string{
		"to loopback": inner, "to a name that leads there": "http://inner.example.:" + innerPort + "/", "to metadata": "http://169.254.169.254/latest/",
		"to a mapped address": "http://[::ffff:127.0.0.1]:" + innerPort + "/",
	} {
		t.Run(name, func(t *testing.T) {
			outer, asked := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(307)
			})
			outerAddress := strings.TrimPrefix(outer, "http://")
			s := &webhook.Sender{Resolver: names(t, "127.0.0.1")}
			webhook.TakeForPublic(s, outerAddress)
			got := send(t, s, outer)
			if got.Error != private || asked.Load() != 1 || arrived.Load() != 0 {
				t.Errorf("result is %+v after %d, and %d arrived", got, asked.Load(), arrived.Load())
			}
		})
	}
}

func TestResultsNameNoAddressAndNoSecret(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	plain, _ := serve(t, func(http.ResponseWriter, *http.Request) {})
	wrong := httptest.NewUnstartedServer(http.NotFoundHandler())
	wrong.Config.ErrorLog = log.New(io.Discard, "", 0)
	wrong.StartTLS()
	defer wrong.Close()
	huge, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 200<<10))
	})
	broken, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	failing, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, secret, 500) })
	for name, c := range map[string]struct{ url, want string }{
		"nobody there":      {"http://" + closed.Addr().String() + "/?token=" + secret, "the host refuses connections"},
		"not https":         {strings.Replace(plain, "http", "https", 1), "the host does not speak https"},
		"wrong certificate": {wrong.URL, "the host's certificate is not valid"},
		"unknown name":      {"http://nothing.invalid./", "the host's name was not found"},
		"a long header":     {huge, "the connection failed"},
		"hung up":           {broken, "the connection failed"},
		"no URL":            {"nonsense " + secret, "the URL is none that a webhook can have"},
		"an error":          {failing, "the answer has status 500, and only 200 to 299 count"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &webhook.Sender{AllowPrivate: true}
			if name == "unknown name" {
				s.Resolver = nobody(t)
			}
			if got := send(t, s, c.url); got.Error != c.want {
				t.Errorf("result is %+v, want %s", got, c.want)
			}
		})
	}
}

func TestSecureWebhookIsTold(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	s := &webhook.Sender{AllowPrivate: true, TLS: &tls.Config{RootCAs: roots}}
	if got := send(t, s, server.URL); got.Error != "" || got.Status != 200 {
		t.Errorf("result is %+v", got)
	}
	plain, arrived := serve(t, func(http.ResponseWriter, *http.Request) {})
	server.Config.Handler = http.RedirectHandler(plain, 307)
	if got := send(t, s, server.URL); got.Error != "the redirect leads from https to http" || arrived.Load() != 0 {
		t.Errorf("result is %+v", got)
	}
}

// An answer that never ends is as good as its status.
func TestEndlessAnswerIsCut(t *testing.T) {
	done := make(chan struct{})
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		for {
			if _, err := w.Write(make([]byte, 32<<10)); err != nil {
				return
			}
		}
	})
	if got := send(t, &webhook.Sender{AllowPrivate: true}, url); got.Status != 200 || got.Error != "" || got.Duration > 5*time.Second {
		t.Errorf("result is %+v", got)
	}
	<-done // the connection was closed
}

func TestSilentHostIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &webhook.Sender{AllowPrivate: true}
		webhook.DialInstead(s, func() net.Conn {
			ours, theirs := net.Pipe()
			go io.Copy(io.Discard, theirs) // listens, and says nothing
			t.Cleanup(func() { theirs.Close() })
			return ours
		})
		got := send(t, s, "http://hook.example/")
		if got.Error != "there was no answer within 10 seconds" || got.Duration != 10*time.Second {
			t.Errorf("result is %+v", got)
		}
	})
}

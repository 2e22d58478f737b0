package webhook_test

import (
	"strings"
	"testing"

	"footfall/internal/fault"
	"footfall/internal/webhook"
)

func TestURLs(t *testing.T) {
	for url, good := range map[string]bool{
		"https://example.com": true, "http://example.com:8080/in?token=x&y=z": true, " https://example.com/ ": true, "https://[2606:4700::1111]:444/": true,
		"https://bücher.example/": true, "http://127.0.0.1/": true, "http://2130706433/": true, // whom they lead to is judged when they are sent to

		"": false, "example.com": false, "//example.com/": false, "/in": false, "ftp://example.com": false, "javascript:alert(1)": false,
		"file:///etc/passwd": false, "gopher://127.0.0.1:6379/_FLUSHALL": false, "unix:///var/run/docker.sock": false, "https:example.com": false,
		"https://": false, "https:///in": false, "https://:443/": false, "https://user@example.com/": false, "https://user:pass@example.com/": false,
		"https://@example.com/": false, "https://example.com/#x": false, "https://example.com/#": false, "https://example.com/a b": false,
		"https://example.com/\r\nHost: evil": false, "https://example.com\\@127.0.0.1/": false, "https://example.com:port/": false,
		"https://[fe80::1%25eth0]/": false, "https://exa\x00mple.com/": false, "https://example.com/\xff": false, "https://[::1": false,
		"https://example.com/" + strings.Repeat("a", 2000): false,
	} {
		u, err := webhook.ParseURL(url)
		if good && (err != nil || u == nil) {
			t.Errorf("%q is refused: %v", url, err)
		}
		if !good && !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is taken, or refused with %v", url, err)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	f.Add("https://example.com/in?x=y")
	f.Add("https://user@[::1%25a]:0/\\")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := webhook.ParseURL(s)
		if err != nil {
			return
		}
		if u.User != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q is taken", s)
		}
		if _, err := webhook.ParseURL(u.String()); err != nil { // it is kept so
			t.Fatalf("%q is taken, and %q is not", s, u)
		}
	})
}

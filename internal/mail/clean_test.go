package mail_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"footfall/internal/mail"
)

func TestCleanTextIsOneShortLine(t *testing.T) {
	for text, want := range map[string]string{
		"/pricing": "/pricing", "  a \r\n\t b ": "a b", "a\u202eb": "a\uFFFDb", "a\x00b\x1b": "a\uFFFDb\uFFFD", "http://x.example": "http: //x.example",
		"http://" + strings.Repeat("x", 100): "http: //" + strings.Repeat("x", 73) + "…",
		"\xffx":                              "\uFFFDx", "👩\u200d💻": "👩\u200d💻", strings.Repeat("ä", 100): strings.Repeat("ä", 80) + "…", "": "",
	} {
		if got := mail.Clean(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"<script>alert(1)</script>", "a\r\nBcc: eve@example.com", "\u202egnp.exe", "a\u200b\u2060b", "\x00\x1b[31m", "https://evil.example", "https://evil.example/" + strings.Repeat("x", 100), "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := mail.Clean(s)
		if strings.ContainsAny(got, "\r\n\t\x00\u202e\u2066\u200b") || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 130 || strings.Contains(got, "://") {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}

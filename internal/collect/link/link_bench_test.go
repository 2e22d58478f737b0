package link_test

import (
	"testing"

	"footfall/internal/collect/link"
)

func BenchmarkPageAndReferrer(b *testing.B) {
	exclude := func(name string) bool { return name == "lang" }
	for _, c := range []struct{ name, page, referrer string }{
		{"plain", "https://www.example.com/blog/2026/a-post-about-something", "https://www.google.com/"},
		{"campaign", "https://www.example.com/pricing?plan=pro&utm_source=newsletter&utm_medium=email&utm_campaign=spring&gclid=EAIaIQobChMI", "https://mail.google.com/"},
		{"unicode", "https://example.de/%C3%BCber-uns/k%C3%B6ln?seite=2", "https://www.some-blog.example/post/1"},
		{"own", "https://www.example.com/blog/", "https://shop.example.com/cart"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, _ := link.ParsePage(c.page, link.Rules{Exclude: exclude})
				link.ParseReferrer(c.referrer, p)
			}
		})
	}
}

func BenchmarkHostileAddresses(b *testing.B) {
	for name, raw := range hostile {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, _ := link.ParsePage(raw, link.Rules{Hash: true})
				link.ParseReferrer(raw, p)
			}
		})
	}
}

func BenchmarkSpam(b *testing.B) {
	for b.Loop() {
		link.Spam("www.some-blog.example.com")
	}
}

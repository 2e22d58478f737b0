package demo

import "testing"

func TestSourcesAreNamedAsThoseOfRealHits(t *testing.T) {
	tests := map[string]struct {
		source        source
		campaign      campaign
		name, channel string
	}{
		"nobody sent them": {source{}, campaign{}, "", "Direct"},
		"a search":         {source{referrer: "google.com"}, campaign{}, "Google", "Organic Search"},
		"an assistant":     {source{referrer: "chatgpt.com"}, campaign{}, "ChatGPT", "AI Assistants"},
		"a newsletter":     {source{}, campaign{name: "weekly", source: "Newsletter", medium: "email"}, "Newsletter", "Email"},
		"an advertisement": {source{referrer: "linkedin.com"}, campaign{name: "leads", source: "linkedin", medium: "paid-social"}, "LinkedIn", "Paid Social"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.source.origin(test.campaign); got.Source != test.name || got.Channel != test.channel {
				t.Errorf("source %q by %q, want %q by %q", got.Source, got.Channel, test.name, test.channel)
			}
		})
	}
}

package agent_test

import (
	"strings"
	"testing"

	"footfall/internal/collect/agent"
)

func TestBotsAreToldFromPeople(t *testing.T) {
	cases := map[string]struct {
		ua  string
		bot bool
	}{
		"no agent":              {"", true},
		"spaces":                {"   ", true},
		"a word":                {"Mozilla", true},
		"absurdly long":         {chromeWindows + strings.Repeat(" x", 2000), true},
		"Googlebot":             {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true},
		"Googlebot as a phone":  {"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.7444.59 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true},
		"an AI crawler":         {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)", true},
		"an assistant":          {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", true},
		"Claude's reader":       {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)", true},
		"a headless browser":    {strings.Replace(chromeWindows, "Chrome/", "HeadlessChrome/", 1), true},
		"a speed test":          {chromeWindows + " Chrome-Lighthouse", true},
		"a library":             {"python-requests/2.32.3", true},
		"a library of tomorrow": {"snapfetcher/0.1", true},
		"a tool nobody knows":   {"Frobnicator/3.1 (linux)", true},
		"a bot nobody knows":    {"Mozilla/5.0 (compatible; Frobnicator/3.1)", true},
		"a preview":             {"WhatsApp/2.24.1.78 A", true},
		"an address to ask":     {chromeWindows + " (+https://example.org/why)", true},
		"an attack":             {"${jndi:ldap://x.example/a}", true},
		"no engine":             {"Mozilla/5.0 (Windows NT 10.0; Win64; x64)", true},

		"Chrome":                             {chromeWindows, false},
		"Safari":                             {safariMac, false},
		"a phone made by Cubot":              {"Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36", false},
		"Instagram, which a public list has": {"Mozilla/5.0 (Linux; Android 15; CPH2557 Build/AP3A.240617.008; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.142 Mobile Safari/537.36 Instagram 406.0.0.58.159 Android (35/15)", false},
		"Facebook, which a public list has":  {"Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL Build/CP1A.260305.018; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Facebook", false},
		"a page in an app":                   {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", false},
		"an app of Android":                  {"Dalvik/2.1.0 (Linux; U; Android 14; SM-S911B Build/UP1A.231005.007)", false},
		"Internet Explorer":                  {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0; .NET CLR 2.0.50727)", false},
		"Opera of old":                       {"Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12.388 Version/12.16", false},
		"an old phone":                       {"Nokia6300/2.0 (07.21) Profile/MIDP-2.0 Configuration/CLDC-1.1", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := agent.Bot(c.ua); got != c.bot {
				t.Errorf("%v, want %v: %s", got, c.bot, c.ua)
			}
		})
	}
}

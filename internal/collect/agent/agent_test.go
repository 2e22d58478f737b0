package agent_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"footfall/internal/collect/agent"
)

const (
	chromeWindows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
	chromeMac     = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
	chromeAndroid = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"
	safariMac     = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15"
)

func TestAgentsAreToldByTheirMostParticularName(t *testing.T) {
	cases := map[string]struct {
		ua   string
		want agent.Client
	}{
		"nothing":                      {"", agent.Client{}},
		"no browser":                   {"curl/8.5.0", agent.Client{}},
		"Edge, not Chrome, not Safari": {chromeWindows + " Edg/142.0.0.0", agent.Client{"Edge", "142", "Windows", "10", "Desktop"}},
		"Safari with its minor":        {safariMac, agent.Client{"Safari", "17.4", "macOS", "", "Desktop"}},
		"a Mac that is not frozen": {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_13_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Safari/605.1.15",
			agent.Client{"Safari", "12.1", "macOS", "10.13", "Desktop"}},
		"Internet Explorer 11": {"Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko", agent.Client{"Internet Explorer", "11", "Windows", "7", "Desktop"}},
		"Internet Explorer 8":  {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)", agent.Client{"Internet Explorer", "8", "Windows", "XP", "Desktop"}},
		"Opera of old":         {"Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12.388 Version/12.16", agent.Client{"Opera", "12", "Windows", "7", "Desktop"}},
		"Windows Phone, which says Android and iPhone too": {
			"Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537",
			agent.Client{"Internet Explorer", "11", "Windows Phone", "8.1", "Mobile"}},
		"Android's own browser": {"Mozilla/5.0 (Linux; U; Android 4.1.2; de-de; GT-I9300 Build/JZO54K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
			agent.Client{"Android Browser", "4", "Android", "4.1", "Mobile"}},
		"a phone that has a browser's name": {"Mozilla/5.0 (Linux; Android 14; motorola edge 50 ultra) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
			agent.Client{"Chrome", "130", "Android", "14", "Mobile"}},
		"a tablet that says Mobile": {"Mozilla/5.0 (Linux; Android 13; SM-X610) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
			agent.Client{"Chrome", "130", "Android", "13", "Tablet"}},
		"a television with Android": {"Mozilla/5.0 (Linux; Android 11; MiTV-MOOR4) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
			agent.Client{"Chrome", "120", "Android", "11", "Other"}},
		"a television with Linux": {"Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/84.0.4147.140 Safari/537.36",
			agent.Client{"Chrome", "84", "Linux", "", "Other"}},
		"brackets lost": {"Mozilla/5.0 Linux; Android 9; SM-T725 Build/PPR1 AppleWebKit/537.36 KHTML, like Gecko Chrome/75.0.3770.143 Safari/537.36",
			agent.Client{"Chrome", "75", "Android", "9", "Tablet"}},
		"lower case":                  {strings.ToLower(chromeAndroid), agent.Client{"Chrome", "142", "Android", "10", "Mobile"}},
		"a version that is none":      {"Mozilla/5.0 (Windows NT 99.9) Chrome/99999999999999999999.0 Safari/537.36", agent.Client{"Chrome", "", "Windows", "", "Desktop"}},
		"a browser strung to another": {"Mozilla/5.0 (Linux; U; Android 2.3.3; en-us ; CAT NOVA Build/GRI40) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1/UCBrowser/8.3.0.143/145/352", agent.Client{"UC Browser", "8", "Android", "2.3", "Mobile"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := agent.Parse(c.ua, agent.Hints{}); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestHintsTellWhatFrozenAgentsHide(t *testing.T) {
	chromium := func(name, version string) []agent.Brand {
		return []agent.Brand{{"Chromium", "142.0.7444.60"}, {"Not_A Brand", "99.0.0.0"}, {name, version}}
	}
	cases := map[string]struct {
		ua    string
		hints agent.Hints
		want  agent.Client
	}{
		"Windows 11":  {chromeWindows, agent.Hints{Platform: "Windows", PlatformVersion: "13.0.0"}, agent.Client{"Chrome", "142", "Windows", "11", "Desktop"}},
		"Windows 10":  {chromeWindows, agent.Hints{Platform: "Windows", PlatformVersion: "10.0.0"}, agent.Client{"Chrome", "142", "Windows", "10", "Desktop"}},
		"Windows 8.1": {chromeWindows, agent.Hints{Platform: "Windows", PlatformVersion: "0.3.0"}, agent.Client{"Chrome", "142", "Windows", "8.1", "Desktop"}},
		"platform without a version leaves the agent's": {chromeWindows, agent.Hints{Platform: "Windows"}, agent.Client{"Chrome", "142", "Windows", "10", "Desktop"}},
		"macOS": {chromeMac, agent.Hints{Platform: "macOS", PlatformVersion: "15.3.1"}, agent.Client{"Chrome", "142", "macOS", "15", "Desktop"}},
		"Android and a phone": {chromeAndroid, agent.Hints{Platform: "Android", PlatformVersion: "16.0.0", Model: "Pixel 10", Mobile: true},
			agent.Client{"Chrome", "142", "Android", "16", "Mobile"}},
		"Android and a tablet": {strings.Replace(chromeAndroid, "Mobile ", "", 1), agent.Hints{Platform: "Android", PlatformVersion: "15.0.0", Model: "SM-X710"},
			agent.Client{"Chrome", "142", "Android", "15", "Tablet"}},
		"Brave":                      {chromeWindows, agent.Hints{Brands: chromium("Brave", "142.0.0.0")}, agent.Client{"Brave", "142", "Windows", "10", "Desktop"}},
		"Edge":                       {chromeWindows, agent.Hints{Brands: chromium("Microsoft Edge", "142.0.3595.53")}, agent.Client{"Edge", "142", "Windows", "10", "Desktop"}},
		"Samsung Internet":           {chromeAndroid, agent.Hints{Brands: chromium("Samsung Internet", "29.0")}, agent.Client{"Samsung Internet", "29", "Android", "", "Mobile"}},
		"a brand of nobody":          {chromeWindows, agent.Hints{Brands: chromium("Evil\x00Brand", "1")}, agent.Client{"Chrome", "142", "Windows", "10", "Desktop"}},
		"an app wins over its brand": {chromeAndroid + " Instagram 408.0.0.51 Android", agent.Hints{Brands: chromium("Android WebView", "142.0.0.0")}, agent.Client{"Instagram", "408", "Android", "", "Mobile"}},
		"a browser in the agent wins over the brand Chrome": {chromeWindows + " OPR/126.0.0.0", agent.Hints{Brands: chromium("Google Chrome", "142")}, agent.Client{"Opera", "126", "Windows", "10", "Desktop"}},
		"a browser in the agent wins over the brand of its engine": {strings.Replace(chromeAndroid, "Safari", "DuckDuckGo/5 Safari", 1), agent.Hints{Brands: chromium("Android WebView", "142")},
			agent.Client{"DuckDuckGo", "5", "Android", "", "Mobile"}},
		"an iPad that says it is a Mac": {safariMac, agent.Hints{TouchPoints: 5}, agent.Client{"Safari", "17.4", "iPadOS", "17.4", "Tablet"}},
		"a Mac with a trackpad":         {safariMac, agent.Hints{TouchPoints: 1}, agent.Client{"Safari", "17.4", "macOS", "", "Desktop"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := agent.Parse(c.ua, c.hints); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestBrandsAreReadFromTheirHeader(t *testing.T) {
	cases := map[string]struct {
		header string
		want   []agent.Brand
	}{
		"nothing":         {"", nil},
		"junk":            {`;v=;,,"`, nil},
		"three":           {`"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"`, []agent.Brand{{"Chromium", "142"}, {"Google Chrome", "142"}, {"Not_A Brand", "99"}}},
		"signs in a name": {`"Not;A=Brand, (really)";v="8", "Opera";v="126.0.1"`, []agent.Brand{{"Not;A=Brand, (really)", "8"}, {"Opera", "126.0.1"}}},
		"escaped quotes":  {`"Not\"A";v="8", "Brave";v="1"`, []agent.Brand{{`Not\"A`, "8"}, {"Brave", "1"}}},
		"no version":      {`"Brave", "Chromium";v="142"`, []agent.Brand{{"Brave", ""}, {"Chromium", "142"}}},
		"cut short":       {`"Chromium";v="142", "Google Chr`, []agent.Brand{{"Chromium", "142"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := agent.ParseBrands(c.header)
			if len(got) != len(c.want) {
				t.Fatalf("%q, want %q", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("%q, want %q", got, c.want)
				}
			}
		})
	}
}

func TestManyBrandsAreNotAllRead(t *testing.T) {
	if n := len(agent.ParseBrands(strings.Repeat(`"A";v="1",`, 10_000))); n > 16 {
		t.Errorf("%d brands read", n)
	}
}

func TestLongAgentsAreReadUpToABound(t *testing.T) {
	for name, ua := range hostile {
		if agent.Parse(ua, agent.Hints{}) != agent.Parse(ua[:1024], agent.Hints{}) {
			t.Errorf("%s: what comes after 1 KiB changes the answer", name)
		}
		if !agent.Bot(ua) {
			t.Errorf("%s: 64 KiB are taken for a person", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range currentBrowsers(f)[:40] {
		f.Add(c.UA, c.Hints.Platform, c.Hints.PlatformVersion, c.Hints.Model, `"Google Chrome";v="142"`, c.Hints.Touch)
	}
	for _, ua := range hostile {
		f.Add(ua[:512], "Windows", "13", "\xff", `"\";v="`, -1)
	}
	f.Fuzz(func(t *testing.T, ua, platform, version, model, brands string, touch int) {
		h := agent.Hints{Brands: agent.ParseBrands(brands), Platform: platform, PlatformVersion: version, Model: model, TouchPoints: touch}
		c := agent.Parse(ua, h)
		for _, s := range []string{c.Browser, c.BrowserVersion, c.OS, c.OSVersion, c.Device} {
			if len(s) > 64 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("result %q", s)
			}
		}
		bot := agent.Bot(ua)
		looked, lookedBot := agent.NewCache(1).Look(ua, h)
		if looked != c || bot && !lookedBot {
			t.Errorf("the cache answers %+v, %v; want %+v, %v", looked, lookedBot, c, bot)
		}
	})
}

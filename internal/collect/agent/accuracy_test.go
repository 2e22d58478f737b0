package agent_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footfall/internal/collect/agent"
)

// The public lists lie beside the project, not in it: Matomo's agents with their names, and agents of known bots.
const lists = "../../../../shared/corpora"

// labelled is one agent as Matomo names it.
type labelled struct {
	UA      string `json:"ua"`
	Browser string `json:"browser_family"`
	OS      string `json:"os_family"`
	Device  string `json:"device"`
}

// family maps our names to Matomo's families where they differ. Browsers it knows of no family are Unknown there.
var family = map[string]string{
	"": "Unknown", "Edge": "Internet Explorer",

	"Android WebView": "Chrome", "Chromium": "Chrome", "Samsung Internet": "Chrome", "Huawei Browser": "Chrome", "Silk": "Chrome",
	"Mi Browser": "Chrome", "T-Browser": "Chrome", "Quark": "Chrome", "Phoenix Browser": "Chrome", "TV Bro": "Chrome", "Aloha": "Chrome",
	"Puffin": "Chrome", "Atom": "Chrome", "Meta Quest Browser": "Chrome", "Hi Browser": "Chrome", "HeyTap Browser": "Chrome", "Odin": "Chrome",
	"PICO Browser": "Chrome", "Meizu Browser": "Chrome", "DuckDuckGo": "Chrome", "Whale": "Chrome", "Brave": "Chrome", "Wolvic": "Chrome",
	"Ecosia": "Chrome", "Iron": "Chrome",

	"iOS WebView": "Safari", "Sogou Explorer": "Safari", "HONOR Browser": "Baidu",

	"Yandex Browser": "Unknown", "Yandex": "Unknown", "UC Browser": "Unknown", "LG Browser": "Unknown", "QQ Browser": "Unknown", "Openwave": "Unknown",
	"MAUI WAP Browser": "Unknown", "vivo Browser": "Unknown", "GOG Galaxy": "Unknown", "Samsung TV Browser": "Unknown", "BrowseHere": "Unknown",
	"Obigo": "Unknown", "GNOME Web": "Unknown", "Midori": "Unknown", "Sleipnir": "Unknown", "Lunascape": "Unknown", "Tizen Browser": "Unknown",
	"PlayStation Browser": "Unknown", "Netscape": "Unknown", "Maxthon": "Unknown", "Camino": "Unknown", "OmniWeb": "Unknown", "iCab": "Unknown",
	"Firefox Focus": "Unknown", "Dolphin": "Unknown", "360 Browser": "Unknown", "Sputnik": "Unknown", "PocketBook": "Unknown", "Kindle": "Unknown",
	"Espial": "Unknown", "ANT Galio": "Unknown", "Polaris": "Unknown", "Snowshoe": "Unknown",
}

// systemFamily maps our systems to Matomo's families where they differ.
var systemFamily = map[string]string{
	"": "Unknown", "macOS": "Mac", "iPadOS": "iOS", "Linux": "GNU/Linux", "ChromeOS": "Chrome OS", "HarmonyOS": "Android", "KaiOS": "Firefox OS",
	"Windows Phone": "Windows Mobile", "Xbox": "Windows", "Tizen": "Other Mobile", "webOS": "Other Mobile", "Bada": "Other Mobile",
	"VIDAA": "GNU/Linux", "Roku OS": "GNU/Linux", "Sailfish OS": "GNU/Linux", "Fuchsia": "GNU/Linux", "Java ME": "Real-time OS", "MRE": "Real-time OS",
	"FreeBSD": "Unix", "NetBSD": "Unix", "OpenBSD": "Unix", "Solaris": "Unix", "Haiku": "BeOS",
}

// deviceClass maps Matomo's devices to ours.
var deviceClass = map[string]string{
	"": "", "desktop": agent.Desktop, "tablet": agent.Tablet,
	"smartphone": agent.Mobile, "phablet": agent.Mobile, "feature phone": agent.Mobile,
	"tv": agent.Other, "console": agent.Other, "car browser": agent.Other, "wearable": agent.Other, "peripheral": agent.Other, "camera": agent.Other,
	"smart speaker": agent.Other, "smart display": agent.Other, "portable media player": agent.Other,
}

func mapped(table map[string]string, name string) string {
	if m, ok := table[name]; ok {
		return m
	}
	return name
}

// score counts right answers in the half that rules were made with and in the half that was held back.
type score struct{ right, all [2]int }

// half is 0 for agents the rules were made with, 1 for those held back.
func half(userAgent string) int { return int(sha256.Sum256([]byte(userAgent))[0] & 1) }

func (s *score) add(userAgent string, right bool) {
	h := half(userAgent)
	s.all[h]++
	if right {
		s.right[h]++
	}
}

func (s *score) share() float64 { return s.part(s.right[0]+s.right[1], s.all[0]+s.all[1]) }

// part is a percentage, rounded down to a tenth: what is said is never more than what was measured.
func (s *score) part(right, all int) float64 {
	return math.Floor(1000*float64(right)/float64(all)) / 10
}

// hold fails the test where a share is below its floor, or docs/accuracy.md says another one.
func hold(t *testing.T, what string, s *score, floor float64) {
	t.Helper()
	row := fmt.Sprintf("| %s | %d | %.1f %% | **%.1f %%** | %.1f %% | %.1f %% |", what, s.all[0]+s.all[1], floor, s.share(),
		s.part(s.right[0], s.all[0]), s.part(s.right[1], s.all[1]))
	t.Log(row)
	if s.share() < floor {
		t.Errorf("%s: %.1f %%, floor %.1f %%", what, s.share(), floor)
	}
	doc, err := os.ReadFile("../../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), row) {
		t.Errorf("docs/accuracy.md has no row %s", row)
	}
}

// complain shows wrong answers of the half the rules are made with, if asked to: the other half stays unseen.
func complain(t *testing.T, what, userAgent, got, want string) {
	if os.Getenv("FOOTFALL_TEST_SHOW") == what && half(userAgent) == 0 {
		t.Logf("%s: %q, want %q: %s", what, got, want, userAgent)
	}
}

func TestPublicListOfBrowsersIsNamedRight(t *testing.T) {
	var browser, system, device, people score
	for _, l := range browserList(t) {
		c := agent.Parse(l.UA, agent.Hints{})
		check := func(what string, s *score, got, want string) {
			s.add(l.UA, got == want)
			if got != want {
				complain(t, what, l.UA, got, want)
			}
		}
		check("browser", &browser, mapped(family, c.Browser), l.Browser)
		check("system", &system, mapped(systemFamily, c.OS), l.OS)
		check("device", &device, c.Device, deviceClass[l.Device])
		bot := agent.Bot(l.UA)
		people.add(l.UA, !bot)
		if bot {
			complain(t, "people", l.UA, "bot", "person")
		}
	}
	hold(t, "browser family", &browser, 98)
	hold(t, "system family", &system, 98.5)
	hold(t, "device class", &device, 89)
	hold(t, "browsers not taken for bots", &people, 99.5)
}

func TestPublicListOfBotsIsRecognised(t *testing.T) {
	var bots, own score
	for _, ua := range botList(t) {
		bot := agent.Bot(ua)
		bots.add(ua, bot)
		own.add(ua, agent.BotByOwnRules(ua))
		if !bot {
			complain(t, "bot", ua, "person", "bot")
		}
	}
	hold(t, "bots recognised", &bots, 99.5)
	hold(t, "bots recognised without the public lists", &own, 97)
}

func browserList(t testing.TB) (all []labelled) {
	lines(t, filepath.Join(lists, "browsers.jsonl"), func(line string) {
		var l labelled
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	})
	return all
}

func botList(t testing.TB) (all []string) {
	lines(t, filepath.Join(lists, "bots.txt"), func(line string) { all = append(all, line) })
	return all
}

// lines reads a list, or skips the test where it is absent: in CI that is a failure.
func lines(t testing.TB, file string, each func(line string)) {
	t.Helper()
	f, err := os.Open(file)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skipf("accuracy is not measured: %s is absent; docs/accuracy.md says what belongs there", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if strings.TrimSpace(s.Text()) != "" {
			each(s.Text())
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

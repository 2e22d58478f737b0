package agent_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"footfall/internal/collect/agent"
)

func TestCacheAnswersAsTheParserDoes(t *testing.T) {
	c := agent.NewCache(64)
	for range 3 { // the second and third from memory, some pushed out between
		for _, b := range currentBrowsers(t) {
			got, bot := c.Look(b.UA, b.hints())
			if want := agent.Parse(b.UA, b.hints()); got != want || bot {
				t.Fatalf("%+v, bot %v, want %+v: %s", got, bot, want, b.UA)
			}
		}
		if _, bot := c.Look("curl/8.5.0", agent.Hints{}); !bot {
			t.Fatal("curl is taken for a person")
		}
	}
}

func TestCacheTellsHintsApart(t *testing.T) {
	c := agent.NewCache(1000)
	for range 2 {
		for _, h := range []agent.Hints{
			{}, {Platform: "Windows", PlatformVersion: "13"}, {Platform: "Windows", PlatformVersion: "10"}, {PlatformVersion: "Windows13"},
			{Brands: []agent.Brand{{"Brave", "1"}}}, {Brands: []agent.Brand{{"Vivaldi", "7"}}},
		} {
			if got, _ := c.Look(chromeWindows, h); got != agent.Parse(chromeWindows, h) {
				t.Errorf("%+v with %+v", got, h)
			}
		}
		if got, _ := c.Look(safariMac, agent.Hints{TouchPoints: 5}); got.Device != agent.Tablet {
			t.Errorf("an iPad is %s", got.Device)
		}
		if got, _ := c.Look(safariMac, agent.Hints{}); got.Device != agent.Desktop {
			t.Errorf("a Mac is %s", got.Device)
		}
	}
}

func TestHeadlessBrandIsABot(t *testing.T) {
	h := agent.Hints{Brands: []agent.Brand{{"HeadlessChrome", "142"}}}
	if _, bot := agent.NewCache(1).Look(chromeWindows, h); !bot {
		t.Error("taken for a person")
	}
}

func TestCacheIsBoundedWhateverIsAsked(t *testing.T) {
	c := agent.NewCache(1000)
	c.Look(chromeWindows, agent.Hints{})
	before := heap()
	pad := strings.Repeat("x", 16<<10)
	for i := range 2_000 { // 32 MB of agents
		c.Look(fmt.Sprintf("%s %d %s", chromeWindows, i, pad), agent.Hints{})
	}
	if grown := heap() - before; grown > 2<<20 {
		t.Errorf("%d KiB kept for 1000 entries", grown>>10)
	}
	runtime.KeepAlive(c)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestCacheServesManyAtOnce(t *testing.T) {
	c, all := agent.NewCache(50), currentBrowsers(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				b := all[(i*7+g)%len(all)]
				if got, _ := c.Look(b.UA, b.hints()); got.Browser != b.Browser {
					t.Errorf("%s, want %s", got.Browser, b.Browser)
				}
			}
		})
	}
	wg.Wait()
}

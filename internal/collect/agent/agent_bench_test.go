package agent_test

import (
	"strings"
	"testing"

	"footfall/internal/collect/agent"
)

func BenchmarkParse(b *testing.B) {
	all := currentBrowsers(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		agent.Parse(all[i%len(all)].UA, agent.Hints{})
	}
}

func BenchmarkBot(b *testing.B) {
	all := currentBrowsers(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		agent.Bot(all[i%len(all)].UA)
	}
}

// BenchmarkCacheLook has the usual repetition: few agents, many times, half of them with hints.
func BenchmarkCacheLook(b *testing.B) {
	all := currentBrowsers(b)
	hints := make([]agent.Hints, len(all))
	for i, c := range all {
		hints[i] = c.hints()
	}
	c := agent.NewCache(10_000)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			c.Look(all[i%len(all)].UA, hints[i%len(all)])
		}
	})
}

// hostile are 64 KiB of what costs a careless parser most.
var hostile = map[string]string{
	"one long word":   strings.Repeat("a", 64<<10),
	"many words":      strings.Repeat("a ", 32<<10),
	"many brackets":   "Mozilla/5.0 " + strings.Repeat("(", 32<<10) + strings.Repeat(")", 32<<10),
	"many browsers":   strings.Repeat("Chrome/1 ", 7<<10),
	"many slashes":    strings.Repeat("Chrome/x/", 7<<10),
	"many models":     "Mozilla/5.0 (Linux; Android 14; " + strings.Repeat("SM-T TAB-", 7<<10),
	"almost bots":     strings.Repeat("cubot crawfetc spide ", 3<<10),
	"many parts":      "Mozilla/5.0 (Linux; Android 14; " + strings.Repeat("U;", 32<<10),
	"bytes, no UTF-8": strings.Repeat("\xff\xfe/\x80 ", 13<<10),
}

func BenchmarkHostile(b *testing.B) {
	for name, ua := range hostile {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				agent.Parse(ua, agent.Hints{})
				agent.Bot(ua)
			}
		})
	}
}

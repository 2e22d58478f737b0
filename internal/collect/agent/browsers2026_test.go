package agent_test

import (
	"encoding/json"
	"testing"

	"footfall/internal/collect/agent"
)

// current is one agent of a browser of 2026, in testdata, with what it is.
type current struct {
	UA        string `json:"ua"`
	Browser   string `json:"browser"`
	Version   string `json:"version"`
	OS        string `json:"os"`
	OSVersion string `json:"os_version"`
	Device    string `json:"device"`
	Hints     struct {
		Brands          [][2]string `json:"brands"`
		Platform        string      `json:"platform"`
		PlatformVersion string      `json:"platform_version"`
		Model           string      `json:"model"`
		Mobile          bool        `json:"mobile"`
		Touch           int         `json:"touch"`
	} `json:"hints"`
}

func (c current) hints() agent.Hints {
	h := agent.Hints{
		Platform: c.Hints.Platform, PlatformVersion: c.Hints.PlatformVersion, Model: c.Hints.Model, Mobile: c.Hints.Mobile, TouchPoints: c.Hints.Touch,
	}
	for _, b := range c.Hints.Brands {
		h.Brands = append(h.Brands, agent.Brand{Name: b[0], Version: b[1]})
	}
	return h
}

func currentBrowsers(t testing.TB) (all []current) {
	lines(t, "testdata/browsers2026.jsonl", func(line string) {
		var c current
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	})
	return all
}

func TestBrowsersOf2026AreNamedRight(t *testing.T) {
	all := currentBrowsers(t)
	if len(all) < 200 {
		t.Fatalf("%d agents, the list has 200 and more", len(all))
	}
	for _, c := range all {
		got, want := agent.Parse(c.UA, c.hints()), agent.Client{Browser: c.Browser, BrowserVersion: c.Version, OS: c.OS, OSVersion: c.OSVersion, Device: c.Device}
		if got != want {
			t.Errorf("%+v, want %+v: %s", got, want, c.UA)
		}
		if agent.Bot(c.UA) {
			t.Errorf("taken for a bot: %s", c.UA)
		}
	}
}

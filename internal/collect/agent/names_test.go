package agent_test

import (
	"testing"

	"footfall/internal/collect/agent"
)

func TestEveryWordOfTheTablesIsRead(t *testing.T) {
	for word, names := range agent.Browsers() {
		ua := "Mozilla/5.0 (Unheard) " + word + "/5.0"
		if got := agent.Parse(ua, agent.Hints{}); len(names) != 1 || got.Browser != names[0] {
			t.Errorf("%q is read as %q, listed as %q", word, got.Browser, names)
		}
	}
	for word, names := range agent.Systems() {
		ua := "Mozilla/5.0 (" + word + "; Unheard)"
		if got := agent.Parse(ua, agent.Hints{}); len(names) != 1 || got.OS != names[0] {
			t.Errorf("%q is read as %q, listed as %q", word, got.OS, names)
		}
	}
}

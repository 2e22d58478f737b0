package webhook_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"footfall/internal/webhook"
)

// The examples of docs/alerts.md are run: they take what is signed, and nothing else.
func TestExamplesVerifySignatures(t *testing.T) {
	text, err := os.ReadFile("../../docs/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_773_000_000, 0)
	body := `{"id":"x","domain":"bücher.example"}`
	good := webhook.Sign(secret, at, []byte(body))
	for name, c := range map[string]struct {
		program []string
		call    string // with the secret, the header, the body and the time
	}{
		"js":     {[]string{"node", "-e"}, "console.log(verify(%q, %q, Buffer.from(%q), %d))"},
		"python": {[]string{"python3", "-c"}, "print(str(verify(%q, %q, %q.encode(), %d)).lower())"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(c.program[0]); err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			example := regexp.MustCompile("(?s)```" + name + "\n(.*?)```").FindSubmatch(text)
			if example == nil {
				t.Fatal("there is no example")
			}
			source := string(example[1])
			call := func(secret, header, body string, now int64) {
				source += "\n" + fmt.Sprintf(c.call, secret, header, body, now)
			}
			now := at.Unix()
			call(secret, good, body, now)
			call(secret, good, body, now+299)
			call(secret, good, body, now+301) // too old
			call(secret, good, body, now-301) // of the future
			call(secret, good, body+" ", now)
			call("ffw_another", good, body, now)
			call(secret, strings.Replace(good, "t=1773000000", "t=1773000001", 1), body, now)
			call(secret, good[:len(good)-1], body, now)
			call(secret, "t=,v1=", body, now)
			call(secret, "nonsense", body, now)
			out, err := exec.Command(c.program[0], c.program[1], source).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if got := strings.Fields(string(out)); strings.Join(got, " ") != "true true"+strings.Repeat(" false", 8) {
				t.Errorf("said %v", got)
			}
		})
	}
}

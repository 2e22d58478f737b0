package app

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettingsComeFromVariablesThenFlags(t *testing.T) {
	serve, _ := findCommand([]string{"serve"})
	environ := []string{"FOOTFALL_DATA_DIR=/from/variable", "FOOTFALL_LISTEN=:1", "FOOTFALL_RATE_LIMIT_KEY=7", "HOME=/home/anna"}
	c, err := readConfig(serve, []string{"--listen", ":2", "-memory-limit=1GiB", "--trusted-proxies", "10.0.0.0/8, 192.0.2.1"}, environ)
	if err != nil {
		t.Fatal(err)
	}
	if c.dataDir != "/from/variable" || c.listen != ":2" || c.limits.Key != 7 || c.limits.Secret != 10 || c.memoryLimit != 1<<30 || len(c.trustedProxies) != 2 ||
		c.logLevel != slog.LevelWarn || c.journalBytes != 4<<30 {
		t.Errorf("settings are %+v", c)
	}
}

func TestDefaultsAreGood(t *testing.T) {
	for _, c := range commands() {
		args := make([]string, len(c.args))
		if _, err := readConfig(&c, args, nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestMistakesInSettingsAreToldAllAtOnce(t *testing.T) {
	serve, _ := findCommand([]string{"serve"})
	environ := []string{"FOOTFALL_RATE_LIMIT_KEY=many", "FOOTFALL_METRICS_TOKEN_FILE=/does/not/exist"}
	args := []string{"--memory-limit=lots", "--colour", "red", "--base-url=example.com/path", "--trusted-proxies=x", "--cors-origins=https://a.example/path",
		"--log-level=loud", "--tls-cert=c.pem", "leftover", "--journal-max-bytes=-1", "--listen"}
	_, err := readConfig(serve, args, environ)
	if err == nil {
		t.Fatal("no mistake was found")
	}
	for _, want := range []string{
		"FOOTFALL_RATE_LIMIT_KEY must be a whole number", "FOOTFALL_METRICS_TOKEN_FILE: ", "--memory-limit must be a size", "--colour is no flag", "--base-url must be",
		"--trusted-proxies must be", "--cors-origins must be", "--log-level must be", "--tls-cert and --tls-key", "leftover is too much", "--journal-max-bytes must be", "--listen has no value",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("mistakes lack %q:\n%v", want, err)
		}
	}
}

func TestSecretsCanComeFromFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve, _ := findCommand([]string{"serve"})
	c, err := readConfig(serve, nil, []string{"FOOTFALL_METRICS_TOKEN_FILE=" + path, "FOOTFALL_LISTEN_FILE=" + path})
	if err != nil || c.metricsToken != "secret" || c.listen == "secret" {
		t.Errorf("token is %q, listen is %q: %v", c.metricsToken, c.listen, err)
	}
}

func TestUnreadableCommandsAreExplained(t *testing.T) {
	cases := map[string]struct {
		args   []string
		status int
		out    string // on standard error, or on standard output if the status is 0
	}{
		"nothing":            {nil, 2, "footfall serve"},
		"an unknown command": {[]string{"dance"}, 2, `no command "dance"`},
		"half a command":     {[]string{"user"}, 2, `no command "user"`},
		"no argument":        {[]string{"user", "add"}, 2, "EMAIL is missing"},
		"help":               {[]string{"help"}, 0, "footfall key revoke EMAIL ID"},
		"--help":             {[]string{"--help"}, 0, "footfall key revoke EMAIL ID"},
		"help of a command":  {[]string{"key", "add", "--help"}, 0, "--scope"},
		"version":            {[]string{"version"}, 0, "footfall dev"},
	}
	for name, c := range cases {
		var out, errOut bytes.Buffer
		status := run(t.Context(), c.args, nil, &terminal{in: strings.NewReader(""), out: &out, err: &errOut})
		text := out.String()
		if c.status != 0 {
			text = errOut.String()
		}
		if status != c.status || !strings.Contains(text, c.out) {
			t.Errorf("%s: %d, %q %q", name, status, out.String(), errOut.String())
		}
	}
}

// The table of the docs is what --help says.
func TestDocsHaveEverySetting(t *testing.T) {
	const path = "../../docs/settings.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i := range settings {
		rows.WriteString(settings[i].row())
	}
	if !strings.Contains(string(page), rows.String()) {
		t.Errorf("%s must have these rows:\n%s", path, rows.String())
	}
	if n := strings.Count(string(page), "| `--"); n != len(settings) {
		t.Errorf("%s has %d rows, and there are %d settings", path, n, len(settings))
	}
	serve, _ := findCommand([]string{"serve"})
	for i := range settings {
		if !strings.Contains(serve.usage(), "  --"+settings[i].name+" ("+settings[i].variable()) {
			t.Errorf("serve --help lacks --%s", settings[i].name)
		}
	}
}

// row is a setting as a row of the table in the docs.
func (s *setting) row() string {
	value := "–"
	if s.value != "" {
		value = "`" + s.value + "`"
	}
	variable := "`" + s.variable() + "`"
	if s.secret {
		variable += " or `" + s.variable() + "_FILE`"
	}
	return "| `--" + s.name + "` | " + variable + " | " + value + " | " + s.help + " |\n"
}

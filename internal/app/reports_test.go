package app

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"footfall/internal/mail/mailtest"
)

func TestMailIsTestedFromTheShell(t *testing.T) {
	server := mailtest.Start(t, mailtest.Options{User: "anna", Password: "sesame"})
	at := []string{"--mail-host", "127.0.0.1", "--mail-port", strconv.Itoa(server.Port), "--mail-security", "none", "--mail-from", "Footfall <stats@example.com>"}
	cases := map[string]struct {
		args    []string
		environ []string
		status  int
		out     string
	}{
		"right": {append(at, "--base-url", "https://stats.example.com"), []string{"FOOTFALL_MAIL_USER=anna", "FOOTFALL_MAIL_PASSWORD=sesame"}, 0,
			"127.0.0.1 took an email for ben@example.com"},
		"without a base URL": {at, []string{"FOOTFALL_MAIL_USER=anna", "FOOTFALL_MAIL_PASSWORD=sesame"}, 0, "Reports are not sent yet"},
		"a wrong password":   {at, []string{"FOOTFALL_MAIL_USER=anna", "FOOTFALL_MAIL_PASSWORD=wrong"}, 1, "sign in to the mail server"},
		"no settings":        {nil, nil, 1, "set --mail-host and --mail-from first"},
		"no sender":          {[]string{"--mail-host", "127.0.0.1"}, nil, 2, "--mail-host needs --mail-from"},
		"junk":               {[]string{"--mail-port", "0", "--mail-security", "ssl", "--mail-from", "nobody"}, nil, 2, "--mail-security must be starttls, tls or none"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := len(server.Mails())
			var out bytes.Buffer
			args := append([]string{"mail", "test", "ben@example.com"}, c.args...)
			status := run(t.Context(), args, c.environ, &terminal{in: strings.NewReader(""), out: &out, err: &out})
			if status != c.status || !strings.Contains(out.String(), c.out) || strings.Contains(out.String(), "sesame") {
				t.Errorf("it is %d: %s", status, out.String())
			}
			if got := len(server.Mails()) - before; (got == 1) != (c.status == 0) {
				t.Errorf("%d mails", got)
			}
		})
	}
}

func TestInstallationSaysWhyNoMailIsSent(t *testing.T) {
	serve, _ := findCommand([]string{"serve"})
	for want, args := range map[string][]string{
		"--mail-host": nil,
		"--base-url":  {"--mail-host", "mail.example.com", "--mail-from", "stats@example.com"},
		"":            {"--mail-host", "mail.example.com", "--mail-from", "stats@example.com", "--base-url", "https://stats.example.com"},
	} {
		c, err := readConfig(serve, args, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.noMail(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("with %v it is %q, want %q", args, got, want)
		}
	}
}

package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A command is something that can be typed.
type command struct {
	name     string
	args     []string // what follows the name, each of them required
	options  []option // flags of this command alone
	settings []string // that it uses
	help     string
	run      func(ctx context.Context, c *config, t *terminal) error
}

// An option is a flag of one command. It is no setting: it has no variable, and its default is the command's affair.
type option struct{ name, help string }

// switches are the options that have no value.
var switches = []string{"disable-totp"}

// ofDatabase are the settings of commands that need the accounts alone. These work beside a running service.
var ofDatabase = []string{"data-dir", "database-url", "log-level"}

// ofMail are the settings of sending email.
var ofMail = []string{"mail-host", "mail-port", "mail-security", "mail-user", "mail-password", "mail-from"}

// commands are all that can be typed.
func commands() []command {
	return []command{
		{"serve", nil, nil, settingNames(), "Run the service. The first start prints a link that makes the first account.", serve},
		{"demo", nil, []option{{"until", "last day of the traffic, such as 2025-12-31; default today"}}, []string{"listen", "log-level"},
			"Look around: run the service with a year of made-up traffic. Nothing stays when it stops.", demonstrate},
		{"user add", []string{"EMAIL"}, []option{{"name", "name of the person"}, {"role", "admin or member; default member, and admin for the first"}},
			ofDatabase, "Make an account. The password comes from standard input.", addUser},
		{"user list", nil, nil, ofDatabase, "List the accounts.", listUsers},
		{"user passwd", []string{"EMAIL"}, []option{{"disable-totp", "also end two-factor sign-in, for those who lost their device and their recovery codes"}},
			ofDatabase, "Give an account the password from standard input. Its sessions end.", setUserPassword},
		{"user delete", []string{"EMAIL"}, nil, ofDatabase, "Delete an account with its websites, keys and sessions.", deleteUser},
		{"key add", []string{"EMAIL"}, []option{{"name", "what the key is for"}, {"scope", "read or manage; default manage"}, {"expires", "date or time; default never"}},
			ofDatabase, "Make an API key and print it. It cannot be shown again.", addKey},
		{"key list", []string{"EMAIL"}, nil, ofDatabase, "List the API keys of an account.", listKeys},
		{"key revoke", []string{"EMAIL", "ID"}, nil, ofDatabase, "End an API key.", revokeKey},
		{"backup", []string{"FILE"}, nil, ofDatabase,
			"Copy the data directory to a new file, or to standard output if that is -. The service may run meanwhile.", writeBackup},
		{"restore", []string{"FILE"}, nil, []string{"data-dir", "log-level"},
			"Make a data directory of a file that backup wrote, or of standard input if that is -. It must not exist yet.", restoreBackup},
		{"verify", nil, nil, []string{"data-dir", "log-level"}, "Read all of the stored history and name the files that are damaged. The service must not run.", verify},
		{"mail test", []string{"ADDRESS"}, nil, slices.Concat([]string{"base-url", "log-level"}, ofMail),
			"Send an email to an address, to see whether the mail settings are right.", testMail},
		{"report preview", []string{"WEBSITE"}, []option{{"period", "week or month; default week"}, {"locale", "language, such as de; default en"},
			{"out", "file to write the HTML to; default standard output"}}, slices.Concat(ofDatabase, []string{"base-url", "listen", "journal-max-bytes"}),
			"Show the report on a website, by its domain or id, as it would be sent. The service may run meanwhile.", previewReport},
		{"export", []string{"DOMAIN", "FILE"}, []option{{"from", "first day, such as 2025-01-31; default the first there is"}, {"to", "last day; default today"},
			{"format", "csv or jsonl; default csv"}}, ofDatabase,
			"Write all events of a website to a file, packed if it ends in .gz, or to standard output if it is -. The service may run meanwhile.", exportEvents},
		{"import", []string{"DOMAIN", "FILE"}, []option{{"format", "csv, jsonl, goatcounter or log; default csv"},
			{"url", "where the service runs that takes the file, such as https://stats.example.com; default none, then none may run"},
			{"key", "API key for it; default what FOOTFALL_KEY says"}}, slices.Concat(ofDatabase, []string{"journal-max-bytes", "geoip", "datacenter-networks"}),
			"Bring the events of a file into a website: what export wrote, what GoatCounter did, or the access log of a web server.", importEvents},
		{"version", nil, nil, nil, "Print the version.", printVersion},
		{"help", nil, nil, nil, "Print this.", printHelp},
	}
}

func settingNames() []string {
	names := make([]string, len(settings))
	for i := range settings {
		names[i] = settings[i].name
	}
	return names
}

// findCommand finds the command that the arguments begin with.
func findCommand(args []string) (c *command, rest []string) {
	if len(args) == 1 && isHelp(args[0]) {
		args = []string{"help"}
	}
	for _, c := range commands() {
		name := strings.Fields(c.name)
		if len(args) >= len(name) && slices.Equal(args[:len(name)], name) {
			return &c, args[len(name):]
		}
	}
	return nil, nil
}

// setting finds a setting that the command uses.
func (c *command) setting(name string) *setting {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
	if i < 0 || !slices.Contains(c.settings, name) {
		return nil
	}
	return &settings[i]
}

func (c *command) option(name string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return o.name == name })
}

// usage is what --help prints.
func (c *command) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "footfall %s\n\n%s\n", strings.Join(append([]string{c.name}, c.args...), " "), c.help)
	if len(c.options)+len(c.settings) > 0 {
		b.WriteString("\nFlags:\n")
	}
	for _, o := range c.options {
		fmt.Fprintf(&b, "  --%s\n        %s\n", o.name, o.help)
	}
	for _, name := range c.settings {
		s := c.setting(name)
		fmt.Fprintf(&b, "  --%s (%s", s.name, s.variable())
		if s.secret {
			fmt.Fprintf(&b, ", %s_FILE", s.variable())
		}
		fmt.Fprintf(&b, ")\n        %s", s.help)
		if s.value != "" {
			fmt.Fprintf(&b, "; default %s", s.value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// overview lists the commands.
func overview() string {
	var b strings.Builder
	b.WriteString("Footfall is website analytics that you run yourself.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  footfall %-24s %s\n", strings.Join(append([]string{c.name}, c.args...), " "), c.help)
	}
	b.WriteString("\nEach command explains its flags with --help.\n")
	return b.String()
}

func printHelp(_ context.Context, _ *config, t *terminal) error {
	_, err := fmt.Fprint(t.out, overview())
	return err
}

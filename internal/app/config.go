package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"footfall/internal/httpapi"
	"footfall/internal/mail"
)

// A config is all settings, and what else was written after a command.
type config struct {
	dataDir        string
	databaseURL    string
	listen         string
	baseURL        *url.URL
	tlsCert        string
	tlsKey         string
	trustedProxies []netip.Prefix
	addressHeader  string
	corsOrigins    []string
	limits         httpapi.Limits
	metricsListen  string
	metricsToken   string
	logLevel       slog.Level
	memoryLimit    int64
	journalBytes   int64
	geoip          string
	networks       string
	honourSignals  bool
	mail           mail.Settings
	webhookPrivate bool

	args    []string          // what the command's name is followed by
	options map[string]string // of the command, by name
	environ []string
}

// A setting is a flag and a variable with the same name: --data-dir is FOOTFALL_DATA_DIR.
type setting struct {
	name   string
	value  string // the default
	help   string
	secret bool // FOOTFALL_…_FILE names a file to read it from
	set    func(c *config, value string) error
}

// settings are all that can be set.
var settings = []setting{
	{"data-dir", "./footfall-data", "directory of all data; it is made if there is none", false, setText(func(c *config) *string { return &c.dataDir })},
	{"database-url", "", "accounts database: postgres://USER:PASSWORD@HOST/NAME, or the path of an SQLite file; default footfall.db in the data directory", true,
		setText(func(c *config) *string { return &c.databaseURL })},
	{"listen", "127.0.0.1:8080", "address and port to answer on; :8080 is all addresses of the machine", false, setText(func(c *config) *string { return &c.listen })},
	{"base-url", "", "what people reach the service at, such as https://stats.example.com; default what each request says", false, (*config).setBaseURL},
	{"tls-cert", "", "certificate file for TLS, with its chain", false, setText(func(c *config) *string { return &c.tlsCert })},
	{"tls-key", "", "key file for TLS", false, setText(func(c *config) *string { return &c.tlsKey })},
	{"trusted-proxies", "", "addresses and ranges of proxies to believe forwarded headers from, with commas; loopback always is", false, (*config).setProxies},
	{"client-address-header", "", "header in which these proxies tell the client's address, such as CF-Connecting-IP; default X-Forwarded-For, Forwarded or X-Real-IP", false,
		(*config).setAddressHeader},
	{"cors-origins", "", "origins whose pages may use the interface with a key, with commas, such as https://example.com; * is all", false, (*config).setOrigins},
	{"rate-limit-address", "12000", "requests a minute from one address; 0 is any number", false, setCount(func(c *config) *int { return &c.limits.Address })},
	{"rate-limit-key", "6000", "requests a minute with one key or in one session; 0 is any number", false, setCount(func(c *config) *int { return &c.limits.Key })},
	{"rate-limit-sign-in", "10", "sign-ins and other uses of a password a minute from one address; 0 is any number", false,
		setCount(func(c *config) *int { return &c.limits.Secret })},
	{"rate-limit-collect", "0", "requests a minute from one address that send events or load the tracker; 0 is any number", false,
		setCount(func(c *config) *int { return &c.limits.Collect })},
	{"geoip", "", "MMDB file to find places in, such as GeoLite2-City.mmdb; it is read again when it changes; default what is built in", false,
		setText(func(c *config) *string { return &c.geoip })},
	{"datacenter-networks", "", "file with networks of data centres, one in a line, such as 192.0.2.0/24; their hits are taken for those of bots; it is read again when it changes", false,
		setText(func(c *config) *string { return &c.networks })},
	{"privacy-signals", "ignore", "what to do with Do Not Track and Global Privacy Control: ignore them unless a website asks to respect them, or honour them on all websites and drop the hit", false,
		(*config).setPrivacySignals},
	{"metrics-listen", "", "address and port to answer /metrics on, and nothing else; default none", false, setText(func(c *config) *string { return &c.metricsListen })},
	{"metrics-token", "", "what /metrics asks for as Authorization: Bearer TOKEN; without it /metrics is only on --metrics-listen", true,
		setText(func(c *config) *string { return &c.metricsToken })},
	{"log-level", "warn", "least level of what is logged to standard error: debug, info, warn or error; info has a line for each request", false, (*config).setLogLevel},
	{"memory-limit", "200MiB", "memory that the service tries to stay below, such as 500MiB or 2GiB", false, setSize(func(c *config) *int64 { return &c.memoryLimit })},
	{"mail-host", "", "SMTP server to send email through, such as smtp.example.com; without it no email is sent", false,
		setText(func(c *config) *string { return &c.mail.Host })},
	{"mail-port", "", "port of the mail server; default 587 for starttls, 465 for tls, 25 for none", false, (*config).setMailPort},
	{"mail-security", "starttls", "how the connection to the mail server is protected: starttls, tls, or none", false, (*config).setMailSecurity},
	{"mail-user", "", "user name at the mail server; without it nobody signs in there", false, setText(func(c *config) *string { return &c.mail.User })},
	{"mail-password", "", "password at the mail server", true, setText(func(c *config) *string { return &c.mail.Password })},
	{"mail-from", "", "sender of emails, such as stats@example.com or Footfall <stats@example.com>", false, (*config).setMailFrom},
	{"webhook-allow-private", "no", "whether webhooks may lead to this machine and to private networks: yes or no", false, (*config).setWebhookPrivate},
	{"journal-max-bytes", "4GiB", "size of the journal at which events are not accepted any more", false, setSize(func(c *config) *int64 { return &c.journalBytes })},
}

// variable is the name of the environment variable of a setting.
func (s *setting) variable() string {
	return "FOOTFALL_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// readConfig reads the settings of a command: defaults, then variables, then flags. It tells all that is wrong at once.
func readConfig(c *command, args, environ []string) (*config, error) {
	f := &config{options: make(map[string]string), environ: environ}
	var wrong []error
	mistake := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf("  "+format, args...)) }
	apply := func(s *setting, from, value string) {
		if err := s.set(f, value); err != nil {
			mistake("%s %w", from, err)
		}
	}
	for i := range settings {
		s := &settings[i]
		apply(s, s.name, s.value)
		value, from, err := s.fromEnviron(environ)
		switch {
		case err != nil:
			mistake("%w", err)
		case from != "" && slices.Contains(c.settings, s.name):
			apply(s, from, value)
		}
	}
	for len(args) > 0 {
		name, value, rest, err := nextFlag(args)
		if err != nil {
			mistake("%w", err)
		}
		args = rest
		switch s := c.setting(name); {
		case err != nil:
		case name == "":
			f.args = append(f.args, value)
		case s != nil:
			apply(s, "--"+name, value)
		case c.option(name):
			f.options[name] = value
		default:
			mistake("--%s is no flag of this command", name)
		}
	}
	if n := len(c.args); len(f.args) < n {
		mistake("%s is missing", strings.Join(c.args[len(f.args):], " "))
	} else if len(f.args) > n {
		mistake("%s is too much", strings.Join(f.args[n:], " "))
	}
	if f.mail.Host != "" && f.mail.From == "" {
		mistake("--mail-host needs --mail-from: who sends the emails")
	}
	if (f.tlsCert == "") != (f.tlsKey == "") {
		mistake("--tls-cert and --tls-key are of use only together")
	}
	return f, errors.Join(wrong...)
}

// nextFlag takes a flag with its value off the arguments, or a value without one. Everything after -- is a value.
func nextFlag(args []string) (name, value string, rest []string, err error) {
	arg, rest := args[0], args[1:]
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		return "", arg, rest, nil
	}
	name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	if ok || slices.Contains(switches, name) {
		return name, value, rest, nil
	}
	if len(rest) == 0 || strings.HasPrefix(rest[0], "--") {
		return name, "", rest, fmt.Errorf("--%s has no value", name)
	}
	return name, rest[0], rest[1:], nil
}

// fromEnviron is the value of a setting's variable, and the variable's name; both are "" if it is not set. A later variable counts, as
// for a shell.
func (s *setting) fromEnviron(environ []string) (value, from string, err error) {
	for _, line := range environ {
		name, v, _ := strings.Cut(line, "=")
		switch {
		case name == s.variable():
			value, from = v, name
		case name == s.variable()+"_FILE" && s.secret:
			content, err := os.ReadFile(v)
			if err != nil {
				return "", "", fmt.Errorf("%s: %w", name, err)
			}
			value, from = strings.TrimSpace(string(content)), name
		}
	}
	return value, from, nil
}

func setText(at func(*config) *string) func(*config, string) error {
	return func(c *config, value string) error {
		*at(c) = value
		return nil
	}
}

func setCount(at func(*config) *int) func(*config, string) error {
	return func(c *config, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 60_000_000 {
			return fmt.Errorf("must be a whole number from 0 to 60000000, not %q", value)
		}
		*at(c) = n
		return nil
	}
}

// sizes are the units of a size, the longer names first.
var sizes = []struct {
	unit  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

func setSize(at func(*config) *int64) func(*config, string) error {
	return func(c *config, value string) error {
		for _, s := range sizes {
			digits, ok := strings.CutSuffix(value, s.unit)
			if !ok {
				continue
			}
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err != nil || n <= 0 || n > (1<<50)/s.bytes {
				break
			}
			*at(c) = n * s.bytes
			return nil
		}
		return fmt.Errorf("must be a size such as 500MiB or 2GiB, not %q", value)
	}
}

func (c *config) setBaseURL(value string) error {
	c.baseURL = nil
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("must be a URL without a path, such as https://stats.example.com, not %q", value)
	}
	c.baseURL = &url.URL{Scheme: u.Scheme, Host: u.Host}
	return nil
}

func (c *config) setProxies(value string) error {
	c.trustedProxies = nil
	for _, s := range list(value) {
		prefix, err := netip.ParsePrefix(s)
		if a, addrErr := netip.ParseAddr(s); err != nil && addrErr == nil {
			prefix, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return fmt.Errorf("must be addresses and ranges such as 10.0.0.0/8, not %q", s)
		}
		c.trustedProxies = append(c.trustedProxies, prefix.Masked())
	}
	return nil
}

func (c *config) setAddressHeader(value string) error {
	if strings.Trim(value, "-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return fmt.Errorf("must be the name of a header, such as CF-Connecting-IP, not %q", value)
	}
	c.addressHeader = value
	return nil
}

func (c *config) setPrivacySignals(value string) error {
	if value != "ignore" && value != "honour" {
		return fmt.Errorf("must be ignore or honour, not %q", value)
	}
	c.honourSignals = value == "honour"
	return nil
}

func (c *config) setMailPort(value string) error {
	c.mail.Port = 0
	if value == "" {
		return nil
	}
	port, err := strconv.ParseUint(value, 10, 16)
	if err != nil || port == 0 {
		return fmt.Errorf("must be a port such as 587, not %q", value)
	}
	c.mail.Port = int(port)
	return nil
}

func (c *config) setMailSecurity(value string) error {
	if !slices.Contains(mail.Securities, mail.Security(value)) {
		return fmt.Errorf("must be starttls, tls or none, not %q", value)
	}
	c.mail.Security = mail.Security(value)
	return nil
}

func (c *config) setMailFrom(value string) error {
	c.mail.From = value
	if value == "" {
		return nil
	}
	if _, err := mail.ParseSender(value); err != nil {
		return fmt.Errorf("must be an address such as stats@example.com or Footfall <stats@example.com>, not %q", value)
	}
	return nil
}

func (c *config) setOrigins(value string) error {
	c.corsOrigins = list(value)
	for _, s := range c.corsOrigins {
		u, err := url.Parse(s)
		if s != "*" && (err != nil || u.Host == "" || s != u.Scheme+"://"+u.Host) {
			return fmt.Errorf("must be origins such as https://example.com, not %q", s)
		}
	}
	return nil
}

func (c *config) setLogLevel(value string) error {
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, value) {
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	return c.logLevel.UnmarshalText([]byte(value))
}

// list splits what is separated by commas.
func list(value string) []string {
	var all []string
	for s := range strings.SplitSeq(value, ",") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

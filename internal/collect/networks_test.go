package collect_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"footfall/internal/collect"
)

// networksFile writes a file of networks.
func networksFile(t testing.TB, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "networks.txt")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func openNetworks(t testing.TB, content string) *collect.Networks {
	t.Helper()
	n, err := collect.OpenNetworks(networksFile(t, content))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestHitsFromDataCentresAreDroppedWhereBotsAre(t *testing.T) {
	networks := openNetworks(t, "# AWS\n198.51.100.0/24\n2001:db8:5::/48 # also theirs\n")
	strict, lenient := newRig(t, site(nil)), newRig(t, site(func(w *collect.Website) { w.ExcludeBots = false }))
	cases := map[string]struct {
		address string
		want    collect.Drop
	}{
		"in a network":                {"198.51.100.9", collect.DataCenter},
		"in one of IPv6":              {"2001:db8:5::1", collect.DataCenter},
		"in one, written as IPv6":     {"::ffff:198.51.100.9", collect.DataCenter},
		"in none":                     {"203.0.113.7", ""},
		"in none of IPv6":             {"2001:db8:6::1", ""},
		"the next behind a network":   {"198.51.101.0", ""},
		"the last one before it":      {"198.51.99.255", ""},
		"the last address of network": {"198.51.100.255", collect.DataCenter},
	}
	for name, c := range cases {
		req := visitor()
		req.Address = netip.MustParseAddr(c.address)
		if got := strict.drop(req, `{"u":"https://example.com/"}`); got != "" {
			t.Errorf("%s, without a file: %q", name, got)
		}
		strict.Networks, lenient.Networks = networks, networks
		if got := strict.drop(req, `{"u":"https://example.com/"}`); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := lenient.drop(req, `{"u":"https://example.com/"}`); got != "" {
			t.Errorf("%s, with bots wanted: %q", name, got)
		}
		strict.Networks = nil
	}
}

// A server is in a data centre, and those it sends hits for are not.
func TestTheNetworkOfAServerThatSendsForVisitorsDoesNotMatter(t *testing.T) {
	r := newRig(t, site(nil))
	r.Networks = openNetworks(t, "198.51.100.0/24")
	server := collect.Request{Address: netip.MustParseAddr("198.51.100.9"), UserAgent: "backend/1.0"}
	cases := map[string]struct {
		claim collect.Claim
		want  collect.Drop
	}{
		"it says who it is for":             {collect.Claim{UserAgent: chrome, Address: netip.MustParseAddr("203.0.113.7")}, ""},
		"it says only the agent":            {collect.Claim{UserAgent: chrome}, ""},
		"it is for one in a data centre":    {collect.Claim{UserAgent: chrome, Address: netip.MustParseAddr("198.51.100.77")}, collect.DataCenter},
		"it says only when, and is no bot":  {collect.Claim{Time: noon}, ""},
		"it says nothing, and looks as one": {collect.Claim{}, collect.DataCenter},
	}
	for name, c := range cases {
		hits, err := collect.Parse([]byte(`{"u":"https://example.com/"}`))
		if err != nil {
			t.Fatal(err)
		}
		hits[0].Claim = c.claim
		req := server
		if c.claim.UserAgent == "" {
			req.UserAgent, req.AcceptLanguage = firefox, "en"
		}
		drops, err := r.Accept(t.Context(), req, hits)
		if err != nil || drops[0] != c.want {
			t.Errorf("%s: %q, %v, want %q", name, drops, err, c.want)
		}
	}
}

func TestNetworksAreReadFromLines(t *testing.T) {
	cases := map[string]struct {
		content string
		ranges  int    // once joined
		wrong   string // in the error
	}{
		"nothing":                   {"", 0, ""},
		"remarks and empty lines":   {"# a\n\n  \r\n#b", 0, ""},
		"one":                       {"192.0.2.0/24", 1, ""},
		"one with a remark":         {" 192.0.2.0/24  # x\r\n", 1, ""},
		"a mark at the beginning":   {"\ufeff192.0.2.0/24\n", 1, ""},
		"an address":                {"192.0.2.1\n2001:db8::1\n", 2, ""},
		"one in another":            {"192.0.0.0/16\n192.0.2.0/24\n", 1, ""},
		"the same twice":            {"192.0.2.0/24\n192.0.2.0/24\n", 1, ""},
		"neighbours":                {"192.0.2.0/25\n192.0.2.128/25\n", 1, ""},
		"neighbours in other order": {"192.0.2.128/25\n192.0.2.0/25\n", 1, ""},
		"a gap between them":        {"192.0.2.0/26\n192.0.2.128/25\n", 2, ""},
		"bits behind the prefix":    {"192.0.2.77/24\n", 1, ""},
		"the last addresses of all": {"255.0.0.0/8\nffff::/16\n", 2, ""},
		"IPv4 in the form of IPv6":  {"::ffff:192.0.2.0/120\n192.0.2.0/24\n", 1, ""},
		"words":                     {"192.0.2.0/24\nAmazon\n", 0, "line 2"},
		"a list with commas":        {"192.0.2.0/24,192.0.3.0/24\n", 0, "line 1"},
		"too many bits":             {"192.0.2.0/33", 0, "line 1"},
		"half of the internet":      {"0.0.0.0/1", 0, "too large"},
		"all of it":                 {"::/0", 0, "too large"},
		"all of IPv4 in IPv6":       {"::ffff:0.0.0.0/96", 0, "too large"},
		"a zone":                    {"fe80::1%eth0", 0, "line 1"},
		"a line without an end":     {strings.Repeat("1", 5000), 0, "longer"},
		"no text":                   {"\x00\x01\xff", 0, "line 1"},
		"a file without an end":     {strings.Repeat("192.0.2.0/24 # "+strings.Repeat("x", 900)+"\n", 37_000), 0, "larger"},
	}
	for name, c := range cases {
		list, err := collect.ReadNetworks(strings.NewReader(c.content))
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: error %v", name, err)
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.wrong == "" && list.Ranges() != c.ranges:
			t.Errorf("%s: %d ranges, want %d", name, list.Ranges(), c.ranges)
		}
	}
}

// Whatever is in a file, an address is in its networks exactly if one of its lines holds it.
func FuzzNetworks(f *testing.F) {
	for _, seed := range []string{"192.0.2.0/24\n192.0.2.128/25", "2001:db8::/32 # x", "::ffff:192.0.2.0/120", "10.0.0.0/8\n11.0.0.0/8\n9.255.255.255", "a", "\ufeff", "255.255.255.255\n::1"} {
		f.Add(seed, []byte{192, 0, 2, 129})
	}
	f.Add("2001:db8::/33\n2001:db8:8000::/33", []byte{0x20, 1, 0xd, 0xb8, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, content string, address []byte) {
		list, err := collect.ReadNetworks(strings.NewReader(content))
		a, ok := netip.AddrFromSlice(address)
		if err != nil || !ok {
			return
		}
		a = a.Unmap()
		want := false
		for line := range strings.SplitSeq(content, "\n") {
			line, _, _ = strings.Cut(line, "#")
			line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
			if one, err := netip.ParseAddr(line); err == nil {
				want = want || one.Unmap() == a
			}
			if p, err := netip.ParsePrefix(line); err == nil {
				if p.Addr().Is4In6() && p.Bits() >= 96 {
					p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
				}
				want = want || p.Contains(a)
			}
		}
		if got := list.Contains(a); got != want {
			t.Errorf("%s is in %q: %v, want %v", a, content, got, want)
		}
	})
}

func TestNetworksAreReadAgainWhenTheyChange(t *testing.T) {
	file := networksFile(t, "198.51.100.0/24")
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, site(nil))
		from := func(address string) collect.Drop {
			req := visitor()
			req.Address = netip.MustParseAddr(address)
			return r.drop(req, `{"u":"https://example.com/"}`)
		}
		var log bytes.Buffer
		n, err := collect.OpenNetworks(file)
		if err != nil {
			t.Fatal(err)
		}
		stop := run(t, func(ctx context.Context) error { return n.Run(ctx, slog.New(slog.NewTextHandler(&log, nil))) })
		r.Networks = n
		looks := func() { time.Sleep(11 * time.Second); synctest.Wait() }
		write := func(content string) {
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			looks()
		}
		write("203.0.113.0/25\n")
		if from("203.0.113.9") != collect.DataCenter || from("198.51.100.9") != "" {
			t.Error("the new file is not used")
		}
		write("rubbish")
		if from("203.0.113.9") != collect.DataCenter || strings.Count(log.String(), "cannot be used") != 1 {
			t.Errorf("with rubbish in the file: %q, log: %s", from("203.0.113.9"), log.String())
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		looks()
		if from("203.0.113.9") != collect.DataCenter {
			t.Error("without the file its networks are gone")
		}
		write("198.51.100.0/24")
		if from("198.51.100.9") != collect.DataCenter {
			t.Error("a file that is good again is not used")
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestAFileOfNetworksThatIsWrongIsTold(t *testing.T) {
	for name, file := range map[string]string{"none": "/nowhere/networks", "a folder": t.TempDir(), "rubbish": networksFile(t, "x")} {
		if _, err := collect.OpenNetworks(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkNetworks(b *testing.B) {
	var content strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&content, "%d.%d.%d.0/25\n2600:%x:%x::/48\n", 3+i>>13, i>>5&255, i<<3&255, i>>8, i&255)
	}
	list, err := collect.ReadNetworks(strings.NewReader(content.String()))
	if err != nil {
		b.Fatal(err)
	}
	addresses := []netip.Addr{netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("4.17.8.9"), netip.MustParseAddr("2600:17:8::1"), netip.MustParseAddr("2a01::1")}
	for i := 0; b.Loop(); i++ {
		list.Contains(addresses[i&3])
	}
	b.ReportMetric(float64(list.Ranges()), "ranges")
}

package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestClientAddressComesFromTrustedProxiesOnly(t *testing.T) {
	const far, proxy, proxy2, local = "203.0.113.9:4711", "10.1.2.3:4711", "10.9.9.9", "127.0.0.1:4711"
	p := proxies{trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	type headers map[string][]string
	cases := map[string]struct {
		peer string
		headers
		want string
	}{
		"nobody in between":                    {far, nil, "203.0.113.9"},
		"a stranger's word":                    {far, headers{"X-Forwarded-For": {"192.0.2.1"}}, "203.0.113.9"},
		"a stranger's other word":              {far, headers{"Forwarded": {"for=192.0.2.1"}, "X-Real-Ip": {"192.0.2.1"}}, "203.0.113.9"},
		"a proxy's word":                       {proxy, headers{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		"a proxy on this machine":              {local, headers{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		"a proxy on this machine, IPv6":        {"[::1]:1", headers{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		"a proxy that says nothing":            {proxy, nil, "10.1.2.3"},
		"two proxies":                          {proxy, headers{"X-Forwarded-For": {"192.0.2.1, " + proxy2}}, "192.0.2.1"},
		"what the client wrote before":         {proxy, headers{"X-Forwarded-For": {"198.51.100.1, 192.0.2.1"}}, "192.0.2.1"},
		"a forged proxy before":                {proxy, headers{"X-Forwarded-For": {"198.51.100.1, 10.0.0.1, 192.0.2.1"}}, "192.0.2.1"},
		"several lines":                        {proxy, headers{"X-Forwarded-For": {"198.51.100.1", "192.0.2.1"}}, "192.0.2.1"},
		"only proxies":                         {proxy, headers{"X-Forwarded-For": {"10.0.0.7"}}, "10.0.0.7"},
		"junk":                                 {proxy, headers{"X-Forwarded-For": {"unknown"}}, "10.1.2.3"},
		"junk before a proxy":                  {proxy, headers{"X-Forwarded-For": {"junk, " + proxy2}}, "10.9.9.9"},
		"empty":                                {proxy, headers{"X-Forwarded-For": {""}}, "10.1.2.3"},
		"with a port":                          {proxy, headers{"X-Forwarded-For": {"192.0.2.1:99"}}, "192.0.2.1"},
		"IPv6":                                 {proxy, headers{"X-Forwarded-For": {"2001:db8::7"}}, "2001:db8::7"},
		"IPv6 in brackets":                     {proxy, headers{"X-Forwarded-For": {"[2001:db8::7]"}}, "2001:db8::7"},
		"IPv6 with a port":                     {proxy, headers{"X-Forwarded-For": {"[2001:db8::7]:99"}}, "2001:db8::7"},
		"IPv6 with a zone":                     {proxy, headers{"X-Forwarded-For": {"fe80::1%eth0"}}, "fe80::1"},
		"IPv4 in IPv6":                         {proxy, headers{"X-Forwarded-For": {"::ffff:192.0.2.1"}}, "192.0.2.1"},
		"an IPv6 proxy":                        {"[fd00::1]:1", headers{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		"a proxy as IPv4 in IPv6":              {"[::ffff:10.1.2.3]:1", headers{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		"Forwarded":                            {proxy, headers{"Forwarded": {`for=192.0.2.1;proto=https;by=10.1.2.3`}}, "192.0.2.1"},
		"Forwarded, IPv6":                      {proxy, headers{"Forwarded": {`For="[2001:db8::7]:99"`}}, "2001:db8::7"},
		"Forwarded by two":                     {proxy, headers{"Forwarded": {`for=198.51.100.1, for=192.0.2.1, for=10.9.9.9`}}, "192.0.2.1"},
		"Forwarded, hidden":                    {proxy, headers{"Forwarded": {`for=_secret`}}, "10.1.2.3"},
		"Forwarded without for":                {proxy, headers{"Forwarded": {`proto=https`}}, "10.1.2.3"},
		"X-Real-IP":                            {proxy, headers{"X-Real-Ip": {"192.0.2.1"}}, "192.0.2.1"},
		"X-Forwarded-For outweighs the others": {proxy, headers{"X-Forwarded-For": {"192.0.2.1"}, "X-Real-Ip": {"192.0.2.2"}, "Forwarded": {"for=192.0.2.3"}}, "192.0.2.1"},
		"not an address of a connection":       {"@", headers{"X-Forwarded-For": {"192.0.2.1"}}, "invalid IP"},
	}
	for name, c := range cases {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header(c.headers)}
		if got := p.client(r).String(); got != c.want {
			t.Errorf("%s: client is %s, want %s", name, got, c.want)
		}
	}
}

// S7: chains are put together from what a client forges, the client, and proxies behind it, so that the answer is known: the
// client if the connection is a trusted proxy's, else the stranger who connects, whatever the headers say.
func TestClientAddressInEveryChain(t *testing.T) {
	p := proxies{[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("198.51.100.7/32")}, ""}
	peers := map[string]bool{ // and whether they are trusted
		"10.1.2.3:4711": true, "[::ffff:10.1.2.3]:4711": true, "[fd00::1]:4711": true, "127.0.0.1:4711": true, "198.51.100.7:1": true,
		"203.0.113.9:4711": false, "[2001:db8:9::9]:4711": false, "198.51.100.8:1": false, "11.0.0.1:1": false,
	}
	forged := [][]string{nil, {"192.0.2.66"}, {"10.0.0.66"}, {"192.0.2.66", "10.0.0.66"}, {"junk"}, {"127.0.0.1", "unknown"}}
	clients := map[string]string{ // as a proxy writes them
		"192.0.2.1": "192.0.2.1", "192.0.2.1:5555": "192.0.2.1", "2001:db8::7": "2001:db8::7", "[2001:db8::7]:5555": "2001:db8::7", "::ffff:192.0.2.1": "192.0.2.1",
	}
	behind := [][]string{nil, {"10.9.9.9"}, {"127.0.0.1", "fd00::9"}}
	headers := map[string]func(chain []string) http.Header{
		"X-Forwarded-For in one line": func(chain []string) http.Header { return http.Header{"X-Forwarded-For": {strings.Join(chain, ", ")}} },
		"X-Forwarded-For in lines":    func(chain []string) http.Header { return http.Header{"X-Forwarded-For": chain} },
		"Forwarded": func(chain []string) http.Header {
			var elements []string
			for _, hop := range chain {
				elements = append(elements, `proto=https;for="`+hop+`"`)
			}
			return http.Header{"Forwarded": {strings.Join(elements, ",")}}
		},
	}
	cases := 0
	for peer, trusted := range peers {
		for _, before := range forged {
			for written, client := range clients {
				for _, after := range behind {
					for name, header := range headers {
						cases++
						chain := slices.Concat(before, []string{written}, after)
						want := client
						if !trusted {
							want = netip.MustParseAddrPort(peer).Addr().Unmap().String()
						}
						if got := p.client(&http.Request{RemoteAddr: peer, Header: header(chain)}).String(); got != want {
							t.Errorf("%s from %s with %q: client is %s, want %s", name, peer, chain, got, want)
						}
					}
				}
			}
		}
	}
	t.Logf("%d chains", cases)
	if cases < 200 {
		t.Errorf("only %d chains", cases)
	}
}

func TestTheNamedHeaderTellsTheClient(t *testing.T) {
	p := proxies{[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "CF-Connecting-IP"}
	type headers map[string][]string
	cases := map[string]struct {
		peer string
		headers
		want string
	}{
		"from a proxy":               {"10.1.2.3:1", headers{"Cf-Connecting-Ip": {"192.0.2.1"}}, "192.0.2.1"},
		"it outweighs the others":    {"10.1.2.3:1", headers{"Cf-Connecting-Ip": {"192.0.2.1"}, "X-Forwarded-For": {"192.0.2.2"}}, "192.0.2.1"},
		"from a stranger":            {"203.0.113.9:1", headers{"Cf-Connecting-Ip": {"192.0.2.1"}}, "203.0.113.9"},
		"it is not there":            {"10.1.2.3:1", headers{"X-Forwarded-For": {"192.0.2.2"}}, "192.0.2.2"},
		"it is junk":                 {"10.1.2.3:1", headers{"Cf-Connecting-Ip": {"junk"}, "X-Forwarded-For": {"192.0.2.2"}}, "192.0.2.2"},
		"what stands last counts":    {"10.1.2.3:1", headers{"Cf-Connecting-Ip": {"192.0.2.66", "192.0.2.1"}}, "192.0.2.1"},
		"an address of IPv6":         {"10.1.2.3:1", headers{"Cf-Connecting-Ip": {"2001:db8::7"}}, "2001:db8::7"},
		"another header of its kind": {"10.1.2.3:1", headers{"True-Client-Ip": {"192.0.2.1"}}, "10.1.2.3"},
	}
	for name, c := range cases {
		if got := p.client(&http.Request{RemoteAddr: c.peer, Header: http.Header(c.headers)}).String(); got != c.want {
			t.Errorf("%s: client is %s, want %s", name, got, c.want)
		}
	}
	unnamed := proxies{trusted: p.trusted}
	if got := unnamed.client(&http.Request{RemoteAddr: "10.1.2.3:1", Header: http.Header{"Cf-Connecting-Ip": {"192.0.2.1"}}}).String(); got != "10.1.2.3" {
		t.Errorf("a header that nobody named tells %s", got)
	}
}

// Whatever a stranger writes into the headers, he stays the stranger.
func FuzzForwardedHeaders(f *testing.F) {
	f.Add("192.0.2.1, 10.0.0.1", "for=192.0.2.1", "192.0.2.1")
	f.Add(",,,", `for="[`, "]")
	f.Fuzz(func(t *testing.T, list, element, real string) {
		h := http.Header{"X-Forwarded-For": {list}, "Forwarded": {element}, "X-Real-Ip": {real}, "Cf-Connecting-Ip": {real}}
		p := proxies{[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "CF-Connecting-IP"}
		if got := p.client(&http.Request{RemoteAddr: "203.0.113.9:1", Header: h}).String(); got != "203.0.113.9" {
			t.Errorf("client is %s", got)
		}
		p.client(&http.Request{RemoteAddr: "10.0.0.1:1", Header: h})
	})
}

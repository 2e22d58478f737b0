package httpapi

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestClientAddressComesFromTrustedProxiesOnly(t *testing.T) {
	const far, proxy, proxy2, local = "203.0.113.9:4711", "10.1.2.3:4711", "10.9.9.9", "127.0.0.1:4711"
	p := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
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

// Whatever a stranger writes into the headers, he stays the stranger.
func FuzzForwardedHeaders(f *testing.F) {
	f.Add("192.0.2.1, 10.0.0.1", "for=192.0.2.1", "192.0.2.1")
	f.Add(",,,", `for="[`, "]")
	f.Fuzz(func(t *testing.T, list, element, real string) {
		h := http.Header{"X-Forwarded-For": {list}, "Forwarded": {element}, "X-Real-Ip": {real}}
		p := proxies{netip.MustParsePrefix("10.0.0.0/8")}
		if got := p.client(&http.Request{RemoteAddr: "203.0.113.9:1", Header: h}).String(); got != "203.0.113.9" {
			t.Errorf("client is %s", got)
		}
		p.client(&http.Request{RemoteAddr: "10.0.0.1:1", Header: h})
	})
}

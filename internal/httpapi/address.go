package httpapi

import (
	"iter"
	"net/http"
	"net/netip"
	"strings"
)

// proxies are those whose word on the client's address and protocol counts, besides a proxy on the same machine.
type proxies struct {
	trusted []netip.Prefix
	header  string // in which they tell the client's address, such as CF-Connecting-IP; "" is none but the usual ones
}

func (p proxies) trust(a netip.Addr) bool {
	if a.IsLoopback() {
		return true
	}
	for _, prefix := range p.trusted {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

// client is the address that a request comes from: that of the connection or, if a trusted proxy holds it, the last
// address in the chain that the proxies tell of that is not one of theirs. What stands before it anyone can write.
//
// A header that the settings name outweighs that chain. Whoever names one says that the proxies write it themselves.
//
// It is not for a log, an answer or a file.
func (p proxies) client(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap().WithZone("")
	if !p.trust(client) {
		return client
	}
	if lines := r.Header.Values(p.header); p.header != "" && len(lines) > 0 {
		if told, ok := parseAddr(lines[len(lines)-1]); ok {
			return told
		}
	}
	for hop := range hops(r.Header) {
		before, ok := parseAddr(hop)
		if !ok {
			break
		}
		if client = before; !p.trust(client) {
			break
		}
	}
	return client
}

// hops are the addresses that proxies tell of, the nearest first and the client's last. The first of three headers counts that
// is there at all.
func hops(h http.Header) iter.Seq[string] {
	return func(yield func(string) bool) {
		if lines := h["X-Forwarded-For"]; len(lines) > 0 {
			backwards(lines, yield)
		} else if lines := h["Forwarded"]; len(lines) > 0 {
			backwards(forwardedPairs(lines, "for"), yield)
		} else if lines := h["X-Real-Ip"]; len(lines) > 0 {
			yield(lines[len(lines)-1])
		}
	}
}

// backwards are the elements of lists with commas, from the last of the last one.
func backwards(lists []string, yield func(string) bool) {
	for i := len(lists) - 1; i >= 0; i-- {
		for list, more := lists[i], true; more; {
			comma := strings.LastIndexByte(list, ',')
			if !yield(list[comma+1:]) {
				return
			}
			if more = comma >= 0; more {
				list = list[:comma]
			}
		}
	}
}

// forwardedPairs are the values of a name in the elements of a Forwarded header (RFC 7239); "" where an element has none.
func forwardedPairs(lines []string, name string) []string {
	var values []string
	for element := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		value := ""
		for pair := range strings.SplitSeq(element, ";") {
			k, v, _ := strings.Cut(pair, "=")
			if strings.EqualFold(strings.TrimSpace(k), name) {
				value = strings.Trim(strings.TrimSpace(v), `"`)
			}
		}
		values = append(values, value)
	}
	return values
}

// parseAddr reads an address as proxies write it: with or without brackets and a port.
func parseAddr(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, ':') >= 0 { // else there is no port
		if with, err := netip.ParseAddrPort(s); err == nil {
			return with.Addr().Unmap().WithZone(""), true
		}
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return a.Unmap().WithZone(""), err == nil
}

// isSecure tells whether the client speaks TLS: to us, or to a trusted proxy.
func (s *Server) isSecure(r *http.Request) bool {
	return s.scheme(r) == "https"
}

func (s *Server) scheme(r *http.Request) string {
	if s.baseURL != nil {
		return s.baseURL.Scheme
	}
	if r.TLS != nil {
		return "https"
	}
	if peer, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && s.proxies.trust(peer.Addr().Unmap()) {
		told := r.Header.Get("X-Forwarded-Proto")
		if told == "" {
			if pairs := forwardedPairs(r.Header.Values("Forwarded"), "proto"); len(pairs) > 0 {
				told = pairs[len(pairs)-1]
			}
		}
		if strings.EqualFold(told, "https") {
			return "https"
		}
	}
	return "http"
}

// origin is what the client reaches us at, for links.
func (s *Server) origin(r *http.Request) string {
	if s.baseURL != nil {
		return strings.TrimSuffix(s.baseURL.String(), "/")
	}
	return s.scheme(r) + "://" + r.Host
}

package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"footfall/tracker"
)

func TestTheTrackerIsThere(t *testing.T) {
	s := newService(t, nil)
	plain := s.want(200, s.do(request{method: "GET", path: "/js/script.js", headers: map[string]string{"Accept-Encoding": "identity"}}))
	if !bytes.Equal(plain.body, tracker.Script) || plain.header.Get("Content-Type") != "text/javascript; charset=utf-8" ||
		plain.header.Get("Access-Control-Allow-Origin") != "*" || plain.header.Get("Cross-Origin-Resource-Policy") != "cross-origin" ||
		plain.header.Get("Cache-Control") != "public, max-age=3600" {
		t.Errorf("%d bytes with %v", len(plain.body), plain.header)
	}
	packed := s.want(200, s.do(request{method: "GET", path: "/js/script.js", headers: map[string]string{"Accept-Encoding": "gzip, br"}}))
	if packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("ETag") == plain.header.Get("ETag") {
		t.Fatalf("%d bytes with %v", len(packed.body), packed.header)
	}
	if len(packed.body) > 1536 {
		t.Errorf("it takes %d bytes on its way", len(packed.body))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(z); err != nil || !bytes.Equal(unpacked, tracker.Script) {
		t.Errorf("unpacked it has %d bytes, %v", len(unpacked), err)
	}
	s.want(304, s.do(request{method: "GET", path: "/js/script.js", headers: map[string]string{"Accept-Encoding": "gzip", "If-None-Match": packed.header.Get("ETag")}}))
}

func TestTheTrackerHasTheNamesOfOthers(t *testing.T) {
	s := newService(t, nil)
	for path, status := range map[string]int{
		"/js/script.hash.outbound-links.js": 200, "/js/plausible.js": 200, "/js/script.file-downloads.tagged-events.revenue.js": 200, "/js/plausible.hash.js": 200, "/js/pa-Ab1_-x.js": 200,
		"/js/other.js": 404, "/js/script.js.map": 404, "/js/script": 404, "/js/": 404, "/js/..%2fscript.js": 404, "/js/script.A.js": 404, "/js/pa-.js": 404, "/js/pa-a.b.js": 404,
	} {
		if got := s.do(request{method: "GET", path: path}); got.status != status {
			t.Errorf("%s is %d, want %d", path, got.status, status)
		}
	}
}

package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

var built = fstest.MapFS{
	"dist/index.html":          {Data: []byte("page")},
	"dist/assets/a-1f.js":      {Data: []byte("plain script")},
	"dist/assets/a-1f.js.gz":   {Data: []byte("gzipped")},
	"dist/assets/a-1f.js.br":   {Data: []byte("brotli")},
	"dist/assets/only-2e.css":  {Data: []byte("plain style")},
	"dist/assets/secret-3d.go": {Data: []byte("no kind of ours")},
}

func TestAssetsComeInTheSmallestWayTheClientReads(t *testing.T) {
	for name, c := range map[string]struct {
		file, accept           string
		body, encoding, ofKind string
	}{
		"all of them":             {"a-1f.js", "gzip, deflate, br, zstd", "brotli", "br", "text/javascript; charset=utf-8"},
		"gzip alone":              {"a-1f.js", "gzip", "gzipped", "gzip", "text/javascript; charset=utf-8"},
		"brotli refused":          {"a-1f.js", "br;q=0, GZIP;q=0.5", "gzipped", "gzip", "text/javascript; charset=utf-8"},
		"nothing said":            {"a-1f.js", "", "plain script", "", "text/javascript; charset=utf-8"},
		"what we do not have":     {"a-1f.js", "zstd", "plain script", "", "text/javascript; charset=utf-8"},
		"a file without packings": {"only-2e.css", "gzip, br", "plain style", "", "text/css; charset=utf-8"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/assets/"+c.file, nil)
			r.Header.Set("Accept-Encoding", c.accept)
			w := httptest.NewRecorder()
			if err := writeAsset(w, r, built, c.file); err != nil {
				t.Fatal(err)
			}
			h := w.Header()
			if w.Body.String() != c.body || h.Get("Content-Encoding") != c.encoding || h.Get("Content-Type") != c.ofKind {
				t.Errorf("got %q as %q, %q", w.Body, h.Get("Content-Encoding"), h.Get("Content-Type"))
			}
			if h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Vary") != "Accept-Encoding" {
				t.Errorf("caches are told %q, %q", h.Get("Cache-Control"), h.Get("Vary"))
			}
		})
	}
}

func TestAssetsAreOnlyWhatTheDashboardLoads(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../index.html", "a-1f.js.gz", "a-1f.js.br", "absent.js", "secret-3d.go", "/a-1f.js", "x/a-1f.js", "a-1f.js\x00.css"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		if err := writeAsset(w, r, built, name); err == nil || w.Body.Len() > 0 {
			t.Errorf("%q is answered with %q", name, w.Body)
		}
	}
}

func TestHeadOfAnAssetHasNoBody(t *testing.T) {
	w := httptest.NewRecorder()
	if err := writeAsset(w, httptest.NewRequest("HEAD", "/", nil), built, "only-2e.css"); err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "11" {
		t.Errorf("got %d with %d bytes and length %s", w.Code, w.Body.Len(), w.Header().Get("Content-Length"))
	}
}

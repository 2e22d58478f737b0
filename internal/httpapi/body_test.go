package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestHostileBodiesAreRefused(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	const jsonType, formType = "application/json", "application/x-www-form-urlencoded"
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 10<<20))
	z.Close()
	cases := map[string]struct {
		kind, encoding string
		body           io.Reader
		status         int
	}{
		"no type":                  {"", "", strings.NewReader("domain=a.example"), 415},
		"another type":             {"text/plain", "", strings.NewReader("domain=a.example"), 415},
		"multipart":                {"multipart/form-data; boundary=x", "", strings.NewReader("--x--"), 415},
		"a type that is none":      {";;;", "", strings.NewReader("domain=a.example"), 415},
		"compressed":               {formType, "gzip", &bomb, 415},
		"half an escape":           {formType, "", strings.NewReader("domain=%z"), 400},
		"semicolons":               {formType, "", strings.NewReader("domain=a;b=c"), 400},
		"a huge form":              {formType, "", strings.NewReader("domain=" + strings.Repeat("a", 1<<20)), 413},
		"a form of many names":     {formType, "", strings.NewReader(strings.Repeat("a=1&", 100_000)), 413},
		"an endless body":          {formType, "", endless{}, 413},
		"no JSON":                  {jsonType, "", strings.NewReader("domain=a.example"), 400},
		"half a JSON":              {jsonType, "", strings.NewReader(`{"domain":"a.exam`), 400},
		"a list":                   {jsonType, "", strings.NewReader(`["domain"]`), 400},
		"null":                     {jsonType, "", strings.NewReader(`null`), 400},
		"a text":                   {jsonType, "", strings.NewReader(`"domain"`), 400},
		"two values":               {jsonType, "", strings.NewReader(`{} {}`), 400},
		"a name twice":             {jsonType, "", strings.NewReader(`{"domain":"a.example","domain":"b.example"}`), 400},
		"a name twice, below":      {jsonType, "", strings.NewReader(`{"domain":"c.example","x":{"a":1,"a":2}}`), 400},
		"a name twice, escaped":    {jsonType, "", strings.NewReader(`{"domain":"d.example","\u0064omain":"e.example"}`), 400},
		"deep":                     {jsonType, "", strings.NewReader(strings.Repeat("[", 100_000)), 400},
		"deep in a name":           {jsonType, "", strings.NewReader(strings.Repeat(`{"a":`, 50_000)), 400},
		"huge JSON":                {jsonType, "", strings.NewReader(`{"domain":"` + strings.Repeat("a", 1<<20) + `"}`), 413},
		"a number that is no text": {jsonType, "", strings.NewReader(`{"domain":1e999}`), 422},
		"bytes that are no UTF-8":  {formType, "", strings.NewReader("domain=%ff%fe"), 422},
		"a zero byte":              {formType, "", strings.NewReader("domain=a%00.example"), 422},
		"with a charset":           {jsonType + "; charset=utf-8", "", strings.NewReader(`{"domain":"f.example"}`), 201},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequest("POST", s.url+"/api/v1/websites", c.body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+key)
			req.Header.Set("Content-Type", c.kind)
			if c.encoding != "" {
				req.Header.Set("Content-Encoding", c.encoding)
			}
			r, err := http.DefaultTransport.RoundTrip(req)
			if err != nil && c.status == 413 {
				return // cut while it was sending
			}
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			if body, _ := io.ReadAll(r.Body); r.StatusCode != c.status {
				t.Errorf("answer is %d %s, want %d", r.StatusCode, body, c.status)
			}
		})
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

func TestHostileBodiesDoNotTakeMemory(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	deep := []byte(strings.Repeat("[", 250_000))
	measure := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := measure()
	for range 200 {
		s.want(400, s.do(request{method: "POST", path: "/api/v1/websites", key: key, body: "domain=%z", headers: map[string]string{"Content-Type": "application/json"}}))
		req, err := http.NewRequest("POST", s.url+"/api/v1/query", bytes.NewReader(deep))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Content-Type", "application/json")
		r, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	if after := measure(); after > before+16<<20 {
		t.Errorf("memory went from %d to %d bytes", before, after)
	}
}

func TestHeadAndOptionsBehave(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	get := s.want(200, s.get(key, "/api/v1/websites"))
	head := s.want(200, s.do(request{method: "HEAD", path: "/api/v1/websites", key: key}))
	if len(head.body) != 0 || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
		t.Errorf("HEAD has %d bytes and says %s", len(head.body), head.header.Get("Content-Length"))
	}
	s.want(401, s.do(request{method: "HEAD", path: "/api/v1/websites"}))
	for path, allow := range map[string]string{
		"/api/v1/websites": "GET, HEAD, POST, OPTIONS", "/api/v1/websites/1": "DELETE, GET, HEAD, PUT, OPTIONS", "/api/v1/query": "POST, OPTIONS", "/healthz": "GET, HEAD, OPTIONS",
	} {
		if r := s.want(204, s.do(request{method: "OPTIONS", path: path})); r.header.Get("Allow") != allow {
			t.Errorf("OPTIONS %s allows %q, want %q", path, r.header.Get("Allow"), allow)
		}
		if r := s.want(405, s.do(request{method: "PATCH", path: path})); r.header.Get("Allow") != allow || problemOf(t, r).Code != "method_not_allowed" {
			t.Errorf("PATCH %s is %s and allows %q", path, r.text(), r.header.Get("Allow"))
		}
	}
}

func TestUnknownPathsAre404InTheSameShape(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	for _, path := range []string{"/api", "/api/v1", "/api/v2/websites", "/api/v1/websites/", "/api//v1/websites", "/api/v1/../v1/websites", "/api/v1/websites/1/", "/docs/x", "/nothing", "/example.com/x", "/example.com/settings/x", "/assets/", "/assets/index.js", "/assets/..%2findex.html", "/pages/", "/pages/..%2fweb.go"} {
		if p := problemOf(t, s.want(404, s.get(key, path))); p.Code != "not_found" || p.Message == "" {
			t.Errorf("%s is %+v", path, p)
		}
	}
	for _, id := range []string{"0", "-1", "01", "+1", "1.0", "1e3", "x", "%20", "99999999999999999999", "1%2F2", "%00", "%ff"} {
		if p := problemOf(t, s.want(404, s.get(key, "/api/v1/websites/"+id))); p.Code != "not_found" {
			t.Errorf("%s is %+v", id, p)
		}
	}
}

func TestEveryAnswerHasSecureHeaders(t *testing.T) {
	s := newService(t, nil)
	for _, path := range []string{"/api/v1/websites", "/docs", "/setup", "/pages/docs.js", "/", "/sign-in", "/example.com", "/example.com/settings", "/example.com?embed=true", "/nothing", "/api/openapi.yaml", "/healthz"} {
		r := s.do(request{method: "GET", path: path})
		policy := r.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s has the policy %q", path, policy)
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || r.header.Get("Referrer-Policy") != "no-referrer" || len(r.header.Get("X-Request-Id")) != 16 {
			t.Errorf("%s has the headers %v", path, r.header)
		}
	}
	for _, path := range []string{"/docs", "/setup", "/", "/example.com"} {
		body := string(s.want(200, s.do(request{method: "GET", path: path})).body)
		if strings.Contains(body, "http://") || strings.Contains(body, "https://") || strings.Contains(body, "<style") || strings.Contains(body, "onclick") || strings.Contains(body, "<script>") {
			t.Errorf("%s holds something inline or from elsewhere", path)
		}
	}
}

// A client that goes on and on must not hold up the others.
func TestSlowAnswersDoNotMatterToOthers(t *testing.T) {
	s := newService(t, nil)
	key := s.account("anna@example.com")
	slow, w := io.Pipe()
	defer w.Close()
	go func() {
		req, _ := http.NewRequest("POST", s.url+"/api/v1/websites", slow)
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Content-Type", "application/json")
		if r, err := http.DefaultTransport.RoundTrip(req); err == nil {
			r.Body.Close()
		}
	}()
	began := time.Now()
	s.want(200, s.get(key, "/api/v1/me"))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("another request took %s", took)
	}
}

package door

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const hit = "POST /api/event HTTP/1.1\r\nHost: stats.example\r\nContent-Length: 2\r\nUser-Agent: Firefox\r\n\r\n{}"

// reader is a request that nothing was read into yet.
func reader() *request {
	r := &request{line: "POST /api/event HTTP/1.1\r\n"}
	r.http = *(&http.Request{
		Method: "POST", URL: &url.URL{Path: "/api/event"}, RequestURI: "/api/event", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header),
	}).WithContext(context.Background())
	return r
}

func TestPlainHitsAreRead(t *testing.T) {
	head := "POST /api/event HTTP/1.1\r\nHost: stats.example\r\nContent-Length: 2\r\n"
	cases := map[string]struct {
		request string
		header  string // a name, and the value that is wanted
	}{
		"as browsers send it":              {hit, "User-Agent=Firefox"},
		"in small letters":                 {head + "user-agent: curl/8\r\n\r\n{}", "User-Agent=curl/8"},
		"with a name that nobody knows":    {head + "x-my-own: 1\r\n\r\n{}", "X-My-Own=1"},
		"with a value that has colons":     {head + "Referer: https://a.example/\r\n\r\n{}", "Referer=https://a.example/"},
		"with spaces around a value":       {head + "Dnt: \t1 \t\r\n\r\n{}", "Dnt=1"},
		"without a value":                  {head + "Origin:\r\n\r\n{}", "Origin="},
		"with a header that comes twice":   {head + "X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n\r\n{}", "X-Forwarded-For=1.1.1.1,2.2.2.2"},
		"on a connection that is kept":     {head + "Connection: Keep-Alive\r\n\r\n{}", "Connection=Keep-Alive"},
		"with text beyond ASCII":           {head + "X-City: Zürich\r\n\r\n{}", "X-City=Zürich"},
		"with another request behind it":   {hit + hit, "User-Agent=Firefox"},
		"with the host of a port":          {strings.Replace(hit, "stats.example", "[::1]:8080", 1), "User-Agent=Firefox"},
		"with a length that begins with 0": {strings.Replace(hit, ": 2", ": 02", 1), "User-Agent=Firefox"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := reader()
			if _, k := r.read([]byte(c.request)); k != whole {
				t.Fatalf("is %d, want %d", k, whole)
			}
			header, want, _ := strings.Cut(c.header, "=")
			if got := strings.Join(r.http.Header[header], ","); got != want {
				t.Errorf("%s is %q, want %q", header, got, want)
			}
			if body, _ := io.ReadAll(r.http.Body); string(body) != "{}" {
				t.Errorf("body is %q", body)
			}
			same(t, r, []byte(c.request))
		})
	}
}

func TestWhatIsNoPlainHitIsLeftToOthers(t *testing.T) {
	with := func(line string) string { return strings.Replace(hit, "User-Agent: Firefox", line, 1) }
	cases := map[string]string{
		"another method":                      strings.Replace(hit, "POST", "PUT", 1),
		"another path":                        strings.Replace(hit, "/api/event", "/api/events", 1),
		"a path with a query":                 strings.Replace(hit, "/api/event", "/api/event?a=1", 1),
		"a whole address":                     strings.Replace(hit, "/api/event", "http://stats.example/api/event", 1),
		"an older version":                    strings.Replace(hit, "1.1", "1.0", 1),
		"HTTP/2":                              "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"TLS":                                 "\x16\x03\x01\x02\x00\x01\x00",
		"a body in chunks":                    with("Transfer-Encoding: chunked"),
		"a body in chunks, written otherwise": with("transfer-ENCODING: chunked"),
		"a sender who asks first":             with("Expect: 100-continue"),
		"a connection that ends":              with("Connection: close"),
		"a connection that changes":           with("Connection: Upgrade"),
		"trailers":                            with("Trailer: X-Sum"),
		"two lengths":                         with("Content-Length: 2"),
		"two lengths that differ":             with("content-length: 3"),
		"a length with a sign":                strings.Replace(hit, ": 2", ": +2", 1),
		"a length of two":                     strings.Replace(hit, ": 2", ": 2, 2", 1),
		"a length below nothing":              strings.Replace(hit, ": 2", ": -2", 1),
		"a length of nothing":                 strings.Replace(hit, ": 2", ": 0", 1),
		"no length":                           strings.Replace(hit, "Content-Length: 2\r\n", "", 1),
		"a large body":                        strings.Replace(hit, ": 2", ": 65537", 1),
		"a length beyond numbers":             strings.Replace(hit, ": 2", ": 99999999999999999999", 1),
		"two hosts":                           with("Host: other.example"),
		"no host":                             strings.Replace(hit, "Host: stats.example\r\n", "", 1),
		"an empty host":                       strings.Replace(hit, "stats.example", "", 1),
		"a host that is none":                 strings.Replace(hit, "stats.example", "a b", 1),
		"a line without a colon":              with("Nonsense"),
		"a space before the colon":            with("User-Agent : Firefox"),
		"a line that goes on":                 with("User-Agent: Fire\r\n fox"),
		"a name that is empty":                with(": Firefox"),
		"a line that ends by itself":          with("User-Agent: Fire\nX-A: 1"),
		"a carriage return within":            with("User-Agent: Fire\rfox"),
		"a zero within":                       with("User-Agent: Fire\x00fox"),
		"a tab within":                        with("User-Agent: Fire\tfox"),
		"a long head":                         with("X-Long: " + strings.Repeat("a", mostHead)),
		"a long head without an end":          "POST /api/event HTTP/1.1\r\nX-Long: " + strings.Repeat("a", mostHead),
	}
	for name, request := range cases {
		t.Run(name, func(t *testing.T) {
			if _, k := reader().read([]byte(request)); k != other {
				t.Errorf("is %d, want %d", k, other)
			}
		})
	}
}

func TestBeginningOfAHitIsOnlyAPart(t *testing.T) {
	for i := range len(hit) {
		if _, k := reader().read([]byte(hit[:i])); k != part {
			t.Errorf("%q is %d, want %d", hit[:i], k, part)
		}
	}
}

func TestNothingStaysOfTheHitBefore(t *testing.T) {
	r := reader()
	r.read([]byte(strings.Replace(hit, "User-Agent", "Dnt", 1)))
	if _, k := r.read([]byte(hit)); k != whole || r.http.Header["Dnt"] != nil {
		t.Errorf("is %d, with %v", k, r.http.Header)
	}
	same(t, r, []byte(hit))
}

// same compares what was read with what net/http reads.
func same(t *testing.T, r *request, b []byte) {
	t.Helper()
	rest := bytes.NewReader(b)
	buffer := bufio.NewReader(rest)
	want, err := http.ReadRequest(buffer)
	if err != nil {
		t.Fatalf("net/http does not read it: %v", err)
	}
	wanted, err := io.ReadAll(want.Body)
	if err != nil {
		t.Fatal(err)
	}
	r.body.Seek(0, io.SeekStart)
	got, _ := io.ReadAll(r.http.Body)
	if !bytes.Equal(got, wanted) {
		t.Errorf("body is %q, want %q", got, wanted)
	}
	type facts struct {
		Method, URI, Path, Host, Proto string
		Length                         int64
		Header                         http.Header
		Close                          bool
		Left                           int
	}
	of := func(r *http.Request, left int) facts {
		return facts{r.Method, r.RequestURI, r.URL.String(), r.Host, r.Proto, r.ContentLength, r.Header, r.Close, left}
	}
	size, _ := r.read(b)
	if diff := cmp.Diff(of(want, rest.Len()+buffer.Buffered()), of(&r.http, len(b)-size)); diff != "" {
		t.Error(diff)
	}
}

// Whatever the door takes for a hit, net/http takes for the same one, up to the same byte.
func FuzzRequestIsWhatOthersRead(f *testing.F) {
	f.Add([]byte(hit))
	f.Add([]byte(hit + hit))
	f.Add([]byte(strings.Replace(hit, "User-Agent", "x-forwarded-for", 1)))
	f.Add([]byte("POST /api/event HTTP/1.1\r\nhost:a\r\ncontent-length:1\r\nconnection:keep-alive\r\nA_b:\t\xff\r\na-B: 2\r\n\r\n{"))
	f.Add([]byte("POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := reader()
		if _, k := r.read(b); k == whole {
			same(t, r, b)
		}
	})
}

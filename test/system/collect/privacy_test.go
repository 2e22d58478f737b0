package collect

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// canaries are what must be found nowhere. Their bytes are so uncommon that they stand nowhere by chance.
var canaries = struct {
	addresses []netip.Addr
	agents    []string
}{
	[]netip.Addr{
		netip.MustParseAddr("203.229.187.241"), netip.MustParseAddr("197.211.233.179"), netip.MustParseAddr("2001:db8:c0de:f00d:9a7b:3c5d:e1f2:8b64"),
		netip.MustParseAddr("199.251.223.197"), netip.MustParseAddr("2001:db8:feed:beef:1b3d:5f7a:9c8e:d2c4"),
	},
	[]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; Canary-Eins) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.55 Safari/537.36 CanaryBrowser/77",
		"Mozilla/5.0 (X11; Linux x86_64; rv:143.0; Canary-Zwei) Gecko/20100101 Firefox/143.0",
		"CanaryBot-Drei/1.0 (+https://canary.example/bot)",
	},
}

// P1: after hits of all kinds, counted, dropped, refused and broken, no byte of the data directory and no line of the log tells
// who sent them: neither when it was stopped in good order nor when it was killed.
func TestNothingIsKeptOfWhoSentAHit(t *testing.T) {
	for name, end := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.serve("--log-level=debug")
			website := h.register("example.com")
			hits := h.sendCanaries()
			h.eventually("hits are counted", func() bool { return h.tallied(website).Received >= hits })
			h.service.Signal(t, end)
			h.service.Wait(t, stopWithin)
			files := readAll(t, h.dir)
			files["the log"] = []byte(h.service.Log())
			searched := 0
			for file, content := range files {
				searched += len(content)
				for what, form := range canaryForms() {
					if bytes.Contains(content, form) {
						t.Errorf("%s holds %s", file, what)
					}
				}
			}
			t.Logf("%d hits, %d forms, %d files with %d bytes searched", hits, len(canaryForms()), len(files), searched)
			if !bytes.Contains(bytes.Join(values(files), nil), []byte("/canary-page")) {
				t.Error("not even the page was found: nothing was searched")
			}
		})
	}
}

// sendCanaries sends hits of all kinds, each with each address and agent, and tells how many of them are counted or dropped.
func (h *house) sendCanaries() (hits int) {
	h.t.Helper()
	bodies := []string{
		`{"n":"pageview","u":"https://example.com/canary-page","r":"https://www.google.com/"}`,
		`{"n":"Signup","u":"https://example.com/canary-page","p":{"plan":"pro"}}`,
		`{"u":"https://example.com/canary-page","wd":1}`,
		`{"u":"file:///x","d":"example.com"}`,
		`{"u":"https://unknown.example/"}`,
		`{"u":`, ``, `{"n":"x"}`, strings.Repeat("[", 100),
	}
	for i, address := range canaries.addresses {
		for j, agent := range canaries.agents {
			for n, body := range bodies {
				headers := []http.Header{
					{"X-Forwarded-For": {address.String()}}, {"X-Forwarded-For": {"198.51.100.1, " + address.String()}},
					{"Forwarded": {fmt.Sprintf(`for="[%s]:4711"`, address)}}, {"X-Real-Ip": {address.String()}},
				}[(i+j+n)%4]
				if n < 4 {
					hits++
				}
				h.post("/api/event", agent, headers, body)
			}
			h.post("/api/event", "backend", http.Header{"Authorization": {"Bearer " + h.key}},
				fmt.Sprintf(`{"u":"https://example.com/canary-page","ip":"%s","ua":%q}`, address, agent))
			hits++
			h.post("/api/v1/websites/1", agent, http.Header{"X-Forwarded-For": {address.String()}}, "junk")
			h.get("/api/event.gif?u=https://example.com/canary-page", agent, address.String())
			hits++
		}
	}
	return hits
}

func (h *house) post(path, agent string, headers http.Header, body string) {
	h.t.Helper()
	r, err := http.NewRequest("POST", h.service.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for name, values := range headers {
		r.Header[name] = values
	}
	h.do(r, agent)
}

func (h *house) get(path, agent, address string) {
	h.t.Helper()
	r, err := http.NewRequest("GET", h.service.URL+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", address)
	h.do(r, agent)
}

func (h *house) do(r *http.Request, agent string) {
	h.t.Helper()
	r.Header.Set("User-Agent", agent)
	r.Header.Set("Accept-Language", "de")
	answer, err := httpClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 500 {
		h.t.Errorf("%s %s, %v", answer.Status, said, err)
	}
	for what, form := range canaryForms() {
		if bytes.Contains(said, form) {
			h.t.Errorf("an answer holds %s", what)
		}
	}
}

// canaryForms are the canaries in all forms in which they could be kept.
func canaryForms() map[string][]byte {
	forms := make(map[string][]byte)
	add := func(what string, raw []byte) {
		forms[what] = raw
		forms[what+" in hex"] = []byte(hex.EncodeToString(raw))
		forms[what+" in capital hex"] = []byte(strings.ToUpper(hex.EncodeToString(raw)))
		for shift := range 3 { // what stands before it moves the letters of base64
			coded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), raw...))
			if inner := coded[(shift*8+5)/6:]; len(inner) > 5 {
				forms[fmt.Sprintf("%s in base64, shifted by %d", what, shift)] = []byte(inner[:len(inner)-1])
			}
		}
	}
	for _, a := range canaries.addresses {
		packed := a.AsSlice()
		add(a.String(), []byte(a.String()))
		add(a.String()+", packed", packed)
		reversed := bytes.Clone(packed)
		for i := range reversed {
			reversed[i] = packed[len(packed)-1-i]
		}
		forms[a.String()+", packed backwards"] = reversed
		forms[a.String()+", written out"] = []byte(a.StringExpanded())
	}
	for _, a := range canaries.agents {
		add(a, []byte(a))
	}
	for _, part := range []string{"Canary-Eins", "Canary-Zwei", "CanaryBot", "CanaryBrowser"} {
		add(part, []byte(part))
	}
	return forms
}

// readAll reads all files of a directory. What is packed in those of the history it unpacks.
func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files[path] = content
		if strings.HasSuffix(path, ".parquet") {
			files[path+", unpacked"] = unpack(t, content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unpack is all values of a file, one behind the other.
func unpack(t *testing.T, content []byte) []byte {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, 64)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for _, v := range row {
					all = append(v.AppendBytes(all), 0)
				}
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows.Close()
	}
	return all
}

func values(files map[string][]byte) (all [][]byte) {
	for _, content := range files {
		all = append(all, content)
	}
	return all
}

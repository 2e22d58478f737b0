package httpapi

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"footfall/tracker"
)

// otherScriptNames are those that the tags of other trackers load. What they name besides, the script finds in its own address.
var otherScriptNames = regexp.MustCompile(`^((script|plausible)(\.[a-z0-9-]+){0,12}|pa-[A-Za-z0-9_-]{1,64})\.js$`)

// trackerByOtherName shows the tracker to pages whose tag was written for another.
func (s *Server) trackerByOtherName(w http.ResponseWriter, r *http.Request) error {
	if !otherScriptNames.MatchString(r.PathValue("file")) {
		return nothingHere()
	}
	return s.trackerScript(w, r)
}

// trackerScript shows the tracker. Browsers keep it for an hour: so long pages may load an older one after an upgrade.
func (s *Server) trackerScript(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	content, tag := tracker.Script, tracker.ETag()
	if accepts(r, "gzip") {
		content, tag = packedTracker(), strings.TrimSuffix(tag, `"`)+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", pageTypes[".js"])
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", tag)
	h.Add("Vary", "Accept-Encoding")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

var packedTracker = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that exists
	z.Write(tracker.Script)                               // into memory: neither fails
	z.Close()
	return b.Bytes()
})

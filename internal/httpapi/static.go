package httpapi

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"footfall/api"
	"footfall/internal/accounts"
	"footfall/web"
)

// pagePolicy lets a page of ours load what is ours, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors "

// shellFrames lets the settings of a website show the report on it, the one answer that may be in a frame of ours: see reportPolicy.
const shellFrames = "; frame-src 'self'"

// pageTypes are the types of what pages are made of. The machine's own list differs from one to the next.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".json": "application/json",
}

// openAPI shows the document that describes the interface.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) error {
	writeFile(w, r, "application/yaml", api.Document)
	return nil
}

func (s *Server) openAPIAsJSON(w http.ResponseWriter, r *http.Request) error {
	writeFile(w, r, "application/json", api.JSON)
	return nil
}

// page shows one of the pages.
func page(name string) handler {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		return writePage(w, r, name)
	}
}

// pageFile shows what pages load.
func (s *Server) pageFile(w http.ResponseWriter, r *http.Request) error {
	return writePage(w, r, r.PathValue("file"))
}

func writePage(w http.ResponseWriter, r *http.Request, name string) error {
	content, err := web.Pages.ReadFile("pages/" + name)
	if err != nil {
		return nothingHere()
	}
	w.Header().Set("Content-Security-Policy", pagePolicy+"'none'")
	writeFile(w, r, pageTypes[path.Ext(name)], content)
	return nil
}

func writeFile(w http.ResponseWriter, r *http.Request, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// shell shows the dashboard's one page, which finds out by its address what to show.
func (s *Server) shell(w http.ResponseWriter, r *http.Request) error {
	index, err := web.Dist.ReadFile("dist/index.html")
	if err != nil {
		return writePage(w, r, "unbuilt.html")
	}
	frames := "'none'"
	if s.mayFrame(r) {
		frames = "*"
		w.Header().Del("X-Frame-Options")
	}
	w.Header().Set("Content-Security-Policy", pagePolicy+frames+shellFrames)
	writeFile(w, r, pageTypes[".html"], index)
	return nil
}

// websiteShell shows it for the address of a website. Whether there is such a website, and who may see it, the interface
// says: all domains look alike here.
func (s *Server) websiteShell(w http.ResponseWriter, r *http.Request) error {
	domain, section := r.PathValue("domain"), r.PathValue("section")
	if !strings.Contains(domain, ".") && domain != "localhost" || section != "" && section != "settings" {
		return nothingHere()
	}
	return s.shell(w, r)
}

// mayFrame tells whether the pages of others may show this one in a frame: a public dashboard, and only if the address
// says that it is to be shown so.
func (s *Server) mayFrame(r *http.Request) bool {
	return r.URL.Query().Get("embed") == "true" && r.PathValue("section") == "" && s.isPublic(r, r.PathValue("domain"))
}

// isPublic tells whether everyone may see a website's dashboard.
func (s *Server) isPublic(r *http.Request, domain string) bool {
	website, err := s.accounts.OpenableWebsite(r.Context(), domain)
	return err == nil && website.Privacy == accounts.Public
}

// asset shows what the dashboard loads.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) error {
	return writeAsset(w, r, web.Dist, r.PathValue("file"))
}

// encodings are the ways in which assets lie ready, the smallest first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}}

// writeAsset answers with a file that never changes: its name holds a hash of what is in it.
func writeAsset(w http.ResponseWriter, r *http.Request, dist fs.FS, name string) error {
	kind, ok := pageTypes[path.Ext(name)]
	if !ok || !fs.ValidPath(name) || strings.Contains(name, "/") {
		return nothingHere()
	}
	for _, e := range encodings {
		if e.name != "" && !accepts(r, e.name) {
			continue
		}
		content, err := fs.ReadFile(dist, "dist/assets/"+name+e.suffix)
		if err != nil {
			continue
		}
		h := w.Header()
		if e.name != "" {
			h.Set("Content-Encoding", e.name)
		}
		h.Set("Content-Type", kind)
		h.Set("Content-Length", strconv.Itoa(len(content)))
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Add("Vary", "Accept-Encoding")
		w.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead {
			w.Write(content) // if it fails there is nobody to tell
		}
		return nil
	}
	return nothingHere()
}

// accepts tells whether the client reads an encoding.
func accepts(r *http.Request, encoding string) bool {
	for _, offered := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(offered), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			q := strings.TrimSpace(quality)
			return q != "q=0" && !strings.HasPrefix(q, "q=0.0")
		}
	}
	return false
}

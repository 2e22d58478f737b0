package httpapi

import (
	"bytes"
	"net/http"
	"path"
	"time"

	"footfall/api"
	"footfall/web"
)

// pagePolicy lets a page of ours load what is ours, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// pageTypes are the types of what pages are made of. The machine's own list differs from one to the next.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
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
	w.Header().Set("Content-Security-Policy", pagePolicy)
	writeFile(w, r, pageTypes[path.Ext(name)], content)
	return nil
}

func writeFile(w http.ResponseWriter, r *http.Request, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

package httpapi

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"footfall/internal/fault"
)

// statuses is the one mapping from a fault to a status.
var statuses = map[fault.Code]int{
	fault.Unreadable:       http.StatusBadRequest,
	fault.Unauthorized:     http.StatusUnauthorized,
	fault.PasswordRequired: http.StatusUnauthorized,
	fault.TOTPRequired:     http.StatusUnauthorized,
	fault.Forbidden:        http.StatusForbidden,
	fault.NotFound:         http.StatusNotFound,
	fault.MethodNotAllowed: http.StatusMethodNotAllowed,
	fault.Conflict:         http.StatusConflict,
	fault.TooLarge:         http.StatusRequestEntityTooLarge,
	fault.UnsupportedType:  http.StatusUnsupportedMediaType,
	fault.Invalid:          http.StatusUnprocessableEntity,
	fault.TooManyRequests:  http.StatusTooManyRequests,
	fault.Internal:         http.StatusInternalServerError,
	fault.Unavailable:      http.StatusServiceUnavailable,
}

// methods are the routes of one path, by method.
type methods map[string]Route

func (m methods) allowed() string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ") + ", " + http.MethodOptions
}

// collects tells whether the path is for pages of other websites.
func (m methods) collects() bool {
	for _, route := range m {
		return route.Class == Collect // those of one path are alike
	}
	return false
}

// ServeHTTP answers a request. A path that the mux would redirect from is no path of ours.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; path.Clean(p) != p {
		s.serve(nil).ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// serve answers the requests of one path: it sees to what all routes have in common, and turns the error that a handler
// returns into an answer.
func (s *Server) serve(m methods) http.HandlerFunc {
	headers, collects := secured, m.collects()
	if collects {
		headers = open
	}
	return func(w http.ResponseWriter, r *http.Request) {
		began := s.now()
		a := &answer{ResponseWriter: w}
		if collects && r.Method == http.MethodPost {
			maps.Copy(a.Header(), taken)
		} else {
			maps.Copy(a.Header(), headers) // values are shared: whoever wants another sets it
		}
		id := ""
		if !collects || s.log.Enabled(r.Context(), slog.LevelInfo) { // a hit that nobody tells of needs none
			id = requestID()
			a.Header().Set("X-Request-Id", id)
		}
		route, known := m[r.Method]
		var err error
		switch {
		case m == nil:
			err = nothingHere()
		case known:
			s.allowOrigin(a.Header(), r, m)
			err = s.handle(a, r, route)
		case r.Method == http.MethodOptions:
			s.allowOrigin(a.Header(), r, m)
			a.Header().Set("Allow", m.allowed())
			a.WriteHeader(http.StatusNoContent)
		default:
			a.Header().Set("Allow", m.allowed())
			err = fault.New(fault.MethodNotAllowed, "this path does not know this method: use one of %s", m.allowed())
		}
		if err != nil {
			if id == "" {
				id = requestID()
				a.Header().Set("X-Request-Id", id)
			}
			if collects {
				maps.Copy(a.Header(), headers)
			}
			s.fail(a, r, id, err)
		}
		took := s.now().Sub(began)
		s.counters.note(route, a.status, took)
		if id != "" {
			s.log.Info("request", "id", id, "method", route.Method, "route", route.Pattern, "status", a.status, "took", took)
		}
	}
}

func nothingHere() error {
	return fault.New(fault.NotFound, "there is nothing at this path: /docs lists what there is")
}

// handle asks whether the request may be answered, and lets its handler do it. A panic is an error like others.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, route Route) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if err := s.limitAddress(w, r, route.Class); err != nil {
		return err
	}
	if route.Class != Collect { // events come from other websites
		if err := s.checkOrigin(r); err != nil {
			return err
		}
	}
	switch route.Who {
	case Anyone:
	case Operator:
		if err := s.mayOperate(r); err != nil {
			return err
		}
	case Viewer:
		if r, err = s.withOnlooker(w, r, route.Class); err != nil {
			return err
		}
	default:
		c, err := s.authenticate(r)
		if err != nil {
			return err
		}
		if err := s.limitCaller(w, c, route.Class); err != nil {
			return err
		}
		r = r.WithContext(context.WithValue(r.Context(), callerKey{}, c))
	}
	return route.handle(s, w, r)
}

// fail answers with an error. One that is no fault is logged, and the caller learns where.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, id string, err error) {
	f := fault.Of(err)
	switch {
	case f != nil && f.Code == fault.Unavailable:
		s.log.Warn("request cannot be answered now", "id", id, "error", err)
	case f == nil && r.Context().Err() != nil: // nobody waits for the answer any more
		f = fault.New(fault.Unavailable, "the request was given up")
	case f == nil:
		s.log.Error("request failed", "id", id, "error", err)
		f = fault.New(fault.Internal, "something went wrong here; the log says what, under %s", id)
	}
	if a, ok := w.(*answer); ok && a.status != 0 {
		return // what was sent cannot be taken back
	}
	h := w.Header()
	if statuses[f.Code] == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if f.Code == fault.TooManyRequests || f.Code == fault.Unavailable {
		h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(f.RetryAfter.Seconds())))))
	}
	errors := f.Fields
	if errors == nil {
		errors = map[string][]string{}
	}
	writeJSON(w, statuses[f.Code], struct {
		Message string              `json:"message"`
		Code    fault.Code          `json:"code"`
		Errors  map[string][]string `json:"errors"`
	}{f.Message(), f.Code, errors})
}

// buffers are for bodies. One that was large is not kept for long: the pool forgets.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// writeJSON answers with a value. It fails only for values that we made wrong.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	body := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(body)
	body.Reset()
	if err := encode(body, value); err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	w.Write(body.Bytes()) // if it fails there is nobody to tell
	return nil
}

// writeData answers with one object.
func writeData(w http.ResponseWriter, status int, data any) error {
	return writeJSON(w, status, struct {
		Data any `json:"data"`
	}{data})
}

// deleted is the answer to every DELETE of something with an id.
type deleted struct {
	ID      int64 `json:"id"`
	Deleted bool  `json:"deleted"`
}

func writeDeleted(w http.ResponseWriter, id int64) error {
	return writeData(w, http.StatusOK, deleted{id, true})
}

// secured are the headers of every answer. Pages loosen the policy as far as they need to.
var secured = http.Header{
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
}

// open are the headers of answers to pages of other websites: any may send events and load the tracker, and nothing there
// depends on who is signed in.
var open = http.Header{
	"Access-Control-Allow-Origin":  {"*"},
	"Cache-Control":                {"no-store"},
	"Cross-Origin-Resource-Policy": {"cross-origin"},
	"X-Content-Type-Options":       {"nosniff"},
}

// taken are those of the answer to a hit, which has no body that the others would be about. They are few: ten took 5 µs of the
// 20 that we spend on a hit.
var taken = http.Header{
	"Access-Control-Allow-Origin":  open["Access-Control-Allow-Origin"],
	"Cross-Origin-Resource-Policy": open["Cross-Origin-Resource-Policy"],
}

// requestID is what an answer and its lines in the log are found by.
func requestID() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// An answer remembers the status that was sent; 0 if none was.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

package httpapi

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// sessionCookie is the name of the cookie that holds a session's token.
const sessionCookie = "footfall_session"

type callerKey struct{}

// caller is who asks. Only routes that are not for anyone have one.
func caller(r *http.Request) accounts.Caller {
	c, ok := r.Context().Value(callerKey{}).(accounts.Caller)
	if !ok {
		panic("route is for anyone, but its handler asks who it is")
	}
	return c
}

// authenticate finds out who asks: by a key, or by a session if no key was sent.
func (s *Server) authenticate(r *http.Request) (accounts.Caller, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		key, ok := bearer(header)
		if !ok {
			return accounts.Caller{}, fault.New(fault.Unauthorized, "send the API key as: Authorization: Bearer KEY")
		}
		return s.accounts.CallerByKey(r.Context(), key)
	}
	if token := sessionToken(r); token != "" {
		return s.accounts.CallerBySession(r.Context(), token)
	}
	return accounts.Caller{}, fault.New(fault.Unauthorized, "send an API key, as: Authorization: Bearer KEY")
}

// bearer is the secret in an Authorization header.
func bearer(header string) (secret string, ok bool) {
	scheme, secret, ok := strings.Cut(header, " ")
	return strings.TrimSpace(secret), ok && strings.EqualFold(scheme, "Bearer")
}

func sessionToken(r *http.Request) string {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// setSession gives the browser a session to show, or takes it away if the token is empty.
func (s *Server) setSession(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, s.cookie(r, sessionCookie, token, accounts.SessionLife))
}

// cookie is one that scripts and other websites do not get. An empty value takes it away.
func (s *Server) cookie(r *http.Request, name, value string, life time.Duration) *http.Cookie {
	c := &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.isSecure(r),
	}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

// checkOrigin refuses what another website lets a browser do here. A request with a key is not the browser's own idea.
func (s *Server) checkOrigin(r *http.Request) error {
	if r.Header.Get("Authorization") != "" {
		return nil
	}
	if err := s.origins.Check(r); err != nil {
		return fault.New(fault.Forbidden, "this request comes from another website: use an API key").Because(err)
	}
	return nil
}

// mayOperate tells what keeps a request from the metrics. Without a token in the settings there are none here.
func (s *Server) mayOperate(r *http.Request) error {
	token, ok := bearer(r.Header.Get("Authorization"))
	switch {
	case s.token == "":
		return nothingHere()
	case !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		return fault.New(fault.Unauthorized, "send the token of --metrics-token, as: Authorization: Bearer TOKEN")
	}
	return nil
}

// allowOrigin lets a page of another origin read the answer, if the settings do. Cookies stay out of it.
func (s *Server) allowOrigin(h http.Header, r *http.Request, m methods) {
	if _, all := h["Access-Control-Allow-Origin"]; all {
		askedFirst(h, r, m)
		return
	}
	if len(s.cors) == 0 {
		return
	}
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !s.cors[origin] && !s.cors["*"] {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", m.allowed())
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
		h.Set("Access-Control-Max-Age", "600")
	}
}

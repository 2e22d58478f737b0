package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// shareCookie begins the name of the cookie that opens the dashboard of a website; its id follows. One for each lets a
// browser have several open.
const shareCookie = "footfall_share_"

type onlookerKey struct{}

// onlooker is who looks. Only routes for a Viewer have one.
func onlooker(r *http.Request) accounts.Onlooker {
	o, ok := r.Context().Value(onlookerKey{}).(accounts.Onlooker)
	if !ok {
		panic("route is not for a viewer, but its handler asks who looks")
	}
	return o
}

// lookAs finds out who looks. A key that is sent must be good. A session may have ended: a browser that still has its
// cookie is nobody.
func (s *Server) lookAs(r *http.Request) (accounts.Onlooker, error) {
	o := accounts.Onlooker{Pass: func(website int64) string { return shareToken(r, website) }}
	c, err := s.authenticate(r)
	switch {
	case err == nil:
		o.Caller = &c
	case !fault.Is(err, fault.Unauthorized) || r.Header.Get("Authorization") != "":
		return o, err
	}
	return o, nil
}

// withOnlooker is a request by somebody who looks.
func (s *Server) withOnlooker(w http.ResponseWriter, r *http.Request, class Class) (*http.Request, error) {
	o, err := s.lookAs(r)
	if err != nil {
		return nil, err
	}
	if o.Caller != nil {
		if err := s.limitCaller(w, *o.Caller, class); err != nil {
			return nil, err
		}
	}
	return r.WithContext(context.WithValue(r.Context(), onlookerKey{}, o)), nil
}

// visibleWebsite is the website in the path, if who looks may see its statistics.
func (s *Server) visibleWebsite(r *http.Request) (accounts.Website, error) {
	id, err := websiteID(r)
	if err != nil {
		return accounts.Website{}, err
	}
	return s.accounts.VisibleWebsite(r.Context(), onlooker(r), id)
}

func shareToken(r *http.Request, website int64) string {
	c, err := r.Cookie(shareCookie + strconv.FormatInt(website, 10))
	if err != nil {
		return ""
	}
	return c.Value
}

// setShare gives the browser what opens a website, or takes it away if the token is empty.
func (s *Server) setShare(w http.ResponseWriter, r *http.Request, website int64, token string) {
	http.SetCookie(w, s.cookie(r, shareCookie+strconv.FormatInt(website, 10), token, accounts.PassLife))
}

package httpapi

import (
	"net/http"
	"slices"
)

// Who says who may ask. Only whether somebody asks at all is decided here; accounts decides the rest, and a test holds
// this table to what it does.
type Who string

// Those who may ask.
const (
	Anyone   Who = "anyone"
	Viewer   Who = "viewer"   // who may see the website: a key, a session, the cookie that opens it, or nobody if it is public
	Reader   Who = "reader"   // a key or a session
	Manager  Who = "manager"  // a key with the scope manage, or a session
	Admin    Who = "admin"    // a Manager whose account is an administrator's
	Overseer Who = "overseer" // as Admin, or an administrator's key that only reads
	Operator Who = "operator" // has the token of --metrics-token
)

// Class is how often may be asked.
type Class string

// The classes. Each counts for itself.
const (
	Free     Class = "free"     // as often as you like
	Ordinary Class = "ordinary" // by address, and by key or session
	Collect  Class = "collect"  // what pages of other websites send and load, by address; any number, unless the settings say otherwise
	Guarded  Class = "guarded"  // what compares a password or a token that people guess at, by address; few
)

// A Route is a row of the table of all that answers. A route with GET answers HEAD too, and every path OPTIONS.
type Route struct {
	Method  string
	Pattern string // as http.ServeMux reads it
	Who     Who
	Class   Class
	handle  handler
}

type handler func(s *Server, w http.ResponseWriter, r *http.Request) error

// routes are all that answers.
var routes = []Route{
	{"POST", HitPath, Anyone, Collect, (*Server).collectEvents},
	{"GET", "/api/event.gif", Anyone, Collect, (*Server).collectByImage},
	{"GET", "/js/script.js", Anyone, Collect, (*Server).trackerScript},
	{"GET", "/js/{file}", Anyone, Collect, (*Server).trackerByOtherName},

	{"GET", "/api/v1/websites", Reader, Ordinary, (*Server).listWebsites},
	{"POST", "/api/v1/websites", Manager, Ordinary, (*Server).createWebsite},
	{"GET", "/api/v1/websites/{id}", Reader, Ordinary, (*Server).showWebsite},
	{"PUT", "/api/v1/websites/{id}", Manager, Ordinary, (*Server).updateWebsite},
	{"DELETE", "/api/v1/websites/{id}", Manager, Ordinary, (*Server).deleteWebsite},

	{"GET", "/api/v1/stats/{id}", Viewer, Ordinary, (*Server).showStatistic},
	{"POST", "/api/v1/query", Viewer, Ordinary, (*Server).query},
	{"POST", "/api/v1/overview", Reader, Ordinary, (*Server).overview},
	{"GET", "/api/v1/websites/{id}/drops", Viewer, Ordinary, (*Server).showDrops},
	{"POST", "/api/v1/websites/{id}/import", Manager, Ordinary, (*Server).importEvents},
	{"GET", "/api/v1/websites/{id}/realtime", Viewer, Ordinary, (*Server).showRealtime},

	{"GET", "/api/v1/dashboards/{domain}", Viewer, Ordinary, (*Server).showDashboard},
	{"POST", "/api/v1/dashboards/{domain}/session", Anyone, Guarded, (*Server).openDashboard},
	{"DELETE", "/api/v1/dashboards/{domain}/session", Anyone, Ordinary, (*Server).closeDashboard},

	{"GET", "/api/v1/websites/{id}/annotations", Viewer, Ordinary, (*Server).listAnnotations},
	{"POST", "/api/v1/websites/{id}/annotations", Manager, Ordinary, (*Server).addAnnotation},
	{"PUT", "/api/v1/websites/{id}/annotations/{annotation}", Manager, Ordinary, (*Server).updateAnnotation},
	{"DELETE", "/api/v1/websites/{id}/annotations/{annotation}", Manager, Ordinary, (*Server).deleteAnnotation},

	{"GET", "/api/v1/websites/{id}/shares", Reader, Ordinary, (*Server).listShares},
	{"POST", "/api/v1/websites/{id}/shares", Manager, Ordinary, (*Server).shareWebsite},
	{"DELETE", "/api/v1/websites/{id}/shares/{account}", Manager, Ordinary, (*Server).unshareWebsite},

	{"GET", "/api/v1/websites/{id}/report", Viewer, Ordinary, (*Server).showReport},
	{"GET", "/api/v1/websites/{id}/subscription", Reader, Ordinary, (*Server).showSubscription},
	{"PUT", "/api/v1/websites/{id}/subscription", Manager, Ordinary, (*Server).updateSubscription},
	{"GET", "/unsubscribe/{token}", Anyone, Ordinary, (*Server).askToLeave},
	{"POST", "/unsubscribe/{token}", Anyone, Ordinary, (*Server).leave},

	{"GET", "/api/v1/websites/{id}/alerts", Reader, Ordinary, (*Server).listAlerts},
	{"POST", "/api/v1/websites/{id}/alerts", Manager, Ordinary, (*Server).addAlert},
	{"PUT", "/api/v1/websites/{id}/alerts/{alert}", Manager, Ordinary, (*Server).updateAlert},
	{"DELETE", "/api/v1/websites/{id}/alerts/{alert}", Manager, Ordinary, (*Server).deleteAlert},
	{"GET", "/api/v1/websites/{id}/webhooks", Reader, Ordinary, (*Server).listWebhooks},
	{"POST", "/api/v1/websites/{id}/webhooks", Manager, Ordinary, (*Server).addWebhook},
	{"DELETE", "/api/v1/websites/{id}/webhooks/{webhook}", Manager, Ordinary, (*Server).deleteWebhook},
	{"POST", "/api/v1/websites/{id}/webhooks/{webhook}/test", Manager, Ordinary, (*Server).testWebhook},
	{"GET", "/api/v1/websites/{id}/webhooks/{webhook}/deliveries", Reader, Ordinary, (*Server).listAttempts},

	{"GET", "/api/v1/keys", Reader, Ordinary, (*Server).listKeys},
	{"POST", "/api/v1/keys", Manager, Ordinary, (*Server).createKey},
	{"DELETE", "/api/v1/keys/{id}", Manager, Ordinary, (*Server).revokeKey},

	{"GET", "/api/v1/me", Reader, Ordinary, (*Server).showMe},
	{"PUT", "/api/v1/me", Manager, Ordinary, (*Server).updateMe},
	{"PUT", "/api/v1/me/password", Manager, Guarded, (*Server).changePassword},
	{"POST", "/api/v1/me/totp", Manager, Guarded, (*Server).beginTOTP},
	{"PUT", "/api/v1/me/totp", Manager, Guarded, (*Server).confirmTOTP},
	{"DELETE", "/api/v1/me/totp", Manager, Guarded, (*Server).endTOTP},
	{"POST", "/api/v1/me/totp/recovery-codes", Manager, Guarded, (*Server).renewRecoveryCodes},

	{"POST", "/api/v1/session", Anyone, Guarded, (*Server).signIn},
	{"DELETE", "/api/v1/session", Anyone, Ordinary, (*Server).signOut},
	{"GET", "/api/v1/sessions", Reader, Ordinary, (*Server).listSessions},
	{"DELETE", "/api/v1/sessions/{id}", Manager, Ordinary, (*Server).endSession},

	{"GET", "/api/v1/setup", Anyone, Ordinary, (*Server).showSetup},
	{"POST", "/api/v1/setup", Anyone, Guarded, (*Server).setup},

	{"GET", "/api/v1/accounts", Overseer, Ordinary, (*Server).listAccounts},
	{"POST", "/api/v1/accounts", Admin, Ordinary, (*Server).addAccount},
	{"PUT", "/api/v1/accounts/{id}", Admin, Ordinary, (*Server).updateAccount},
	{"DELETE", "/api/v1/accounts/{id}", Admin, Ordinary, (*Server).deleteAccount},
	{"PUT", "/api/v1/accounts/{id}/password", Admin, Ordinary, (*Server).setPassword},
	{"DELETE", "/api/v1/accounts/{id}/totp", Admin, Ordinary, (*Server).disableTOTP},

	{"GET", "/api/v1/installation", Overseer, Ordinary, (*Server).showInstallation},
	{"PUT", "/api/v1/installation", Admin, Ordinary, (*Server).updateInstallation},

	{"GET", "/api/openapi.yaml", Anyone, Ordinary, (*Server).openAPI},
	{"GET", "/api/openapi.json", Anyone, Ordinary, (*Server).openAPIAsJSON},
	{"GET", "/docs", Anyone, Ordinary, page("docs.html")},
	{"GET", "/pages/{file}", Anyone, Ordinary, (*Server).pageFile},

	{"GET", "/{$}", Anyone, Ordinary, (*Server).shell},
	{"GET", "/sign-in", Anyone, Ordinary, (*Server).shell},
	{"GET", "/setup", Anyone, Ordinary, (*Server).shell},
	{"GET", "/account", Anyone, Ordinary, (*Server).shell},
	{"GET", "/installation", Anyone, Ordinary, (*Server).shell},
	{"GET", "/{domain}", Anyone, Ordinary, (*Server).websiteShell},
	{"GET", "/{domain}/{section}", Anyone, Ordinary, (*Server).websiteShell},
	{"GET", "/assets/{file}", Anyone, Ordinary, (*Server).asset},

	{"GET", "/healthz", Anyone, Free, (*Server).healthz},
	{"GET", "/readyz", Anyone, Free, (*Server).readyz},
	{"GET", "/metrics", Operator, Ordinary, (*Server).metrics},
}

// Routes are all that answers, for the tests that hold the document and the rights to it.
func Routes() []Route { return slices.Clone(routes) }

// addRoutes tells the mux about the routes: it finds the path, and serve the route.
func (s *Server) addRoutes() {
	paths := make(map[string]methods)
	for _, route := range routes {
		if paths[route.Pattern] == nil {
			paths[route.Pattern] = make(methods)
		}
		paths[route.Pattern][route.Method] = route
		if route.Method == http.MethodGet {
			paths[route.Pattern][http.MethodHead] = route
		}
	}
	for pattern, m := range paths {
		s.mux.Handle(pattern, s.serve(m))
	}
	s.mux.Handle("/", s.serve(nil))
}

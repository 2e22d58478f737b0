package httpapi_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"footfall/internal/httpapi"
)

func (s *service) code(secret string) string {
	s.t.Helper()
	code, err := totp.GenerateCode(secret, s.clock.time())
	if err != nil {
		s.t.Fatal(err)
	}
	return code
}

// secondFactor turns it on for an account, and returns its secret and recovery codes.
func (s *service) secondFactor(email, cookie string) (secret string, recovery []string) {
	s.t.Helper()
	begun := data[struct{ Secret, URL string }](s.t, s.want(200, s.do(request{
		method: "POST", path: "/api/v1/me/totp", cookie: cookie, body: map[string]any{"password": passwordOf(email)}})))
	if !strings.HasPrefix(begun.URL, "otpauth://totp/") || !strings.Contains(begun.URL, url.QueryEscape(begun.Secret)) {
		s.t.Errorf("the URL is %s", begun.URL)
	}
	confirmed := s.want(200, s.do(request{method: "PUT", path: "/api/v1/me/totp", cookie: cookie, body: "code=" + s.code(begun.Secret)}))
	return begun.Secret, data[struct {
		RecoveryCodes []string `json:"recovery_codes"`
	}](s.t, confirmed).RecoveryCodes
}

func TestTwoFactorSignInOverHTTP(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, newService starter) {
		s := newService(t, nil)
		s.account("anna@example.com")
		cookie := s.signIn("anna@example.com")
		secret, recovery := s.secondFactor("anna@example.com", cookie)
		if len(recovery) != 10 {
			t.Errorf("the recovery codes are %v", recovery)
		}
		if me := data[struct{ TOTP bool }](t, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie})); !me.TOTP {
			t.Error("the account does not say that it has a second factor")
		}
		s.clock.pass(time.Minute)
		signIn := func(code string) response {
			fields := map[string]any{"email": "anna@example.com", "password": passwordOf("anna@example.com")}
			if code != "" {
				fields["code"] = code
			}
			return s.do(request{method: "POST", path: "/api/v1/session", body: form(fields)})
		}
		if got := s.want(401, signIn("")); problemOf(t, got).Code != "totp_required" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("without a code it is %s", got.body)
		}
		if got := s.want(401, signIn("000000")); problemOf(t, got).Code != "unauthorized" {
			t.Errorf("with a wrong code it is %s", got.body)
		}
		s.want(201, signIn(s.code(secret)))
		s.want(401, signIn(s.code(secret)))
		s.want(201, signIn(recovery[4]))
		s.want(401, signIn(recovery[4]))

		s.want(422, s.do(request{method: "DELETE", path: "/api/v1/me/totp", cookie: cookie, body: "password=wrong"}))
		s.want(200, s.do(request{method: "DELETE", path: "/api/v1/me/totp", cookie: cookie, body: "password=" + url.QueryEscape(passwordOf("anna@example.com"))}))
		s.want(201, signIn(""))
	})
}

func TestRecoveryCodesAreRenewedOverHTTP(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Secret = 1 }) // which is 5 of one account
	key := s.account("anna@example.com")
	cookie := s.signIn("anna@example.com")
	anna, err := s.db.ActAs(t.Context(), "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	secret, _, err := s.db.BeginTOTP(t.Context(), anna, passwordOf("anna@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.db.ConfirmTOTP(t.Context(), anna, s.code(secret))
	if err != nil {
		t.Fatal(err)
	}
	s.clock.pass(time.Minute)
	renew := func(address string, r request) response {
		r.method, r.path, r.headers = "POST", "/api/v1/me/totp/recovery-codes", map[string]string{"X-Forwarded-For": address}
		return s.do(r)
	}
	right := map[string]any{"password": passwordOf("anna@example.com")}
	s.want(422, renew("192.0.2.3", request{cookie: cookie, body: "password=wrong"}))
	s.want(422, renew("192.0.2.4", request{key: key, body: right})) // a key has shown no code
	right["code"] = s.code(secret)
	s.want(200, renew("192.0.2.5", request{key: key, body: right}))
	delete(right, "code")
	got := data[struct {
		RecoveryCodes []string `json:"recovery_codes"`
	}](t, s.want(200, renew("192.0.2.6", request{cookie: cookie, body: right}))).RecoveryCodes
	if len(got) != 10 || slices.ContainsFunc(got, func(c string) bool { return slices.Contains(before, c) }) {
		t.Errorf("the new codes are %v, the old ones %v", got, before)
	}
	s.want(422, renew("192.0.2.7", request{cookie: cookie, body: "password=wrong"}))
	s.want(429, renew("192.0.2.8", request{cookie: cookie, body: right}))
	s.clock.pass(12 * time.Second)
	s.want(200, renew("192.0.2.9", request{cookie: cookie, body: right}))
}

func TestAdministratorEndsTheSecondFactorOfAnother(t *testing.T) {
	s := newService(t, nil)
	root, anna := s.account("root@example.com"), s.account("anna@example.com")
	cookie := s.signIn("anna@example.com")
	s.secondFactor("anna@example.com", cookie)
	s.want(403, s.ask(anna, "DELETE", "/api/v1/accounts/1/totp", nil))
	s.want(403, s.ask(root, "DELETE", "/api/v1/accounts/1/totp", nil)) // its own takes the password
	s.want(404, s.ask(root, "DELETE", "/api/v1/accounts/9/totp", nil))
	got := s.want(200, s.ask(root, "DELETE", "/api/v1/accounts/2/totp", nil))
	if string(got.body) != `{"data":{"id":2,"totp":false}}`+"\n" {
		t.Errorf("it is %s", got.body)
	}
	s.want(401, s.do(request{method: "GET", path: "/api/v1/me", cookie: cookie}))
	s.want(200, s.do(request{method: "GET", path: "/api/v1/me", cookie: s.signIn("anna@example.com")}))
}

func TestCodesAreLimited(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Limits.Secret = 100 })
	s.account("anna@example.com")
	secret, _ := s.secondFactor("anna@example.com", s.signIn("anna@example.com"))
	s.clock.pass(time.Minute)
	signIn := func(code string) response {
		return s.do(request{method: "POST", path: "/api/v1/session", body: form(map[string]any{
			"email": "anna@example.com", "password": passwordOf("anna@example.com"), "code": code})})
	}
	for range 10 {
		s.want(401, signIn("wrong1"))
	}
	if got := s.want(429, signIn(s.code(secret))); got.header.Get("Retry-After") != "360" {
		t.Errorf("Retry-After is %s", got.header.Get("Retry-After"))
	}
	s.clock.pass(6 * time.Minute)
	s.want(201, signIn(s.code(secret)))
}

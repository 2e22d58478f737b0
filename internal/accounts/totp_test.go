package accounts_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// An authenticator is the app of somebody with a second factor.
type authenticator struct {
	home     *home
	secret   string
	recovery []string
}

// turnOnTOTP gives an account a second factor. The code of the present 30 seconds is used up.
func turnOnTOTP(t *testing.T, home *home, db *accounts.DB, c accounts.Caller) authenticator {
	t.Helper()
	secret, _, err := db.BeginTOTP(t.Context(), c, goodPassword)
	must(t, err)
	a := authenticator{home: home, secret: secret}
	a.recovery, err = db.ConfirmTOTP(t.Context(), c, a.code(t, 0))
	must(t, err)
	return a
}

// code is the code that the app shows some time from now.
func (a authenticator) code(t *testing.T, later time.Duration) string {
	t.Helper()
	code, err := totp.GenerateCode(a.secret, a.home.clock().Add(later))
	must(t, err)
	return code
}

func TestSecondFactorIsAskedForOnceItIsConfirmed(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, _, err := db.BeginTOTP(t.Context(), anna, "wrong")
		wantFault(t, err, fault.Invalid, "password")
		_, err = db.ConfirmTOTP(t.Context(), anna, "123456")
		wantFault(t, err, fault.Conflict)

		secret, link, err := db.BeginTOTP(t.Context(), anna, goodPassword)
		must(t, err)
		u, err := url.Parse(link)
		must(t, err)
		if u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Footfall:anna@example.com" || u.Query().Get("secret") != secret || u.Query().Get("issuer") != "Footfall" {
			t.Errorf("the URL is %s", link)
		}
		signIn(t, db, "anna@example.com", goodPassword) // nothing is confirmed yet
		app := authenticator{home: home, secret: secret}
		_, err = db.ConfirmTOTP(t.Context(), anna, "12345x")
		wantFault(t, err, fault.Invalid, "code")
		recovery, err := db.ConfirmTOTP(t.Context(), anna, app.code(t, 0))
		must(t, err)
		equal(t, "recovery codes", len(recovery), 10)

		a, err := db.Account(t.Context(), anna)
		must(t, err)
		equal(t, "two-factor sign-in", a.TOTP, true)
		_, _, err = db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
		wantFault(t, err, fault.TOTPRequired)
		_, _, err = db.SignInWithCode(t.Context(), "anna@example.com", "wrong", app.code(t, 30*time.Second), "")
		wantFault(t, err, fault.Unauthorized) // who does not know the password learns nothing of the code
		_, _, err = db.BeginTOTP(t.Context(), anna, goodPassword)
		wantFault(t, err, fault.Conflict)
	})
}

func TestCodeIsGoodOnceAndAroundItsTime(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		app := turnOnTOTP(t, home, db, addAccount(t, db, "anna@example.com"))
		signIn := func(code string) error {
			_, _, err := db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, code, "")
			return err
		}
		wantFault(t, signIn(app.code(t, 0)), fault.Unauthorized) // it confirmed the factor
		home.pass(5 * time.Minute)
		must(t, signIn(app.code(t, 0)))
		wantFault(t, signIn(app.code(t, 0)), fault.Unauthorized)
		wantFault(t, signIn(app.code(t, -30*time.Second)), fault.Unauthorized) // older than the last
		next := app.code(t, 30*time.Second)
		must(t, signIn(next[:3]+" "+next[3:])) // the clock of the device may be ahead
		home.pass(5 * time.Minute)
		must(t, signIn(app.code(t, -30*time.Second))) // or behind
		wantFault(t, signIn(app.code(t, -time.Minute)), fault.Unauthorized)
		wantFault(t, signIn(app.code(t, time.Minute)), fault.Unauthorized)
	})
}

func TestOneOfManyWithTheSameCodeGetsIn(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		nodes := []*accounts.DB{home.open(t), home.open(t)}
		app := turnOnTOTP(t, home, nodes[0], addAccount(t, nodes[0], "anna@example.com"))
		home.pass(time.Minute)
		for _, what := range []string{"code", "recovery code"} {
			code := app.recovery[0]
			if what == "code" {
				code = app.code(t, 0)
			}
			in := 0
			for _, err := range together(6, func(i int) error {
				_, _, err := nodes[i%2].SignInWithCode(t.Context(), "anna@example.com", goodPassword, code, "")
				return err
			}) {
				if err == nil {
					in++
				}
			}
			if in != 1 {
				t.Errorf("%d got in with one %s", in, what)
			}
			home.pass(time.Hour)
		}
	})
}

func TestRecoveryCodeSignsInOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		app := turnOnTOTP(t, home, db, addAccount(t, db, "anna@example.com"))
		addAccount(t, db, "ben@example.com")
		_, _, err := db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, strings.ToUpper(app.recovery[7]), "")
		must(t, err)
		_, _, err = db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, app.recovery[7], "")
		wantFault(t, err, fault.Unauthorized)
		_, _, err = db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, app.recovery[2], "")
		must(t, err)
	})
}

// Who knows the password cannot try codes without end, from wherever, and whatever is restarted.
func TestWrongCodesAreLimited(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		app := turnOnTOTP(t, home, db, addAccount(t, db, "anna@example.com"))
		home.pass(time.Minute)
		signIn := func(code string) error {
			_, _, err := home.open(t).SignInWithCode(t.Context(), "anna@example.com", goodPassword, code, "")
			return err
		}
		for range 10 {
			wantFault(t, signIn("wrong1"), fault.Unauthorized)
		}
		err := signIn(app.code(t, 0))
		wantFault(t, err, fault.TooManyRequests)
		equal(t, "time to wait", fault.Of(err).RetryAfter, 6*time.Minute)
		home.pass(6 * time.Minute)
		wantFault(t, signIn("wrong2"), fault.Unauthorized)
		wantFault(t, signIn(app.code(t, 0)), fault.TooManyRequests)
		home.pass(6 * time.Minute)
		must(t, signIn(app.code(t, 0))) // which forgets the wrong ones
		for range 10 {
			wantFault(t, signIn("wrong3"), fault.Unauthorized)
		}
	})
}

func TestSecondFactorCanBeEnded(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		app := turnOnTOTP(t, home, db, anna)
		home.pass(time.Minute)
		_, token, err := db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, app.code(t, 0), "")
		must(t, err)
		session, err := db.CallerBySession(t.Context(), token)
		must(t, err)
		_, secret, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{})
		must(t, err)
		key, err := db.CallerByKey(t.Context(), secret)
		must(t, err)

		wantFault(t, db.EndTOTP(t.Context(), session, "wrong", ""), fault.Invalid, "password")
		wantFault(t, db.EndTOTP(t.Context(), session, goodPassword, "wrong1"), fault.Invalid, "code")
		wantFault(t, db.EndTOTP(t.Context(), key, goodPassword, ""), fault.Invalid, "code") // it has shown no code yet
		must(t, db.EndTOTP(t.Context(), session, goodPassword, ""))
		wantFault(t, db.EndTOTP(t.Context(), session, goodPassword, ""), fault.Conflict)
		signIn(t, db, "anna@example.com", goodPassword)

		app = turnOnTOTP(t, home, db, anna)
		must(t, db.EndTOTP(t.Context(), key, goodPassword, app.recovery[0]))
	})
}

func TestRecoveryCodesCanBeRenewed(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, err := db.RenewRecoveryCodes(t.Context(), anna, goodPassword, "")
		wantFault(t, err, fault.Conflict) // there is nothing to recover
		app := turnOnTOTP(t, home, db, anna)
		home.pass(time.Minute)
		signIn := func(code string) (string, error) {
			_, token, err := db.SignInWithCode(t.Context(), "anna@example.com", goodPassword, code, "")
			return token, err
		}
		token, err := signIn(app.recovery[0])
		must(t, err)
		session, err := db.CallerBySession(t.Context(), token)
		must(t, err)

		_, err = db.RenewRecoveryCodes(t.Context(), session, "wrong", "")
		wantFault(t, err, fault.Invalid, "password")
		_, err = db.RenewRecoveryCodes(t.Context(), session, goodPassword, "wrong1")
		wantFault(t, err, fault.Invalid, "code")
		_, err = db.RenewRecoveryCodes(t.Context(), anna, goodPassword, "") // who is in no session has shown no code
		wantFault(t, err, fault.Invalid, "code")
		codes, err := db.RenewRecoveryCodes(t.Context(), session, goodPassword, "")
		must(t, err)
		equal(t, "recovery codes", len(codes), 10)
		_, err = signIn(app.recovery[1])
		wantFault(t, err, fault.Unauthorized)
		_, err = signIn(codes[9])
		must(t, err)
		codes, err = db.RenewRecoveryCodes(t.Context(), anna, goodPassword, codes[0])
		must(t, err)
		equal(t, "recovery codes", len(codes), 10)
	})
}

func TestAdministratorEndsTheSecondFactorOfWhoLostIt(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		root, anna, ben := addAccount(t, db, "root@example.com"), addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		token := func() string {
			_, token, err := db.SignIn(t.Context(), "anna@example.com", goodPassword, "")
			must(t, err)
			return token
		}
		before := token()
		must(t, db.DisableTOTP(t.Context(), root, anna.Account())) // it is off
		_, err := db.CallerBySession(t.Context(), before)
		must(t, err)
		turnOnTOTP(t, home, db, anna)
		wantFault(t, db.DisableTOTP(t.Context(), ben, anna.Account()), fault.Forbidden)
		wantFault(t, db.DisableTOTP(t.Context(), root, 99), fault.NotFound)
		must(t, db.DisableTOTP(t.Context(), root, anna.Account()))
		_, err = db.CallerBySession(t.Context(), before)
		wantFault(t, err, fault.Unauthorized) // whoever has the lost phone is out
		token()

		turnOnTOTP(t, home, db, root)
		wantFault(t, db.DisableTOTP(t.Context(), root, root.Account()), fault.Forbidden) // that takes the password
		must(t, db.DisableTOTP(t.Context(), accounts.Shell(), root.Account()))
	})
}

func TestKeyThatOnlyReadsLeavesTheSecondFactorAlone(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		_, secret, err := db.CreateKey(t.Context(), anna, accounts.KeyInput{Scope: "read"})
		must(t, err)
		reader, err := db.CallerByKey(t.Context(), secret)
		must(t, err)
		_, _, err = db.BeginTOTP(t.Context(), reader, goodPassword)
		wantFault(t, err, fault.Forbidden)
		_, err = db.ConfirmTOTP(t.Context(), reader, "123456")
		wantFault(t, err, fault.Forbidden)
		wantFault(t, db.EndTOTP(t.Context(), reader, goodPassword, ""), fault.Forbidden)
		_, err = db.RenewRecoveryCodes(t.Context(), reader, goodPassword, "")
		wantFault(t, err, fault.Forbidden)
	})
}

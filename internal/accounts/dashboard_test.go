package accounts_test

import (
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// somebody looks with a token, and maybe as a caller.
func somebody(c *accounts.Caller, token string) accounts.Onlooker {
	return accounts.Onlooker{Caller: c, Pass: func(int64) string { return token }}
}

// protect makes a website that asks for a password.
func protect(t *testing.T, db *accounts.DB, c accounts.Caller, domain, password string) accounts.Website {
	t.Helper()
	w, err := db.CreateWebsite(t.Context(), c, accounts.WebsiteInput{Domain: new(domain), Privacy: new("2"), Password: new(password)})
	must(t, err)
	return w
}

func open(t *testing.T, db *accounts.DB, w accounts.Website, password string) string {
	t.Helper()
	token, err := db.OpenDashboard(t.Context(), w.ID, password)
	must(t, err)
	return token
}

func TestWhoSeesADashboard(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna, ben := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		private := createWebsite(t, db, anna, "private.example")
		protected := protect(t, db, anna, "protected.example", "sesame")
		other := protect(t, db, anna, "other.example", "sesame")
		public := createWebsite(t, db, anna, "public.example")
		_, err := db.UpdateWebsite(t.Context(), anna, public.ID, accounts.WebsiteInput{Privacy: new("0")})
		must(t, err)
		lent := createWebsite(t, db, anna, "lent.example")
		_, err = db.ShareWebsite(t.Context(), anna, lent.ID, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
		must(t, err)
		pass := open(t, db, protected, "sesame")
		const absent = 999
		domains := map[int64]string{private.ID: "private.example", protected.ID: "protected.example", other.ID: "other.example",
			public.ID: "public.example", lent.ID: "lent.example", absent: "absent.example"}
		nobody := somebody(nil, "")
		for name, c := range map[string]struct {
			who      accounts.Onlooker
			website  int64
			access   accounts.Access
			byID     fault.Code
			byDomain fault.Code
		}{
			"nobody, private":              {nobody, private.ID, "", fault.Unauthorized, fault.NotFound},
			"nobody, absent":               {nobody, absent, "", fault.Unauthorized, fault.NotFound},
			"nobody, public":               {nobody, public.ID, accounts.AsPublic, "", ""},
			"nobody, protected":            {nobody, protected.ID, "", fault.Unauthorized, fault.PasswordRequired},
			"a pass, its website":          {somebody(nil, pass), protected.ID, accounts.AsShared, "", ""},
			"a pass, another website":      {somebody(nil, pass), other.ID, "", fault.Unauthorized, fault.PasswordRequired},
			"a pass, a private website":    {somebody(nil, pass), private.ID, "", fault.Unauthorized, fault.NotFound},
			"a guess":                      {somebody(nil, "ffd_"+strings.Repeat("0", 64)), protected.ID, "", fault.Unauthorized, fault.PasswordRequired},
			"the owner, private":           {somebody(&anna, ""), private.ID, accounts.Owner, "", ""},
			"the owner, protected":         {somebody(&anna, ""), protected.ID, accounts.Owner, "", ""},
			"the owner, with a pass":       {somebody(&anna, pass), protected.ID, accounts.Owner, "", ""},
			"an editor":                    {somebody(&ben, ""), lent.ID, accounts.Editor, "", ""},
			"another, private":             {somebody(&ben, ""), private.ID, "", fault.NotFound, fault.NotFound},
			"another, absent":              {somebody(&ben, ""), absent, "", fault.NotFound, fault.NotFound},
			"another, public":              {somebody(&ben, ""), public.ID, accounts.AsPublic, "", ""},
			"another, protected":           {somebody(&ben, ""), protected.ID, "", fault.NotFound, fault.PasswordRequired},
			"another, protected, a pass":   {somebody(&ben, pass), protected.ID, accounts.AsShared, "", ""},
			"another, with the wrong pass": {somebody(&ben, pass), other.ID, "", fault.NotFound, fault.PasswordRequired},
		} {
			byID, err := db.VisibleWebsite(t.Context(), c.who, c.website)
			if byID.Access != c.access || c.byID != "" && !fault.Is(err, c.byID) || c.byID == "" && err != nil {
				t.Errorf("%s by id: %q, %v", name, byID.Access, err)
			}
			found, err := db.Dashboard(t.Context(), c.who, domains[c.website])
			if found.Access != c.access || c.byDomain != "" && !fault.Is(err, c.byDomain) || c.byDomain == "" && err != nil {
				t.Errorf("%s by domain: %q, %v", name, found.Access, err)
			}
		}
	})
}

// S5: what was opened with a password does not outlive it.
func TestPassEnds(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, home *home, db *accounts.DB, anna accounts.Caller, w accounts.Website){
		"with a new password": func(t *testing.T, _ *home, db *accounts.DB, anna accounts.Caller, w accounts.Website) {
			_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Password: new("thyme")})
			must(t, err)
		},
		"with the privacy, also when it comes back": func(t *testing.T, _ *home, db *accounts.DB, anna accounts.Caller, w accounts.Website) {
			for _, privacy := range []string{"1", "2"} {
				_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Privacy: new(privacy)})
				must(t, err)
			}
		},
		"after 30 days": func(t *testing.T, home *home, db *accounts.DB, _ accounts.Caller, _ accounts.Website) {
			home.pass(30 * 24 * time.Hour)
		},
		"with the website": func(t *testing.T, _ *home, db *accounts.DB, anna accounts.Caller, w accounts.Website) {
			must(t, db.DeleteWebsite(t.Context(), anna, w.ID))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, home *home) {
				db := home.open(t)
				anna := addAccount(t, db, "anna@example.com")
				w := protect(t, db, anna, "example.com", "sesame")
				beside := protect(t, db, anna, "example.org", "sesame")
				token, kept := open(t, db, w, "sesame"), open(t, db, beside, "sesame")
				_, err := db.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Email: new("1"), Privacy: new("2")}) // changes neither
				must(t, err)
				_, err = db.VisibleWebsite(t.Context(), somebody(nil, token), w.ID)
				must(t, err)
				end(t, home, db, anna, w)
				_, err = db.VisibleWebsite(t.Context(), somebody(nil, token), w.ID)
				wantFault(t, err, fault.Unauthorized)
				if name != "after 30 days" {
					_, err = db.VisibleWebsite(t.Context(), somebody(nil, kept), beside.ID)
					must(t, err)
				}
			})
		})
	}
}

func TestDashboardCanBeClosedByWhoOpenedIt(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := protect(t, db, anna, "example.com", "sesame")
		createWebsite(t, db, anna, "private.example")
		mine, other := open(t, db, w, "sesame"), open(t, db, w, "sesame")
		for name, c := range map[string]struct{ domain, token string }{
			"absent": {"absent.example", mine}, "private": {"private.example", mine}, "no pass": {"example.com", ""},
		} {
			if id, err := db.CloseDashboard(t.Context(), somebody(nil, c.token), c.domain); id != 0 || err != nil {
				t.Errorf("%s: closed %d, %v", name, id, err)
			}
		}
		id, err := db.CloseDashboard(t.Context(), somebody(nil, mine), "Example.com")
		must(t, err)
		equal(t, "closed", id, w.ID)
		_, err = db.VisibleWebsite(t.Context(), somebody(nil, mine), w.ID)
		wantFault(t, err, fault.Unauthorized)
		_, err = db.VisibleWebsite(t.Context(), somebody(nil, other), w.ID)
		must(t, err)
	})
}

func TestPassesAreBoundedAndTidiedUp(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		w := protect(t, db, addAccount(t, db, "anna@example.com"), "example.com", "sesame")
		first := open(t, db, w, "sesame")
		raw := home.raw(t)
		_, err := raw.Exec(`INSERT INTO website_passes (website_id, hash, created_at, expires_at)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) SELECT 1, 'filler ' || i, 1, 9999999999999 FROM n`)
		must(t, err)
		second := open(t, db, w, "sesame")
		_, err = db.VisibleWebsite(t.Context(), somebody(nil, first), w.ID)
		wantFault(t, err, fault.Unauthorized)
		_, err = db.VisibleWebsite(t.Context(), somebody(nil, second), w.ID)
		must(t, err)
		count := func() (n int) {
			must(t, raw.QueryRow(`SELECT COUNT(*) FROM website_passes`).Scan(&n))
			return n
		}
		equal(t, "passes", count(), 10_000)
		home.pass(30 * 24 * time.Hour)
		must(t, db.Tidy(t.Context()))
		equal(t, "passes after the last expired", count(), 9_999)
	})
}

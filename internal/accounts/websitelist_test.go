package accounts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

// domains are those of a list, in its order.
func domains(list accounts.WebsiteList) string {
	var names []string
	for _, w := range list.Websites {
		names = append(names, w.Domain)
	}
	return strings.Join(names, " ")
}

func TestListIsSearchedAndSorted(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		for _, domain := range []string{"b-shop.example", "a.example", "my_shop.example", "bücher.example", "B2.example"} {
			createWebsite(t, db, anna, domain)
		}
		for name, c := range map[string]struct {
			params accounts.ListParams
			want   string
		}{
			"newest first":              {accounts.ListParams{}, "b2.example xn--bcher-kva.example my_shop.example a.example b-shop.example"},
			"oldest first":              {accounts.ListParams{Sort: "asc"}, "b-shop.example a.example my_shop.example xn--bcher-kva.example b2.example"},
			"by domain, last first":     {accounts.ListParams{SortBy: "domain"}, "xn--bcher-kva.example my_shop.example b2.example b-shop.example a.example"},
			"by domain, byte by byte":   {accounts.ListParams{SortBy: "domain", Sort: "asc"}, "a.example b-shop.example b2.example my_shop.example xn--bcher-kva.example"},
			"search":                    {accounts.ListParams{Search: "shop", Sort: "asc"}, "b-shop.example my_shop.example"},
			"search in another case":    {accounts.ListParams{Search: " SHOP ", SearchBy: "domain", Sort: "asc"}, "b-shop.example my_shop.example"},
			"percent is no wildcard":    {accounts.ListParams{Search: "%"}, ""},
			"underscore is no wildcard": {accounts.ListParams{Search: "y_s"}, "my_shop.example"},
			"backslash is a character":  {accounts.ListParams{Search: `\`}, ""},
			"quotes are characters":     {accounts.ListParams{Search: `' OR '1'='1`}, ""},
			"letters beyond ASCII":      {accounts.ListParams{Search: "BÜCH"}, "xn--bcher-kva.example"},
			"the same in ASCII":         {accounts.ListParams{Search: "xn--bcher"}, "xn--bcher-kva.example"},
			"found nothing":             {accounts.ListParams{Search: "absent"}, ""},
		} {
			t.Run(name, func(t *testing.T) {
				list, err := db.Websites(t.Context(), anna, c.params)
				must(t, err)
				equal(t, "list", domains(list), c.want)
				equal(t, "total", list.Total, len(list.Websites))
				equal(t, "page", []int{list.Page, list.PerPage}, []int{1, 10})
			})
		}
	})
}

func TestListHasPages(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		for i := range 27 {
			createWebsite(t, db, anna, fmt.Sprintf("%02d.example", i))
		}
		for name, c := range map[string]struct {
			params      accounts.ListParams
			first, last string
			count       int
		}{
			"first of ten":   {accounts.ListParams{}, "26.example", "17.example", 10},
			"second of ten":  {accounts.ListParams{Page: "2"}, "16.example", "07.example", 10},
			"third of ten":   {accounts.ListParams{Page: "3"}, "06.example", "00.example", 7},
			"after the last": {accounts.ListParams{Page: "4"}, "", "", 0},
			"far away":       {accounts.ListParams{Page: "1000000000", PerPage: "100"}, "", "", 0},
			"25 at once":     {accounts.ListParams{PerPage: "25", Sort: "asc"}, "00.example", "24.example", 25},
			"50 at once":     {accounts.ListParams{PerPage: "50"}, "26.example", "00.example", 27},
			"100 at once":    {accounts.ListParams{PerPage: "100", Page: "1"}, "26.example", "00.example", 27},
		} {
			t.Run(name, func(t *testing.T) {
				list, err := db.Websites(t.Context(), anna, c.params)
				must(t, err)
				equal(t, "total", list.Total, 27)
				if len(list.Websites) != c.count {
					t.Fatalf("%d websites, want %d", len(list.Websites), c.count)
				}
				if c.count > 0 {
					equal(t, "first", list.Websites[0].Domain, c.first)
					equal(t, "last", list.Websites[c.count-1].Domain, c.last)
				}
			})
		}
	})
}

func TestEveryWrongParameterOfAListIsNamed(t *testing.T) {
	db := sqliteOnly(t)
	anna := addAccount(t, db, "anna@example.com")
	_, err := db.Websites(t.Context(), anna, accounts.ListParams{
		Search: "a\x00b", SearchBy: "id", SortBy: "created_at; DROP TABLE websites", Sort: "up", PerPage: "11", Page: "0",
	})
	wantFault(t, err, fault.Invalid)
	equal(t, "wrong fields", fault.Of(err).Fields, map[string][]string{
		"search":    {"must be text on one line"},
		"search_by": {"must be domain"},
		"sort_by":   {"must be id or domain"},
		"sort":      {"must be desc or asc"},
		"per_page":  {"must be one of 10, 25, 50, 100"},
		"page":      {"must be a whole number from 1 to 1000000000"},
	})
	for _, page := range []string{"-1", "1.5", "x", "1000000001", "99999999999999999999", " 1"} {
		_, err := db.Websites(t.Context(), anna, accounts.ListParams{Page: page})
		wantFault(t, err, fault.Invalid, "page")
	}
	for _, perPage := range []string{"0", "-10", "010", "ten", "1000"} {
		_, err := db.Websites(t.Context(), anna, accounts.ListParams{PerPage: perPage})
		wantFault(t, err, fault.Invalid, "per_page")
	}
	_, err = db.Websites(t.Context(), anna, accounts.ListParams{Search: strings.Repeat("x", 201)})
	wantFault(t, err, fault.Invalid, "search")
}

func TestListHasOwnAndSharedWebsitesOnly(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		admin := addAccount(t, db, "admin@example.com") // an administrator has no more websites than others
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		shared := createWebsite(t, db, anna, "shared.example")
		createWebsite(t, db, anna, "anna.example")
		createWebsite(t, db, ben, "ben.example")
		gone := createWebsite(t, db, ben, "gone.example")
		must(t, db.DeleteWebsite(t.Context(), ben, gone.ID))
		_, err := db.ShareWebsite(t.Context(), anna, shared.ID, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
		must(t, err)

		for name, c := range map[string]struct {
			caller accounts.Caller
			want   string
		}{
			"admin": {admin, ""},
			"anna":  {anna, "anna.example owner, shared.example owner"},
			"ben":   {ben, "ben.example owner, shared.example editor"},
			"shell": {accounts.Shell(), ""},
		} {
			list, err := db.Websites(t.Context(), c.caller, accounts.ListParams{SortBy: "domain", Sort: "asc"})
			must(t, err)
			var got []string
			for _, w := range list.Websites {
				got = append(got, w.Domain+" "+string(w.Access))
			}
			equal(t, "list of "+name, strings.Join(got, ", "), c.want)
			equal(t, "total of "+name, list.Total, len(list.Websites))
		}
		everything, err := db.AllWebsites(t.Context())
		must(t, err)
		equal(t, "all websites", domains(accounts.WebsiteList{Websites: everything}), "shared.example anna.example ben.example")
	})
}

func TestListFollowsEveryChange(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db, other := home.open(t), home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		ben := addAccount(t, db, "ben@example.com")
		var w accounts.Website
		for _, step := range []struct {
			name       string
			do         func() error
			anna, bens string
		}{
			{"nothing", func() error { return nil }, "", ""},
			{"create", func() error { w = createWebsite(t, other, anna, "example.com"); return nil }, "example.com owner UTC", ""},
			{"update", func() error {
				_, err := other.UpdateWebsite(t.Context(), anna, w.ID, accounts.WebsiteInput{Timezone: new("Asia/Tokyo")})
				return err
			}, "example.com owner Asia/Tokyo", ""},
			{"share", func() error {
				_, err := other.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com"})
				return err
			}, "example.com owner Asia/Tokyo", "example.com viewer Asia/Tokyo"},
			{"share more", func() error {
				_, err := other.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
				return err
			}, "example.com owner Asia/Tokyo", "example.com editor Asia/Tokyo"},
			{"unshare", func() error { return other.UnshareWebsite(t.Context(), anna, w.ID, ben.Account()) }, "example.com owner Asia/Tokyo", ""},
			{"delete", func() error { return other.DeleteWebsite(t.Context(), anna, w.ID) }, "", ""},
		} {
			must(t, step.do())
			time.Sleep(accounts.MomentLength)
			for range 2 { // the second time from memory
				for name, c := range map[string]struct {
					caller accounts.Caller
					want   string
				}{"anna": {anna, step.anna}, "ben": {ben, step.bens}} {
					list, err := db.Websites(t.Context(), c.caller, accounts.ListParams{})
					must(t, err)
					var got []string
					for i, w := range list.Websites {
						got = append(got, w.Domain+" "+string(w.Access)+" "+w.Timezone)
						list.Websites[i] = accounts.Website{} // what a caller does with the list is their own business
					}
					equal(t, "after "+step.name+" the list of "+name, strings.Join(got, ", "), c.want)
				}
			}
		}
	})
}

package accounts_test

import (
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestAnnotations(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna, ben := addAccount(t, db, "anna@example.com"), addAccount(t, db, "ben@example.com")
		w := createWebsite(t, db, anna, "example.com")
		other := createWebsite(t, db, anna, "example.org")
		add := func(c accounts.Caller, day, text string) (accounts.Annotation, error) {
			return db.AddAnnotation(t.Context(), c, w.ID, accounts.AnnotationInput{Day: &day, Text: &text})
		}
		late, err := add(anna, "2026-03-09", " Launch of the shop ")
		must(t, err)
		equal(t, "annotation", late, accounts.Annotation{ID: late.ID, Day: "2026-03-09", Text: "Launch of the shop", CreatedAt: home.clock()})
		early, err := add(anna, "2026-01-31", "Fair")
		must(t, err)
		list := func(from, to string) string {
			t.Helper()
			all, err := db.Annotations(t.Context(), w, from, to)
			must(t, err)
			var texts []string
			for _, a := range all {
				texts = append(texts, a.Day+" "+a.Text)
			}
			return strings.Join(texts, ", ")
		}
		equal(t, "all", list("", ""), "2026-01-31 Fair, 2026-03-09 Launch of the shop")
		equal(t, "from", list("2026-02-01", ""), "2026-03-09 Launch of the shop")
		equal(t, "to", list("", "2026-03-08"), "2026-01-31 Fair")
		equal(t, "one day", list("2026-03-09", "2026-03-09"), "2026-03-09 Launch of the shop")
		for _, c := range [][2]string{{"2026-02-30", ""}, {"", "yesterday"}, {"2026-03-02", "2026-03-01"}} {
			_, err := db.Annotations(t.Context(), w, c[0], c[1])
			wantFault(t, err, fault.Invalid, map[bool]string{true: "from", false: "to"}[c[1] == ""])
		}

		changed, err := db.UpdateAnnotation(t.Context(), anna, w.ID, early.ID, accounts.AnnotationInput{Text: new("Book fair")})
		must(t, err)
		equal(t, "changed", changed.Day+" "+changed.Text, "2026-01-31 Book fair")
		_, err = db.UpdateAnnotation(t.Context(), anna, other.ID, early.ID, accounts.AnnotationInput{Text: new("x")})
		wantFault(t, err, fault.NotFound)
		wantFault(t, db.DeleteAnnotation(t.Context(), anna, other.ID, early.ID), fault.NotFound)

		_, err = add(ben, "2026-03-09", "x")
		wantFault(t, err, fault.NotFound)
		_, err = db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com"})
		must(t, err)
		_, err = add(ben, "2026-03-09", "x")
		wantFault(t, err, fault.Forbidden)
		_, err = db.ShareWebsite(t.Context(), anna, w.ID, accounts.ShareInput{Email: "ben@example.com", Access: "editor"})
		must(t, err)
		must(t, db.DeleteAnnotation(t.Context(), ben, w.ID, early.ID))
		equal(t, "what is left", list("", ""), "2026-03-09 Launch of the shop")

		_, err = db.AddAnnotation(t.Context(), anna, w.ID, accounts.AnnotationInput{})
		wantFault(t, err, fault.Invalid, "day", "text")
		for name, text := range map[string]string{"empty": " ", "two lines": "a\nb", "too long": strings.Repeat("ü", 201), "hidden": "a\u202eb"} {
			_, err := add(anna, "2026-03-09", text)
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("a text that is %s: %v", name, err)
			}
		}
	})
}

func TestAnnotationsAreBounded(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		anna := addAccount(t, db, "anna@example.com")
		w := createWebsite(t, db, anna, "example.com")
		_, err := home.raw(t).Exec(`INSERT INTO annotations (website_id, day, text, created_at)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT 1, '2026-03-01', 'filler ' || i, 1 FROM n`)
		must(t, err)
		_, err = db.AddAnnotation(t.Context(), anna, w.ID, accounts.AnnotationInput{Day: new("2026-03-09"), Text: new("x")})
		wantFault(t, err, fault.Conflict)
	})
}

package accounts_test

import (
	"strings"
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestSettings(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		admin := addAccount(t, db, "admin@example.com")
		set := func(name, value string) {
			t.Helper()
			must(t, db.SetSetting(t.Context(), admin, name, value))
			got, err := db.Setting(t.Context(), name)
			must(t, err)
			equal(t, name, got, value)
		}
		set("title", "Numbers")
		set("title", "Zahlen 'n' \"more\"\n")
		set("mail.from", "x@example.com")
		all, err := db.Settings(t.Context(), admin)
		must(t, err)
		equal(t, "settings", all, map[string]string{"title": "Zahlen 'n' \"more\"\n", "mail.from": "x@example.com"})
		set("title", "")
		all, err = db.Settings(t.Context(), admin)
		must(t, err)
		equal(t, "settings", all, map[string]string{"mail.from": "x@example.com"})
		wantFault(t, db.SetSetting(t.Context(), admin, "A b", "\x00"), fault.Invalid, "name", "value")
		wantFault(t, db.SetSetting(t.Context(), accounts.Shell(), "a", strings.Repeat("x", 65537)), fault.Invalid, "value")
	})
}

package accounts_test

import (
	"testing"

	"footfall/internal/accounts"
	"footfall/internal/fault"
)

func TestInstallationSettings(t *testing.T) {
	onEachEngine(t, func(t *testing.T, home *home) {
		db := home.open(t)
		root, anna := addAccount(t, db, "root@example.com"), addAccount(t, db, "anna@example.com")
		i, err := db.Installation(t.Context())
		must(t, err)
		equal(t, "settings of a new one", i, accounts.Installation{Name: "Footfall", Timezone: "UTC"})
		_, err = db.UpdateInstallation(t.Context(), anna, accounts.InstallationInput{Name: new("x")})
		wantFault(t, err, fault.Forbidden)
		_, err = db.UpdateInstallation(t.Context(), root, accounts.InstallationInput{Name: new("a\nb"), Timezone: new("Mars/Olympus")})
		wantFault(t, err, fault.Invalid, "name", "default_timezone")

		i, err = db.UpdateInstallation(t.Context(), root, accounts.InstallationInput{Name: new(" Numbers "), Timezone: new("Europe/Berlin")})
		must(t, err)
		equal(t, "settings", i, accounts.Installation{Name: "Numbers", Timezone: "Europe/Berlin"})
		equal(t, "time zone of a new website", createWebsite(t, db, anna, "example.com").Timezone, "Europe/Berlin")
		ben, err := db.Account(t.Context(), addAccount(t, db, "ben@example.com"))
		must(t, err)
		equal(t, "time zone of a new account", ben.Timezone, "Europe/Berlin")
		i, err = db.UpdateInstallation(t.Context(), root, accounts.InstallationInput{Name: new("")})
		must(t, err)
		equal(t, "settings without a name", i, accounts.Installation{Name: "Footfall", Timezone: "Europe/Berlin"})

		people, websites, err := db.Count(t.Context(), root)
		must(t, err)
		equal(t, "accounts", people, int64(3))
		equal(t, "websites", websites, int64(1))
		_, _, err = db.Count(t.Context(), anna)
		wantFault(t, err, fault.Forbidden)
	})
}

package accounts

import (
	"context"

	"footfall/internal/fault"
)

// An Installation is what can be set of the whole.
type Installation struct {
	Name     string // its title
	Timezone string // of new accounts and websites that say nothing else
}

// An InstallationInput is what was sent of the settings of the installation, as it was sent; nil is not sent, and ""
// the default.
type InstallationInput struct{ Name, Timezone *string }

// The names of the settings, and what they are if they are not set.
const (
	nameSetting, defaultName = "name", "Footfall"
	zoneSetting, defaultZone = "default_timezone", "UTC"
)

// Installation is the settings of the installation. Nobody's right to see them is asked.
func (db *DB) Installation(ctx context.Context) (Installation, error) {
	name, err := db.Setting(ctx, nameSetting)
	if err != nil {
		return Installation{}, err
	}
	zone, err := db.defaultZone(ctx)
	return Installation{Name: orDefault(name, defaultName), Timezone: zone}, err
}

// defaultZone is the time zone of what says nothing else.
func (db *DB) defaultZone(ctx context.Context) (string, error) {
	zone, err := db.Setting(ctx, zoneSetting)
	return orDefault(zone, defaultZone), err
}

// UpdateInstallation changes the settings that were sent. The caller is an administrator.
func (db *DB) UpdateInstallation(ctx context.Context, c Caller, in InstallationInput) (Installation, error) {
	if err := c.mayAdminister(); err != nil {
		return Installation{}, err
	}
	var f fault.Fields
	sent := make(map[string]string)
	if in.Name != nil {
		sent[nameSetting] = line(&f, "name", *in.Name)
	}
	if in.Timezone != nil {
		if sent[zoneSetting] = *in.Timezone; *in.Timezone != "" {
			zone(&f, "default_timezone", *in.Timezone)
		}
	}
	if err := f.Err(); err != nil {
		return Installation{}, err
	}
	for name, value := range sent {
		if err := db.SetSetting(ctx, c, name, value); err != nil {
			return Installation{}, err
		}
	}
	return db.Installation(ctx)
}

// Count tells how many accounts and websites there are. The caller is an administrator.
func (db *DB) Count(ctx context.Context, c Caller) (accounts, websites int64, err error) {
	if c.role != Admin {
		return 0, 0, c.mayAdminister()
	}
	err = db.read.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM accounts), (SELECT COUNT(*) FROM websites)`).Scan(&accounts, &websites)
	return accounts, websites, db.trouble("count accounts and websites", err)
}

package accounts

import (
	"context"
	"database/sql"
	"errors"
	"regexp"

	"footfall/internal/fault"
)

const maxSettingBytes = 64 << 10

var settingName = regexp.MustCompile(`^[a-z][a-z0-9_.]{0,63}$`)

// Setting is the value of a setting of the installation; "" if it is not set. Nobody's right to see it is asked.
func (db *DB) Setting(ctx context.Context, name string) (value string, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = $1`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, db.trouble("read a setting", err)
}

// Settings are all settings of the installation that are set. The caller is an administrator.
func (db *DB) Settings(ctx context.Context, c Caller) (map[string]string, error) {
	if c.role != Admin {
		return nil, c.mayAdminister()
	}
	type setting struct{ name, value string }
	list, err := all(ctx, db.read, func(row scanner) (s setting, err error) {
		err = row.Scan(&s.name, &s.value)
		return s, err
	}, `SELECT name, value FROM settings`)
	settings := make(map[string]string, len(list))
	for _, s := range list {
		settings[s.name] = s.value
	}
	return settings, db.trouble("list settings", err)
}

// SetSetting sets a setting of the installation; "" unsets it. The caller is an administrator.
func (db *DB) SetSetting(ctx context.Context, c Caller, name, value string) error {
	if err := c.mayAdminister(); err != nil {
		return err
	}
	var f fault.Fields
	if !settingName.MatchString(name) {
		f.Add("name", "must be lower-case letters, digits, dots and underscores, at most 64")
	}
	if len(value) > maxSettingBytes || !isText(value) {
		f.Add("value", "must be text of at most %d bytes", maxSettingBytes)
	}
	if err := f.Err(); err != nil {
		return err
	}
	return db.change(ctx, "set a setting", func(tx *sql.Tx) (err error) {
		if value == "" {
			_, err = tx.ExecContext(ctx, `DELETE FROM settings WHERE name = $1`, name)
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`, name, value, millis(db.clock()))
		return err
	})
}

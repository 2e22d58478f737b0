package accounts

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"
	"time"

	"footfall/internal/fault"
)

// An Account is a person who signs in.
type Account struct {
	ID        int64
	Email     string // in lower case
	Name      string
	Role      Role
	Locale    string // BCP 47, such as "de" or "pt-BR"; "" is that of the browser
	Timezone  string // IANA's name
	TOTP      bool   // signing in takes a second factor
	CreatedAt time.Time
	UpdatedAt time.Time
}

// An AccountInput is what was sent of an account, as it was sent; nil is not sent.
type AccountInput struct {
	Email    *string
	Name     *string
	Password *string // only of a new account
	Role     *string // admin or member
	Locale   *string
	Timezone *string
}

const accountColumns = `id, email, name, role, locale, timezone, totp_secret <> '', created_at, updated_at`

func scanAccount(row scanner) (Account, error) {
	var a Account
	err := row.Scan(&a.ID, &a.Email, &a.Name, &a.Role, &a.Locale, &a.Timezone, &a.TOTP, stamp{&a.CreatedAt}, stamp{&a.UpdatedAt})
	return a, err
}

func noAccount(id any) error { return fault.New(fault.NotFound, "no account %v", id) }

// Account shows the account that calls.
func (db *DB) Account(ctx context.Context, c Caller) (Account, error) {
	a, err := accountByID(ctx, db.read, c.account)
	return a, db.trouble("show an account", err)
}

func accountByID(ctx context.Context, q querier, id int64) (Account, error) {
	a, err := scanAccount(q.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Account{}, noAccount(id)
	}
	return a, err
}

// AccountByEmail finds an account. It is for the command line and for reports: nobody's right to see it is asked.
func (db *DB) AccountByEmail(ctx context.Context, email string) (Account, error) {
	a, err := accountByEmail(ctx, db.read, email)
	return a, db.trouble("find an account", err)
}

func accountByEmail(ctx context.Context, q querier, email string) (Account, error) {
	normal, ok := normalEmail(email)
	if !ok {
		return Account{}, noAccount(quote(email))
	}
	a, err := scanAccount(q.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE email = $1`, normal))
	if errors.Is(err, sql.ErrNoRows) {
		return Account{}, noAccount(quote(email))
	}
	return a, err
}

// Accounts lists all accounts in the order of their emails. The caller is an administrator.
func (db *DB) Accounts(ctx context.Context, c Caller) ([]Account, error) {
	if c.role != Admin {
		return nil, c.mayAdminister()
	}
	list, err := all(ctx, db.read, scanAccount, `SELECT `+accountColumns+` FROM accounts ORDER BY email`)
	return list, db.trouble("list accounts", err)
}

// AddAccount makes an account. The caller is an administrator. The first account is one, whatever was sent, and makes
// setup links useless.
func (db *DB) AddAccount(ctx context.Context, c Caller, in AccountInput) (Account, error) {
	if err := c.mayAdminister(); err != nil {
		return Account{}, err
	}
	a, hash, err := db.newAccount(ctx, in)
	if err != nil {
		return Account{}, err
	}
	err = db.change(ctx, "add an account", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		some, err := hasAccounts(ctx, tx)
		if err != nil {
			return err
		}
		if !some {
			a.Role = Admin
		}
		return insertAccount(ctx, tx, &a, hash)
	})
	if err != nil {
		return Account{}, err
	}
	return a, nil
}

// newAccount is an account that is not in the database yet, with the hash of its password.
func (db *DB) newAccount(ctx context.Context, in AccountInput) (a Account, hash string, err error) {
	now := db.clock()
	zone, err := db.defaultZone(ctx)
	if err != nil {
		return Account{}, "", err
	}
	a = Account{Role: Member, Timezone: zone, CreatedAt: now, UpdatedAt: now}
	if err := in.create(&a); err != nil {
		return Account{}, "", err
	}
	hash, err = db.hashPassword(ctx, *in.Password)
	return a, hash, err
}

// insertAccount adds an account, gives it its id, and removes the links that make the first one.
func insertAccount(ctx context.Context, tx *sql.Tx, a *Account, hash string) error {
	err := tx.QueryRowContext(ctx, `INSERT INTO accounts (email, name, password, role, locale, timezone, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email) DO NOTHING RETURNING id`,
		a.Email, a.Name, hash, string(a.Role), a.Locale, a.Timezone, millis(a.CreatedAt), millis(a.UpdatedAt)).Scan(&a.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return emailTaken(a.Email)
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM setup_tokens`)
	return err
}

func emailTaken(email string) error {
	var f fault.Fields
	f.Add("email", "%s already has an account", email)
	return f.As(fault.Conflict)
}

// UpdateAccount changes the fields of an account that were sent. Everyone may change their own, except for the role:
// that takes an administrator, as do the accounts of others.
func (db *DB) UpdateAccount(ctx context.Context, c Caller, id int64, in AccountInput) (Account, error) {
	may := c.mayManage
	if id != c.account || in.Role != nil {
		may = c.mayAdminister
	}
	if err := may(); err != nil {
		return Account{}, err
	}
	var a Account
	err := db.change(ctx, "update an account", func(tx *sql.Tx) (err error) {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		if a, err = accountByID(ctx, tx, id); err != nil {
			return err
		}
		before := a
		if err := in.update(&a); err != nil {
			return err
		}
		if before.Role == Admin && a.Role != Admin {
			if err := notTheLastAdmin(ctx, tx); err != nil {
				return err
			}
		}
		if a.Email != before.Email {
			switch _, err := accountByEmail(ctx, tx, a.Email); {
			case err == nil:
				return emailTaken(a.Email)
			case !fault.Is(err, fault.NotFound):
				return err
			}
		}
		a.UpdatedAt = db.clock()
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET email = $2, name = $3, role = $4, locale = $5, timezone = $6, updated_at = $7 WHERE id = $1`,
			id, a.Email, a.Name, string(a.Role), a.Locale, a.Timezone, millis(a.UpdatedAt))
		return err
	})
	if err != nil {
		return Account{}, err
	}
	return a, nil
}

// DeleteAccount deletes an account with its websites, keys and sessions. Everyone may delete their own; that of another
// takes an administrator. The last administrator stays.
func (db *DB) DeleteAccount(ctx context.Context, c Caller, id int64) error {
	may := c.mayAdminister
	if id == c.account {
		may = c.mayManage
	}
	if err := may(); err != nil {
		return err
	}
	return db.changeWebsites(ctx, "delete an account", func(tx *sql.Tx) error {
		if err := touch(ctx, tx, ofAccounts); err != nil {
			return err
		}
		a, err := accountByID(ctx, tx, id)
		if err != nil {
			return err
		}
		if a.Role == Admin {
			if err := notTheLastAdmin(ctx, tx); err != nil {
				return err
			}
		}
		if err := db.deleteWebsites(ctx, tx, `account_id = $1`, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM accounts WHERE id = $1`, id)
		return err
	})
}

func notTheLastAdmin(ctx context.Context, tx *sql.Tx) error {
	var admins int
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM accounts WHERE role = 'admin'`).Scan(&admins); err != nil {
		return err
	}
	if admins < 2 {
		return fault.New(fault.Conflict, "this is the last administrator: make another account one first")
	}
	return nil
}

// create checks what was sent of a new account and puts it into a, which has the defaults.
func (in AccountInput) create(a *Account) error {
	var f fault.Fields
	if in.Email == nil {
		f.Add("email", "is required")
	}
	if in.Password == nil {
		f.Add("password", "is required")
	} else {
		accountPassword(&f, "password", *in.Password)
	}
	in.apply(&f, a)
	return f.Err()
}

// update checks what was sent of an account that exists and puts it into a.
func (in AccountInput) update(a *Account) error {
	var f fault.Fields
	if in.Password != nil {
		f.Add("password", "cannot be changed with the other fields")
	}
	in.apply(&f, a)
	return f.Err()
}

func (in AccountInput) apply(f *fault.Fields, a *Account) {
	if in.Email != nil {
		email, ok := normalEmail(*in.Email)
		if !ok {
			f.Add("email", "must be an email address such as anna@example.com")
		}
		a.Email = email
	}
	if in.Name != nil {
		a.Name = line(f, "name", *in.Name)
	}
	if in.Role != nil {
		a.Role = choice(f, "role", *in.Role, Admin, Member)
	}
	if in.Locale != nil {
		if a.Locale = *in.Locale; !isLocale(a.Locale) {
			f.Add("locale", "must be a language such as en or pt-BR")
		}
	}
	if in.Timezone != nil {
		a.Timezone = zone(f, "timezone", *in.Timezone)
	}
}

var localePattern = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)

func isLocale(s string) bool { return s == "" || localePattern.MatchString(s) }

// normalEmail is an email address in lower case, its domain in ASCII, so that one person has one account.
func normalEmail(s string) (string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || !isText(s) || strings.ContainsAny(s[:at], " \t\r\n\"(),:;<>@[\\]") {
		return "", false
	}
	domain, err := asciiDomain(s[at+1:])
	if err != nil || at+1+len(domain) > 254 {
		return "", false
	}
	return s[:at+1] + domain, true
}

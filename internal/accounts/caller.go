package accounts

import (
	"context"

	"footfall/internal/fault"
)

// A Role is what an account may do beyond its own websites.
type Role string

// The roles.
const (
	Admin  Role = "admin"  // also manages accounts and the settings of the installation
	Member Role = "member" // its own websites and those shared with it
)

// A Scope is what a key may do of what its account may do.
type Scope string

// The scopes.
const (
	Read   Scope = "read"
	Manage Scope = "manage"
)

// A Caller is someone who has shown who they are. Only this package makes one: from a key (CallerByKey), from a session
// (CallerBySession), or for the shell, whose user owns the database anyway (Shell, ActAs).
type Caller struct {
	account int64
	role    Role
	scope   Scope
	key     int64
	session int64
}

// Account is the account that calls; 0 for the shell.
func (c Caller) Account() int64 { return c.account }

// Key is the key that the caller showed, 0 if none.
func (c Caller) Key() int64 { return c.key }

// Session is the session that the caller is in, 0 if none.
func (c Caller) Session() int64 { return c.session }

// Scope is what the caller may do of what the account may do.
func (c Caller) Scope() Scope { return c.scope }

// Role is the role of the account that calls.
func (c Caller) Role() Role { return c.role }

// Shell is the operator at the command line. It manages accounts and settings and has no websites.
func Shell() Caller { return Caller{role: Admin, scope: Manage} }

// ActAs is the account with this email, with all its rights. It is for the command line.
func (db *DB) ActAs(ctx context.Context, email string) (Caller, error) {
	a, err := db.AccountByEmail(ctx, email)
	if err != nil {
		return Caller{}, err
	}
	return Caller{account: a.ID, role: a.Role, scope: Manage}, nil
}

func (c Caller) mayManage() error {
	if c.scope != Manage {
		return fault.New(fault.Forbidden, "this key may only read: use one with the scope manage")
	}
	return nil
}

func (c Caller) mayAdminister() error {
	if c.role != Admin {
		return fault.New(fault.Forbidden, "only an administrator may do this")
	}
	return c.mayManage()
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"footfall/internal/accounts"
)

// withAccounts does something with the accounts, also beside a running service.
func withAccounts(ctx context.Context, c *config, do func(*accounts.DB) error) error {
	db, err := openAccounts(ctx, c)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func addUser(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		password, err := readPassword(ctx, t)
		if err != nil {
			return err
		}
		in := accounts.AccountInput{Email: &c.args[0], Password: &password}
		if name, ok := c.options["name"]; ok {
			in.Name = &name
		}
		if role, ok := c.options["role"]; ok {
			in.Role = &role
		}
		a, err := db.AddAccount(ctx, accounts.Shell(), in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.out, "%s is %s\n", a.Email, a.Role)
		return err
	})
}

func listUsers(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		all, err := db.Accounts(ctx, accounts.Shell())
		if err != nil {
			return err
		}
		return table(t.out, "EMAIL\tROLE\tCREATED\tNAME", all, func(a accounts.Account) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s", a.Email, a.Role, date(a.CreatedAt), a.Name)
		})
	})
}

func setUserPassword(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		a, err := db.AccountByEmail(ctx, c.args[0])
		if err != nil {
			return err
		}
		password, err := readPassword(ctx, t)
		if err != nil {
			return err
		}
		if err := db.SetPassword(ctx, accounts.Shell(), a.ID, password); err != nil {
			return err
		}
		if _, ok := c.options["disable-totp"]; ok {
			return db.DisableTOTP(ctx, accounts.Shell(), a.ID)
		}
		return nil
	})
}

func deleteUser(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		a, err := db.AccountByEmail(ctx, c.args[0])
		if err != nil {
			return err
		}
		return db.DeleteAccount(ctx, accounts.Shell(), a.ID)
	})
}

// addKey prints the key, and only the key, so that a script can take it.
func addKey(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		owner, err := db.ActAs(ctx, c.args[0])
		if err != nil {
			return err
		}
		in := accounts.KeyInput{Name: c.options["name"], Scope: c.options["scope"], ExpiresAt: c.options["expires"]}
		_, secret, err := db.CreateKey(ctx, owner, in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(t.out, secret)
		return err
	})
}

func listKeys(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		owner, err := db.ActAs(ctx, c.args[0])
		if err != nil {
			return err
		}
		keys, err := db.Keys(ctx, owner)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tKEY\tSCOPE\tCREATED\tUSED\tEXPIRES\tREVOKED\tNAME", keys, func(k accounts.Key) string {
			return fmt.Sprintf("%d\t%s…\t%s\t%s\t%s\t%s\t%s\t%s",
				k.ID, k.Prefix, k.Scope, date(k.CreatedAt), date(k.UsedAt), date(k.ExpiresAt), date(k.RevokedAt), k.Name)
		})
	})
}

func revokeKey(ctx context.Context, c *config, t *terminal) error {
	return withAccounts(ctx, c, func(db *accounts.DB) error {
		owner, err := db.ActAs(ctx, c.args[0])
		if err != nil {
			return err
		}
		id, err := strconv.ParseInt(c.args[1], 10, 64)
		if err != nil {
			return fmt.Errorf("ID must be a number of `footfall key list %s`, not %q", c.args[0], c.args[1])
		}
		_, err = db.RevokeKey(ctx, owner, id)
		return err
	})
}

// table prints a line for each, below a head.
func table[T any](out io.Writer, head string, all []T, line func(T) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for _, v := range all {
		fmt.Fprintln(w, line(v))
	}
	return w.Flush()
}

func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

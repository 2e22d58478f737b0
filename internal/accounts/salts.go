package accounts

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// errNotShared is that of a database in a file: backups copy it, so it must have no salts.
var errNotShared = errors.New("salts are not kept in a database that is not shared")

const saltBytes = 32

// KeepSalts keeps salts, by the moment at which their day begins, for all nodes on this database. A day that has one keeps it.
// It tells all that are kept.
func (db *DB) KeepSalts(ctx context.Context, offered map[int64][saltBytes]byte) (map[int64][saltBytes]byte, error) {
	if !db.IsShared() {
		return nil, errNotShared
	}
	kept, err := salts(ctx, db.read)
	if err != nil {
		return nil, db.trouble("read salts", err)
	}
	missing := maps.Clone(offered)
	maps.DeleteFunc(missing, func(day int64, _ [saltBytes]byte) bool {
		_, there := kept[day]
		return there
	})
	if len(missing) == 0 {
		return kept, nil
	}
	err = db.change(ctx, "keep salts", func(tx *sql.Tx) error {
		if err := addSalts(ctx, tx, missing); err != nil {
			return err
		}
		kept, err = salts(ctx, tx)
		return err
	})
	return kept, err
}

// EraseSalts leaves nothing of the salts of days that begin before from, or after to. PostgreSQL leaves what is deleted or
// overwritten in the file of a table, so the others get a new file.
func (db *DB) EraseSalts(ctx context.Context, from, to int64) error {
	if !db.IsShared() {
		return errNotShared
	}
	var dead int
	err := db.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM salts WHERE day < $1 OR day > $2`, from, to).Scan(&dead)
	if err != nil || dead == 0 {
		return db.trouble("count dead salts", err)
	}
	return db.change(ctx, "erase salts", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `LOCK TABLE salts IN ACCESS EXCLUSIVE MODE`); err != nil {
			return err
		}
		living, err := salts(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `TRUNCATE salts`); err != nil {
			return err
		}
		maps.DeleteFunc(living, func(day int64, _ [saltBytes]byte) bool { return day < from || day > to })
		return addSalts(ctx, tx, living)
	})
}

func salts(ctx context.Context, q querier) (map[int64][saltBytes]byte, error) {
	kept := make(map[int64][saltBytes]byte)
	_, err := all(ctx, q, func(row scanner) (struct{}, error) {
		var day int64
		var text string
		if err := row.Scan(&day, &text); err != nil {
			return struct{}{}, err
		}
		salt, err := hex.DecodeString(text)
		if err != nil || len(salt) != saltBytes {
			return struct{}{}, fmt.Errorf("the salt of %d is none", day) // it is a secret, though a damaged one
		}
		kept[day] = [saltBytes]byte(salt)
		return struct{}{}, nil
	}, `SELECT day, salt FROM salts`)
	return kept, err
}

// addSalts adds those of days that have none, in one order: nodes that add the same wait for each other.
func addSalts(ctx context.Context, tx *sql.Tx, offered map[int64][saltBytes]byte) error {
	for _, day := range slices.Sorted(maps.Keys(offered)) {
		salt := offered[day]
		_, err := tx.ExecContext(ctx, `INSERT INTO salts (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, day, hex.EncodeToString(salt[:]))
		if err != nil {
			return err
		}
	}
	return nil
}

package accounts_test

import (
	"maps"
	"testing"

	"footfall/internal/accounts"
)

func secret(b byte) (s [32]byte) {
	for i := range s {
		s[i] = b
	}
	return s
}

func TestTheFirstSaltOfADayIsKept(t *testing.T) {
	home := newHome(postgresSchema(t))
	a, b := home.open(t), home.open(t)
	kept, err := a.KeepSalts(t.Context(), map[int64][32]byte{100: secret(1), 200: secret(2)})
	must(t, err)
	equal(t, "kept", kept, map[int64][32]byte{100: secret(1), 200: secret(2)})
	offered := map[int64][32]byte{200: secret(9), 300: secret(3)}
	kept, err = b.KeepSalts(t.Context(), offered)
	must(t, err)
	want := map[int64][32]byte{100: secret(1), 200: secret(2), 300: secret(3)}
	equal(t, "kept by the other node", kept, want)
	equal(t, "what was offered", offered, map[int64][32]byte{200: secret(9), 300: secret(3)})
	kept, err = a.KeepSalts(t.Context(), nil)
	must(t, err)
	equal(t, "kept when nothing is offered", kept, want)
}

func TestErasedSaltsAreGoneAndOthersAreNot(t *testing.T) {
	home := newHome(postgresSchema(t))
	db := home.open(t)
	all := map[int64][32]byte{100: secret(1), 200: secret(2), 300: secret(3), 400: secret(4)}
	_, err := db.KeepSalts(t.Context(), maps.Clone(all))
	must(t, err)
	must(t, db.EraseSalts(t.Context(), 200, 300))
	kept, err := db.KeepSalts(t.Context(), nil)
	must(t, err)
	equal(t, "kept", kept, map[int64][32]byte{200: secret(2), 300: secret(3)})
}

func TestNodesThatKeepAndEraseAtOnceAgree(t *testing.T) {
	home := newHome(postgresSchema(t))
	var nodes []*accounts.DB
	for range 4 {
		nodes = append(nodes, home.open(t))
	}
	results := make([]map[int64][32]byte, 20)
	for _, err := range together(20, func(i int) (err error) {
		db := nodes[i%4]
		if _, err = db.KeepSalts(t.Context(), map[int64][32]byte{1: secret(byte(i))}); err != nil {
			return err
		}
		if err = db.EraseSalts(t.Context(), 10, 20); err != nil { // of the one above
			return err
		}
		results[i], err = db.KeepSalts(t.Context(), map[int64][32]byte{10: secret(byte(i + 1)), 11: secret(byte(i + 100))})
		return err
	}) {
		must(t, err)
	}
	for i, kept := range results {
		if kept[10] != results[0][10] || kept[11] != results[0][11] || kept[10] == [32]byte{} {
			t.Errorf("try %d got other salts than the first", i)
		}
	}
}

// A salt must be in no backup, and backups copy the file of SQLite.
func TestSaltsAreNotKeptInSQLite(t *testing.T) {
	db := sqliteOnly(t)
	if _, err := db.KeepSalts(t.Context(), map[int64][32]byte{1: secret(1)}); err == nil {
		t.Error("kept")
	}
	if err := db.EraseSalts(t.Context(), 1, 2); err == nil {
		t.Error("erased")
	}
}

// PostgreSQL keeps no log of the table, from which replicas and copies are made.
func TestSaltsAreNotLogged(t *testing.T) {
	home := newHome(postgresSchema(t))
	home.open(t)
	var persistence string
	must(t, home.raw(t).QueryRow(`SELECT relpersistence::text FROM pg_class WHERE oid = 'salts'::regclass`).Scan(&persistence))
	equal(t, "persistence", persistence, "u")
}

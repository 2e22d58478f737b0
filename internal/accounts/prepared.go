package accounts

import (
	"context"
	"database/sql"
	"sync"
)

// prepared reads with statements that SQLite compiled before. The texts of questions are few, and none is made at run
// time from what was sent, so all are kept. PostgreSQL's driver does the same by itself.
type prepared struct {
	*sql.DB
	stmts sync.Map // of *sql.Stmt by text
}

func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if stmt := p.stmt(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return p.DB.QueryContext(ctx, query, args...)
}

func (p *prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if stmt := p.stmt(ctx, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return p.DB.QueryRowContext(ctx, query, args...)
}

// stmt is the statement of a text; nil if it cannot be had, which the question then finds out for itself.
func (p *prepared) stmt(ctx context.Context, query string) *sql.Stmt {
	if s, ok := p.stmts.Load(query); ok {
		return s.(*sql.Stmt)
	}
	made, err := p.DB.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	first, beaten := p.stmts.LoadOrStore(query, made)
	if beaten {
		made.Close()
	}
	return first.(*sql.Stmt)
}

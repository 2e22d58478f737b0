package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"footfall/internal/fault"
)

// An Annotation is a note on a day of a website.
type Annotation struct {
	ID        int64
	Day       string // Y-m-d
	Text      string
	CreatedAt time.Time
}

// An AnnotationInput is what was sent of an annotation, as it was sent; nil is not sent.
type AnnotationInput struct{ Day, Text *string }

// maxAnnotations is how many a website has.
const maxAnnotations = 1000

const annotationColumns = `id, day, text, created_at`

func scanAnnotation(row scanner) (Annotation, error) {
	var a Annotation
	err := row.Scan(&a.ID, &a.Day, &a.Text, stamp{&a.CreatedAt})
	return a, err
}

// Annotations lists those of the days from and to, and of all between, by day; "" is without that end. Who may see the
// website was asked before (VisibleWebsite).
func (db *DB) Annotations(ctx context.Context, w Website, from, to string) ([]Annotation, error) {
	var f fault.Fields
	if from != "" {
		day(&f, "from", from)
	}
	if to == "" {
		to = lastDay
	} else {
		day(&f, "to", to)
	}
	if f.Err() == nil && from > to {
		f.Add("to", "must not be before from")
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	list, err := all(ctx, db.read, scanAnnotation, `SELECT `+annotationColumns+` FROM annotations
		WHERE website_id = $1 AND day >= $2 AND day <= $3 ORDER BY day, id`, w.ID, from, to)
	return list, db.trouble("list annotations", err)
}

// AddAnnotation adds one to a website. The caller owns or edits it.
func (db *DB) AddAnnotation(ctx context.Context, c Caller, website int64, in AnnotationInput) (Annotation, error) {
	a := Annotation{CreatedAt: db.clock()}
	err := db.change(ctx, "add an annotation", func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		if err := in.create(&a); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM annotations WHERE website_id = $1`, website).Scan(&n); err != nil {
			return err
		}
		if n >= maxAnnotations {
			return fault.New(fault.Conflict, "the website has %d annotations, and more are not kept: delete some first", n)
		}
		return tx.QueryRowContext(ctx, `INSERT INTO annotations (website_id, day, text, created_at) VALUES ($1, $2, $3, $4) RETURNING id`,
			website, a.Day, a.Text, millis(a.CreatedAt)).Scan(&a.ID)
	})
	if err != nil {
		return Annotation{}, err
	}
	return a, nil
}

// UpdateAnnotation changes the fields of an annotation that were sent. The caller owns or edits the website.
func (db *DB) UpdateAnnotation(ctx context.Context, c Caller, website, id int64, in AnnotationInput) (Annotation, error) {
	var a Annotation
	err := db.change(ctx, "update an annotation", func(tx *sql.Tx) (err error) {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		a, err = scanAnnotation(tx.QueryRowContext(ctx, `SELECT `+annotationColumns+` FROM annotations WHERE id = $1 AND website_id = $2`, id, website))
		if errors.Is(err, sql.ErrNoRows) {
			return noAnnotation(id)
		}
		if err != nil {
			return err
		}
		if err := in.update(&a); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE annotations SET day = $2, text = $3 WHERE id = $1`, id, a.Day, a.Text)
		return err
	})
	if err != nil {
		return Annotation{}, err
	}
	return a, nil
}

// DeleteAnnotation deletes one. The caller owns or edits the website.
func (db *DB) DeleteAnnotation(ctx context.Context, c Caller, website, id int64) error {
	return db.change(ctx, "delete an annotation", func(tx *sql.Tx) error {
		if _, err := changeableWebsite(ctx, tx, c, website, Editor); err != nil {
			return err
		}
		var gone int64
		err := tx.QueryRowContext(ctx, `DELETE FROM annotations WHERE id = $1 AND website_id = $2 RETURNING id`, id, website).Scan(&gone)
		if errors.Is(err, sql.ErrNoRows) {
			return noAnnotation(id)
		}
		return err
	})
}

func noAnnotation(id int64) error { return fault.New(fault.NotFound, "no annotation %d", id) }

// create checks what was sent of a new annotation and puts it into a.
func (in AnnotationInput) create(a *Annotation) error {
	var f fault.Fields
	if in.Day == nil {
		f.Add("day", "is required: a date such as 2026-03-01")
	}
	if in.Text == nil {
		f.Add("text", "is required")
	}
	in.apply(&f, a)
	return f.Err()
}

// update checks what was sent of an annotation that exists and puts it into a.
func (in AnnotationInput) update(a *Annotation) error {
	var f fault.Fields
	in.apply(&f, a)
	return f.Err()
}

func (in AnnotationInput) apply(f *fault.Fields, a *Annotation) {
	if in.Day != nil {
		a.Day = day(f, "day", *in.Day)
	}
	if in.Text != nil {
		if a.Text = line(f, "text", *in.Text); a.Text == "" {
			f.Add("text", "must not be empty")
		}
	}
}

// Beyond these lie typing errors, and years that four digits do not hold.
const firstDay, lastDay = "1970-01-01", "2999-12-31"

// day is a date. It notes what is wrong with one that is none.
func day(f *fault.Fields, field, s string) string {
	if _, err := time.Parse(time.DateOnly, s); err != nil || s < firstDay || s > lastDay {
		f.Add(field, "must be a date that exists, from %s to %s, written as Y-m-d", firstDay, lastDay)
	}
	return s
}

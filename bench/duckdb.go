package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"golang.org/x/sync/errgroup"

	"footfall/bench/traffic"
	"footfall/internal/event"
	"footfall/internal/store"
)

// A duck is DuckDB with the same events in one native table, sorted by website, day, visitor and time. Visitors and visits
// are numbered through, so that counting them is counting different 32-bit numbers.
type duck struct {
	connector *duckdb.Connector
	db        *sql.DB
	dir       string
}

// chunkRows is how many rows are sorted at a time: sorting 50 M at once wants more memory than a machine may have.
const chunkRows = 1_000_000

// loadDuck loads DuckDB, if it is not loaded.
func loadDuck(ctx context.Context, s settings, out *output) error {
	path := filepath.Join(s.duckDir(), duckFile)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	began := time.Now()
	d, err := openDuck(s.duckDir())
	if err != nil {
		return err
	}
	if err := errors.Join(d.load(ctx, s.traffic(), out.progress), d.close()); err != nil {
		return err
	}
	took := time.Since(began)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return errors.Join(out.figures(
		figure{Name: "DuckDB: loaded and sorted", Value: float64(s.events) / took.Seconds(), Unit: "events/s"},
		figure{Name: "DuckDB: size", Value: float64(info.Size()) / float64(s.events), Unit: "bytes/event"},
	), out.memory("DuckDB: peak memory, loading", 0))
}

// askDuck puts the probes to DuckDB.
func askDuck(ctx context.Context, s settings, out *output) error {
	d, err := openDuck(s.duckDir())
	if err != nil {
		return err
	}
	defer d.close()
	if err := askAll(ctx, s, out, "duckdb", func(probe) bool { return true }, d.prepare); err != nil {
		return err
	}
	return out.memory("DuckDB: peak memory, questions", 0)
}

const duckFile = "events.duckdb"

func openDuck(dir string) (*duck, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	connector, err := duckdb.NewConnector(filepath.Join(dir, duckFile), nil)
	if err != nil {
		return nil, err
	}
	d := &duck{connector, sql.OpenDB(connector), dir}
	d.db.SetMaxOpenConns(1) // ATTACH and settings are of the database, but one connection is enough
	for _, s := range []string{
		"SET threads = 2",
		"SET memory_limit = '8GB'",
		"SET temp_directory = " + quote(filepath.Join(dir, "tmp")),
		"SET enable_progress_bar = false",
	} {
		if _, err := d.db.Exec(s); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s, err), d.close())
		}
	}
	return d, nil
}

func (d *duck) close() error { return errors.Join(d.db.Close(), d.connector.Close()) }

// load takes all events of a stream: first as they come into a table beside, then sorted into the one that is asked.
func (d *duck) load(ctx context.Context, o traffic.Options, p *progress) error {
	if err := d.stage(ctx, o, p); err != nil {
		return fmt.Errorf("stage events: %w", err)
	}
	p.begin("DuckDB: sort", o.Events)
	if err := d.sort(ctx, o, p); err != nil {
		return fmt.Errorf("sort events: %w", err)
	}
	for _, s := range []string{"DETACH staging", "CHECKPOINT"} {
		if _, err := d.db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return os.Remove(d.staging())
}

func (d *duck) staging() string { return filepath.Join(d.dir, "staging.duckdb") }

func (d *duck) stage(ctx context.Context, o traffic.Options, p *progress) error {
	for _, s := range []string{
		"ATTACH " + quote(d.staging()) + " AS staging",
		"CREATE TABLE staging.events (" + columns("UBIGINT", "") + ")",
		"CREATE TABLE events (" + columns("UINTEGER", "visit UINTEGER, ") + ")",
	} {
		if _, err := d.db.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	p.begin("DuckDB: append", o.Events)
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for i := range appenders {
		g.Go(func() error { return d.appendShare(ctx, o, i, &done, p) })
	}
	return g.Wait()
}

// appenders share the work: an appender takes 8 µs for a row of 33 columns, the stream only 0.3 µs, so each has a stream of
// its own and leaves out what is not its share.
const appenders = 2

func (d *duck) appendShare(ctx context.Context, o traffic.Options, share int, done *atomic.Int64, p *progress) error {
	conn, err := d.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	a, err := duckdb.NewAppender(conn, "staging", "main", "events")
	if err != nil {
		return err
	}
	s := traffic.New(o)
	var e event.Event
	var row []driver.Value
	for n := 0; s.Next(&e); {
		if int(e.Visitor%appenders) != share {
			continue
		}
		row = append(row[:0], e.Website, e.Day.UTC(), e.Visitor, time.UnixMilli(e.Time).UTC(), e.Offset, uint8(e.Kind),
			e.Scroll, e.Engaged, e.Value)
		for _, text := range &e.Fields {
			row = append(row, text)
		}
		if err := a.AppendRow(row...); err != nil {
			return errors.Join(err, a.Close())
		}
		if n++; n%1000 == 0 {
			p.set(int(done.Add(1000)))
			if ctx.Err() != nil {
				return errors.Join(ctx.Err(), a.Close())
			}
		}
	}
	return a.Close()
}

// columns is what both tables have. Ids of events are left out: nothing that is asked needs them.
func columns(visitor, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "website BIGINT, day DATE, visitor %s, %stime TIMESTAMP_MS, utc_offset SMALLINT, kind UTINYINT, scroll UTINYINT, "+
		"engaged INTEGER, value BIGINT", visitor, more)
	for f := range event.NumFields {
		fmt.Fprintf(&b, ", %s VARCHAR", quoteName(event.Field(f).String()))
	}
	return b.String()
}

// A chunk is some rows that follow each other in the sorted table: those of several small websites, or some days of a
// large one.
type chunk struct {
	first, last int64     // websites
	from, to    event.Day // from ≤ day < to
	events      int
}

// sort fills the table in its order, chunk by chunk.
func (d *duck) sort(ctx context.Context, o traffic.Options, p *progress) error {
	chunks, err := d.chunks(ctx, o)
	if err != nil {
		return err
	}
	done := 0
	for _, c := range chunks {
		if err := d.sortChunk(ctx, c); err != nil {
			return err
		}
		done += c.events
		p.set(done)
	}
	return nil
}

func (d *duck) chunks(ctx context.Context, o traffic.Options) ([]chunk, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT website, count(*) FROM staging.events GROUP BY website ORDER BY website")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	from, to := o.From, o.From+event.Day(o.Days)
	var chunks []chunk
	for rows.Next() {
		c := chunk{from: from, to: to}
		if err := rows.Scan(&c.first, &c.events); err != nil {
			return nil, err
		}
		c.last = c.first
		if n := len(chunks); n > 0 && chunks[n-1].events+c.events <= chunkRows {
			chunks[n-1].last = c.last
			chunks[n-1].events += c.events
			continue
		}
		parts := c.events/chunkRows + 1
		for i := range parts {
			c.from = from + event.Day(o.Days*i/parts)
			c.to = from + event.Day(o.Days*(i+1)/parts)
			chunks = append(chunks, c)
			chunks[len(chunks)-1].events = c.events / parts
		}
		if parts > 1 {
			chunks = append(chunks, chunk{first: c.first + 1, last: c.first, from: from, to: to}) // for the websites behind it
		}
	}
	return chunks, rows.Err()
}

// sortChunk adds a chunk, in order, with the numbers of visitors and visits going on from those before.
func (d *duck) sortChunk(ctx context.Context, c chunk) error {
	visit := fmt.Sprintf("time - lag(time) OVER (PARTITION BY website, day, visitor ORDER BY time) <= INTERVAL %d SECONDS", int(store.VisitGap.Seconds()))
	_, err := d.db.ExecContext(ctx, fmt.Sprintf(`
		INSERT INTO events BY NAME
		SELECT * EXCLUDE same
			REPLACE (
				(SELECT coalesce(max(visitor), 0) FROM events) + dense_rank() OVER (ORDER BY website, day, visitor) AS visitor),
			(SELECT coalesce(max(visit), 0) FROM events) +
				sum(CASE WHEN same THEN 0 ELSE 1 END) OVER (ORDER BY website, day, visitor, time ROWS UNBOUNDED PRECEDING) AS visit
		FROM (
			SELECT *, %s AS same
			FROM staging.events
			WHERE website BETWEEN %d AND %d AND day >= DATE '%v' AND day < DATE '%v')
		ORDER BY website, day, visitor, time`, visit, c.first, c.last, c.from, c.to))
	return err
}

// prepare makes a statement of each question of a query. They run one after the other.
func (d *duck) prepare(q store.Query) (func(context.Context) (store.Result, error), error) {
	var statements []*sql.Stmt // closed with the database
	for _, question := range q.Questions {
		text, err := statement(q, question)
		if err != nil {
			return nil, err
		}
		s, err := d.db.Prepare(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		statements = append(statements, s)
	}
	return func(ctx context.Context) (store.Result, error) {
		var result store.Result
		for _, s := range statements {
			a, err := answer(ctx, s)
			if err != nil {
				return store.Result{}, err
			}
			result.Answers = append(result.Answers, a)
		}
		return result, nil
	}, nil
}

func answer(ctx context.Context, s *sql.Stmt) (store.Answer, error) {
	rows, err := s.QueryContext(ctx)
	if err != nil {
		return store.Answer{}, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return store.Answer{}, err
	}
	var a store.Answer
	for rows.Next() {
		row := store.Row{Metrics: make([]float64, len(names)-2)}
		into := []any{&row.Value}
		for i := range row.Metrics {
			into = append(into, &row.Metrics[i])
		}
		if err := rows.Scan(append(into, &a.Total)...); err != nil {
			return store.Answer{}, err
		}
		a.Rows = append(a.Rows, row)
	}
	return a, rows.Err()
}

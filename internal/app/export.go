package app

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/event"
	"footfall/internal/port"
)

// exportEvents writes the events of a website to a file, or to standard output if that is "-". The service may run: what is
// read is a copy of its files at one moment.
func exportEvents(ctx context.Context, c *config, t *terminal) error {
	x, err := newExporting(ctx, c, t)
	if err != nil {
		return err
	}
	target := c.args[1]
	if target == "-" {
		return x.write(ctx, t.out)
	}
	temp, err := os.OpenFile(target+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	defer os.Remove(temp.Name()) // gone by then if all went well
	if strings.HasSuffix(target, ".gz") {
		packed := gzip.NewWriter(temp)
		err = errors.Join(x.write(ctx, packed), packed.Close())
	} else {
		err = x.write(ctx, temp)
	}
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return fmt.Errorf("name the file: %w", err)
	}
	_, err = fmt.Fprintf(t.out, "%d events: %s\n", x.events, target)
	return err
}

// An exporting is an export on its way.
type exporting struct {
	config   *config
	t        *terminal
	website  accounts.Website
	from, to event.Day
	format   port.Format
	events   int64
	told     time.Time
}

func newExporting(ctx context.Context, c *config, t *terminal) (*exporting, error) {
	x := &exporting{config: c, t: t, from: 0, to: 1 << 30, format: port.CSV, told: time.Now()}
	if _, err := os.Stat(c.dataDir); err != nil {
		return nil, fmt.Errorf("there is nothing to export: %w", err)
	}
	if name, ok := c.options["format"]; ok {
		f, err := port.ParseFormat(name, port.Written)
		if err != nil {
			return nil, fmt.Errorf("--format %w, not %q", err, name)
		}
		x.format = f
	}
	for _, name := range []string{"from", "to"} {
		value, ok := c.options[name]
		if !ok {
			continue
		}
		day, err := event.ParseDay(value)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", name, err)
		}
		if name == "from" {
			x.from = day
		} else {
			x.to = day + 1
		}
	}
	if x.from >= x.to {
		return nil, errors.New("--from must not be after --to")
	}
	return x, withAccounts(ctx, c, func(db *accounts.DB) (err error) {
		x.website, err = db.WebsiteByDomain(ctx, c.args[0])
		return err
	})
}

// write writes all events.
func (x *exporting) write(ctx context.Context, to io.Writer) (err error) {
	h, err := openCopy(ctx, x.config, x.t.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	w, err := port.NewWriter(x.format, to)
	if err != nil {
		return err
	}
	terminal, _ := x.t.err.(*os.File)
	isShown := terminal != nil && isTerminal(terminal)
	damaged, err := h.engine.Export(ctx, x.website.ID, x.from, x.to, func(e *event.Event) error {
		x.events++
		if isShown && x.events%4096 == 0 && time.Since(x.told) >= time.Second {
			x.told = time.Now()
			fmt.Fprintf(x.t.err, "export: %s, %d events\n", e.Day, x.events)
		}
		return w.Write(e)
	})
	if err = errors.Join(err, w.Flush()); err != nil {
		return fmt.Errorf("export %s: %w", x.website.Domain, err)
	}
	if len(damaged) > 0 {
		return fmt.Errorf("these files are damaged, and the events in them cannot be exported: %s", strings.Join(damaged, ", "))
	}
	return nil
}

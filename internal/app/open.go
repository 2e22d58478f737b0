package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"footfall/internal/accounts"
	"footfall/internal/alert"
	"footfall/internal/collect"
	"footfall/internal/journal"
	"footfall/internal/outbox"
	"footfall/internal/report"
	"footfall/internal/store/segments"
)

// A house is all that is open while the service runs.
type house struct {
	dir       string
	accounts  *accounts.DB
	engine    *segments.Engine
	journal   *journal.Journal
	collector *collect.Collector
	loader    *collect.Loader
	tally     *collect.Tally
	importer  *collect.Importer
	signer    *report.Signer
	planner   *report.Planner // nil if no email is sent, as are the postmen
	postman   *outbox.Postman // of reports
	noMail    string          // why not
	watch     *alert.Watch
	courier   *outbox.Courier
	alerter   *outbox.Postman // of alerts
	maxBytes  int64           // of the journal

	closers []io.Closer // in the order of opening
}

// openHouse opens everything in order. Who has opened it closes it.
func openHouse(ctx context.Context, c *config, log *slog.Logger) (h *house, err error) {
	h = &house{dir: c.dataDir, maxBytes: c.journalBytes}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	lock, err := lockDir(c.dataDir)
	if err != nil {
		return h, err
	}
	h.closers = append(h.closers, lock)
	if h.accounts, err = openAccounts(ctx, c); err != nil {
		return h, err
	}
	h.closers = append(h.closers, h.accounts)
	if h.engine, err = segments.Open(c.dataDir, segments.Options{Log: log}); err != nil {
		return h, err
	}
	h.closers = append(h.closers, h.engine)
	ledger, err := openLedger(h.accounts, c)
	if err != nil {
		return h, err
	}
	o, err := journalOptions(ctx, h, ledger, c, log)
	if err != nil {
		return h, err
	}
	if h.journal, err = journal.Open(filepath.Join(c.dataDir, "journal"), o); err != nil {
		return h, err
	}
	h.closers = append(h.closers, h.journal)
	if err := h.openCollect(ctx, c, ledger, log); err != nil {
		return h, err
	}
	if err := h.openReports(ctx, c, ledger.node, log); err != nil {
		return h, err
	}
	return h, h.openAlerts(ctx, c, ledger.node, log)
}

// Close closes everything in reverse.
func (h *house) Close() error {
	var errs []error
	for i := len(h.closers) - 1; i >= 0; i-- {
		errs = append(errs, h.closers[i].Close())
	}
	h.closers = nil
	return errors.Join(errs...)
}

// openAccounts opens the accounts, which needs no lock: the database has its own.
func openAccounts(ctx context.Context, c *config) (*accounts.DB, error) {
	if c.databaseURL == "" {
		if err := makeDir(c.dataDir); err != nil {
			return nil, err
		}
	}
	return accounts.Open(ctx, c.databaseURL, accounts.Options{Dir: c.dataDir})
}

// makeDir makes the data directory. It is for nobody else's eyes.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	return nil
}

// lockDir keeps another service out of a data directory. The lock ends with the process, however that ends.
func lockDir(dir string) (io.Closer, error) {
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "LOCK"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, fmt.Errorf("the data directory %s is in use by another footfall: stop that one, or choose another with --data-dir", dir)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	return f, nil
}

package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"footfall/internal/accounts"
	"footfall/internal/collect"
	"footfall/internal/collect/place"
	"footfall/internal/disk"
	"footfall/internal/journal"
)

// Files in the data directory. A backup must have neither: salts die with their day, and a copy is another node.
const (
	saltsFile = "salts"
	nodeFile  = "node"
)

// onlyNode is the name of the node on a database that no other uses. It is always the same, so that a database that was
// restored goes on where it was.
const onlyNode = "only"

// openCollect opens what a hit needs on its way into the journal, and what counts those that are dropped.
func (h *house) openCollect(ctx context.Context, c *config, ledger *ledger, log *slog.Logger) error {
	places, err := openPlaces(c.geoip)
	if err != nil {
		return err
	}
	networks, err := openNetworks(c.networks)
	if err != nil {
		return err
	}
	salts := h.openSalts(c, log)
	h.closers = append(h.closers, salts)
	websites := &collect.Directory{Register: register{h.accounts}, Log: log}
	if err := websites.Refresh(ctx); err != nil {
		return err
	}
	h.collector = &collect.Collector{Journal: h.journal, Websites: websites, Salts: salts, Places: places, Networks: networks, HonourSignals: c.honourSignals}
	book := importBook{h.accounts}
	h.tally = &collect.Tally{Journal: h.journal, Ledger: ledger, Imports: book, Log: log}
	h.loader = &collect.Loader{Journal: h.journal, Store: h.engine, Tally: h.tally, Log: log}
	h.importer = &collect.Importer{Collector: h.collector, Store: h.engine, Tally: h.tally, Book: book, MaxBacklog: min(c.journalBytes/2, 256<<20)}
	return nil
}

// openSalts opens those of the node, or those that nodes on one database share.
func (h *house) openSalts(c *config, log *slog.Logger) *collect.Salts {
	if h.accounts.IsShared() {
		return collect.ShareSalts(sharedSalts{h.accounts}, collect.SaltOptions{Log: log})
	}
	return collect.OpenSalts(filepath.Join(c.dataDir, saltsFile), collect.SaltOptions{Log: log})
}

// sharedSalts are the salts in the accounts, as collect asks for them.
type sharedSalts struct{ db *accounts.DB }

// Keep implements collect.SaltKeeper.
func (s sharedSalts) Keep(ctx context.Context, offered map[int64][32]byte) (map[int64][32]byte, error) {
	return s.db.KeepSalts(ctx, offered)
}

// Erase implements collect.SaltKeeper.
func (s sharedSalts) Erase(ctx context.Context, from, to int64) error {
	return s.db.EraseSalts(ctx, from, to)
}

// Close implements collect.SaltKeeper. The accounts are closed by who opened them.
func (s sharedSalts) Close() error { return nil }

// openNetworks opens the file that the settings name, if they name one.
func openNetworks(file string) (*collect.Networks, error) {
	if file == "" {
		return nil, nil
	}
	networks, err := collect.OpenNetworks(file)
	if err != nil {
		return nil, fmt.Errorf("--datacenter-networks: %w", err)
	}
	return networks, nil
}

// openPlaces opens the file that the settings name, or what is in the binary.
func openPlaces(file string) (*place.Atlas, error) {
	if file == "" {
		return place.Embedded()
	}
	atlas, err := place.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--geoip: %w", err)
	}
	return atlas, nil
}

// A register is the websites in the accounts, as collect knows them.
type register struct{ *accounts.DB }

// Websites implements collect.Register.
func (r register) Websites(ctx context.Context) ([]*collect.Website, error) {
	list, err := r.AllWebsites(ctx)
	if err != nil {
		return nil, err
	}
	websites := make([]*collect.Website, len(list))
	zones := make(map[string]*time.Location)
	for i, w := range list {
		if zones[w.Timezone] == nil {
			if zones[w.Timezone], err = time.LoadLocation(w.Timezone); err != nil {
				return nil, fmt.Errorf("load the time zone of website %d: %w", w.ID, err)
			}
		}
		websites[i] = &collect.Website{
			ID: w.ID, Domain: w.Domain, Zone: zones[w.Timezone], ExcludeBots: w.ExcludeBots, RespectSignals: w.RespectSignals,
			ExcludedIPs: w.ExcludedIPs(), ExcludedParams: w.ExcludedParams(),
		}
	}
	return websites, nil
}

// A ledger is the counts of drops in the accounts, as far as this node counts them.
type ledger struct {
	db   *accounts.DB
	node string
}

// Position implements collect.Ledger.
func (l *ledger) Position(ctx context.Context) (uint64, error) {
	return l.db.DropPosition(ctx, l.node)
}

// Add implements collect.Ledger.
func (l *ledger) Add(ctx context.Context, to uint64, counts []collect.Count) error {
	list := make([]accounts.DropCount, len(counts))
	for i, c := range counts {
		list[i] = accounts.DropCount{Website: c.Website, Day: c.Day.String(), Reason: string(c.Drop), Hits: c.Hits}
	}
	return l.db.AddDrops(ctx, l.node, to, list)
}

// openLedger finds out which node this is.
func openLedger(db *accounts.DB, c *config) (*ledger, error) {
	if !db.IsShared() {
		return &ledger{db, onlyNode}, nil
	}
	node, err := nodeName(filepath.Join(c.dataDir, nodeFile))
	if err != nil {
		return nil, fmt.Errorf("find out which node this is: %w", err)
	}
	return &ledger{db, node}, nil
}

var nodeForm = regexp.MustCompile(`^[a-z2-7]{26}$`)

// nodeName is what tells this node from others on the same database. It is made once, at random.
func nodeName(path string) (string, error) {
	content, err := os.ReadFile(path)
	if name := strings.TrimSpace(string(content)); err == nil && nodeForm.MatchString(name) {
		return name, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	name := strings.ToLower(rand.Text())
	return name, writeFile(path, name+"\n")
}

// writeFile puts a small file on disk, whole or not at all.
func writeFile(path, content string) error {
	fsys := disk.OS{}
	fresh := path + ".new"
	if err := fsys.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := fsys.Create(fresh)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(content))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := fsys.Rename(fresh, path); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(path))
}

// journalOptions are those of a journal that goes on behind all that its readers have.
func journalOptions(ctx context.Context, h *house, l *ledger, c *config, log *slog.Logger) (journal.Options, error) {
	counted, err := l.Position(ctx)
	if err != nil {
		return journal.Options{}, err
	}
	return journal.Options{Next: max(h.engine.Position(), counted), MaxBytes: c.journalBytes, Log: log}, nil
}

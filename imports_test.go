package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed says which of our packages each of our packages may import. A new arrow is a design decision: change this
// table, and say why in the commit.
var allowed = map[string][]string{
	"internal/event":          nil,
	"internal/fault":          nil,
	"internal/disk":           nil, // journal and store/segments stand on it, so that one set of faults tests both
	"internal/disk/disktest":  {"internal/disk"},
	"internal/journal":        {"internal/disk"},
	"internal/store":          {"internal/event"},
	"internal/store/segments": {"internal/store", "internal/event", "internal/disk"},
	"internal/store/storetest": {
		"internal/store", "internal/event",
	},
	"internal/collect": { // the rooms below it read what a hit says; atlas names its language
		"internal/event", "internal/journal", "internal/store", "internal/fault", "internal/atlas",
		"internal/collect/link", "internal/collect/agent", "internal/collect/place", "internal/collect/memo", "internal/collect/kept",
		"internal/port", // it makes events of what files say
	},
	"internal/port":                  {"internal/event"}, // formats of files change with other programs, not with the rules of counting
	"internal/collect/link":          nil,
	"internal/collect/memo":          nil,
	"internal/collect/agent":         {"internal/collect/memo"},
	"internal/collect/kept":          nil,
	"internal/collect/place":         {"internal/atlas", "internal/collect/kept"},
	"internal/accounts":              {"internal/fault", "internal/webhook"}, // which says what a webhook's URL may be
	"internal/webhook":               {"internal/fault"},
	"internal/atlas":                 nil,                                                           // names and codes of places and languages: stats shows them, collect will find them
	"internal/demo":                  {"internal/event", "internal/atlas", "internal/collect/link"}, // made-up traffic changes for its own reasons, not with the command
	"internal/backup":                {"internal/journal", "internal/store/segments"},               // knows what is on disk, and in which order to copy it
	"internal/stats":                 {"internal/store", "internal/event", "internal/fault", "internal/atlas"},
	"internal/accounts/accountstest": {"internal/accounts"},
	"internal/mail":                  nil,
	"internal/mail/mailtest":         nil,
	"internal/outbox": { // one way out for all that waits in the accounts' outbox: to the mail server, and to webhooks
		"internal/accounts", "internal/mail", "internal/webhook", "internal/fault",
	},
	"internal/report": { // asks what stats asks, of days that event counts
		"internal/stats", "internal/store", "internal/accounts", "internal/mail", "internal/outbox", "internal/event",
	},
	"internal/alert": { // asks what stats asks, and writes to people
		"internal/stats", "internal/store", "internal/accounts", "internal/mail", "internal/outbox", "internal/fault", "internal/event",
	},
	"internal/door":    nil, // reads HTTP, and knows nothing of what is in it
	"internal/httpapi": {"internal/collect", "internal/stats", "internal/accounts", "internal/report", "internal/fault", "api", "web", "tracker"},
	"internal/app": {
		"internal/httpapi", "internal/door", "internal/collect", "internal/stats", "internal/accounts", "internal/fault", "internal/journal",
		"internal/store", "internal/store/segments", "internal/event", "internal/demo", "internal/backup", "internal/port",
		"internal/alert", "internal/outbox", "internal/webhook", "internal/report", "internal/mail", "internal/collect/place", "internal/disk", // it opens the places, and writes the name of the node
	},
}

// onlyForTests are packages that no product code imports.
var onlyForTests = []string{"internal/accounts/accountstest", "internal/mail/mailtest", "internal/disk/disktest", "internal/store/storetest"}

const module = "footfall/"

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./internal/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		err := packages.Decode(&p)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		may, known := allowed[name]
		if !known {
			t.Errorf("%s is a new room: add it to the table", name)
			continue
		}
		for _, i := range p.Imports {
			i, ours := strings.CutPrefix(i, module)
			if !ours {
				continue
			}
			if !slices.Contains(may, i) {
				t.Errorf("%s imports %s, which it may not", name, i)
			}
			if slices.Contains(onlyForTests, i) && !slices.Contains(onlyForTests, name) {
				t.Errorf("%s imports %s, which is for tests", name, i)
			}
		}
	}
}

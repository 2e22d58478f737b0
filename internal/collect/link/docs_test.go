package link_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"footfall/internal/collect/link"
)

// The document's tables are those of the code, row by row.
func TestDocumentShowsTheTables(t *testing.T) {
	text, err := os.ReadFile("../../../docs/sources.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, want := range map[string][]link.Row{
		"| channel | when |":                 link.ChannelRows(),
		"| parameter | what it is | fills |": link.ParameterRows(),
	} {
		got := rows(t, string(text), heading)
		for _, row := range want {
			if !slices.Contains(got, row) {
				t.Errorf("docs/sources.md has no row %q", row)
			}
		}
		if len(got) == len(want) && !slices.Equal(got, want) {
			t.Errorf("docs/sources.md has the rows under %s in another order", heading)
		}
		if len(got) > len(want) {
			t.Errorf("docs/sources.md has %d rows under %s, the code %d", len(got), heading, len(want))
		}
	}
}

// rows are those of the table under a heading.
func rows(t *testing.T, text, heading string) (rows []link.Row) {
	t.Helper()
	_, table, ok := strings.Cut(text, heading+"\n")
	if !ok {
		t.Fatalf("docs/sources.md has no table %s", heading)
	}
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|--") {
			continue
		}
		var row link.Row
		for i, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			row[i] = strings.TrimSpace(cell)
		}
		rows = append(rows, row)
	}
	return rows
}
